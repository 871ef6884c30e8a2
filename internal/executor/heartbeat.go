package executor

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// A process whose time is up and that had a processor for more than idlePart of it, but less than busyPart, neither waits
// for something nor has used its time: the machine is busy with other things. Its limit is StarvedPatience times as long.
const (
	idlePart        = 0.1
	busyPart        = 0.8
	StarvedPatience = 4
)

// Starved reports whether a process whose time limit is over could not run for much of that time. had is the processor time that
// it had.
func Starved(had, limit time.Duration) bool {
	part := float64(had) / float64(max(limit, 1))
	return part > idlePart && part < busyPart
}

// heartbeat measures how long a process has been with one execution.
type heartbeat struct {
	seg       *shm.Segment
	now       func() time.Time
	processor func() time.Duration // that the process had since it began; always 0 if the system does not report it
	before    uint64               // executions that the process had begun before the request

	last  uint64
	since time.Time
	had   time.Duration // processor time at since
	idle  time.Duration // for how long it has been waiting for a message, in calls of deaf
}

func newHeartbeat(seg *shm.Segment, before uint64, now func() time.Time, processor func() time.Duration) *heartbeat {
	h := &heartbeat{seg: seg, before: before, now: now, processor: processor}
	h.restart()
	return h
}

func (h *heartbeat) restart() {
	h.last, h.since, h.had = h.seg.Execs(), h.now(), h.processor()
}

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
// over, unless it left something behind that stops the process: the limit is StarvedPatience times as long then. hung must be
// called in each pulse: it compares with the processor time of the last call.
func (h *heartbeat) hung(limit time.Duration) bool {
	execs := h.seg.Execs()
	if execs != h.last || h.seg.Stage() == shm.Idle {
		h.restart()
		return false
	}
	if execs == h.before {
		limit *= StarvedPatience
	}
	took := h.now().Sub(h.since)
	if limit == 0 || took <= limit {
		return false
	}
	had := h.processor() - h.had
	return had >= limit || took > StarvedPatience*limit || !Starved(had, took)
}
