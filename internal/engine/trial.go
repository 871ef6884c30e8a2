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

// triedBefore reports whether a failure need not be tried out because it is a finding already, or comes too late to be one, and
// how often one like it has passed.
func (r *run) triedBefore(f *finding.Finding) (known bool, passed int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Target = r.Target
	key := triage.Key(f)
	return r.claimed[key] != nil || r.closed, r.slow[key]
}

// notePassed notes that plain go test does not have a failure, and reports whether it is the first like it.
func (r *run) notePassed(f *finding.Finding) (first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := triage.Key(f)
	r.slow[key]++
	return r.slow[key] == 1
}
