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

// Open opens the database at path. It makes the file and its folder if they are missing. A database with another schema is an error, and stays
// as it is.
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

// connect makes the connection, and the tables of a new database.
//
// Of two processes that both have read a new file and both want to change it to WAL, SQLite turns one away at once,
// whatever the time it may wait, since neither would ever get the lock. That one tries again.
func (s *Store) connect(ctx context.Context) error {
	for end := time.Now().Add(s.wait); ; {
		err := s.prepare(ctx)
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
