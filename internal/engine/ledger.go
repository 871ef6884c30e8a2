package engine

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

const (
	// maxAtPlace is the maximum number of findings of one kind at one place that differ only in the words of their messages. A target
	// that prints its input in its messages would have one finding for each input otherwise.
	maxAtPlace = 4
	// maxOthers is how many inputs are kept of a failure besides the first one.
	maxOthers = 2
	// maxRenewed is how many smaller inputs of a finding that is reported are minimized and replayed.
	maxRenewed = 3
)

// ledger holds the findings of a target: which failure is the first of its kind, what is known of it, and how long the run goes on to
// find others.
type ledger struct {
	opts  *Options
	turn  *turn
	meter *meter
	pool  *pool

	mu         sync.Mutex
	findings   []*finding.Finding
	claimed    map[string]*finding.Finding              // the first of each failure, by triage.Key
	places     map[finding.Signature][]*finding.Finding // those at each place
	others     map[*finding.Finding][]input.Args        // inputs that fail as a finding does, the smallest ones first
	inputs     map[string]*finding.Finding              // by the file name of their final input
	reported   map[*finding.Finding]smallest            // findings that are reported
	passing    map[string]passing                       // failures that plain go test does not have, by triage.Key
	overLimit  *finding.Finding                         // first input that used too much memory
	minimizing int                                      // findings that are being minimized
	settling   int                                      // findings that a worker deals with
	closed     bool                                     // no more findings are taken: the run ends when all are settled
	grace      grace
}

// smallest is what is known about the input that a finding was reported with.
type smallest struct {
	size    int // in bytes, of the smallest input that was reported
	renewed int // how often a smaller one was minimized
}

// passing is what is known of failures of one kind at one place that plain go test does not have.
type passing struct {
	n     int    // how many there were
	asked uint64 // most bytes that one of them lacked at once; 0: not known
}

// less reports whether f lacks clearly more bytes than those that have passed, which then says nothing about it. What is asked for
// may be any number of the input: with an eighth more each time, from a gigabyte to all that can be addressed (2^47 bytes), there are
// a hundred such failures at most.
func (p passing) less(f *finding.Finding) bool { return triage.Asked(f) > p.asked+p.asked/8 }

func newLedger(opts *Options, t *turn, m *meter, p *pool) *ledger {
	return &ledger{
		opts: opts, turn: t, meter: m, pool: p,
		claimed: map[string]*finding.Finding{}, places: map[finding.Signature][]*finding.Finding{},
		others: map[*finding.Finding][]input.Args{}, inputs: map[string]*finding.Finding{},
		reported: map[*finding.Finding]smallest{}, passing: map[string]passing{},
	}
}

// claim makes f a finding of the run, and reports whether it is one: the first by its key that is not one of too many at its
// place. The one who claims it calls settled when it is dealt with. It ends a run that does not keep going: at once, or, if a
// mutant showed the first one, after the grace period; then period is what is to be reported.
func (l *ledger) claim(f *finding.Finding, mutant bool) (isFinding bool, period event.Grace) {
	f.Target, f.Found = l.opts.Target.Target, l.meter.elapsed()
	l.mu.Lock()
	if l.isKnown(f) || l.closed {
		l.mu.Unlock()
		return false, period
	}
	sig := finding.Signature{Kind: f.Kind, Place: f.Place}
	l.claimed[triage.Key(f)] = f
	l.places[sig] = append(l.places[sig], f)
	l.findings = append(l.findings, f)
	l.settling++
	switch {
	case l.opts.KeepGoing:
	case l.opts.Grace.Max > 0 && mutant || l.grace.timer != nil:
		period = event.Grace{Target: l.opts.Target, Seconds: l.extendGrace().Seconds(), Again: len(l.findings) > 1}
	default:
		l.closed = true
	}
	closed := l.closed
	l.mu.Unlock()
	if closed {
		l.rest()
	}
	return true, period
}

// isKnown reports whether f is a finding already, and keeps its input if it is. The caller holds the lock.
func (l *ledger) isKnown(f *finding.Finding) bool {
	most := maxAtPlace
	if !l.opts.KeepGoing {
		most = 1
	}
	first := l.claimed[triage.Key(f)]
	if at := l.places[finding.Signature{Kind: f.Kind, Place: f.Place}]; first == nil && len(at) >= most {
		first = at[0]
	}
	if first == nil {
		return false
	}
	l.others[first] = withSmaller(l.others[first], f.Input)
	return true
}

