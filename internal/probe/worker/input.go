package worker

import (
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// single unpacks the input of a request that is about one input, and begins that request.
func (w *worker) single(packed []byte) (input.Args, error) {
	a, err := unpack(packed, w.target.Kinds)
	if err != nil {
		return nil, err
	}
	w.run.allow(0, 0)
	w.seg.SetStage(shm.Running)
	return a, nil
}

// unpack reads an input from its packed form.
func unpack(packed []byte, kinds []input.Kind) (input.Args, error) {
	a, rest, err := input.Decode(packed, kinds)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow a packed input", len(rest))
	}
	return a, err
}
