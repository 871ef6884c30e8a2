package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// Totals are sums over the targets of a campaign.
type Totals struct {
	Targets             int    // that were fuzzed
	Execs               uint64 // executions
	Edges, Entries      int
	Covered, Statements int // statements, each counted once for all targets; 0: the campaign did not count them
}

// Summary is a campaign with its totals.
type Summary struct {
	Past
	Totals
	Findings int // number of different findings that it saw, also of those that do not count
}

// Progress is [Store.Progress].
func (r Reader) Progress(ctx context.Context, campaign int64) ([]Progress, error) {
	return r.s.Progress(ctx, campaign)
}

// Findings is [Store.Findings].
func (r Reader) Findings(ctx context.Context, module string) ([]finding.Record, error) {
	return r.s.Findings(ctx, module)
}

// SaveTotals records the totals of a campaign.
func (s *Store) SaveTotals(ctx context.Context, campaign int64, t Totals) error {
	_, err := s.db.ExecContext(ctx, "INSERT OR REPLACE INTO totals VALUES (?, ?, ?, ?, ?, ?, ?)",
		campaign, t.Targets, int64(t.Execs), t.Edges, t.Entries, t.Covered, t.Statements)
	if err != nil {
		return s.fail("record the totals of a campaign", err)
	}
	return nil
}

// Reader reads a database for the dashboard and reports. Its methods may be called from any goroutine.
type Reader struct{ s *Store }

// Reader returns a reader of the database, which is valid until Close.
func (s *Store) Reader() Reader { return Reader{s} }

// summaries is the beginning of a query for campaigns with their totals. Its users append conditions and the order.
const summaries = `SELECT c.id, c.module, c.packages, c.started, c.ended, c.go, c.git, c.args, c.dir, c.run, c.root, c.cache, c.seen, c.spent,
	coalesce(t.targets, 0), coalesce(t.execs, 0), coalesce(t.edges, 0), coalesce(t.entries, 0), coalesce(t.covered, 0), coalesce(t.statements, 0),
	(SELECT count(DISTINCT id) FROM sightings WHERE campaign = c.id)
	FROM campaigns c LEFT JOIN totals t ON t.campaign = c.id `

// Summaries returns the newest campaigns of all modules, at most limit of them. The newest is the first.
func (r Reader) Summaries(ctx context.Context, limit int) ([]Summary, error) {
	return r.summaries(ctx, "ORDER BY c.id DESC LIMIT ?", limit)
}

// Summary returns the campaign with a number; ok is false if there is none.
func (r Reader) Summary(ctx context.Context, id int64) (one Summary, ok bool, err error) {
	list, err := r.summaries(ctx, "WHERE c.id = ?", id)
	if err != nil || len(list) == 0 {
		return one, false, err
	}
	return list[0], true, nil
}

// LastOf returns the newest campaign of a module that recorded the folder of the module; ok is false if there is none.
func (r Reader) LastOf(ctx context.Context, module string) (one Summary, ok bool, err error) {
	list, err := r.summaries(ctx, "WHERE c.module = ? AND c.root <> '' ORDER BY c.id DESC LIMIT 1", module)
	if err != nil || len(list) == 0 {
		return one, false, err
	}
	return list[0], true, nil
}

func (r Reader) summaries(ctx context.Context, rest string, args ...any) (list []Summary, err error) {
	err = r.each(ctx, func(rows *sql.Rows) error {
		var c Summary
		var started, ended, seen, spent int64
		err := rows.Scan(&c.ID, &c.Module, &c.Packages, &started, &ended, &c.Go, &c.Commit, &c.Args, &c.Dir, &c.Run, &c.Root, &c.Cache, &seen, &spent,
			&c.Targets, &c.Execs, &c.Edges, &c.Entries, &c.Covered, &c.Statements, &c.Findings)
		c.Start, c.Ended, c.Seen, c.Spent = time.UnixMilli(started), timeOf(ended), timeOf(seen), time.Duration(spent)*time.Millisecond
		list = append(list, c)
		return err
	}, summaries+rest, args...)
	if err != nil {
		return nil, r.s.fail("read the campaigns", err)
	}
	return list, nil
}

// each calls f for each row of a query.
func (r Reader) each(ctx context.Context, f func(*sql.Rows) error, query string, args ...any) error {
	rows, err := r.s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Latest returns the last point of each target of a campaign, in the order of packages and names.
func (r Reader) Latest(ctx context.Context, campaign int64) (points []Point, err error) {
	err = r.each(ctx, func(rows *sql.Rows) error {
		p, err := scanPoint(rows)
		points = append(points, p)
		return err
	}, `SELECT package, name, at, execs, edges, buckets, entries, covered, statements FROM targets
		JOIN coverage ON coverage.target = targets.id AND coverage.campaign = ?1
		AND at = (SELECT max(at) FROM coverage WHERE campaign = ?1 AND target = targets.id)
		WHERE module = (SELECT module FROM campaigns WHERE id = ?1) ORDER BY package, name`, campaign)
	if err != nil {
		return nil, r.s.fail("read coverage", err)
	}
	return points, nil
}

// CoverageOf returns the points of a target in one campaign, the oldest first.
func (r Reader) CoverageOf(ctx context.Context, campaign int64, target fuzz.Name) (points []Point, err error) {
	err = r.each(ctx, func(rows *sql.Rows) error {
		p, err := scanPoint(rows)
		points = append(points, p)
		return err
	}, `SELECT package, name, at, execs, edges, buckets, entries, covered, statements FROM coverage
		JOIN targets ON targets.id = coverage.target WHERE campaign = ?1 AND package = ?2 AND name = ?3
		AND module = (SELECT module FROM campaigns WHERE id = ?1) ORDER BY at`, campaign, target.Package, target.Func)
	if err != nil {
		return nil, r.s.fail("read coverage", err)
	}
	return points, nil
}

func scanPoint(rows *sql.Rows) (p Point, err error) {
	var at int64
	err = rows.Scan(&p.Target.Package, &p.Target.Func, &at, &p.Execs, &p.Edges, &p.Buckets, &p.Entries, &p.Covered, &p.Statements)
	p.At = time.UnixMilli(at)
	return p, err
}

// Sightings is [Store.Sightings].
func (r Reader) Sightings(ctx context.Context, campaign int64) ([]string, error) {
	return r.s.Sightings(ctx, campaign)
}

// Modules returns the modules that have findings, in the order of their paths.
func (r Reader) Modules(ctx context.Context) (list []string, err error) {
	err = r.each(ctx, func(rows *sql.Rows) error {
		var module string
		err := rows.Scan(&module)
		list = append(list, module)
		return err
	}, "SELECT DISTINCT module FROM findings ORDER BY module")
	if err != nil {
		return nil, r.s.fail("read the findings", err)
	}
	return list, nil
}
