package engine

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

const (
	// stagnation: when no new edge has come for so long, the usual profile has shown what it can. Before, all others cost more
	// than they bring: with three requests in ten, five parsers of eight covered less after 20 s, and two more (one round).
	stagnation = 30 * time.Second
	// usualShare is the part of the requests that goes to the usual profile from then on.
	usualShare = 0.25
	// edgeGain is what an entry with a new edge counts, in entries.
	edgeGain = 8
	// After profileMemory of requests, what profiles have brought counts half. priorTime and priorGain are what each is
	// believed to have done before anything is known: one entry in ten seconds.
	profileMemory = 2 * time.Minute
	priorTime     = 10 * time.Second
	priorGain     = 1
)

// profiles knows what the profiles have brought in a run. Several workers have different ones at a time, and one worker one
// after the other.
type profiles struct {
	gain, took [technique.NumProfiles]float64 // entries, nanoseconds
	due        [technique.NumProfiles]float64 // requests that a profile has a right to and did not have
	all        float64                        // nanoseconds since the memory faded
}

// choose returns the profile of the next request. All but the usual one share the rest by what they bring for their time.
func (p *profiles) choose(usual float64) (best technique.Profile) {
	shares := [technique.NumProfiles]float64{}
	sum := 0.0
	for i := 1; i < len(shares); i++ {
		shares[i] = (p.gain[i] + priorGain) / (p.took[i] + float64(priorTime))
		sum += shares[i]
	}
	for i := range shares {
		shares[i] *= (1 - usual) / sum
	}
	shares[technique.Usual] = usual
	for i := range p.due {
		p.due[i] += shares[i]
		if p.due[i] > p.due[best] {
			best = technique.Profile(i)
		}
	}
	p.due[best]--
	return best
}

// book counts what a request of a profile has brought.
func (p *profiles) book(of technique.Profile, gain float64, took time.Duration) {
	p.gain[of] += gain
	p.took[of] += float64(took)
	if p.all += float64(took); p.all < float64(profileMemory) {
		return
	}
	p.all = 0
	for i := range p.gain {
		p.gain[i] /= 2
		p.took[i] /= 2
	}
}

// gainOf is what a new entry counts; one that replaces another one, or shows nothing, counts nothing.
func gainOf(n wire.New) float64 {
	switch {
	case n.Replaces != 0:
		return 0
	case n.Edges > 0:
		return edgeGain
	}
	return 1
}

// chooseProfile returns the profile of the next request. The caller holds the mutex.
func (r *run) chooseProfile() technique.Profile {
	if r.Without.Has(technique.Profiles) || r.sinceEdge() < stagnation {
		return technique.Usual
	}
	return r.profiles.choose(usualShare)
}

// sinceEdge returns for how long no edge was new, by the clock of the run, the warm-up apart. The caller holds the mutex.
func (r *run) sinceEdge() time.Duration { return r.since(r.lastEdge) }

// draw returns the entry to mutate with a profile.
func (r *run) draw(p technique.Profile) *schedule.Entry {
	if p == technique.Parts {
		return r.corpus.Random()
	}
	return r.corpus.Pick()
}

// bookProfile counts what a request has brought, unless it went to what comparisons suggest, which is the same with each
// profile.
func (r *run) bookProfile(t *task, res executor.Fuzzed, gain float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !t.fuzz.Solve {
		took := r.duration(res.Nanos/max(res.Execs, 1), t.entry.Args.Size())
		r.profiles.book(t.fuzz.Profile, gain, time.Duration(res.Execs)*took)
	}
}
