package worker

import (
	"runtime"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// compareInput executes one input, and reports its comparisons and those of their places that it has not reported before. The first request
// makes the process record places until it ends.
func (w *worker) compareInput(payload []byte) error {
	m, err := wire.DecodeCompare(payload)
	if err != nil {
		return err
	}
	a, err := w.single(m.Input)
	if err != nil {
		return err
	}
	if w.placed == nil {
		w.placed = map[uint]bool{}
		compare.Place()
		w.run.log.Omit(nil)
	}
	w.memory.forget()
	w.run.logging = true
	w.run.once(a)
	w.run.logging = false
	w.memory.check(a)
	w.run.cov.Clear()
	var answer wire.Compared
	for _, r := range w.run.log.Records() {
		if !w.placed[r.Site] {
			w.placed[r.Site] = true
			calls := compare.Calls(r.Site)
			answer.Sites = append(answer.Sites, wire.Site{ID: uint64(r.Site), Stack: len(calls) > 1, Frames: resolve(calls)})
		}
		answer.List = append(answer.List, wire.Comparison{
			Site: uint64(r.Site), Op: r.Op, Width: r.Width, A: r.A, B: r.B, SA: r.SA, SB: r.SB,
		})
	}
	return w.out.Send(answer)
}

// resolve returns the calls that return addresses belong to, inlined calls included, in the order of the addresses.
func resolve(calls []uintptr) (list []wire.Frame) {
	if len(calls) == 0 {
		return nil
	}
	for all := runtime.CallersFrames(calls); ; {
		f, more := all.Next()
		list = append(list, wire.Frame{Function: f.Function, File: f.File, Line: f.Line})
		if !more {
			return list
		}
	}
}
