package engine

import (
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// beforehand replays an input that may be a finding or not. Its file is there for no longer than that takes, unless it was there
// before. The error is about that file.
func (r *run) beforehand(f *finding.Finding) (got Replayed, replayed bool, err error) {
	path, isLent, err := r.lend(f.Input)
	if err != nil {
		return 0, false, nil //nolint:nilerr // who writes it as a finding says so
	}
	// The end of the time does not cut it short: nobody knows before whether it is a finding.
	got, replayErr := r.Replay(r.outer, filepath.Base(path), f.Kind)
	if isLent {
		err = r.withdraw(path)
	}
	return got, replayErr == nil, err
}

// lend writes an input that may be a finding or not, until withdraw. Several workers may have the same. A file that was there
// before is not lent.
func (r *run) lend(a input.Args) (shown string, isLent bool, err error) {
	r.writing.Lock()
	defer r.writing.Unlock()
	shown, isNew, err := r.save(a)
	if err != nil || !isNew && r.lent[shown] == 0 {
		return shown, false, err
	}
	r.lent[shown]++
	return shown, true, nil
}

// withdraw removes a file that was lent, and the folders that were made for it, unless it is lent to others, or has become that
// of a finding.
func (r *run) withdraw(shown string) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	switch n := r.lent[shown]; n {
	case 0:
		return nil
	case 1:
		delete(r.lent, shown)
	default:
		r.lent[shown] = n - 1
		return nil
	}
	err := r.remove(shown)
	for _, dir := range r.folders {
		_ = os.Remove(dir) // which fails if there is something in it
	}
	return err
}

// keepLent takes a file that was written for a finding from those that are lent, and reports whether it was one. The caller holds
// the mutex for writing.
func (r *run) keepLent(shown string) bool {
	wasLent := r.lent[shown] > 0
	delete(r.lent, shown)
	return wasLent
}

// harmless is what failures of one kind at one place came to that plain go test does not have.
type harmless struct {
	n     int
	asked uint64 // most bytes that one of them lacked at once; 0: not known
}

// less reports whether f lacks clearly more bytes than those that have passed, which then says nothing about it. What is asked for
// may be any number of the input: with an eighth more each time, from a gigabyte to all that can be addressed (2^47 bytes), there are
// a hundred such failures at most.
func (h harmless) less(f *finding.Finding) bool { return triage.Asked(f) > h.asked+h.asked/8 }

// triedBefore reports whether a failure need not be tried out because it is a finding already, or comes too late to be one, and
// what those like it that have passed came to.
func (r *run) triedBefore(f *finding.Finding) (known bool, before harmless) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Target = r.Target
	key := triage.Key(f)
	return r.claimed[key] != nil || r.closed, r.harmless[key]
}

// notePassed notes that plain go test does not have a failure, and reports whether it is the first like it.
func (r *run) notePassed(f *finding.Finding) (first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := triage.Key(f)
	before := r.harmless[key]
	r.harmless[key] = harmless{before.n + 1, max(before.asked, triage.Asked(f))}
	return before.n == 0
}
