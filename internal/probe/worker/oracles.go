package worker

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// oracleRunner executes inputs for oracles. The executions leave no trace in the coverage map.
type oracleRunner struct {
	run     *runner
	memory  *memory
	failure outcome // of the execution that failed, which ends the measurement
}

// measure executes an input that passes, with measurements around it.
func (w *worker) measure(payload []byte) error {
	m, err := wire.DecodeMeasure(payload)
	if err != nil {
		return err
	}
	a, err := w.single(m.Input)
	if err != nil {
		return err
	}
	start, order := time.Now(), w.run.order
	x := &oracleRunner{run: &w.run, memory: &w.memory}
	reports := oracle.Measure(x, oracle.Request{Args: a, Limits: m.Limits, Piece: m.Piece, Locate: m.Locate, NoClock: w.setup.NoClock})
	w.run.order = order
	w.run.cov.Clear()
	w.memory.forget()
	if x.failure.failed {
		if err := w.feed.fail(x.failure, false); err != nil {
			return err
		}
	}
	return w.out.Send(wire.Measured{Execs: w.run.spent, Nanos: uint64(time.Since(start)), Reports: reports})
}

// Execute executes a copy of an input.
func (x *oracleRunner) Execute(a input.Args) (left input.Args, ok bool) {
	x.memory.forget()
	x.failure = x.run.once(a)
	x.memory.check(a)
	return x.run.scratch, !x.failure.failed
}

// Pass executes an input itself.
func (x *oracleRunner) Pass(a input.Args) (ok bool) {
	x.run.args = a
	x.failure = x.run.handOver()
	return !x.failure.failed
}

// Fault executes an input in whose memory a write is a panic. That is no failure of the input.
func (x *oracleRunner) Fault(a input.Args) (output string) {
	fn := x.run.fn
	defer func() { x.run.fn, x.run.args = fn, x.run.scratch }()
	x.run.fn = func(t *testing.T, a input.Args) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		fn(t, a)
	}
	x.run.args = a
	if out := x.run.handOver(); out.failed && strings.Contains(out.output, "invalid memory address") {
		return out.output
	}
	return ""
}

// Reorder changes the order of maps and selects, unless it is the stock one.
func (x *oracleRunner) Reorder() {
	if x.run.order != 0 {
		x.run.order += 1 << 32
	}
}

// Over reports whether an execution failed or the coordinator asks for an end.
func (x *oracleRunner) Over() bool { return x.failure.failed || x.run.seg.Preempted() }

// Go runs f on a goroutine that the target does not see.
func (x *oracleRunner) Go(f func()) { unseen(f) }

// maxTargetStack is how much of the stacks of all goroutines is looked at, in bytes.
const maxTargetStack = 1 << 20

// Stack returns the stack of the goroutine that calls the target, or nothing if it is not in the target.
func (x *oracleRunner) Stack() string {
	b := make([]byte, maxTargetStack)
	for block := range strings.SplitSeq(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if inTarget(block) {
			return block
		}
	}
	return ""
}

// inTarget reports whether a stack is one of the goroutine that calls the target, with a frame of the target. Goroutines stop at calls, so
// this one often stops right after the target, at the call of settle. The innermost frame is then settle or call.
func inTarget(stack string) bool {
	above, _, calls := strings.Cut(stack, "worker.(*runner).call(")
	return calls && strings.Contains(above, "\n\t") && !strings.Contains(above, "worker.(*goroutineWait).settle(")
}
