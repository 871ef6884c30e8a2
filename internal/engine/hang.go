package engine

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// hangs deals with inputs that took longer than one execution may. Instrumented code counts edges and reports what it compares: a
// loop that does little else was eight times as slow, fifty times with the race detector. So an input is replayed without that
// before it is a finding. What ends in time there is none, however long it takes here. How many such inputs there were says nothing
// about the next one, which may hang: each is replayed, which takes no longer than it took until then.
type hangs struct {
	*state
	replays *replays

	checking sync.Mutex   // one hang is replayed at a time; taken before all other locks
	hung     atomic.Int32 // mutants that hung
}

// maxHung is how many mutants may hang in a run that only executions limit: each takes all the time that one may take, and such a run has no
// limit of time.
const maxHung = 8

// count counts a mutant that hung. It ends a run that only executions limit when too many did.
func (h *hangs) count() {
	if h.KeepGoing && h.MaxExecs > 0 && h.hung.Add(1) == maxHung {
		why := fmt.Sprintf("%d executions hung, and each took as long as -timeout allows, so gnaw did not make all that were asked for", maxHung)
		h.events.warn(why)
		h.turn.cutShort(why)
	}
}

// isNone reports whether an input does not hang in plain go test, and what follows from that is done. The error is about its file.
func (h *hangs) isNone(f *finding.Finding, warm *warmEntry) (bool, error) {
	if h.turn.isStopped() {
		return false, nil
	}
	got, err := h.check(f, warm)
	switch {
	case err != nil || got == proof.Fails:
		return false, err
	case got == proof.Passes && h.ledger.isDoubtful(f): // it is one of those that the user knows
		h.warmFailed(warm)
		return true, nil
	case got == proof.Passes:
		return false, nil
	}
	h.warmFailed(warm) // as a seed it is not mutated
	if first := h.ledger.notePassed(f); first {
		h.events.warn(NoHang(f))
	}
	return true, nil
}

// check replays a hang, unless it is a finding already, or no more findings are taken. One at a time: two workers may hang by the same input, which is replayed once then.
func (h *hangs) check(f *finding.Finding, warm *warmEntry) (proof.Verdict, error) {
	h.checking.Lock()
	defer h.checking.Unlock()
	if known, _ := h.ledger.checkedBefore(f); known {
		return proof.Fails, nil
	}
	begin := h.Clock()
	got, replayed, err := h.replays.check(f, warm)
	if replayed && got != proof.Slow && h.Clock()-begin > slowReplay { // once is enough then
		proof.Count(f, got == proof.Fails)
	}
	return got, err
}

// NoHang returns a warning which says that a hang is no finding because a replay ended in time.
func NoHang(f *finding.Finding) string {
	return fmt.Sprintf("%s in a fuzzing process; in plain go test the same input of %d bytes ends within that time, "+
		"so gnaw does not report it", f.Message, f.Input.Size())
}
