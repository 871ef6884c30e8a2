package engine

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
)

// readRace reads what the race detector has printed about a race into a finding. The detector tells each race once per
// process, so the process is of no use any more: neither to minimize, nor to find this one again.
func (r *run) readRace(s *slot, f *finding.Finding) {
	w := s.worker
	r.endWorker(s)
	FillRace(f, w.Said())
}

// FillRace reads what a process has printed about a race into a finding.
func FillRace(f *finding.Finding, said string) {
	if race, ok := finding.RaceIn(said); ok {
		f.Message, f.Place = race.Message, race.Place()
		f.Output += "\n" + finding.Clean(race.Text)
	}
}

// Passed returns the inputs that are in the corpus, in the order in which they came, without the first ones. The target has
// to remember them; see Options. They must not be changed. It may be called from any goroutine.
func (t *Target) Passed(from int) []input.Args {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	all := t.r.passed
	return slices.Clip(all[min(from, len(all)):])
}
