package oracle

import (
	"github.com/gnaw-fuzz/gnaw/input"
)

// Request says what is measured.
type Request struct {
	Args    input.Args // an input that passes
	Limits  Limits
	Piece   Piece // for a Timed oracle: what to repeat; zero: look for something
	Locate  bool  // find only the place of what Located oracles report
	NoClock bool  // the end of no loop depends on the clock
}

// Report is what one oracle has found.
type Report struct {
	Oracle  Set    // one of them
	Message string // one line
	Detail  string // lines: a stack as the runtime prints it, whose top is the place of the finding; before it a curve
	Piece   Piece  // for a Timed oracle: what of the input was repeated
	Copies  int    // and how often in the largest input
}

// Runner executes inputs for a measurement.
type Runner interface {
	// Execute executes a copy of an input and returns what the target left of the copy, which is valid until the next
	// execution. ok is false if the execution failed.
	Execute(a input.Args) (left input.Args, ok bool)
	// Pass executes an input itself: the target gets its memory. ok is false if the execution failed.
	Pass(a input.Args) (ok bool)
	// Fault is Pass with memory that cannot be written to. It returns the output of an execution that wrote to it.
	// The process ends if another goroutine of the target writes to it.
	Fault(a input.Args) (output string)
	// Reorder changes the order of maps and selects of the next executions.
	Reorder()
	// Over reports whether the measurement has to end: an execution failed, or the coordinator asks for an end.
	Over() bool
	// Stack returns the stack of the goroutine that calls the target; nothing if it is not calling it. Any goroutine
	// may call it.
	Stack() string
	// Go runs f on a goroutine that the target does not see.
	Go(f func())
}

// Measurement is the work of oracles on one input.
type Measurement struct {
	Request
	run     Runner
	reports []Report
	seen    Set        // the oracles that have reported something
	observe []observer // of the oracles that are on
}

// observer looks at what is left of the arguments after each execution.
type observer func(m *Measurement, given, left input.Args)

// Measure has oracles measure an input: first those that are not Timed, the cheap ones first. It returns at most one
// report of each.
func Measure(run Runner, r Request) []Report {
	m := &Measurement{Request: r, run: run}
	if r.Locate {
		for _, o := range r.Limits.On.Located().Each() {
			o.locate(m)
		}
		return m.reports
	}
	for _, o := range r.Limits.On.Each() {
		if o.observe != nil {
			m.observe = append(m.observe, o.observe)
		}
	}
	if !m.execute(r.Args) { // what is made once is made now
		return m.reports
	}
	timed := r.Limits.On.Timed()
	for _, on := range []Set{r.Limits.On &^ timed, timed} {
		for _, o := range on.Each() {
			if o.measure != nil && !run.Over() {
				o.measure(m)
			}
		}
	}
	return m.reports
}

// execute executes a copy of an input. It returns false if the target failed.
func (m *Measurement) execute(a input.Args) bool {
	left, ok := m.run.Execute(a)
	if !ok {
		return false
	}
	for _, observe := range m.observe {
		observe(m, a, left)
	}
	return true
}

// report adds what an oracle has found, once for each oracle.
func (m *Measurement) report(r Report) {
	if !m.seen.Has(r.Oracle) {
		m.seen |= r.Oracle
		m.reports = append(m.reports, r)
	}
}
