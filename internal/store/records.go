package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// Campaign is one run of gnaw on some packages.
type Campaign struct {
	Module   string // path of the module it was started in
	Packages string // patterns, separated by spaces
	Start    time.Time
	Go       string // version of the toolchain
	Commit   string // of the git work tree; empty: there is none
	Args     string // of the command line, without those that change the output only
	Dir      string // absolute folder in which the command was given
	Run      string // names what the process holds as long as it lives; empty: it cannot be resumed
	Root     string // absolute folder of the module; empty: unknown
	Cache    string // GOCACHE, which contains the corpus; empty: unknown
}

// Begin records the start of a campaign and returns its number.
func (s *Store) Begin(ctx context.Context, c Campaign) (id int64, err error) {
	r, err := s.db.ExecContext(ctx, `INSERT INTO campaigns (module, root, dir, args, packages, go, git, cache, run, started, ended, spent, seen)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)`, c.Module, c.Root, c.Dir, c.Args, c.Packages, c.Go, c.Commit, c.Cache, c.Run, c.Start.UnixMilli())
	if err == nil {
		id, err = r.LastInsertId()
	}
	if err != nil {
		return 0, s.fail("record a campaign", err)
	}
	return id, nil
}

// End records the end of a campaign.
func (s *Store) End(ctx context.Context, campaign int64, at time.Time) error {
	if _, err := s.db.ExecContext(ctx, "UPDATE campaigns SET ended = ? WHERE id = ?", at.UnixMilli(), campaign); err != nil {
		return s.fail("record the end of a campaign", err)
	}
	return nil
}

// Point is what was reached by a campaign in one target at some time.
type Point struct {
	Target  fuzz.Name
	At      time.Time
	Execs   uint64 // since the campaign began
	Edges   int    // counters hit
	Buckets int    // hit-count buckets seen
	Entries int    // of the corpus
	// Covered is the number of statements of the covered packages that the entries reach, and Statements is the number of all statements
	// of these packages. Both are 0 if the campaign did not count statements.
	Covered, Statements int
}

// Cover records a point of the coverage over time, and that the target exists.
func (s *Store) Cover(ctx context.Context, campaign int64, module string, p Point) error {
	err := s.change(ctx, func(tx *sql.Tx) error {
		target, err := targetID(ctx, tx, module, p.Target, p.At)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO coverage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			campaign, target, p.At.UnixMilli(), int64(p.Execs), p.Edges, p.Buckets, p.Entries, p.Covered, p.Statements)
		return err
	})
	if err != nil {
		return s.fail("record coverage", err)
	}
	return nil
}

// targetID returns the number of a target, which it has from now on if it is new, and notes that it was seen.
func targetID(ctx context.Context, tx *sql.Tx, module string, target fuzz.Name, at time.Time) (id int64, err error) {
	err = tx.QueryRowContext(ctx, `INSERT INTO targets (module, package, name, first, last) VALUES (?1, ?2, ?3, ?4, ?4)
		ON CONFLICT DO UPDATE SET last = max(last, ?4) RETURNING id`, module, target.Package, target.Func, at.UnixMilli()).Scan(&id)
	return id, err
}

