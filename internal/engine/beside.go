package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A target may want something that one process at a time can have, such as a file under a lock: a second process waits for it without an
// end, before F.Fuzz. Unless the first one ends, which gives the lock to the second: then a replay waits. So the second process is
// started before anything is executed. It may take besideFactor times as long as the first one, and leastBeside in any case.
const (
	besideFactor = 8
	leastBeside  = 2 * time.Second
)

// startBeside starts the process of a second slot beside that of the first one, if no two processes of the target have lived at the same
// time yet. It returns those of the slots that may have a process in this turn.
func (e *engine) startBeside(slots []slot) []slot {
	if len(slots) == 1 || !e.pool.neverPaired() {
		return slots
	}
	limit := max(leastBeside, besideFactor*e.pool.startTime())
	enough := true
	if left, limited := e.meter.remaining(); limited && left/2 < limit {
		limit, enough = left/2, false
	}
	ctx, cancel := context.WithTimeout(e.turn.ctx, limit)
	defer cancel()
	_, err := e.pool.start(ctx, &slots[1], e.verifier.overflows.maxStack())
	switch {
	case err == nil || e.turn.ctx.Err() != nil:
		return slots
	case !errors.Is(err, context.DeadlineExceeded):
		if e.pool.retire(err) == nil {
			slots = slices.Delete(slots, 1, 2)
		}
		return slots
	}
	if e.pool.startedInVain(enough) {
		e.events.warn(fmt.Sprintf("a second process does not reach F.Fuzz within %v while the first one runs: the target waits for something that "+
			"one process at a time can have, such as a file under a lock; gnaw fuzzes it with one worker", limit.Round(time.Second)))
	}
	e.pool.resize(1)
	return slots[:1]
}
