package worker

import (
	"math"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// request is what the request under way allows, and what was used of that.
type request struct {
	seg       *shm.Segment // it says when the coordinator asks for an end
	list      *suggestions // for the entry of the request
	limit     uint64       // executions; 0: any number
	spent     uint64       // executions made
	byteLimit uint64       // size in bytes of all inputs; 0: any size
	bytes     uint64       // size of those that were executed
}

// allow begins a request of at most so many executions, and of inputs of at most so many bytes in all; 0: any number.
func (r *request) allow(execs, bytes uint64) {
	r.spent, r.limit = 0, execs
	r.bytes, r.byteLimit = 0, bytes
}

// left returns how many executions the request still allows.
func (r *request) left() uint64 {
	if r.limit == 0 {
		return math.MaxUint64
	}
	return r.limit - min(r.spent, r.limit)
}

// finished reports whether the request allows no further execution. A request in which a new edge was found ends when all
// suggestions are tried: the next new edge is probably among them.
func (r *request) finished() bool {
	return r.seg.Preempted() || r.limit > 0 && r.spent >= r.limit || r.byteLimit > 0 && r.bytes >= r.byteLimit ||
		r.list.found && !r.list.pending()
}
