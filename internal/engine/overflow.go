package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
)

// firstStack is the size in bytes at which a goroutine's stack overflows in the workers of a run at first: what the runtime
// allows on 64-bit systems is 60 times as much. Mutants are at most 64 KB long, so code that recurses once for some bytes
// of its input does not fill that much, although a longer input would. A smaller stack also takes less time and memory. Ten thousand
// levels, which is a usual limit of parsers, fit. The limit is printed when a stack overflows. It is not a round number, so that it
// differs from a limit that the target sets.
const firstStack = 16<<20 + 16

// deepenBy are the factors by which the repeated part of an input is repeated more often, to have it overflow the whole
// stack. maxDeep is the largest size in bytes of such an input: many services accept that much.
var deepenBy = [...]int{2, 4, 8, 16, 32, 64}

const maxDeep = 1 << 20

// surely is a safety factor for the depth of a finding. Frames are larger with instrumentation (those of two parsers 1.9 and 2.7
// times), so an input that overflows the stack of a worker may pass in plain go test.
const surely = 4

// maxPadding is how many repetitions are left out that have nothing to do with the depth.
const maxPadding = 8

// Limits of what a run does with inputs that overflow firstStack. A parser may limit the depth of one construct and not that of
// another, so several are made deeper; each usually takes seconds. Each overflow costs the start of a worker. When the starts take too
// much time, or maxConstructs is reached, workers have the whole stack.
const (
	deepenTime    = 20 * time.Second // for one
	minDeepening  = 10 * time.Second // for all, and a quarter of the time of the run
	maxConstructs = 16
	minRestarting = 5 * time.Second // for all starts, and an eighth of the time of the run
)

// overflows deals with inputs that overflow the stack.
type overflows struct {
	*state

	mu    sync.Mutex
	whole bool            // workers that start have the whole stack, as in plain go test
	seen  int             // inputs that overflowed a stack
	units map[string]bool // what they repeat, of those that were made deeper
	took  time.Duration   // to make them deeper
}

// maxStack returns the size in bytes at which the stack of a worker that starts now overflows; 0: as in plain go test.
func (o *overflows) maxStack() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.whole {
		return 0
	}
	return firstStack
}

// deepen deals with an input that overflowed the stack of a worker. It repeats the repeated part of the input more often, executes
// the result with the whole stack, and returns the finding if that fails; else nil. A hang, too much memory or a race does not count: an
// input of that length may take its time and memory. A seed or a cached entry is executed once more, with the whole stack.
func (o *overflows) deepen(s *slot, f *finding.Finding, warm *warmEntry) (*finding.Finding, error) {
	worthIt := o.count(f, warm)
	if warm != nil {
		warm.deep = true
		o.warmup.postpone(warm)
	}
	if !worthIt {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(o.turn.verifying(), deepenTime)
	defer cancel()
	got, err := o.deepFailure(ctx, s, f, warm != nil)
	var exit *executor.Exit
	switch {
	case isContext(err), errors.As(err, &exit): // such as by the system, which had no memory for the stack
		return nil, nil
	case got == nil || slices.Contains([]finding.Kind{finding.Hang, finding.Memory, finding.Race}, got.Kind):
		return nil, err
	}
	return got, nil
}

// count counts an overflow and reports whether to make it deeper. What earlier runs left is not made deeper again.
func (o *overflows) count(f *finding.Finding, warm *warmEntry) bool {
	unit := unitOf(f.Input)
	f.Target = o.Target.Func
	claimed := o.ledger.isClaimed(f)
	startup, elapsed := o.pool.startTime(), o.meter.elapsed()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen++
	restarting := time.Duration(o.seen) * startup
	first := !o.whole
	o.whole = o.whole || restarting > max(minRestarting, elapsed/8) || len(o.units) >= maxConstructs ||
		o.Repeatable // choices do not depend on how long it takes
	return !claimed && !o.units[unit] && (warm == nil || warm.isSeed && first)
}

// deepFailure makes an input that overflowed a worker's stack deeper and returns how plain go test fails with it; nil: it does
// not, or by an input that is executed again.
func (o *overflows) deepFailure(ctx context.Context, s *slot, f *finding.Finding, again bool) (*finding.Finding, error) {
	if again {
		if got, err := o.execute(ctx, s, 0, f.Input); got != nil || err != nil {
			return nil, err
		}
	}
	bare, err := o.bare(ctx, s, f.Input)
	if err != nil {
		return nil, err
	}
	unit := unitOf(bare)
	if unit != "" && !o.deepens(unit) {
		return nil, nil
	}
	defer o.addTime(o.Clock())
	got, err := o.deepest(ctx, s, bare)
	if got != nil && unit != "" && isOverflow(got) {
		got, err = o.surer(ctx, s, got)
	}
	if got != nil {
		got.Original = f.Input
	}
	return got, err
}

// deepens reports whether inputs that repeat a unit are to be made deeper, which is done once for each unit.
func (o *overflows) deepens(unit string) bool {
	elapsed := o.meter.elapsed()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.units[unit] || len(o.units) >= maxConstructs || o.took >= max(minDeepening, elapsed/4) {
		return false
	}
	if o.units == nil {
		o.units = map[string]bool{}
	}
	o.units[unit] = true
	return true
}

// addTime counts the time since begin as time that went into making inputs deeper.
func (o *overflows) addTime(begin time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.took += o.Clock() - begin
}

// bare returns an input that overflows firstStack without what else is repeated in it, and without what is behind and before
// what makes it deep, as far as it overflows without.
func (o *overflows) bare(ctx context.Context, s *slot, a input.Args) (input.Args, error) {
	overflows := func(a input.Args) (bool, error) {
		got, err := o.execute(ctx, s, firstStack, a)
		return got != nil && isOverflow(got), err
	}
	for range maxPadding {
		arg, run := repeated(a)
		if arg < 0 {
			return a, nil
		}
		data := a[arg].Data
		shorter := with(a, arg, slices.Concat(data[:run.from+run.unit], data[run.to:]))
		if is, err := overflows(shorter); err != nil {
			return nil, err
		} else if !is {
			break
		}
		a = shorter
	}
	for _, cut := range []func(b []byte, run repetition) []byte{
		func(b []byte, run repetition) []byte { return b[:run.to] },
		func(b []byte, run repetition) []byte { return b[run.from:] },
	} {
		arg, run := repeated(a)
		if arg < 0 {
			return a, nil
		}
		shorter := with(a, arg, cut(a[arg].Data, run))
		if is, err := overflows(shorter); err != nil {
			return nil, err
		} else if is {
			a = shorter
		}
	}
	return a, nil
}

// deepest executes an input with the whole stack, and deeper ones, until one fails. It returns how; nil: none does.
func (o *overflows) deepest(ctx context.Context, s *slot, a input.Args) (*finding.Finding, error) {
	for _, candidate := range append([]input.Args{a}, deeper(a, deepenBy[:]...)...) {
		if got, err := o.execute(ctx, s, 0, candidate); got != nil || err != nil {
			return got, err
		}
	}
	return nil, nil
}

// surer returns a finding like f that overflows the stack of plain go test too, one that goes surely times deeper; nil if there
// is none.
func (o *overflows) surer(ctx context.Context, s *slot, f *finding.Finding) (*finding.Finding, error) {
	for _, a := range deeper(f.Input, surely) {
		if got, err := o.execute(ctx, s, 0, a); err != nil || got != nil && isOverflow(got) {
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
func isDeep(f *finding.Finding) bool { return isOverflow(f) && unitOf(f.Input) != "" }
