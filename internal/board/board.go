// Package board has the state of a campaign: its targets, rates, findings and totals. It reduces the state from the events of a campaign that
// runs ([State.Apply]), or from what the history has of a past one ([Past]). Whoever shows a campaign reads the state from here, and computes
// nothing of it.
//
// These are the definitions:
//
//   - A target has begun if a process of it has reached F.Fuzz in this campaign, also before the campaign was killed and resumed.
//   - The state of a target is one [Phase]: its result if that is final or the target is set aside; otherwise what its workers do; and without
//     a turn, why it has none.
//   - A worker is busy if it has a turn with a target.
//   - The rate of a target is the number of its executions per second, by the clock, weighted with exp(-age/5 s): see [decay]. It falls to zero
//     if nothing is executed, as in a pause. When the target has ended, its rate is the mean of its turns. The rate of the campaign is the sum
//     of the rates of all targets, and at the end the mean of its time of fuzzing.
//   - A finding is counted by its ID and by its latest outcome: a bug counts, and flaky and known findings do not. A target counts each finding
//     that it shows. The campaign counts each ID once.
//   - The last new edge of a target is the time by the clock at which a larger number of edges was reported.
//   - The time of the campaign is the time of fuzzing without pauses. It includes the time before a kill.
//   - Executions, edges and entries of the campaign are sums over all targets. Statements are counted by package coverage, a statement once for
//     all targets; without a count there is no number, which is not the number 0.
//
// A [State] has no lock: one goroutine at a time uses it. A [Board] is a State for one goroutine that applies events and any that read.
package board

import (
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Board is a [State] with a lock. Its methods may be called from any goroutine. Make one with [New].
type Board struct {
	mu    sync.Mutex
	state *State
}

// New returns the board of a campaign that has published no event yet.
func New() *Board { return &Board{state: NewState()} }

// Apply updates the state with an event. Events are applied in the order of their publication.
func (b *Board) Apply(e event.Stamped) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Apply(e)
}

// Read calls f with the state at a time, or at the latest event if that is later. The state does not change while f runs; f keeps no reference to
// it, and does not wait for anything, because Apply waits for f.
func (b *Board) Read(now time.Time, f func(s *State)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Advance(now)
	f(b.state)
}

// Snapshot returns the state of the targets, workers and totals at a time, as [State.Snapshot] does.
func (b *Board) Snapshot(now time.Time) (s event.Snapshot) {
	b.Read(now, func(state *State) { s = state.Snapshot() })
	return s
}
