package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// Killed is a campaign that did not come to its end.
type Killed struct {
	ID    int64
	Start time.Time
	Seen  time.Time     // when it was alive for the last time, as far as is known; zero: it never fuzzed
	Spent time.Duration // of fuzzing, until then
	Execs uint64        // until then, of all targets, also in turns that did not end
}

// Progress is what a campaign knows about a target.
type Progress struct {
	Target fuzz.Name
	Code   string // digest of the test binary
	State  string // JSON
}

// Resume makes the last campaign that is the same as c, by module, toolchain, folder and arguments, the campaign of the process with
// c.Run, if it was killed. ok is false if there is none, if it ended in good order, or if its process is alive. Of two processes
// that ask at once, one gets it.
func (s *Store) Resume(ctx context.Context, c Campaign, alive func(run string) bool) (k Killed, ok bool, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		var started, ended, seen, spent, execs int64
		var run string
		err := tx.QueryRowContext(ctx, `SELECT id, started, ended, seen, spent, run, coalesce((SELECT execs FROM totals WHERE campaign = id), 0) FROM campaigns
			WHERE module = ? AND args = ? AND dir = ? AND go = ? ORDER BY id DESC LIMIT 1`, c.Module, c.Args, c.Dir, c.Go).
			Scan(&k.ID, &started, &ended, &seen, &spent, &run, &execs)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil || ended != 0 || run == "" || alive(run) {
			return err
		}
		k.Start, k.Spent, k.Execs = time.UnixMilli(started), time.Duration(spent)*time.Millisecond, uint64(execs)
		if seen != 0 {
			k.Seen = time.UnixMilli(seen)
		}
		ok = true
		_, err = tx.ExecContext(ctx, "UPDATE campaigns SET run = ?, git = ? WHERE id = ?", c.Run, c.Commit, k.ID)
		return err
	})
	if err != nil {
		return Killed{}, false, s.fail("look for a campaign that was killed", err)
	}
	return k, ok, nil
}

// Progress returns what a campaign knew about its targets.
func (s *Store) Progress(ctx context.Context, campaign int64) (all []Progress, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT package, name, code, state FROM progress
		JOIN targets ON targets.id = progress.target WHERE campaign = ? ORDER BY package, name`, campaign)
	if err != nil {
		return nil, s.fail("read what a campaign knew", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p Progress
		if err := rows.Scan(&p.Target.Package, &p.Target.Func, &p.Code, &p.State); err != nil {
			return nil, s.fail("read what a campaign knew", err)
		}
		all = append(all, p)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail("read what a campaign knew", err)
	}
	return all, nil
}

// Book records how long a campaign has been fuzzing, and what it knows about some of its targets.
func (s *Store) Book(ctx context.Context, campaign int64, module string, spent time.Duration, at time.Time, list []Progress) error {
	err := s.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE campaigns SET spent = ?, seen = ? WHERE id = ?", spent.Milliseconds(), at.UnixMilli(), campaign)
		if err != nil {
			return err
		}
		for _, p := range list {
			target, err := targetID(ctx, tx, module, p.Target, at)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?)", campaign, target, p.Code, p.State); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return s.fail("record what a campaign knows", err)
	}
	return nil
}
