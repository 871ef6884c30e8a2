package engine

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// maxHopeless is how many requests to mutate failing inputs may fail without one mutant that passes, before the target is
// taken to fail with every input. If each ends its process, they take about half a minute.
const maxHopeless = 256

// standIns are failing inputs that are mutated because nothing else is there: a run that keeps going wants the mutants
// that pass.
type standIns struct {
	failing  []*warmEntry // inputs of the warm-up that failed
	zeroed   bool         // the zero value was tried
	ids      map[uint64]bool
	hopeless int // requests that failed
}

// revive finds something to execute when no input of the warm-up has passed: the zero value, and if that fails too and the run
// keeps going, the failing inputs become entries. It returns nil if there is nothing, or if their mutants fail as they do. The
// caller holds the mutex.
func (r *run) revive(left uint64) *task {
	s := &r.standIns
	if s.hopeless >= maxHopeless {
		return nil
	}
	if !s.zeroed && r.granted == 0 {
		s.zeroed = true
		total := r.warmTotal
		r.enqueue(&warmEntry{args: input.Zero(r.Kinds), isZero: true})
		r.warmTotal = total
		if len(r.warmup) > 0 {
			return r.chooseWarm()
		}
	}
	if s.zeroed && r.granted == 0 && r.KeepGoing {
		for _, e := range s.failing {
			entry := &schedule.Entry{Args: e.args, Duration: time.Microsecond, Path: e.name}
			r.allowAsLong(e)
			r.addEntry(entry)
			s.ids[entry.ID] = true
		}
		s.failing = nil
	}
	if r.corpus.Len() == 0 {
		return nil
	}
	return r.chooseEntry(left)
}

// desperate reports whether there are stand-ins only. The caller holds the mutex.
func (r *run) desperate() bool { return r.corpus.Len() == len(r.standIns.ids) }

// spoiled notes that an input of the warm-up has failed.
func (r *run) spoiled(e *warmEntry) {
	if e == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.standIns.failing = append(r.standIns.failing, e)
}
