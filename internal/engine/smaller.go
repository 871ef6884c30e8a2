package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

const (
	// maxAside is how long a worker may minimize a finding while the others go on fuzzing.
	maxAside = 10 * time.Second
	// maxAsideDead is the same for a finding that ends its process: each candidate that fails costs the start of another.
	maxAsideDead = 30 * time.Second
	// minAside is what it may take in any case; beyond that it takes no longer than the target was fuzzed until now, or a
	// campaign of seconds would end half a minute late.
	minAside = 5 * time.Second
	// hangProbe: while a hang is minimized, a candidate that takes this long is taken to hang. What is left in the end is
	// executed for as long as a hang takes.
	hangProbe = time.Second
	// maxBesides is how many other failures that candidates show are dealt with.
	maxBesides = 4
	// confirmations is how often a minimized input is executed once more before it replaces the original: a candidate
	// that failed once may have done so by chance.
	confirmations = 2
)

// errEnded ends the minimization in a run that does not keep going.
var errEnded = errors.New("a candidate has ended the process")

// smaller is the minimization of one finding by the worker of a slot.
type smaller struct {
	r      *run
	s      *slot
	f      *finding.Finding
	ctx    context.Context
	until  time.Time        // when the search ends; zero: with ctx
	best   *finding.Finding // how the last candidate failed that did; nil: none did
	checks int              // how often an input was executed
	tried  []input.Args     // other inputs of the finding that were
	broken error            // why there is no worker any more

	besides []*finding.Finding // how candidates failed in another way
}

// minimize makes the input of a finding smaller, as long as it fails in the same way, and replaces the file if that is
// gnaw's own. It returns the other failures that it came across, which the caller deals with.
func (r *run) minimize(s *slot, f *finding.Finding) (besides []*finding.Finding) {
	if !r.KeepGoing { // otherwise the others go on
		r.setMinimizing(1)
		defer r.setMinimizing(-1)
	}
	r.emit(Minimizing{len(input.Marshal(f.Input))})
	m := &smaller{r: r, s: s, f: f, ctx: r.judging()}
	if budget := r.minimizeTime(f); budget > 0 {
		var cancel context.CancelFunc
		m.ctx, cancel = context.WithTimeout(m.ctx, budget)
		defer cancel()
		if m.differs() { // what is left is to be confirmed
			m.until = time.Now().Add(budget / 2)
		}
	}
	r.replace(m, m.search())
	return m.besides
}

// replace gives the finding of a minimization the input that came of it.
func (r *run) replace(m *smaller, best input.Args) {
	if m.f.Why != "" {
		r.replaceKept(m, best)
		return
	}
	f, wasOwn := m.f, m.f.Own
	h, own, err := corpus.Take(r.WriteDir, best)
	if err != nil {
		r.emit(Warning{fmt.Sprintf("the minimized input could not be written, the original stays: %v", err)})
		return
	}
	if m.best != nil {
		triage.Retell(f, m.best)
	}
	if best.Equal(f.Input) {
		own = wasOwn
	}
	old := r.hold(f, h, own)
	if !wasOwn || best.Equal(f.Input) {
		err = old.Release()
	} else {
		err = old.Discard()
	}
	f.Input = best
	if err != nil {
		r.emit(Warning{fmt.Sprintf("the input as it was found could not be removed, both files stay: %v", err)})
	}
}

// replaceKept is replace for an input that could not be written where go test runs it. By now it may be possible.
func (r *run) replaceKept(m *smaller, best input.Args) {
	f, before := m.f, *m.f
	if m.best != nil {
		triage.Retell(f, m.best)
	}
	if best.Equal(f.Input) {
		return
	}
	f.Input = best
	r.put(f)
	if !before.Own || before.Kept == "" {
		return
	}
	if err := corpus.Remove(before.Kept); err != nil {
		r.emit(Warning{fmt.Sprintf("the input as it was found could not be removed, both files stay: %v", err)})
	}
}

