// Package store keeps the history of gnaw in an SQLite file: campaigns, targets, findings and coverage over time.
//
// The history is an index: the inputs of findings are files in testdata, except those of known findings, which only the history
// has. Every error is an [Error], one sentence that names the file and the remedy, so that a caller can print it and continue
// without the history.
//
// Several goroutines may use a [Store], and several processes its file.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"modernc.org/sqlite" // registers the driver "sqlite"; it needs no C compiler
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// FileName is the name of the database in gnaw's cache folder.
const FileName = "history.db"

// defaultWait is how long a statement waits for another process. Each holds the lock for a few milliseconds; a process
// that is stopped holds it for ever.
const defaultWait = 5 * time.Second

// Store is an open database.
type Store struct {
	db   *sql.DB
	path string
	wait time.Duration
}

// Error says what could not be done with the database, why, and what to do about it.
type Error struct {
	Path string // of the database
	Op   string // as in "save a finding"
	Err  error
	hint string
}

// Error is one sentence.
func (e *Error) Error() string {
	return fmt.Sprintf("%s in the history %s: %v; %s", e.Op, e.Path, e.Err, e.hint)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// remedy is what helps when nothing better is known.
const remedy = "remove the file to start a new history; inputs in testdata stay, those of known findings are in the history only"

// cacheVariable is the environment variable that decides where os.UserCacheDir is.
func cacheVariable(goos string) string {
	switch goos {
	case "windows":
		return "LocalAppData"
	case "darwin":
		return "HOME" // it is Library/Caches there
	}
	return "XDG_CACHE_HOME"
}

// fail makes an Error of the cause.
func (s *Store) fail(op string, err error) error {
	e := &Error{Path: s.path, Op: op, Err: err, hint: remedy}
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	const again = "try again"
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		e.hint = again // nothing is wrong with the file
		return e
	}
	var lite *sqlite.Error
	if !errors.As(err, &lite) {
		return e
	}
	switch lite.Code() & 0xff { // the rest is detail
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		e.Err = fmt.Errorf("another process has locked it for %v", s.wait)
		e.hint = "end that process or try again"
	case sqlite3.SQLITE_FULL:
		e.Err, e.hint = errors.New("the disk is full"), "make room, for instance with `gnaw clean`"
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		e.Err = errors.New("the file is damaged or no database")
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH:
		e.Err = errors.New("the file or its folder cannot be written")
		e.hint = "change the permissions, or set " + cacheVariable(runtime.GOOS) + " to a folder of yours"
	case sqlite3.SQLITE_INTERRUPT:
		e.hint = again
	case sqlite3.SQLITE_IOERR:
		e.hint = "look after the disk, or " + remedy
	}
	return e
}

// Open opens the database at path and brings it to the newest schema. It makes the file and its folder if they are
// missing.
func Open(ctx context.Context, path string) (*Store, error) { return open(ctx, path, defaultWait) }

func open(ctx context.Context, path string, wait time.Duration) (*Store, error) {
	s := &Store{path: path, wait: wait}
	if err := os.MkdirAll(filepath.Dir(path), disk.PrivateDir); err != nil {
		return nil, &Error{path, "make the folder", err, "set " + cacheVariable(runtime.GOOS) + " to a folder of yours"}
	}
	makePrivate(path)
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive of Windows
	}
	// The wait comes first, since the change to WAL needs the lock too. With WAL, readers and a writer do not meet, and
	// a process that is killed leaves a file that the next one repairs.
	name := (&url.URL{Scheme: "file", Path: slashed}).String() + fmt.Sprintf("?_pragma=busy_timeout(%d)", wait.Milliseconds()) +
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate"
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, s.fail("open", err)
	}
	s.db = db
	db.SetMaxOpenConns(1) // statements of one process wait for each other here, without the busy handler's naps
	if err := s.connect(ctx); err != nil {
		return nil, errors.Join(s.fail("open", err), db.Close())
	}
	return s, nil
}

// makePrivate makes the file of the database one that only the user can read. SQLite gives its mode to the files beside it; those of
// an older gnaw may be there. An error is left to SQLite, which cannot use the file either.
func makePrivate(path string) {
	_ = disk.MakePrivateFile(path)
	for _, beside := range []string{"-wal", "-shm", "-journal"} {
		if _, err := os.Lstat(path + beside); err == nil {
			_ = disk.MakePrivateFile(path + beside)
		}
	}
}

