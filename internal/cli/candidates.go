package cli

import (
	"context"
	"errors"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// smallest returns the failure of the smallest input that is known to fail in the same way as first.
func (m *minimizing) smallest(ctx context.Context, first *finding.Finding) *finding.Finding {
	for _, a := range m.others {
		if a.Size() >= first.Input.Size() || input.CheckKinds(a, m.kinds) != nil {
			continue
		}
		if got := m.execute(ctx, a); got != nil && triage.Same(first, got) {
			return got
		}
	}
	return first
}

// search looks for a simpler input that fails in the same way, from one that does, and returns how it fails.
func (m *minimizing) search(ctx context.Context, first *finding.Finding) (input.Args, *finding.Finding, minimize.Stats) {
	if m.budget.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, m.budget.time)
		defer cancel()
	}
	from := m.smallest(ctx, first)
	last := from
	check := func(candidate input.Args) bool {
		got := m.execute(ctx, candidate)
		if got == nil || !triage.Same(first, got) {
			return false
		}
		last = got
		return true
	}
	best, stats := minimize.Minimize(from.Input, minimize.Options{
		Check: check, MaxChecks: int(m.budget.execs), Deadline: func() bool { return m.broken != nil || ctx.Err() != nil }, FixLengths: true,
	})
	return best, last, stats
}

// execute executes an input and says how it failed; nil: it did not, or it could not be executed, which broken tells.
func (m *minimizing) execute(ctx context.Context, a input.Args) *finding.Finding {
	f, err := m.process.Execute(ctx, a)
	var exit *executor.Exit
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) { // otherwise the time is up, or something outside has ended the process
		m.broken = err
	}
	return f
}

// stop ends the process, and removes what was built.
func (m *minimizing) stop() (err error) {
	err = m.process.Close()
	if m.builder != nil {
		err = errors.Join(err, m.builder.Close())
	}
	return err
}
