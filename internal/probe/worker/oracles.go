package worker

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// repeats is how many executions an oracle looks at that needs several. What stays behind must grow with each of them: a goroutine or
// a reference that is made once is no leak.
const repeats = 4

// oracles measure around executions of one input that passes. These leave no trace in the coverage map.
type oracles struct {
	run     *runner
	memory  *memory
	noClock bool
	wire.Examine
	a       input.Args
	failure outcome         // of the execution that failed, which ends it
	reports []oracle.Report // what the oracles found
	seen    oracle.Set      // those that have found something
}

// askOracles executes an input that passes, with measurements around it.
func (w *worker) askOracles(payload []byte) error {
	m, err := wire.DecodeExamine(payload)
	if err != nil {
		return err
	}
	a, err := w.single(m.Input)
	if err != nil {
		return err
	}
	start, order := time.Now(), w.run.order
	x := &oracles{run: &w.run, memory: &w.memory, noClock: w.setup.NoClock, Examine: m, a: a}
	x.ask()
	w.run.order = order
	w.run.cov.Clear()
	w.memory.forget()
	if x.failure.failed {
		if err := w.feed.fail(x.failure, false); err != nil {
			return err
		}
	}
	return w.out.Send(wire.Examined{Execs: w.run.spent, Nanos: uint64(time.Since(start)), Reports: x.reports})
}

// ask asks the oracles, the cheap ones first.
func (x *oracles) ask() {
	if x.Locate {
		x.locate()
		return
	}
	if !x.execute(x.a) { // what is made once is made now
		return
	}
	steps := [...]func(){x.allocates, x.leaks, x.keeps, x.varies, x.explodes}
	for i, o := range [...]oracle.Set{oracle.Alloc, oracle.Leak, oracle.Keep, oracle.Flaky, oracle.Growth} {
		if x.Limits.On.Has(o) && !x.over() {
			steps[i]()
		}
	}
}

// over reports whether the examination ends: the input has failed, or the coordinator asks for an end.
func (x *oracles) over() bool { return x.failure.failed || x.run.seg.Preempted() }

// report notes what an oracle has found, once for each.
func (x *oracles) report(r oracle.Report) {
	if !x.seen.Has(r.Oracle) {
		x.seen |= r.Oracle
		x.reports = append(x.reports, r)
	}
}

// execute executes an input and looks at what it did to its arguments. It reports false if the target failed.
func (x *oracles) execute(a input.Args) bool {
	x.memory.forget()
	x.failure = x.run.once(a)
	x.memory.check(a)
	if x.failure.failed {
		return false
	}
	if x.Limits.On.Has(oracle.Modify) {
		x.compare(a)
	}
	return true
}

// compare reports an argument that is not what it was.
func (x *oracles) compare(a input.Args) {
	for i, v := range a {
		if got := x.run.scratch[i].Data; v.Kind == input.Bytes && !bytes.Equal(got, v.Data) {
			at := 0
			for at < len(got)-1 && got[at] == v.Data[at] {
				at++
			}
			x.report(oracle.Report{Oracle: oracle.Modify, Message: fmt.Sprintf(
				"the target writes into the memory of its argument %d: byte %d was %#02x and is %#02x", i+1, at, v.Data[at], got[at])})
			return
		}
	}
}

// allocates looks at what one execution allocates.
func (x *oracles) allocates() {
	measure := func() uint64 {
		before := oracle.Allocated()
		x.execute(x.a)
		return oracle.Allocated() - before
	}
	size := x.a.Size()
	n := measure()
	if x.over() || !x.Limits.Excessive(n, size) {
		return
	}
	places := oracle.NewAllocations()
	if again := measure(); !x.over() && x.Limits.Excessive(again, size) {
		top, _ := places.Top()
		x.report(oracle.Report{Oracle: oracle.Alloc, Detail: top, Message: fmt.Sprintf(
			"one execution allocates %s for %s of input", oracle.Size(min(n, again)), oracle.Size(uint64(size)))})
	}
}

