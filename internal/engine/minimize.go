package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

const (
	// maxAside is how long a worker may minimize a finding while the others go on fuzzing.
	maxAside = 10 * time.Second
	// maxAsideDead is the same for a finding that ends its process: each candidate that fails costs the start of another.
	maxAsideDead = 30 * time.Second
	// minAside is what it may take in any case. It may take longer if the target was fuzzed for longer until now: otherwise a
	// campaign of seconds would end half a minute late.
	minAside = 5 * time.Second
	// confirmations is how often a minimized input is executed once more before it replaces the original: a candidate
	// that failed once may have done so by chance.
	confirmations = 2
)

// minimizer makes the inputs of findings smaller.
type minimizer struct {
	*state
	replays   *replays
	overflows *overflows
}

// isOn reports whether findings are minimized.
func (m *minimizer) isOn() bool { return m.Minimize.Time > 0 || m.Minimize.Execs > 0 }

// minimize makes the input of a finding smaller, as long as it fails in the same way, and replaces the file if that is
// gnaw's own. It returns other failures that candidates showed, which the caller deals with.
func (m *minimizer) minimize(s *slot, f *finding.Finding) (others []*finding.Finding) {
	begin := m.Clock()
	if !m.KeepGoing { // otherwise other workers go on
		m.ledger.countMinimizing(1)
		defer m.ledger.countMinimizing(-1)
	}
	m.events.emit(event.Minimize{Subject: m.Target, Size: len(input.Marshal(f.Input))})
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
	if m.KeepGoing { // otherwise the run ends soon, and its user waits
		search.matter()
	}
	return search.others
}

// replace gives a finding the input that came of its minimization, and what its failure prints; nil: as before.
func (m *minimizer) replace(f *finding.Finding, best input.Args, failure *finding.Finding) {
	redescribe := func() {
		if failure != nil {
			proof.Redescribe(f, failure)
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
		left, limited := m.meter.remaining() // the turn may last longer, to wait for executions
		if limited && (m.Minimize.Time == 0 || left < m.Minimize.Time) {
			return max(left, 1)
		}
		return m.Minimize.Time
	}
	limit := maxAside
	switch f.Kind {
	case finding.Fatal, finding.Exit, finding.Signal, finding.Hang, finding.Memory:
		limit = maxAsideDead
	}
	limit = min(limit, max(minAside, f.Found))
	if m.Minimize.Time == 0 {
		return limit
	}
	return min(m.Minimize.Time, limit)
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

// confirm executes what is left of an input in the way that a finding rests on, if candidates were executed in another way.
func (m *minimization) confirm(a input.Args) bool {
	if m.f.Kind != finding.Hang || !m.PlainReplay {
		return m.check(a, true)
	}
	got, replayed, err := m.replays.checkFile(&finding.Finding{Kind: m.f.Kind, Input: a})
	return err == nil && replayed && got == proof.Fails
}
