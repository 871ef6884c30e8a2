package engine

import (
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// beforehand replays an input that may be a finding or not. Its file is there for no longer than that takes, unless it was there
// before. The error is about that file.
func (r *run) beforehand(f *finding.Finding) (got Replayed, replayed bool, err error) {
	h, err := corpus.Lend(r.WriteDir, f.Input)
	if err != nil {
		return 0, false, nil //nolint:nilerr // who writes it as a finding says so
	}
	ctx, cancel := r.proving()
	defer cancel()
	got, replayErr := r.Replay(ctx, filepath.Base(h.Path()), f.Kind)
	return got, replayErr == nil, r.withdraw(h.Release)
}

// tryOut replays an input that may be a finding or not, which may be a seed.
func (r *run) tryOut(f *finding.Finding, warm *warmEntry) (got Replayed, replayed bool, err error) {
	if warm == nil || !warm.isSeed {
		return r.beforehand(f)
	}
	ctx, cancel := r.proving()
	defer cancel()
	got, err = r.Replay(ctx, filepath.Base(warm.name), f.Kind)
	return got, err == nil, nil
}

// withdraw gives back a file, and the folders that were made for it.
func (r *run) withdraw(giveBack func() error) error {
	err := giveBack()
	for _, dir := range r.folders {
		_ = os.Remove(dir) // which fails if there is something in it
	}
	return err
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