// minimizeTime is how long minimizing a finding may take; 0: no limit.
func (r *run) minimizeTime(f *finding.Finding) time.Duration {
	if !r.KeepGoing {
		return r.MinimizeTime
	}
	limit := maxAside
	switch f.Kind {
	case finding.Fatal, finding.Exit, finding.Signal, finding.Hang, finding.Memory:
		limit = maxAsideDead
	}
	limit = min(limit, max(minAside, f.Found))
	if r.MinimizeTime == 0 {
		return limit
	}
	return min(r.MinimizeTime, limit)
}

// search returns the smallest input that it finds; the one as it was found if what is left fails by chance only.
func (m *smaller) search() input.Args {
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
func (m *smaller) shrink(a input.Args) input.Args {
	best, _ := minimize.Minimize(a, minimize.Options{
		Check: func(a input.Args) bool { return m.check(a, false) }, Deadline: m.over, FixLengths: true,
	})
	return best
}

// other returns an input of the same finding that somebody else has found, is smaller than best and was not tried; nil if there is none.
func (m *smaller) other(best input.Args) input.Args {
	m.r.mu.Lock()
	defer m.r.mu.Unlock()
	for _, a := range m.r.others[m.f] {
		if a.Size() < best.Size() && !slices.ContainsFunc(m.tried, a.Equal) {
			return a
		}
	}
	return nil
}

// over reports whether the search ends.
func (m *smaller) over() bool {
	return m.stop() || m.spent() || !m.until.IsZero() && time.Now().After(m.until)
}

// spent reports whether all executions were used that the user allows.
func (m *smaller) spent() bool { return m.r.MinimizeLimit > 0 && m.checks >= m.r.MinimizeLimit }

// stop reports whether no more candidates can be tried.
func (m *smaller) stop() bool { return m.broken != nil || m.ctx.Err() != nil }

// differs reports whether candidates are executed in another way than what is left in the end, for less time or with less stack:
// a hang takes a second to tell, and a gigabyte of stack takes about as long to fill.
func (m *smaller) differs() bool { return m.f.Kind == finding.Hang || isOverflow(m.f) }

// confirm executes what is left of an input that is executed in another way before, as what a finding rests on.
func (m *smaller) confirm(a input.Args) bool {
	if m.f.Kind != finding.Hang || !m.r.PlainReplay {
		return m.check(a, true)
	}
	got, replayed, err := m.r.beforehand(&finding.Finding{Kind: m.f.Kind, Input: a})
	return err == nil && replayed && got == ReplayFailed
}

// check executes a candidate, or what is left in the end, and reports whether it fails as the finding does.
func (m *smaller) check(a input.Args, last bool) bool {
	m.checks++
	got, err := m.execute(a, last)
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

// note keeps a failure of another kind, or at another place. What ended its process is judged with more care than is taken here. A run
// that ends with the first failure, or a moment later, has no time for it, and what such a failure shows in turn is left to chance.
func (m *smaller) note(got *finding.Finding) {
	if !m.r.KeepGoing || m.s.besides || triage.Ours(got.Output) {
		return
	}
	like := func(f *finding.Finding) bool { return f.Kind == got.Kind && f.Place == got.Place }
	switch got.Kind {
	case finding.Panic, finding.Failure, finding.Goexit:
		if len(m.besides) < maxBesides && !like(m.f) && !slices.ContainsFunc(m.besides, like) {
			m.besides = append(m.besides, got)
		}
	}
}

// execute executes a candidate, or what is left in the end, and says how it failed; nil: it did not.
func (m *smaller) execute(a input.Args, last bool) (*finding.Finding, error) {
	ctx, hang, stack := m.ctx, m.f.Kind == finding.Hang && !last, m.r.maxStack()
	if isOverflow(m.f) {
		stack = map[bool]int{false: firstStack}[last]
	}
	if err := m.r.ensureWorker(ctx, m.s, stack); err != nil {
		return nil, err
	}
	if hang { // the start of a process is no part of it
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, hangProbe)
		defer cancel()
	}
	got, err := m.r.execute(ctx, m.s, stack, a)
	if hang && isContext(err) && m.ctx.Err() == nil {
		return &finding.Finding{Kind: finding.Hang}, nil // nobody has seen its stacks
	}
	if err == nil && m.s.worker == nil && !m.r.KeepGoing {
		return nil, errEnded
	}
	return got, err
}
