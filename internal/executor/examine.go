package executor

import (
	"context"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Examination is the result of an Examine request.
type Examination struct {
	wire.Examined
	Failed *wire.Failed // the input that ended it, if one did
}

// Examine has the oracles look at an input. It ends soon when ctx does. Errors are those of Run; what the oracles find
// is none.
func (w *Worker) Examine(ctx context.Context, m wire.Examine) (r Examination, err error) {
	w.seg.ClearPreempt()
	if err := w.request(ctx, m); err != nil {
		return r, err
	}
	err = w.await(ctx, 0, func(f frame) (done bool, err error) {
		switch f.kind {
		case wire.TypeFailed:
			failed, err := wire.DecodeFailed(f.payload)
			r.Failed = &failed
			return false, err
		case wire.TypeExamined:
			r.Examined, err = wire.DecodeExamined(f.payload)
			return true, err
		}
		return false, fmt.Errorf("unexpected message %#x", uint8(f.kind))
	})
	return r, err
}
