package store

import (
	"context"
	"database/sql"
	"fmt"
)

// schemaNumber is the number of schema in a database. A change of schema needs another number and, from the first release on, statements that
// bring older databases to it, since later versions read the history of earlier ones.
const schemaNumber = 10

// schema makes the tables of a new database. Times are in milliseconds since 1970.
const schema = `
CREATE TABLE campaigns (
	id       INTEGER PRIMARY KEY,
	module   TEXT NOT NULL, -- path
	root     TEXT NOT NULL, -- absolute folder of the module; empty: unknown
	dir      TEXT NOT NULL, -- absolute folder in which the command was given
	args     TEXT NOT NULL, -- arguments of gnaw fuzz, without those that change the output only
	packages TEXT NOT NULL, -- patterns, separated by spaces
	go       TEXT NOT NULL, -- version of the toolchain
	git      TEXT NOT NULL, -- commit; empty: no work tree
	cache    TEXT NOT NULL, -- GOCACHE, in which the corpus is; empty: unknown
	run      TEXT NOT NULL, -- names the lock of the process
	started  INTEGER NOT NULL,
	ended    INTEGER NOT NULL, -- 0: it runs, or was killed
	spent    INTEGER NOT NULL, -- milliseconds of fuzzing, by a clock that does not jump
	seen     INTEGER NOT NULL  -- when spent was written
) STRICT;
CREATE TABLE totals ( -- of all targets of a campaign
	campaign   INTEGER PRIMARY KEY REFERENCES campaigns (id),
	targets    INTEGER NOT NULL, -- that were fuzzed
	execs      INTEGER NOT NULL,
	edges      INTEGER NOT NULL,
	entries    INTEGER NOT NULL,
	covered    INTEGER NOT NULL, -- statements, a statement once
	statements INTEGER NOT NULL  -- 0: they were not counted
) STRICT;
CREATE TABLE targets (
	id      INTEGER PRIMARY KEY,
	module  TEXT NOT NULL,
	package TEXT NOT NULL,
	name    TEXT NOT NULL, -- of the function; empty: the package is meant
	first   INTEGER NOT NULL,
	last    INTEGER NOT NULL,
	UNIQUE (module, package, name)
) STRICT;
CREATE TABLE coverage ( -- over time
	campaign   INTEGER NOT NULL REFERENCES campaigns (id),
	target     INTEGER NOT NULL REFERENCES targets (id),
	at         INTEGER NOT NULL,
	execs      INTEGER NOT NULL, -- since the campaign began
	edges      INTEGER NOT NULL,
	buckets    INTEGER NOT NULL,
	entries    INTEGER NOT NULL,
	covered    INTEGER NOT NULL, -- statements that entries reach
	statements INTEGER NOT NULL, -- 0: they were not counted
	PRIMARY KEY (campaign, target, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE results ( -- of the targets that a campaign chose to fuzz
	campaign INTEGER NOT NULL REFERENCES campaigns (id),
	target   INTEGER NOT NULL REFERENCES targets (id),
	result   TEXT NOT NULL, -- empty: the campaign recorded none
	reason   TEXT NOT NULL, -- why the target was not fuzzed, or not reached
	rerun    INTEGER NOT NULL, -- executions of the drift check
	repeated INTEGER NOT NULL, -- those of them that showed the same features again
	PRIMARY KEY (campaign, target)
) STRICT, WITHOUT ROWID;
CREATE TABLE progress (
	campaign INTEGER NOT NULL REFERENCES campaigns (id),
	target   INTEGER NOT NULL REFERENCES targets (id),
	code     TEXT NOT NULL, -- digest of the test binary
	state    TEXT NOT NULL, -- JSON of what the campaign knew about the target
	PRIMARY KEY (campaign, target)
) STRICT, WITHOUT ROWID;
CREATE TABLE entries ( -- of the corpus, with what each one brought
	target    INTEGER NOT NULL REFERENCES targets (id),
	name      TEXT NOT NULL, -- of its file
	campaign  INTEGER NOT NULL REFERENCES campaigns (id),
	at        INTEGER NOT NULL,
	size      INTEGER NOT NULL, -- bytes of its file
	buckets   INTEGER NOT NULL, -- new ones
	edges     INTEGER NOT NULL, -- new ones
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
CREATE INDEX sightings_campaign ON sightings (campaign);
CREATE TABLE dependencies ( -- targets of dependencies that were fuzzed, by any module
	package TEXT NOT NULL,
	target  TEXT NOT NULL,
	version TEXT NOT NULL, -- of the module, or of the toolchain for the standard library
	go      TEXT NOT NULL,
	arch    TEXT NOT NULL, -- GOARCH
	last    INTEGER NOT NULL,
	PRIMARY KEY (package, target, version, go, arch)
) STRICT, WITHOUT ROWID;
CREATE TABLE replays ( -- what the inputs of a target reach
	binary  TEXT NOT NULL, -- digest of the test binary
	package TEXT NOT NULL,
	target  TEXT NOT NULL,
	at      INTEGER NOT NULL,
	data    BLOB NOT NULL, -- as package coverage writes it
	PRIMARY KEY (binary, package, target)
) STRICT;
CREATE TABLE frontiers ( -- what gnaw frontier found
	module TEXT NOT NULL,
	state  TEXT NOT NULL, -- of the statements that the inputs reach
	at     INTEGER NOT NULL,
	data   BLOB NOT NULL, -- as package frontier writes it
	PRIMARY KEY (module, state)
) STRICT;
`

// prepare makes the tables of a new database. A database with another schema stays as it is, and is an error. Of two processes that come at
// once, the second finds the tables.
func (s *Store) prepare(ctx context.Context) error {
	if number, err := s.number(ctx, s.db); err != nil || number == schemaNumber {
		return err
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		if number, err := s.number(ctx, tx); err != nil || number == schemaNumber {
			return err
		}
		_, err := tx.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d", schemaNumber))
		return err
	})
}

// number returns the number of the schema; 0: the database is new. That of a schema which this gnaw cannot read is an error.
func (s *Store) number(ctx context.Context, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
},
) (number int, err error) {
	if err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&number); err != nil {
		return 0, err
	}
	failed := &Error{Path: s.path, Op: "open", hint: remedy}
	switch {
	case number < 0:
		failed.Err = fmt.Errorf("its schema has the number %d, which no gnaw writes", number)
	case number > schemaNumber:
		failed.Err = fmt.Errorf("a newer gnaw wrote it (schema %d, this one knows %d)", number, schemaNumber)
		failed.hint = "install that gnaw, or " + remedy
	case number > 0 && number < schemaNumber:
		failed.Err = fmt.Errorf("an older gnaw wrote it (schema %d, this one knows %d)", number, schemaNumber)
		failed.hint = "install that gnaw, or " + remedy
	default:
		return number, nil
	}
	return 0, failed
}