// Coverage returns the points of a target in the order of time, those of all campaigns.
func (s *Store) Coverage(ctx context.Context, module string, target fuzz.Name) (points []Point, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT at, execs, edges, buckets, entries, covered, statements FROM coverage
		JOIN targets ON targets.id = coverage.target WHERE module = ? AND package = ? AND name = ? ORDER BY at`, module, target.Package, target.Func)
	if err != nil {
		return nil, s.fail("read coverage", err)
	}
	defer rows.Close()
	for rows.Next() {
		p := Point{Target: target}
		var at int64
		if err := rows.Scan(&at, &p.Execs, &p.Edges, &p.Buckets, &p.Entries, &p.Covered, &p.Statements); err != nil {
			return nil, s.fail("read coverage", err)
		}
		p.At = time.UnixMilli(at)
		points = append(points, p)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail("read coverage", err)
	}
	return points, nil
}

// Save records that a campaign has seen a finding at r.Last, and returns it with the history it has: when it was seen
// first and how often. The input that is kept is that of r, whose file is the newest.
func (s *Store) Save(ctx context.Context, campaign int64, module string, r finding.Record) (finding.Record, error) {
	err := s.change(ctx, func(tx *sql.Tx) error {
		r.First, r.Times = r.Last, 1
		old, ok, err := read(ctx, tx, module, r.ID)
		if err != nil {
			return err
		}
		if ok && old.Unreadable == "" {
			r = r.Merge(old)
		}
		if err := put(ctx, tx, module, r); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO sightings VALUES (?, ?, ?, ?)", module, r.ID, campaign, r.Last.UnixMilli())
		return err
	})
	if err != nil {
		return r, s.fail("save a finding", err)
	}
	return r, nil
}

// AddSamples adds inputs to a finding that is there; of one that is not there nothing is kept.
func (s *Store) AddSamples(ctx context.Context, module, id string, more ...finding.Sample) error {
	err := s.change(ctx, func(tx *sql.Tx) error {
		r, ok, err := read(ctx, tx, module, id)
		if err != nil || !ok {
			return err
		}
		return put(ctx, tx, module, r.AddSamples(more...))
	})
	if err != nil {
		return s.fail("save an input of a finding", err)
	}
	return nil
}

// Renew gives a finding that is there the input of r, which is no sighting; of one that is not there nothing is kept.
func (s *Store) Renew(ctx context.Context, module string, r finding.Record) error {
	err := s.change(ctx, func(tx *sql.Tx) error {
		old, ok, err := read(ctx, tx, module, r.ID)
		if err != nil || !ok {
			return err
		}
		return put(ctx, tx, module, r.Renew(old))
	})
	if err != nil {
		return s.fail("save an input of a finding", err)
	}
	return nil
}

// read reads a finding.
func read(ctx context.Context, tx *sql.Tx, module, id string) (r finding.Record, ok bool, err error) {
	var text string
	err = tx.QueryRowContext(ctx, "SELECT record FROM findings WHERE module = ? AND id = ?", module, id).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return r, false, nil
	}
	return decode(id, text), err == nil, err
}

// decode reads a record, of which another version may have written more than this one understands.
func decode(id, text string) finding.Record {
	r := finding.ReadRecord([]byte(text))
	r.ID = id
	return r
}

// Update replaces a finding that is there, as after minimizing its input once more.
func (s *Store) Update(ctx context.Context, module string, r finding.Record) error {
	if err := s.change(ctx, func(tx *sql.Tx) error { return put(ctx, tx, module, r) }); err != nil {
		return s.fail("save a finding", err)
	}
	return nil
}

// put writes a record, unless there is one of another version, which stays as it is.
func put(ctx context.Context, tx *sql.Tx, module string, r finding.Record) error {
	if old, ok, err := read(ctx, tx, module, r.ID); err != nil || ok && old.Unreadable != "" {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?)", module, r.ID, r.Last.UnixMilli(), string(text))
	return err
}

// Findings returns the findings of a module, those seen last first.
func (s *Store) Findings(ctx context.Context, module string) (all []finding.Record, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, record FROM findings WHERE module = ? ORDER BY last DESC, id", module)
	if err != nil {
		return nil, s.fail("read the findings", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, text string
		if err := rows.Scan(&id, &text); err != nil {
			return nil, s.fail("read the findings", err)
		}
		all = append(all, decode(id, text))
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail("read the findings", err)
	}
	return all, nil
}

// Pick returns the one of all findings whose ID begins with prefix. The error says which ones there are if it is none
// or more than one.
func Pick(all []finding.Record, prefix string) (finding.Record, error) {
	var matches []finding.Record
	ids := make([]string, len(all))
	for i, r := range all {
		ids[i] = r.ID
		if strings.HasPrefix(r.ID, strings.ToLower(prefix)) {
			matches = append(matches, r)
		}
	}
	switch {
	case prefix != "" && len(matches) == 1:
		return matches[0], nil
	case len(matches) > 1:
		var names []string
		for _, r := range matches {
			names = append(names, finding.Short(r.ID, ids))
		}
		return finding.Record{}, fmt.Errorf("the ID %q fits %d findings; write one of %s", prefix, len(matches), strings.Join(names, ", "))
	}
	return finding.Record{}, fmt.Errorf("no finding of this module has the ID %q; `gnaw findings` lists them", prefix)
}

// change runs f in a transaction. It takes the lock at once, so that it cannot fail half way because of another process.
func (s *Store) change(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // without effect after the commit
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// IDs returns the IDs of findings.
func IDs(all []finding.Record) (ids []string) {
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return ids
}
