package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// firstStack is the size in bytes at which a goroutine's stack overflows in the workers of a run at first: what the runtime
// allows on 64-bit systems is 60 times as much. Mutants are at most 64 KB long, so code that recurses once for some bytes
// of its input gets no further, although a longer input would end the process; and it takes less time and memory. Ten
// thousand levels, which is a usual limit, fit. It is no round number, so that it is not one that the target sets itself:
// by its limit an overflow is known.
const firstStack = 16<<20 + 16

// deepenBy are the factors by which the repeated part of an input is repeated more often, to have it overflow the whole
// stack; maxDeep is the size in bytes up to which that is done, chosen as what services may well accept; deepenTime is how
// long it may take, and seconds are usual.
var deepenBy = [...]int{2, 4, 8, 16, 32, 64}

const (
	maxDeep    = 1 << 20
	deepenTime = 20 * time.Second
)

// surely is how many times deeper an input must go than one that overflows the stack of an instrumented target: the frames of
// two parsers were 1.9 and 2.7 times as large there as in plain go test.
const surely = 4

// maxPadding is how many repetitions are left out that have nothing to do with the depth.
const maxPadding = 8

// overflowed deals with an input that overflowed firstStack. From now on workers have the whole stack, as in plain go test,
// so that nothing counts as a failure which is none there. If the input does not fail with it, it is made longer where it
// repeats itself; what fails then is the finding. Not a hang, too much memory or a race: an input that long may take its time
// and memory, and what shorter ones do elsewhere is not asked here. A seed or a cached entry is executed once more in any case;
// the first one is made deeper too, since no mutant comes here for less than the whole stack afterwards.
func (r *run) overflowed(s *slot, f *finding.Finding, warm *warmEntry) error {
	r.mu.Lock()
	first := !r.wholeStack
	r.wholeStack = true
	f.Target = r.Target
	known := r.claimed[triage.Key(f)] != nil
	r.mu.Unlock()
	r.postpone(warm)
	if known || warm != nil && !first {
		return nil
	}
	got, err := r.deepest(s, f.Input)
	if got != nil && warm != nil && got.Input.Equal(f.Input) {
		return nil
	}
	if got != nil && isOverflow(got) {
		got, err = r.surer(s, got)
	}
	var exit *executor.Exit
	switch {
	case isContext(err), errors.As(err, &exit): // such as by the system, which had no memory for the stack
		return nil
	case got == nil || slices.Contains([]finding.Kind{finding.Hang, finding.Memory, finding.Race}, got.Kind):
		return err
	}
	return r.settle(s, got, nil, s.worker != nil)
}

// deepest executes an input with the whole stack, and deeper ones, until one fails. It returns how; nil: none does.
func (r *run) deepest(s *slot, a input.Args) (*finding.Finding, error) {
	ctx, cancel := context.WithTimeout(r.judging(), deepenTime)
	defer cancel()
	for _, candidate := range append([]input.Args{a}, deeper(a, deepenBy[:]...)...) {
		got, err := r.execute(ctx, s, candidate)
		if err != nil {
			return nil, err
		}
		if got != nil {
			got.Input, got.Original = candidate, a
			return got, nil
		}
	}
	return nil, nil
}

// surer returns a finding like f that overflows the stack of plain go test too: one whose depth is not that of anything that
// repeats itself in the input, or one that goes surely times deeper; nil if there is none.
func (r *run) surer(s *slot, f *finding.Finding) (*finding.Finding, error) {
	ctx, cancel := context.WithTimeout(r.judging(), deepenTime)
	defer cancel()
	try := func(a input.Args) (*finding.Finding, error) {
		got, err := r.execute(ctx, s, a)
		if err != nil || got == nil || !isOverflow(got) {
			return nil, err
		}
		got.Input, got.Original = a, f.Original
		return got, nil
	}
	for range maxPadding {
		arg, run := repeated(f.Input)
		if arg < 0 {
			return f, nil
		}
		data := f.Input[arg].Data
		got, err := try(with(f.Input, arg, slices.Concat(data[:run.from+run.unit], data[run.to:])))
		if err != nil {
			return nil, err
		}
		if got == nil {
			break
		}
		f = got
	}
	for _, a := range deeper(f.Input, surely) {
		if got, err := try(a); got != nil || err != nil {
			return got, err
		}
	}
	return nil, nil
}

