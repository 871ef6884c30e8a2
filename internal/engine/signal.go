package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// maxSignals is how many processes signals may end that no input explains. If there are more, the target is taken to send them, although
// nothing shows that again.
const maxSignals = 5

// signals deals with processes that a signal ended which a fault of their own does not raise. Something outside may have sent it, such as
// the system or another program, or the target to its own process.
type signals struct {
	*state
	replays *replays

	unexplained atomic.Int64 // how many of these processes no input explains
}

// check returns the input that a process executed when a signal ended it, if plain go test or another fuzzing process ends by a signal too
// with it; else nil. isKnown says that there is a finding like it. A run that does not keep going ends with the error of the process, as
// go test does.
func (g *signals) check(exit *executor.Exit, warm *warmEntry) (f *finding.Finding, isKnown bool, err error) {
	if !g.KeepGoing || g.Replay == nil || exit.Input == nil || exit.Stage == shm.Idle {
		return nil, false, nil
	}
	f = g.describe(exit)
	if isKnown, _ := g.ledger.checkedBefore(f); isKnown && !claimantOf(warm).isSeed {
		g.warmFailed(warm)
		return nil, true, nil
	}
	if fails, err := g.fails(f, warm); err != nil || fails {
		return f, false, err
	}
	if g.unexplained.Add(1) > maxSignals {
		g.meter.noteUnjudged()
	}
	return nil, false, nil
}

// fails reports whether the input of a process that a signal ended ends another one in this way.
func (g *signals) fails(f *finding.Finding, warm *warmEntry) (bool, error) {
	got, replayed, err := g.replays.check(f, warm)
	if err != nil || replayed && got == proof.Fails {
		return err == nil, err
	}
	ctx, cancel := g.turn.replaying()
	defer cancel()
	fails, err := g.replays.failsApart(ctx, f)
	switch {
	case err == nil:
		return fails, nil
	case errors.Is(err, context.Canceled) || g.turn.isStopped(): // what stops the run may have ended the process
		return false, nil
	}
	g.meter.noteUnjudged()
	g.events.warn(fmt.Sprintf("a signal ended a fuzzing process, and its input could not be run again: %v", err))
	return false, nil
}
