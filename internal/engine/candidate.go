package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

const (
	// hangProbe: while a hang is minimized, a candidate that takes this long counts as one that hangs. The result is
	// executed for as long as a hang takes.
	hangProbe = time.Second
	// maxOtherFailures is how many other failures that candidates show are dealt with.
	maxOtherFailures = 4
)

// errEnded ends the minimization in a run that does not keep going.
var errEnded = errors.New("a candidate has ended the process")

// minimization is the minimization of one finding by the worker of a slot.
type minimization struct {
	*minimizer
	slot   *slot
	f      *finding.Finding
	ctx    context.Context
	until  time.Duration    // when the search ends, by the clock; 0: with ctx
	best   *finding.Finding // how the last candidate failed that did; nil: none did
	checks int              // how often an input was executed
	tried  []input.Args     // other inputs of the finding that were tried
	broken error            // why there is no worker any more

	others []*finding.Finding // how candidates failed in another way
}

// over reports whether the search ends.
func (m *minimization) over() bool {
	return m.stop() || m.spent() || m.until > 0 && m.Clock() > m.until
}

// spent reports whether all executions were used that the user allows.
func (m *minimization) spent() bool { return m.Minimize.Execs > 0 && m.checks >= m.Minimize.Execs }

// stop reports whether no more candidates can be tried.
func (m *minimization) stop() bool { return m.broken != nil || m.ctx.Err() != nil }

// differs reports whether candidates are executed in another way than what is left in the end, for less time or with less stack:
// a hang takes a second to recognize, and a gigabyte of stack takes about as long to fill.
func (m *minimization) differs() bool { return m.f.Kind == finding.Hang || isOverflow(m.f) }

// check executes a candidate, or what is left in the end, and reports whether it fails as the finding does.
func (m *minimization) check(a input.Args, last bool) bool {
	m.checks++
	got, err := m.try(a, last)
	if err != nil {
		m.broken = err
		return false
	}
	if got == nil {
		return false
	}
	if !proof.Same(m.f, got) {
		m.note(got)
		return false
	}
	if got.Output != "" {
		m.best = got
	}
	return true
}

// note keeps a failure of another kind, or at another place. What ended its process needs more checks than are made here. A run
// that ends with the first failure, or soon after it, has no time for it, and what such a failure shows in turn is left to chance.
func (m *minimization) note(got *finding.Finding) {
	if !m.KeepGoing || m.slot.others || got.Refused != "" || proof.Ours(got.Output) {
		return
	}
	like := func(f *finding.Finding) bool { return f.Kind == got.Kind && f.Place == got.Place }
	switch got.Kind {
	case finding.Panic, finding.Failure, finding.Goexit:
		if len(m.others) < maxOtherFailures && !like(m.f) && !slices.ContainsFunc(m.others, like) {
			m.others = append(m.others, got)
		}
	}
}

// try executes a candidate, or what is left in the end, and says how it failed; nil: it did not.
func (m *minimization) try(a input.Args, last bool) (*finding.Finding, error) {
	ctx, hang, stack := m.ctx, m.f.Kind == finding.Hang && !last, m.overflows.maxStack()
	if isOverflow(m.f) {
		stack = map[bool]int{false: firstStack}[last]
	}
	if err := m.pool.ensure(ctx, m.slot, stack); err != nil {
		return nil, err
	}
	if hang { // the start of a process is no part of it
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, hangProbe)
		defer cancel()
	}
	got, err := m.state.execute(ctx, m.slot, stack, a)
	var exit *executor.Exit
	if m.f.Kind == finding.Signal && errors.As(err, &exit) { // something outside may have sent it: what is left is executed again
		got, err = m.describe(exit), nil
		got.Input = a
	}
	if hang && isContext(err) && m.ctx.Err() == nil {
		return &finding.Finding{Kind: finding.Hang}, nil // its stacks are not known
	}
	if err == nil && m.slot.worker == nil && !m.KeepGoing {
		return nil, errEnded
	}
	return got, err
}
