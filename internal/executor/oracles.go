package executor

import (
	"context"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// OracleResult is the result of a RunOracles request.
type OracleResult struct {
	wire.Measured
	Failed *wire.Failed // the input that ended it, if one did
}

// RunOracles runs the oracles on an input. It ends soon when ctx does. Errors are those of Run; a report of
// an oracle is not an error.
func (w *Worker) RunOracles(ctx context.Context, m wire.Measure) (r OracleResult, err error) {
	w.shared.seg.ClearPreempt()
	if err := w.request(ctx, m); err != nil {
		return r, err
	}
	err = w.await(ctx, 0, func(f frame) (done bool, err error) {
		switch f.kind {
		case wire.TypeFailed:
			failed, err := wire.DecodeFailed(f.payload)
			r.Failed = &failed
			return false, err
		case wire.TypeMeasured:
			r.Measured, err = wire.DecodeMeasured(f.payload)
			return true, err
		}
		return false, fmt.Errorf("unexpected message %#x", uint8(f.kind))
	})
	return r, err
}
