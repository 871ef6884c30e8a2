package engine

import (
	"fmt"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// maxSlow is how many inputs are replayed that take too long in the same place, or too much memory, but not in plain go test. Each
// takes the time of a hang and that of its replay.
const maxSlow = 3

// hung deals with an input that took longer than one execution may. Instrumented code counts edges and tells what it compares: a
// loop that does little else was eight times as slow, fifty times with the race detector. So an input is replayed without that
// before it is a finding. What ends in time there is none, however long it takes here.
func (r *run) hung(s *slot, f *finding.Finding, warm *warmEntry) error {
	if r.stopped() {
		return r.settle(s, f, warm, false)
	}
	got, err := r.doubt(f, warm)
	switch {
	case err != nil:
		return err
	case got == ReplaySlow:
		r.tooSlow(f, warm)
		return nil
	}
	return r.settle(s, f, warm, false)
}

// doubt replays a hang, unless it is a finding already, or there were too many at that place that were none, or no more findings
// are taken. One at a time: two workers may hang by the same input, which is replayed once then.
func (r *run) doubt(f *finding.Finding, warm *warmEntry) (Replayed, error) {
	r.doubting.Lock()
	defer r.doubting.Unlock()
	switch known, passed := r.triedBefore(f); {
	case known:
		return ReplayFailed, nil
	case passed.n >= maxSlow:
		return ReplaySlow, nil
	}
	begin := time.Now()
	got, replayed, err := r.tryOut(f, warm)
	if replayed && got != ReplaySlow && time.Since(begin) > slowReplay { // once is enough then
		CountReplay(f, got == ReplayFailed)
	}
	return got, err
}

// tooSlow notes an input that takes too long with instrumentation only. As a seed it is not mutated.
func (r *run) tooSlow(f *finding.Finding, warm *warmEntry) {
	if warm != nil {
		r.spoiled(warm)
		r.warmed(warm)
	}
	if first := r.notePassed(f); first {
		r.emit(NoHang(f))
	}
}

// NoHang says that a hang is no finding because a replay ended in time.
func NoHang(f *finding.Finding) Warning {
	return Warning{fmt.Sprintf("%s in a fuzzing process; in plain go test the same input of %d bytes ends in that time, "+
		"so it is no finding", f.Message, f.Input.Size())}
}

// CountReplay counts one replay of a finding.
func CountReplay(f *finding.Finding, failed bool) {
	f.Replays++
	if failed {
		f.Failures++
	}
	f.Flaky = f.Failures < f.Replays
}