// isOverflow reports whether a finding is an overflow of the stack.
func isOverflow(f *finding.Finding) bool {
	return f.Kind == finding.Fatal && strings.Contains(f.Message, "stack overflow")
}

// isDeep reports whether a finding is an overflow by how deep something is nested. To minimize it would take off what makes it
// sure.
func isDeep(f *finding.Finding) bool {
	arg, _ := repeated(f.Input)
	return isOverflow(f) && arg >= 0
}

// execute executes an input by the worker of a slot and says how it failed; nil: it did not. A process that ends by it is
// dropped.
func (r *run) execute(ctx context.Context, s *slot, a input.Args) (*finding.Finding, error) {
	if err := r.ensureWorker(ctx, s); err != nil {
		return nil, err
	}
	ran, err := s.worker.Run(ctx, a, false)
	if err == nil {
		r.account(0, ran.Execs, ran.Nanos)
		if !ran.Failed {
			return nil, nil
		}
		return triage.Failed(a, ran.Output, ran.Logged), nil
	}
	s.worker.Kill()
	r.dropWorker(s)
	var exit *executor.Exit
	if !errors.As(err, &exit) || exit.External && !exit.Hang {
		return nil, err
	}
	r.account(0, exit.Execs, 0)
	died := triage.Died(exit)
	died.Input = a
	return died, nil
}

// deeper returns inputs like a that nest what it nests more deeply, if a has something in it that is repeated many times:
// with what closes it repeated as often, and without, for each factor.
func deeper(a input.Args, factors ...int) (all []input.Args) {
	arg, run := repeated(a)
	if arg < 0 {
		return nil
	}
	data := a[arg].Data
	closing := longest(data[run.to:])
	for _, factor := range factors {
		if len(data)*factor > maxDeep {
			break
		}
		open := run.repeated(data, factor)
		if closing.size() > 0 {
			closed := append(open[:len(open):len(open)], closing.repeated(data[run.to:], factor)...)
			all = append(all, with(a, arg, closed))
		}
		all = append(all, with(a, arg, append(open, data[run.to:]...)))
	}
	return all
}

// repeated returns the argument with the longest repetition, and that; -1 if there is none.
func repeated(a input.Args) (arg int, run repetition) {
	arg = -1
	for i, v := range a {
		if !v.Kind.IsBuffer() {
			continue
		}
		if found := longest(v.Data); found.size() > run.size() {
			arg, run = i, found
		}
	}
	return arg, run
}

// with returns a with another content of one argument.
func with(a input.Args, arg int, data []byte) input.Args {
	a = append(input.Args(nil), a...)
	a[arg].Data = data
	return a
}

// repetition is a part of a text in which one unit follows itself.
type repetition struct{ from, to, unit int }

// Bounds of what counts as repeated. The units of nested text are short; a stack of 16 MB is not full after some calls.
const (
	maxUnit    = 64
	minRepeats = 32
)

func (r repetition) size() int { return r.to - r.from }

// longest returns the longest repetition in b, of the shortest unit; nothing if no unit is there often enough.
func longest(b []byte) (best repetition) {
	for unit := 1; unit <= maxUnit && unit < len(b); unit++ {
		for i := 0; i+unit < len(b); {
			n := bytesInCommon(b[i:], b[i+unit:])
			if size := n + unit; size >= minRepeats*unit && size > best.size()+unit {
				best = repetition{i, i + size, unit}
			}
			i += n + 1
		}
	}
	return best
}

// bytesInCommon returns how many bytes a and b begin with that are the same.
func bytesInCommon(a, b []byte) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// repeated returns b up to the end of the repetition, which is factor times as long.
func (r repetition) repeated(b []byte, factor int) []byte {
	more := bytes.Repeat(b[r.from:r.from+r.unit], r.size()/r.unit*(factor-1))
	out := make([]byte, 0, r.to+len(more))
	out = append(append(out, b[:r.from]...), more...)
	return append(out, b[r.from:r.to]...)
}
