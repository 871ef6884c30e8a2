package store

import (
	"context"
	"database/sql"
	"time"
)

// Past is a campaign of the history. It may still run.
type Past struct {
	Campaign
	ID    int64
	Ended time.Time     // zero: it runs, or was killed
	Seen  time.Time     // when it recorded its progress for the last time; zero: never
	Spent time.Duration // time of fuzzing until Seen
}

// Campaigns returns the campaigns of a module. The last one is the first in the list.
func (s *Store) Campaigns(ctx context.Context, module string) ([]Summary, error) {
	return s.Reader().summaries(ctx, "WHERE c.module = ? ORDER BY c.id DESC", module)
}

// FoldersOf returns, for each finding of a module, the folders of the module in which campaigns saw it. A folder is empty if a campaign did not
// record it.
func (r Reader) FoldersOf(ctx context.Context, module string) (folders map[string][]string, err error) {
	folders = map[string][]string{}
	err = r.each(ctx, func(rows *sql.Rows) error {
		var id, root string
		err := rows.Scan(&id, &root)
		folders[id] = append(folders[id], root)
		return err
	}, "SELECT DISTINCT f.id, c.root FROM sightings f JOIN campaigns c ON c.id = f.campaign WHERE f.module = ?", module)
	if err != nil {
		return nil, r.s.fail("read the folders of findings", err)
	}
	return folders, nil
}

// timeOf returns the time for a number of milliseconds since 1970. It is zero for 0.
func timeOf(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds)
}

// Points returns the last point of each target of a campaign in each period of time. A period has at least a millisecond. The points are in the
// order of packages, names and time.
func (r Reader) Points(ctx context.Context, campaign int64, period time.Duration) (points []Point, err error) {
	// SQLite takes the other columns from the row with the largest time: https://sqlite.org/lang_select.html#bareagg
	err = r.each(ctx, func(rows *sql.Rows) error {
		p, err := scanPoint(rows)
		points = append(points, p)
		return err
	}, `SELECT package, name, max(at) AS latest, execs, edges, buckets, entries, covered, statements FROM coverage
		JOIN targets ON targets.id = coverage.target WHERE campaign = ? GROUP BY target, at / ? ORDER BY package, name, latest`,
		campaign, max(1, period.Milliseconds()))
	if err != nil {
		return nil, r.s.fail("read the coverage of a campaign", err)
	}
	return points, nil
}

// Sightings returns the IDs of the findings that a campaign saw, in the order in which they were first seen.
func (s *Store) Sightings(ctx context.Context, campaign int64) (ids []string, err error) {
	err = s.Reader().each(ctx, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	}, "SELECT id FROM sightings WHERE campaign = ? GROUP BY id ORDER BY min(rowid)", campaign)
	if err != nil {
		return nil, s.fail("read the findings of a campaign", err)
	}
	return ids, nil
}
