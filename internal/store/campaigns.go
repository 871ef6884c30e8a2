package store

import (
	"context"
	"time"
)

// Past is a campaign of the history. It may still run.
type Past struct {
	Campaign
	ID    int64
	Ended time.Time     // zero: it runs, or was killed
	Seen  time.Time     // when it was alive for the last time, as far as is known; zero: it never fuzzed
	Spent time.Duration // of fuzzing, until then
}

// Campaigns returns the campaigns of a module. The last one is the first in the list.
func (s *Store) Campaigns(ctx context.Context, module string) (list []Past, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, packages, started, ended, seen, spent, go, git, args, run, root, cache FROM campaigns
		WHERE module = ? ORDER BY id DESC`, module)
	if err != nil {
		return nil, s.fail("read the campaigns", err)
	}
	defer rows.Close()
	for rows.Next() {
		p := Past{Campaign: Campaign{Module: module}}
		var started, ended, seen, spent int64
		if err := rows.Scan(&p.ID, &p.Packages, &started, &ended, &seen, &spent, &p.Go, &p.Commit, &p.Args, &p.Run, &p.Root, &p.Cache); err != nil {
			return nil, s.fail("read the campaigns", err)
		}
		p.Start, p.Ended, p.Seen, p.Spent = time.UnixMilli(started), timeOf(ended), timeOf(seen), time.Duration(spent)*time.Millisecond
		list = append(list, p)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail("read the campaigns", err)
	}
	return list, nil
}

// timeOf returns the time that a number of milliseconds stands for; zero for 0.
func timeOf(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds)
}

// Points returns points of a campaign, for each target the last one of each period of time, and at least a millisecond apart. The points of
// each target are together and in the order of time, and the targets in the order of their packages and names.
func (s *Store) Points(ctx context.Context, campaign int64, period time.Duration) (points []Point, err error) {
	// SQLite takes the other columns from the row with the largest time: https://sqlite.org/lang_select.html#bareagg
	rows, err := s.db.QueryContext(ctx, `SELECT package, name, max(at) AS latest, execs, edges, buckets, entries, covered, statements FROM coverage
		JOIN targets ON targets.id = coverage.target WHERE campaign = ? GROUP BY target, at / ? ORDER BY package, name, latest`,
		campaign, max(1, period.Milliseconds()))
	if err != nil {
		return nil, s.fail("read the coverage of a campaign", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p Point
		var at int64
		if err := rows.Scan(&p.Package, &p.Target, &at, &p.Execs, &p.Edges, &p.Buckets, &p.Entries, &p.Covered, &p.Statements); err != nil {
			return nil, s.fail("read the coverage of a campaign", err)
		}
		p.At = time.UnixMilli(at)
		points = append(points, p)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail("read the coverage of a campaign", err)
	}
	return points, nil
}

// Sightings returns the IDs of the findings that a campaign has seen, in the order in which it saw them first.
func (s *Store) Sightings(ctx context.Context, campaign int64) (ids []string, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id FROM sightings WHERE campaign = ? GROUP BY id ORDER BY min(rowid)", campaign)
	if err != nil {
		return nil, s.fail("read the findings of a campaign", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, s.fail("read the findings of a campaign", err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail("read the findings of a campaign", err)
	}
	return ids, nil
}