// leaks looks at the goroutines that executions leave behind.
func (x *oracles) leaks() {
	count, before := runtime.NumGoroutine(), oracle.Goroutines(nil)
	for i := range repeats + 1 {
		if i == 1 {
			// Stacks are only worth a look if one execution has left something.
			if oracle.Settle(count, 0) {
				return
			}
			count, before = runtime.NumGoroutine(), oracle.Running()
		}
		if !x.execute(x.a) || x.over() {
			return
		}
	}
	// Other goroutines may have ended meanwhile, so the limit is lower than what was left behind.
	if oracle.Settle(count+repeats/2-1, x.Limits.Patience) {
		return
	}
	g, n := oracle.LeftBehind(before), repeats
	if g.Count >= n && !g.Exact {
		if n = x.persist(n); n == 0 {
			return
		}
		g = x.stay(before, n)
	}
	if g.Count >= n {
		x.report(oracle.Report{Oracle: oracle.Leak, Detail: g.Stack, Message: fmt.Sprintf(
			"%d executions leave %d goroutines behind, blocked in %s", n, g.Count, g.State)})
	}
}

const (
	// persistence is how many executions must leave goroutines behind if the runtime cannot tell whether something may still wake them
	// up: a pool that grows on demand has grown by then.
	persistence = 64
	// persistTime and persistSize: executions that are slow, or allocate much, are fewer. What stays behind may hold all of it.
	persistTime = time.Second
	persistSize = 256 << 20
)

// persist executes the input again and again, and returns how often with the n times before; 0: the examination is over.
func (x *oracles) persist(n int) int {
	begin, allocated := time.Now(), oracle.Allocated()
	for n < persistence && (x.noClock || time.Since(begin) < persistTime) && oracle.Allocated()-allocated < persistSize {
		if !x.execute(x.a) || x.over() {
			return 0
		}
		n++
	}
	return n
}

// stay returns the largest group of goroutines that executions have left behind, as soon as it has n. Those that were started last may not
// have come to what they wait for.
func (x *oracles) stay(before oracle.Goroutines, n int) (g oracle.Group) {
	for pause := time.Millisecond; pause < x.Limits.Patience; pause *= 2 {
		if g = oracle.LeftBehind(before); g.Count >= n {
			return g
		}
		time.Sleep(pause)
	}
	return oracle.LeftBehind(before)
}

// keeps looks for references to arguments that the target keeps when it has returned.
func (x *oracles) keeps() {
	for i, v := range x.a {
		if v.Kind != input.Bytes || len(v.Data) == 0 {
			continue
		}
		var copies oracle.Copies
		for range repeats {
			x.run.args = x.a.Clone()
			x.run.args[i].Data = copies.Make(v.Data)
			if x.failure = x.run.handOver(); x.over() {
				return
			}
		}
		if !x.execute(x.a) { // a reference to the last arguments is replaced
			return
		}
		if n := copies.Kept(); n >= repeats {
			x.report(oracle.Report{Oracle: oracle.Keep, Message: fmt.Sprintf(
				"the target keeps the memory of its argument %d: after %d executions %d arguments are in use", i+1, repeats, n)})
			return
		}
	}
}

// orders is how many orders of maps and selects are tried.
const orders = 3

// varies executes the input with other orders of maps and selects. A failure is reported like all others; its replays tell whether it
// depends on the order.
func (x *oracles) varies() {
	for range orders {
		if x.run.order != 0 {
			x.run.order += 1 << 32
		}
		if !x.execute(x.a) || x.over() {
			return
		}
	}
}

// locate finds out where the target writes to an argument: if the memory of the argument is read-only, that is a panic with a stack. In
// another goroutine it ends the process.
func (x *oracles) locate() {
	args := x.a.Clone()
	for i, v := range args {
		if v.Kind == input.Bytes {
			b, ok := oracle.ReadOnly(v.Data)
			if !ok {
				return
			}
			args[i].Data = b
		}
	}
	fn := x.run.fn
	defer func() { x.run.fn, x.run.args = fn, x.run.scratch }()
	x.run.fn = func(t *testing.T, a input.Args) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		fn(t, a)
	}
	x.run.args = args
	if out := x.run.handOver(); out.failed && strings.Contains(out.output, "invalid memory address") {
		x.report(oracle.Report{Oracle: oracle.Modify, Detail: out.output})
	}
}
