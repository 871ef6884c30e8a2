package engine

import (
	"context"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
)

const (
	// maxMatterChecks is how many inputs are executed to find the bytes of a finding that matter. A byte takes four if it does not
	// matter, and most others take one. The findings in testdata/planted and examples take at most 22, in up to 35 ms; 512 that
	// panic take 0.3 s.
	maxMatterChecks = 512
	// maxMatterDeaths is how many of them may end the process, each of which costs the start of another.
	maxMatterDeaths = 32
	// maxMatterTime ends it if executions, or starts of the process, are slow.
	maxMatterTime = 2 * time.Second
)

// MatterTest finds which bytes of the minimized input of a finding matter.
type MatterTest struct {
	Finding *finding.Finding
	Time    time.Duration // at most; 0: two seconds
	Execs   int           // at most, with the one that executes the input itself; 0: 513
	// Execute executes an input, and reports whether it fails as the finding does, and whether that has ended the process. An error, or the
	// end of ctx, says nothing about the input.
	Execute func(ctx context.Context, a input.Args) (same, ended bool, err error)
}

// Run returns what it finds, one Matter for each argument. It is nil if nothing is known: because the finding is not tested, ctx has ended, or
// the input itself does not fail any more after the others. Findings are not tested whose executions take about a second each, as a hang or
// a stack overflow does, or that one process does not show twice, as a race. The process may need to be started again afterwards.
func (t MatterTest) Run(ctx context.Context) (list []finding.Matter) {
	f, checks := t.Finding, maxMatterChecks
	if f.Kind == finding.Hang || f.Kind == finding.Memory || f.Kind == finding.Race || isOverflow(f) {
		return nil
	}
	if t.Execs > 0 {
		checks = min(checks, t.Execs-1)
	}
	if checks == 0 {
		return nil
	}
	limit := maxMatterTime
	if t.Time > 0 {
		limit = min(limit, t.Time)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	deaths, over := 0, false
	for _, m := range minimize.Matters(f.Input, minimize.Options{
		MaxChecks: checks,
		Deadline:  func() bool { return over || limited.Err() != nil || deaths >= maxMatterDeaths },
		Check: func(a input.Args) bool {
			same, ended, err := t.Execute(limited, a)
			over = err != nil
			if ended {
				deaths++
			}
			return same
		},
	}) {
		list = append(list, finding.Matter(m))
	}
	if same, _, err := t.Execute(ctx, f.Input); err != nil || !same || ctx.Err() != nil { // the target may behave in another way now
		return nil
	}
	return list
}

// matter finds which bytes of the minimized input matter, and notes them in the finding.
func (m *minimization) matter() {
	t := MatterTest{Finding: m.f, Time: m.Minimize.Time, Execute: func(ctx context.Context, a input.Args) (same, ended bool, err error) {
		m.ctx, m.broken = ctx, nil
		same = m.check(a, false)
		return same, m.slot.worker == nil, m.broken
	}}
	if m.Minimize.Execs > 0 {
		if t.Execs = m.Minimize.Execs - m.checks; t.Execs <= 0 {
			return
		}
	}
	if m.broken == nil {
		m.f.Matter = t.Run(m.turn.verifying())
	}
}
