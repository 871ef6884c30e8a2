package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

const (
	// maxAside is how long a worker may minimize a finding while the others go on fuzzing.
	maxAside = 10 * time.Second
	// maxAsideDead is the same for a finding that ends its process: each candidate that fails costs the start of another.
	maxAsideDead = 30 * time.Second
	// minAside is what it may take in any case. It may take longer if the target was fuzzed for longer until now: otherwise a
	// campaign of seconds would end half a minute late.
	minAside = 5 * time.Second
	// hangProbe: while a hang is minimized, a candidate that takes this long counts as one that hangs. The result is
	// executed for as long as a hang takes.
	hangProbe = time.Second
	// maxOtherFailures is how many other failures that candidates show are dealt with.
	maxOtherFailures = 4
	// confirmations is how often a minimized input is executed once more before it replaces the original: a candidate
	// that failed once may have done so by chance.
	confirmations = 2
)

// errEnded ends the minimization in a run that does not keep going.
var errEnded = errors.New("a candidate has ended the process")

// minimizer makes the inputs of findings smaller.
type minimizer struct {
	*state
	replays   *replays
	overflows *overflows
}

// isOn reports whether findings are minimized.
func (m *minimizer) isOn() bool { return m.MinimizeTime > 0 || m.MinimizeLimit > 0 }

// minimize makes the input of a finding smaller, as long as it fails in the same way, and replaces the file if that is
// gnaw's own. It returns other failures that candidates showed, which the caller deals with.
func (m *minimizer) minimize(s *slot, f *finding.Finding) (others []*finding.Finding) {
	begin := m.Clock()
	if !m.KeepGoing { // otherwise other workers go on
		m.ledger.countMinimizing(1)
		defer m.ledger.countMinimizing(-1)
	}
	m.events.emit(event.Minimize{Target: m.Target, Size: len(input.Marshal(f.Input))})
	search := &minimization{minimizer: m, slot: s, f: f, ctx: m.turn.verifying()}
	if limit := m.limit(f); limit > 0 {
		var cancel context.CancelFunc
		search.ctx, cancel = context.WithTimeout(search.ctx, limit)
		defer cancel()
		if search.differs() { // what is left is to be confirmed
			search.until = begin + limit/2
		}
	}
	best := search.run()
	m.replace(f, best, search.best)
	f.Minimize = m.Clock() - begin
	return search.others
}

// replace gives a finding the input that came of its minimization, and what its failure prints; nil: as before.
func (m *minimizer) replace(f *finding.Finding, best input.Args, failure *finding.Finding) {
	redescribe := func() {
		if failure != nil {
			triage.Redescribe(f, failure)
		}
	}
	if f.Why != "" {
		redescribe()
		if !best.Equal(f.Input) {
			m.files.replaceKept(f, best)
		}
		return
	}
	h, own, err := storeIn(m.WriteDir, nil).Take(best)
	if err != nil {
		m.events.warn(fmt.Sprintf("the minimized input could not be written, the original stays: %v", err))
		return
	}
	redescribe()
	m.files.replace(f, best, h, own)
}

// limit returns how long minimizing a finding may take; 0: no limit.
func (m *minimizer) limit(f *finding.Finding) time.Duration {
	if !m.KeepGoing {
		return m.MinimizeTime
	}
	limit := maxAside
	switch f.Kind {
	case finding.Fatal, finding.Exit, finding.Signal, finding.Hang, finding.Memory:
		limit = maxAsideDead
	}
	limit = min(limit, max(minAside, f.Found))
	if m.MinimizeTime == 0 {
		return limit
	}
	return min(m.MinimizeTime, limit)
}

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

// run returns the smallest input that it finds; the one as it was found if what is left fails by chance only.
func (m *minimization) run() input.Args {
	best := m.shrink(m.f.Input)
	// What fails in the same way and was found meanwhile may be smaller, and lead to something smaller still.
	for a := m.other(best); a != nil && !m.over(); a = m.other(best) {
		if m.tried = append(m.tried, a); m.check(a, false) {
			best = m.shrink(a)
		}
	}
	if m.differs() {
		if best.Equal(m.f.Input) || m.confirm(best) {
			return best
		}
		m.best = nil
		return m.f.Input
	}
	for range confirmations {
		if m.stop() || m.spent() {
			break
		}
		if !m.check(best, true) && !m.stop() {
			m.best = nil
			return m.f.Input // it failed once by chance
		}
	}
	return best
}

// shrink returns the smallest input that it makes of one that fails.
func (m *minimization) shrink(a input.Args) input.Args {
	best, _ := minimize.Minimize(a, minimize.Options{
		Check: func(a input.Args) bool { return m.check(a, false) }, Deadline: m.over, FixLengths: true,
	})
	return best
}

// other returns an input of the same finding that another worker has found, is smaller than best and was not tried; nil if there is
// none.
func (m *minimization) other(best input.Args) input.Args { return m.ledger.other(m.f, best, m.tried) }

// over reports whether the search ends.
func (m *minimization) over() bool {
	return m.stop() || m.spent() || m.until > 0 && m.Clock() > m.until
}

// spent reports whether all executions were used that the user allows.
func (m *minimization) spent() bool { return m.MinimizeLimit > 0 && m.checks >= m.MinimizeLimit }

// stop reports whether no more candidates can be tried.
func (m *minimization) stop() bool { return m.broken != nil || m.ctx.Err() != nil }

// differs reports whether candidates are executed in another way than what is left in the end, for less time or with less stack:
// a hang takes a second to recognize, and a gigabyte of stack takes about as long to fill.
func (m *minimization) differs() bool { return m.f.Kind == finding.Hang || isOverflow(m.f) }

// confirm executes what is left of an input in the way that a finding rests on, if candidates were executed in another way.
func (m *minimization) confirm(a input.Args) bool {
	if m.f.Kind != finding.Hang || !m.PlainReplay {
		return m.check(a, true)
	}
	got, replayed, err := m.replays.checkFile(&finding.Finding{Kind: m.f.Kind, Input: a})
	return err == nil && replayed && got == ReplayFailed
}

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
	if !triage.Same(m.f, got) {
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
	if !m.KeepGoing || m.slot.others || triage.Ours(got.Output) {
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
	if hang && isContext(err) && m.ctx.Err() == nil {
		return &finding.Finding{Kind: finding.Hang}, nil // its stacks are not known
	}
	if err == nil && m.slot.worker == nil && !m.KeepGoing {
		return nil, errEnded
	}
	return got, err
}
