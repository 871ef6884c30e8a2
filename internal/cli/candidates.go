package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
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

// ensureWorker starts a worker if there is none.
func (m *minimizing) ensureWorker(ctx context.Context) error {
	if m.worker != nil {
		return nil
	}
	w, err := executor.Start(ctx, m.config, m.global)
	if err != nil {
		return err
	}
	setup := wire.Setup{MemLimit: m.memLimit}
	if w.Hello.Race {
		setup.MemLimit = 0 // the detector uses several times the memory of the target
	}
	if err := w.Setup(setup); err != nil {
		w.Kill()
		return fmt.Errorf("set up a fuzzing process: %w", err)
	}
	m.worker, m.kinds = w, w.Hello.Kinds
	return nil
}

// execute executes an input and says how it failed; nil: it did not. A process that ends by it is started again.
func (m *minimizing) execute(ctx context.Context, a input.Args) *finding.Finding {
	if err := m.ensureWorker(ctx); err != nil {
		if ctx.Err() == nil { // otherwise the time is up, or there was an interrupt
			m.broken = err
		}
		return nil
	}
	ran, err := m.worker.Run(ctx, a, wire.Run{})
	if err == nil && !ran.Failed {
		return nil
	}
	if err == nil {
		f := triage.Failed(a, ran.Output, ran.Logged)
		if f.Kind == finding.Race {
			readRace(m.worker, f)
			m.worker = nil
		}
		return f
	}
	m.worker.Kill()
	m.worker = nil
	var exit *executor.Exit
	switch {
	case ctx.Err() != nil:
		return nil
	case !errors.As(err, &exit):
		m.broken = err
		return nil
	}
	died := triage.Died(exit)
	died.Input = a
	return died
}

// stop ends the worker, and removes what was built.
func (m *minimizing) stop() (err error) {
	if m.worker != nil {
		m.worker.Stop()
	}
	if m.global != nil {
		err = m.global.Close()
	}
	if m.builder != nil {
		err = errors.Join(err, m.builder.Close())
	}
	return err
}