// withSmaller returns inputs, the smallest first, with another one if it is small enough.
func withSmaller(kept []input.Args, a input.Args) []input.Args {
	if slices.ContainsFunc(kept, a.Equal) || len(kept) == maxOthers && a.Size() >= kept[maxOthers-1].Size() {
		return kept
	}
	kept = append(slices.Clone(kept), a)
	slices.SortStableFunc(kept, func(a, b input.Args) int { return cmp.Compare(a.Size(), b.Size()) })
	return kept[:min(len(kept), maxOthers)]
}

// claimSmaller returns the finding that was reported with a larger input than that of f, which is the same failure; nil: there is none,
// or no more are minimized. The one who claims it calls settled when it is dealt with.
func (l *ledger) claimSmaller(f *finding.Finding) *finding.Finding {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.claimed[triage.Key(f)]
	known, isReported := l.reported[first]
	if !isReported || !l.opts.KeepGoing || l.closed || first.Flaky || known.renewed >= maxRenewed || f.Input.Size() >= known.size || !triage.Same(first, f) {
		return nil
	}
	l.reported[first] = smallest{f.Input.Size(), known.renewed + 1}
	l.settling++
	return first
}

// isClaimed reports whether there is a finding with that key.
func (l *ledger) isClaimed(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.claimed[key] != nil
}

// isFound reports whether there is a finding of a kind at a place.
func (l *ledger) isFound(kind finding.Kind, place string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.places[finding.Signature{Kind: kind, Place: place}]) > 0
}

// has reports whether there is a finding of a kind.
func (l *ledger) has(kind finding.Kind) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.findings, func(f *finding.Finding) bool { return f.Kind == kind })
}

// isEmpty reports whether there is no finding.
func (l *ledger) isEmpty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.findings) == 0
}

// isTwin reports whether the input of a finding has become that of another one, which then stands for both: what was left out
// made the difference between them.
func (l *ledger) isTwin(f *finding.Finding) bool {
	name := nameOf(f.Input)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inputs[name] == nil {
		l.inputs[name] = f
		return false
	}
	l.removeLocked(f)
	return true
}

// remove removes a finding that is none.
func (l *ledger) remove(f *finding.Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.removeLocked(f)
}

func (l *ledger) removeLocked(f *finding.Finding) {
	l.findings = slices.DeleteFunc(l.findings, func(other *finding.Finding) bool { return other == f })
}

// other returns an input of a finding that another worker has found, is smaller than best and not among those that were tried; nil if
// there is none.
func (l *ledger) other(f *finding.Finding, best input.Args, tried []input.Args) input.Args {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range l.others[f] {
		if a.Size() < best.Size() && !slices.ContainsFunc(tried, a.Equal) {
			return a
		}
	}
	return nil
}

// noteReported notes the size of the input that a finding is reported with. From now on a smaller input of it is reported too.
func (l *ledger) noteReported(f *finding.Finding, size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.reported[f]
	known.size = size
	l.reported[f] = known
}

// checkedBefore reports whether a failure need not be checked by a replay because it is a finding already, or comes too late to be one,
// and what is known of those like it that have passed.
func (l *ledger) checkedBefore(f *finding.Finding) (known bool, before passing) {
	f.Target = l.opts.Target.Target
	key := triage.Key(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.claimed[key] != nil || l.closed, l.passing[key]
}

// notePassed notes that plain go test does not have a failure, and reports whether it is the first like it.
func (l *ledger) notePassed(f *finding.Finding) (first bool) {
	key := triage.Key(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.passing[key]
	l.passing[key] = passing{before.n + 1, max(before.asked, triage.Asked(f))}
	return before.n == 0
}

// noteOverLimit notes the first input that needs more memory than the limit.
func (l *ledger) noteOverLimit(f *finding.Finding) {
	f.Target, f.Found = l.opts.Target.Target, l.meter.elapsed()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.overLimit = f
}

// hasOverLimit reports whether an input needed more memory than the limit.
func (l *ledger) hasOverLimit() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.overLimit != nil
}

// countMinimizing counts one more finding, or one less, that is being minimized.
func (l *ledger) countMinimizing(by int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.minimizing += by
}

// isMinimizing reports whether a finding is being minimized.
func (l *ledger) isMinimizing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.minimizing > 0
}

// report adds the findings to an outcome.
func (l *ledger) report(out *Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out.Findings, out.OverLimit = slices.Clone(l.findings), l.overLimit
	out.Others = maps.Clone(l.others)
	out.Finding = l.overLimit
	if len(out.Findings) > 0 {
		out.Finding = out.Findings[0]
	}
}
