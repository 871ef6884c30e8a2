package engine

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

const (
	// maxOthers is how many inputs are kept of a failure besides the first one.
	maxOthers = 2
	// maxRenewed is how many smaller inputs of a finding that is reported are minimized and replayed.
	maxRenewed = 3
	// Inputs that fail as a flaky finding does are run again in 1/tryingShare of the time of a run, and for leastTrying in any case.
	tryingShare = 8
	leastTrying = 5 * time.Second
)

// ledger holds the findings of a target: which failure is the first of its kind, what is known of it, and how long the run goes on to
// find others.
type ledger struct {
	opts  *Options
	turn  *turn
	meter *meter
	pool  *pool
	keys  *keys

	mu         sync.Mutex
	findings   []*finding.Finding
	claims     claims
	others     map[*finding.Finding][]input.Args // inputs that fail as a finding does, the smallest ones first
	inputs     map[string]*finding.Finding       // by the file name of their final input
	reported   map[*finding.Finding]smallest     // findings that are reported
	passing    map[string]passing                // failures that plain go test does not have, by their key
	overLimit  []*finding.Finding                // inputs that used too much memory
	minimizing int                               // findings that are being minimized
	settling   int                               // findings that a worker deals with
	trying     time.Duration                     // for which inputs were run again that fail as flaky findings do
	closed     bool                              // no more findings are taken: the run ends when all are settled
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
func (p passing) less(f *finding.Finding) bool { return proof.Asked(f) > p.asked+p.asked/8 }

func newLedger(opts *Options, t *turn, m *meter, p *pool) *ledger {
	return &ledger{
		opts: opts, turn: t, meter: m, pool: p, keys: &keys{opts: opts, places: map[finding.Call][]finding.Format{}},
		claims: newClaims(), others: map[*finding.Finding][]input.Args{}, inputs: map[string]*finding.Finding{},
		reported: map[*finding.Finding]smallest{}, passing: map[string]passing{},
	}
}

// claim makes f a finding of the run if it is one: the first by its key that is not one of too many at its place. The caller
// calls concluded when the finding is dealt with. It ends a run that does not keep going: at once, or, if a mutant showed the first one, after the
// grace period; then period is what is to be reported.
func (l *ledger) claim(f *finding.Finding, c claimant) (got claim, period event.Grace) {
	f.Target, f.Found = l.opts.Target.Func, l.meter.elapsed()
	most := maxAtPlace
	if !l.opts.KeepGoing {
		most = 1
	}
	key := l.keys.of(f)
	l.mu.Lock()
	first, got := l.claims.claim(f, key, c, most)
	if first != nil {
		l.others[first] = withSmaller(l.others[first], f.Input)
	}
	if l.closed {
		got = claimedBefore
	}
	if got != claimed {
		l.mu.Unlock()
		return got, period
	}
	l.claims.add(f, key, c)
	l.findings = append(l.findings, f)
	l.settling++
	switch {
	case l.opts.KeepGoing:
	case l.opts.Grace.Max > 0 && c.isMutant || l.grace.timer != nil:
		period = event.Grace{Subject: l.opts.Target, Seconds: l.extendGrace().Seconds(), Again: len(l.findings) > 1}
	default:
		l.closed = true
	}
	closed := l.closed
	l.mu.Unlock()
	if closed {
		l.rest()
	}
	return got, period
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
// or no more are minimized. The caller calls settled when f is dealt with.
func (l *ledger) claimSmaller(f *finding.Finding) *finding.Finding {
	key := l.keys.of(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.claims.standing(key, f.Kind)
	known, isReported := l.reported[first]
	if !isReported || !l.opts.KeepGoing || l.closed || first.Flaky || known.renewed >= maxRenewed || f.Input.Size() >= known.size || !proof.Same(first, f) {
		return nil
	}
	l.reported[first] = smallest{f.Input.Size(), known.renewed + 1}
	l.settling++
	return first
}

// isClaimed reports whether a failure is a finding already.
func (l *ledger) isClaimed(f *finding.Finding) bool {
	key := l.keys.of(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.claims.keys[key]) > 0
}

// isFound reports whether there is a finding of a kind at a place.
func (l *ledger) isFound(kind finding.Kind, place string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.claims.places[finding.Signature{Kind: kind, Place: place}]) > 0
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

// concluded notes that a finding is dealt with, and what came of it.
func (l *ledger) concluded(f *finding.Finding) {
	l.noteVerdict(f)
	l.settled()
}

// noteVerdict notes what came of a finding, so that a flaky or known one does not stand for others.
func (l *ledger) noteVerdict(f *finding.Finding) {
	v := counts
	switch {
	case f.Flaky:
		v = flaky
	case l.opts.Known != nil && l.opts.Known(f):
		v = known
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.claims.verdicts[f] = v
}

// mayTry reports whether there is time to run an input again that fails as a flaky finding does; otherwise the input is counted. Each
// takes the start of a process, and a flaky failure may show in every other execution.
func (l *ledger) mayTry(f *finding.Finding) bool {
	allowed := max(leastTrying, l.meter.elapsed()/tryingShare)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.trying < allowed {
		return true
	}
	l.claims.untried[signatureOf(f)]++
	return false
}

// addTrying counts the time since begin as time in which inputs were run again.
func (l *ledger) addTrying(begin time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trying += l.opts.Clock() - begin
}

// remove removes a finding that is none.
func (l *ledger) remove(f *finding.Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.removeLocked(f)
}

func (l *ledger) removeLocked(f *finding.Finding) {
	is := func(other *finding.Finding) bool { return other == f }
	l.findings, l.overLimit = slices.DeleteFunc(l.findings, is), slices.DeleteFunc(l.overLimit, is)
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

// checkedBefore reports whether a failure need not be checked by a replay because it is a finding already that is not flaky, or comes too
// late to be one, and what is known of those like it that have passed.
func (l *ledger) checkedBefore(f *finding.Finding) (known bool, before passing) {
	f.Target = l.opts.Target.Func
	key := l.keys.of(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.claims.standing(key, f.Kind) != nil || l.closed, l.passing[key]
}

// isDoubtful reports whether findings with the key of a failure were all flaky.
func (l *ledger) isDoubtful(f *finding.Finding) bool {
	key := l.keys.of(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.claims.keys[key]) > 0 && l.claims.standing(key, f.Kind) == nil
}

// notePassed notes that plain go test does not have a failure, and reports whether it is the first like it.
func (l *ledger) notePassed(f *finding.Finding) (first bool) {
	key := l.keys.of(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.passing[key]
	l.passing[key] = passing{before.n + 1, max(before.asked, proof.Asked(f))}
	return before.n == 0
}

// claimOverLimit reports whether an input that needs more memory than the limit is a finding: the first by its key that is not one of
// too many. The caller calls noteVerdict when the finding is dealt with.
func (l *ledger) claimOverLimit(f *finding.Finding, c claimant) bool {
	f.Target, f.Found = l.opts.Target.Func, l.meter.elapsed()
	key := l.keys.of(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	counting := 0
	for _, other := range l.overLimit {
		if l.claims.verdicts[other] <= counts {
			counting++
		}
	}
	if l.claims.standing(key, f.Kind) != nil || !c.isSeed && counting >= maxAtPlace || counting > 0 && !l.opts.KeepGoing {
		return false
	}
	l.claims.add(f, key, c)
	l.overLimit = append(l.overLimit, f)
	return true
}

// hasOverLimit reports whether an input needed more memory than the limit.
func (l *ledger) hasOverLimit() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.overLimit) > 0
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
	out.Findings, out.OverLimit, out.Others, out.Beyond = slices.Clone(l.findings), slices.Clone(l.overLimit), maps.Clone(l.others), l.claims.report()
	if all := append(out.Findings, out.OverLimit...); len(all) > 0 {
		out.Finding = all[0]
	}
}
