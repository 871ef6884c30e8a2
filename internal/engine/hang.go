package engine

import (
	"fmt"
	"sync"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// maxSlow is how many inputs are replayed that take too long in the same place, or too much memory, but not in plain go test. Each
// takes the time of a hang and that of its replay.
const maxSlow = 3

// hangs deals with inputs that took longer than one execution may. Instrumented code counts edges and reports what it compares: a
// loop that does little else was eight times as slow, fifty times with the race detector. So an input is replayed without that
// before it is a finding. What ends in time there is none, however long it takes here.
type hangs struct {
	*state
	replays *replays

	checking sync.Mutex // one hang is replayed at a time; taken before all other locks
}

// isNone reports whether an input does not hang in plain go test, and what follows from that is done. The error is about its file.
func (h *hangs) isNone(f *finding.Finding, warm *warmEntry) (bool, error) {
	if h.turn.isStopped() {
		return false, nil
	}
	got, err := h.check(f, warm)
	if err != nil || got != ReplaySlow {
		return false, err
	}
	h.warmFailed(warm) // as a seed it is not mutated
	if first := h.ledger.notePassed(f); first {
		h.events.warn(NoHang(f))
	}
	return true, nil
}

// check replays a hang, unless it is a finding already, or there were too many at that place that were none, or no more findings
// are taken. One at a time: two workers may hang by the same input, which is replayed once then.
func (h *hangs) check(f *finding.Finding, warm *warmEntry) (Replayed, error) {
	h.checking.Lock()
	defer h.checking.Unlock()
	switch known, passed := h.ledger.checkedBefore(f); {
	case known:
		return ReplayFailed, nil
	case passed.n >= maxSlow:
		return ReplaySlow, nil
	}
	begin := h.Clock()
	got, replayed, err := h.replays.check(f, warm)
	if replayed && got != ReplaySlow && h.Clock()-begin > slowReplay { // once is enough then
		CountReplay(f, got == ReplayFailed)
	}
	return got, err
}

// NoHang returns a warning which says that a hang is no finding because a replay ended in time.
func NoHang(f *finding.Finding) string {
	return fmt.Sprintf("%s in a fuzzing process; in plain go test the same input of %d bytes ends within that time, "+
		"so gnaw does not report it", f.Message, f.Input.Size())
}
