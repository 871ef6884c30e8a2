package worker

import (
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// recheckInputs is how many recent inputs are run again to find the one that allocated too much.
const recheckInputs = 4096

// memory looks for inputs that allocate too much.
type memory struct {
	run    *runner
	guard  *memoryGuard // nil: there is no limit
	greedy []byte       // packed input of the request that allocated more than the threshold; nil: none
}

// forget makes the next check count from here on, without what other executions and the worker have allocated since the last look.
func (m *memory) forget() {
	if m.guard != nil {
		m.guard.grown()
	}
}

// check ends the process if the execution of a just made needed more than the limit. It returns the bytes allocated
// since the last look.
func (m *memory) check(a input.Args) (n uint64) {
	if m.guard == nil || m.guard.resident {
		return 0
	}
	periods := m.guard.tick.Load() - m.guard.from
	if n = m.guard.grown(); n <= m.guard.most {
		return n
	}
	stack := m.allocator(a, n)
	if m.guard.needs(periods) {
		exitOverLimit(m.run.seg, fmt.Sprintf("one execution allocated %d MiB", n>>20), stack, m.guard.limit)
	}
	m.guard.bear(n)
	m.forget()
	return n
}

// allocator executes an input that has allocated n bytes once more and returns the stack that allocates most of them, or nothing if
// no single stack does.
func (m *memory) allocator(a input.Args, n uint64) (stack string) {
	m.guard.peak.Store(0)
	m.guard.exceeded.Store(true)
	places := oracle.NewAllocations()
	m.run.once(a)
	stack, bytes := places.Top()
	return ifMost(stack, bytes, n)
}

// findGreedy runs the recent inputs again, one by one, until one of them allocates more than the limit, which ends
// the process, or more than the threshold, which the end of the request reports. If none does, the volume came from
// something that does not repeat.
func (m *memory) findGreedy() {
	for i, a := range m.run.executed(recheckInputs) {
		// The newest one is looked at in any case: it may have taken so long that the request is to end.
		if m.run.finished() && (i > 0 || !m.run.seg.Preempted()) {
			return
		}
		m.forget()
		out := m.run.once(a)
		n := m.check(a)
		if n > m.guard.threshold {
			m.guard.raiseThreshold()
			m.greedy = input.Append(nil, a)
			return
		}
		if out.failed {
			return // it will fail again in the course of fuzzing
		}
	}
}
