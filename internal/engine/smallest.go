package engine

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// smallest is what is known about the input that a finding was told with.
type smallest struct {
	size    int // in bytes, of the smallest input that was told
	renewed int // how often a smaller one was looked at
}

// maxRenewed is how many smaller inputs of a finding that was told are minimized and proved.
const maxRenewed = 3

// tell reports a finding. From now on a smaller input of it is worth being told too.
func (r *run) tell(f *finding.Finding) {
	r.mu.Lock()
	r.final[f] = smallest{size: f.Input.Size()}
	r.mu.Unlock()
	r.emit(Found{f})
}

// settleSmaller deals with a failure that was told already: one of a smaller input takes the place of that one. Of hangs, and of what needs
// too much memory or stack, that would take too long.
func (r *run) settleSmaller(s *slot, f *finding.Finding, warm *warmEntry) error {
	if warm != nil || f.Kind == finding.Hang || f.Kind == finding.Memory || isOverflow(f) {
		return nil
	}
	first := r.claimSmaller(f)
	if first == nil {
		return nil
	}
	defer r.settled()
	if err := r.write(f); err != nil {
		if first.Why == "" { // otherwise it was told
			r.emit(Warning{err.Error()})
		}
		return nil
	}
	var besides []*finding.Finding
	if r.MinimizeTime > 0 || r.MinimizeLimit > 0 {
		begin := time.Now()
		besides = r.minimize(s, f)
		f.Minimize = time.Since(begin)
	}
	r.prove(s, f)
	if f.Replays == 0 || f.Flaky || f.Path == first.Path {
		if err := r.forget(f); err != nil {
			r.emit(Warning{err.Error()})
		}
		return r.settleBesides(s, besides)
	}
	r.mu.Lock()
	known := r.final[first]
	known.size = f.Input.Size()
	r.final[first] = known
	r.mu.Unlock()
	r.keep(f)
	r.emit(Smaller{f})
	return r.settleBesides(s, besides)
}

// claimSmaller returns the finding that was told with a larger input than that of f, which is the same failure; nil: there is none, or
// no more are looked at. The one who claims it calls settled when it is dealt with.
func (r *run) claimSmaller(f *finding.Finding) *finding.Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := r.claimed[triage.Key(f)]
	known, isTold := r.final[first]
	if !isTold || !r.KeepGoing || r.closed || first.Flaky || known.renewed >= maxRenewed || f.Input.Size() >= known.size || !triage.Same(first, f) {
		return nil
	}
	r.final[first] = smallest{f.Input.Size(), known.renewed + 1}
	r.settling++
	return first
}

// forget gives back the file of a finding that is none, which goes if it is gnaw's own.
func (r *run) forget(f *finding.Finding) error {
	r.mu.Lock()
	h := r.held[f]
	delete(r.held, f)
	r.mu.Unlock()
	if f.Own {
		return h.Discard()
	}
	return h.Release()
}
