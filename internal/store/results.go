package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// Result is what came of a target that a campaign chose to fuzz.
type Result struct {
	Target fuzz.Name // no function: the package could not be loaded, so that its targets are not known
	Result string    // as in event.TargetEnd; empty: the campaign still runs or was killed, and the target was not set aside
	Reason string    // why the target was not fuzzed, or not reached; empty: there is no reason to give

	// Rerun is the number of executions of the drift check, and Repeated is how many of them showed the same features again, as in event.Run.
	Rerun, Repeated int
}

// SaveResults records the results of some targets of a campaign, and replaces earlier ones. A result without executions of the drift check keeps
// those of the earlier one: a campaign that is resumed counts from 0.
func (s *Store) SaveResults(ctx context.Context, campaign int64, module string, at time.Time, list []Result) error {
	err := s.change(ctx, func(tx *sql.Tx) error {
		for _, r := range list {
			target, err := targetID(ctx, tx, module, r.Target, at)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `INSERT INTO results VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
				result = excluded.result, reason = excluded.reason,
				rerun = iif(excluded.rerun > 0, excluded.rerun, rerun), repeated = iif(excluded.rerun > 0, excluded.repeated, repeated)`,
				campaign, target, r.Result, r.Reason, r.Rerun, r.Repeated)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return s.fail("record the results of targets", err)
	}
	return nil
}

// Results returns the results of the targets of a campaign, in the order of packages and names. There are none for a campaign of a gnaw that did
// not record them.
func (r Reader) Results(ctx context.Context, campaign int64) (list []Result, err error) {
	err = r.each(ctx, func(rows *sql.Rows) error {
		var one Result
		err := rows.Scan(&one.Target.Package, &one.Target.Func, &one.Result, &one.Reason, &one.Rerun, &one.Repeated)
		list = append(list, one)
		return err
	}, `SELECT package, name, result, reason, rerun, repeated FROM results JOIN targets ON targets.id = target
		WHERE campaign = ? ORDER BY package, name`, campaign)
	if err != nil {
		return nil, r.s.fail("read the results of targets", err)
	}
	return list, nil
}