// connect makes the connection and brings the schema to the newest version.
//
// Of two processes that both have read a new file and both want to change it to WAL, SQLite turns one away at once,
// whatever the time it may wait, since neither would ever get the lock. That one tries again.
func (s *Store) connect(ctx context.Context) error {
	for end := time.Now().Add(s.wait); ; {
		err := s.migrate(ctx)
		if !isBusy(err) || !time.Now().Before(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// isBusy reports whether err says that another connection has the lock.
func isBusy(err error) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code()&0xff == sqlite3.SQLITE_BUSY
}

// Close closes the database.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return s.fail("close", err)
	}
	return nil
}

// migrations bring a database from the version that is their index to the next one. What has been released is never
// changed: a new schema is a new element.
var migrations = []string{schema1, schema2, schema3, schema4, schema5, schema6, schema7, schema8, schema9}

const schema1 = `
CREATE TABLE campaigns (
	id       INTEGER PRIMARY KEY,
	module   TEXT NOT NULL,
	packages TEXT NOT NULL, -- patterns, separated by spaces
	started  INTEGER NOT NULL, -- milliseconds since 1970, as all times here
	ended    INTEGER NOT NULL, -- 0: it runs, or was killed
	go       TEXT NOT NULL,
	git      TEXT NOT NULL  -- commit; empty: no work tree
) STRICT;
CREATE TABLE targets (
	id      INTEGER PRIMARY KEY,
	module  TEXT NOT NULL,
	package TEXT NOT NULL,
	name    TEXT NOT NULL,
	first   INTEGER NOT NULL,
	last    INTEGER NOT NULL,
	UNIQUE (module, package, name)
) STRICT;
CREATE TABLE coverage (
	campaign INTEGER NOT NULL REFERENCES campaigns (id),
	target   INTEGER NOT NULL REFERENCES targets (id),
	at       INTEGER NOT NULL,
	execs    INTEGER NOT NULL, -- since the campaign began
	edges    INTEGER NOT NULL,
	buckets  INTEGER NOT NULL,
	entries  INTEGER NOT NULL,
	PRIMARY KEY (campaign, target, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE findings (
	module TEXT NOT NULL,
	id     TEXT NOT NULL,
	last   INTEGER NOT NULL,
	record TEXT NOT NULL, -- JSON of finding.Record
	PRIMARY KEY (module, id)
) STRICT;
CREATE TABLE sightings (
	module   TEXT NOT NULL,
	id       TEXT NOT NULL,
	campaign INTEGER NOT NULL REFERENCES campaigns (id),
	at       INTEGER NOT NULL
) STRICT;
CREATE INDEX sightings_id ON sightings (module, id);
`

const schema2 = `
ALTER TABLE campaigns ADD COLUMN args TEXT NOT NULL DEFAULT ''; -- of gnaw fuzz
ALTER TABLE campaigns ADD COLUMN pid INTEGER NOT NULL DEFAULT 0; -- of the process; 0: unknown
ALTER TABLE campaigns ADD COLUMN spent INTEGER NOT NULL DEFAULT 0; -- milliseconds of fuzzing, by a clock that does not jump
ALTER TABLE campaigns ADD COLUMN seen INTEGER NOT NULL DEFAULT 0; -- when that was written
CREATE TABLE progress (
	campaign INTEGER NOT NULL REFERENCES campaigns (id),
	target   INTEGER NOT NULL REFERENCES targets (id),
	code     TEXT NOT NULL, -- digest of the test binary
	state    TEXT NOT NULL, -- JSON of what the campaign knew about the target
	PRIMARY KEY (campaign, target)
) STRICT, WITHOUT ROWID;
`

const schema3 = `
ALTER TABLE campaigns ADD COLUMN run TEXT NOT NULL DEFAULT ''; -- names the lock of the process; pid is not used any more
`

const schema4 = `
CREATE TABLE dependencies ( -- targets of dependencies that were fuzzed, by any module
	package TEXT NOT NULL,
	target  TEXT NOT NULL,
	version TEXT NOT NULL, -- of the module, or of the toolchain for the standard library
	go      TEXT NOT NULL,
	arch    TEXT NOT NULL, -- GOARCH
	last    INTEGER NOT NULL,
	PRIMARY KEY (package, target, version, go, arch)
) STRICT, WITHOUT ROWID;
`

const schema5 = `
CREATE TABLE replays ( -- what the inputs of a target reach
	binary  TEXT NOT NULL, -- digest of the test binary
	package TEXT NOT NULL,
	target  TEXT NOT NULL,
	at      INTEGER NOT NULL,
	data    BLOB NOT NULL, -- as package coverage writes it
	PRIMARY KEY (binary, package, target)
) STRICT;
`

