package store

import (
	"context"
	"time"
)

// Begun is a campaign that has begun.
type Begun struct {
	ID       int64
	Packages string // patterns, separated by spaces
	Start    time.Time
}

// Campaigns returns the campaigns of a module. The last one is the first in the list.
func (s *Store) Campaigns(ctx context.Context, module string) (list []Begun, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, packages, started FROM campaigns WHERE module = ? ORDER BY id DESC", module)
	if err != nil {
		return nil, s.fail("read the campaigns", err)
	}
	defer rows.Close()
	for rows.Next() {
		var b Begun
		var at int64
		if err := rows.Scan(&b.ID, &b.Packages, &at); err != nil {
			return nil, s.fail("read the campaigns", err)
		}
		b.Start = time.UnixMilli(at)
		list = append(list, b)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail("read the campaigns", err)
	}
	return list, nil
}
