package executor

import (
	"context"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Compare executes one input and returns its comparisons. The byte slices belong to the caller. Errors are those of Run.
func (w *Worker) Compare(ctx context.Context, a input.Args) (c wire.Compared, err error) {
	if err := w.request(ctx, wire.Compare{Input: input.Append(nil, a)}); err != nil {
		return c, err
	}
	err = w.await(ctx, 0, func(f frame) (done bool, err error) {
		if f.kind != wire.TypeCompared {
			return false, fmt.Errorf("unexpected message %#x", uint8(f.kind))
		}
		c, err = wire.DecodeCompared(f.payload)
		return true, err
	})
	return c, err
}
