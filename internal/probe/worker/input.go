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

// grow gives the buffers of a room for n bytes.
func grow(a input.Args, n int) {
	for i := range a {
		if v := &a[i]; v.Kind.IsBuffer() && cap(v.Data) < n {
			v.Data = make([]byte, 0, n)
		}
	}
}

// load copies a tuple of the same kinds into the buffers of dst.
func load(dst, a input.Args) {
	for i := range a {
		v := &dst[i]
		v.Bits = a[i].Bits
		v.Data = append(v.Data[:0], a[i].Data...)
	}
}