const schema6 = `
ALTER TABLE coverage ADD COLUMN covered INTEGER NOT NULL DEFAULT 0; -- statements that entries reach
ALTER TABLE coverage ADD COLUMN statements INTEGER NOT NULL DEFAULT 0; -- 0: they were not counted
`

const schema7 = `
ALTER TABLE campaigns ADD COLUMN root TEXT NOT NULL DEFAULT ''; -- folder of the module; empty: unknown
ALTER TABLE campaigns ADD COLUMN cache TEXT NOT NULL DEFAULT ''; -- GOCACHE, in which the corpus is; empty: unknown
CREATE TABLE totals ( -- of all targets of a campaign
	campaign   INTEGER PRIMARY KEY REFERENCES campaigns (id),
	targets    INTEGER NOT NULL, -- that were fuzzed
	execs      INTEGER NOT NULL,
	edges      INTEGER NOT NULL,
	entries    INTEGER NOT NULL,
	covered    INTEGER NOT NULL, -- statements, a statement once
	statements INTEGER NOT NULL
) STRICT;
-- Several targets may reach the same statements, so their sum is not a total.
INSERT INTO totals SELECT campaign, count(*), sum(execs), sum(edges), sum(entries),
	CASE count(*) WHEN 1 THEN max(covered) ELSE 0 END, CASE count(*) WHEN 1 THEN max(statements) ELSE 0 END
	FROM (SELECT campaign, target, max(at), execs, edges, entries, covered, statements FROM coverage GROUP BY campaign, target) GROUP BY campaign;
CREATE TABLE entries ( -- of the corpus, with what each one brought
	target   INTEGER NOT NULL REFERENCES targets (id),
	name     TEXT NOT NULL, -- of its file
	campaign INTEGER NOT NULL REFERENCES campaigns (id),
	at       INTEGER NOT NULL,
	size     INTEGER NOT NULL, -- bytes of its file
	buckets  INTEGER NOT NULL, -- new ones
	edges    INTEGER NOT NULL, -- new ones
	technique TEXT NOT NULL, -- that made it; empty: unknown
	PRIMARY KEY (target, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE sources ( -- which statements the entries of a target reach
	campaign INTEGER NOT NULL, -- 0: gnaw cover found it
	target   INTEGER NOT NULL REFERENCES targets (id),
	at       INTEGER NOT NULL,
	data     BLOB NOT NULL, -- as package coverage writes it
	PRIMARY KEY (campaign, target)
) STRICT;
CREATE INDEX sightings_campaign ON sightings (campaign);
`

const schema8 = `
CREATE TABLE results ( -- of the targets that a campaign chose to fuzz
	campaign INTEGER NOT NULL REFERENCES campaigns (id),
	target   INTEGER NOT NULL REFERENCES targets (id),
	result   TEXT NOT NULL, -- empty: the campaign recorded none
	reason   TEXT NOT NULL, -- why the target was not fuzzed, or not reached
	rerun    INTEGER NOT NULL, -- executions of the drift check
	repeated INTEGER NOT NULL, -- those of them that showed the same features again
	PRIMARY KEY (campaign, target)
) STRICT, WITHOUT ROWID;
`

const schema9 = `
CREATE TABLE frontiers ( -- what gnaw frontier found
	module TEXT NOT NULL,
	state  TEXT NOT NULL, -- of the statements that the inputs reach
	at     INTEGER NOT NULL,
	data   BLOB NOT NULL, -- as package frontier writes it
	PRIMARY KEY (module, state)
) STRICT;
`

// migrate brings the schema to the newest version. Of two processes that come at once, the second finds it done.
func (s *Store) migrate(ctx context.Context) error {
	version, err := s.version(ctx, s.db)
	if err != nil || version == len(migrations) {
		return err
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // without effect after the commit
	if version, err = s.version(ctx, tx); err != nil {
		return err
	}
	for v := version; v < len(migrations); v++ {
		if _, err := tx.ExecContext(ctx, migrations[v]); err != nil {
			return fmt.Errorf("bring the schema to version %d: %w", v+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(migrations))); err != nil {
		return err
	}
	return tx.Commit()
}

// version returns the version of the schema. One that this gnaw does not know is an error.
func (s *Store) version(ctx context.Context, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
},
) (version int, err error) {
	if err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version < 0 {
		return 0, &Error{s.path, "open", fmt.Errorf("its schema has the number %d, which no gnaw writes", version), remedy}
	}
	if version > len(migrations) {
		return 0, &Error{
			s.path, "open", fmt.Errorf("a newer gnaw wrote it (schema %d, this one knows %d)", version, len(migrations)),
			"install that gnaw, or " + remedy,
		}
	}
	return version, nil
}
