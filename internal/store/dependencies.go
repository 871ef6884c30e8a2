package store

import (
	"context"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// Dependency says when a target of a dependency was fuzzed.
type Dependency struct {
	Target  fuzz.Name
	Version string // of the module, or of the toolchain for the standard library
	Go      string // version of the toolchain
	Arch    string // GOARCH
	Last    time.Time
}

// Fuzzed records that a target of a dependency was fuzzed.
func (s *Store) Fuzzed(ctx context.Context, d Dependency) error {
	_, err := s.db.ExecContext(ctx, "INSERT OR REPLACE INTO dependencies VALUES (?, ?, ?, ?, ?, ?)",
		d.Target.Package, d.Target.Func, d.Version, d.Go, d.Arch, d.Last.UnixMilli())
	if err != nil {
		return s.fail("record that a dependency was fuzzed", err)
	}
	return nil
}

// Dependencies returns when the targets of dependencies were fuzzed, the latest time first.
func (s *Store) Dependencies(ctx context.Context) (all []Dependency, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT package, target, version, go, arch, last FROM dependencies ORDER BY last DESC")
	if err != nil {
		return nil, s.fail("read which dependencies were fuzzed", err)
	}
	defer rows.Close()
	for rows.Next() {
		var d Dependency
		var last int64
		if err := rows.Scan(&d.Target.Package, &d.Target.Func, &d.Version, &d.Go, &d.Arch, &last); err != nil {
			return nil, s.fail("read which dependencies were fuzzed", err)
		}
		d.Last = time.UnixMilli(last)
		all = append(all, d)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail("read which dependencies were fuzzed", err)
	}
	return all, nil
}
