package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// maxReplays is how many binaries of a target the history has replays of. Each change of the code makes another binary.
const maxReplays = 3

// Replays returns the data that was saved for the inputs of a target in the test binary with this digest; nil: none was saved.
func (s *Store) Replays(ctx context.Context, binary string, target fuzz.Name) (data []byte, err error) {
	row := s.db.QueryRowContext(ctx, "SELECT data FROM replays WHERE binary = ? AND package = ? AND target = ?", binary, target.Package, target.Func)
	if err := row.Scan(&data); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, s.fail("read what inputs reach", err)
	}
	return data, nil
}

// SaveReplays saves data for the inputs of a target in the test binary with this digest. It removes the data of all but the last
// [maxReplays] binaries of the target.
func (s *Store) SaveReplays(ctx context.Context, binary string, target fuzz.Name, data []byte) error {
	_, err := s.db.ExecContext(ctx, "INSERT OR REPLACE INTO replays VALUES (?, ?, ?, ?, ?)", binary, target.Package, target.Func, time.Now().UnixMilli(), data)
	if err == nil {
		_, err = s.db.ExecContext(ctx, `DELETE FROM replays WHERE package = ? AND target = ? AND binary NOT IN
			(SELECT binary FROM replays WHERE package = ? AND target = ? ORDER BY at DESC, rowid DESC LIMIT ?)`, target.Package, target.Func, target.Package, target.Func, maxReplays)
	}
	if err != nil {
		return s.fail("save what inputs reach", err)
	}
	return nil
}
