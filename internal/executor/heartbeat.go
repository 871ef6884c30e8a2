package executor

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// heartbeat measures how long a process has been with one execution.
type heartbeat struct {
	seg    *shm.Segment
	now    func() time.Time
	use    func() Use // of the processors by the process, since it began
	before uint64     // executions that the process had begun before the request

	last  uint64
	since time.Time
	first *Use          // use when the execution was seen for the second time; nil: it was not
	idle  time.Duration // for how long it has been waiting for a message, in calls of deaf
}

func newHeartbeat(seg *shm.Segment, before uint64, now func() time.Time, use func() Use) *heartbeat {
	h := &heartbeat{seg: seg, before: before, now: now, use: use}
	h.restart()
	return h
}

func (h *heartbeat) restart() { h.last, h.since, h.first = h.seg.Execs(), h.now(), nil }

// skip leaves out time in which the process could not run.
func (h *heartbeat) skip(d time.Duration) { h.since = h.since.Add(d) }

// deaf reports whether the process has waited for a message for longer than limit, although it was sent one. It must be called
// once in each pulse, before hung; a time in which gnaw stands still counts as one pulse.
func (h *heartbeat) deaf(limit time.Duration) bool {
	if h.seg.Stage() != shm.Idle || h.seg.Execs() != h.last {
		h.idle = 0
		return false
	}
	h.idle += pulse
	return h.idle > limit
}

// hung reports whether the execution takes longer than limit, if that is not 0, on a machine that lets the process run.
// Until the first execution of the request, the process copies or makes an input, however large, and the newest execution is
// over, unless it left something behind that stops the process: the limit is busyFactor times as long then. hung must be called in
// each pulse: it compares with the use of the processors at the second call of an execution. At the first one most executions are
// over soon, and to ask for the use takes time.
func (h *heartbeat) hung(limit time.Duration) bool {
	execs := h.seg.Execs()
	if execs != h.last || h.seg.Stage() == shm.Idle {
		h.restart()
		return false
	}
	if h.first == nil {
		use := h.use()
		h.first = &use
	}
	if execs == h.before {
		limit *= busyFactor
	}
	took := h.now().Sub(h.since)
	return limit > 0 && took > limit && Overdue(took, limit, *h.first, h.use())
}
