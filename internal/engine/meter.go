package engine

import (
	"sync"
	"time"
)

// meter counts the time and the executions of a target. Its lock is the last one in the order: nothing else is locked, and no
// other type is called, while it is held.
type meter struct {
	opts *Options

	mu        sync.Mutex
	inTurn    bool
	begun     time.Duration // when the turn began, by the clock
	due       time.Duration // when the turn is to end, by the clock; 0: no time is set
	spent     time.Duration // in earlier turns
	verifying time.Duration // time of workers that went into failures
	checking  int           // workers that check what was found
	warmedAt  timestamp     // when the last input of the warm-up was executed
	execs     uint64        // executions reported
	shown     uint64        // executions that a Snapshot has shown, with those of requests under way
	granted   uint64        // executions promised to workers and not reported
	nanos     uint64        // time of executions in all workers
	unjudged  int           // executions of which it is not known whether they fail
}

// timestamp is a point of a run.
type timestamp struct {
	at    time.Duration // how long the target had been fuzzed, without the turns of other targets
	execs uint64        // executions until then
}

// nominal is how long an execution takes by the clock of a repeatable run, which counts executions, and nominalByte how much
// longer it takes for each byte of its input. Without the second, all of such a run is spent on the first entry of 64 KiB for
// which the target takes milliseconds.
const (
	nominal     = 10 * time.Microsecond
	nominalByte = 20 * time.Nanosecond
)

// unlimited is the number of executions that are left to a run without a limit.
const unlimited = 1 << 62

// begin begins a turn that takes d; 0: no time is set.
func (m *meter) begin(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inTurn, m.begun, m.due = true, m.opts.Clock(), 0
	if d > 0 {
		m.due = m.begun + d
	}
}

// end ends the turn.
func (m *meter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spent = m.elapsedLocked()
	m.inTurn = false
}

// remaining returns how long the turn goes on; limited is false if no time is set.
func (m *meter) remaining() (d time.Duration, limited bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.due - m.opts.Clock(), m.due > 0
}

// leaves reports whether the turn does not end before d has passed.
func (m *meter) leaves(d time.Duration) bool {
	left, limited := m.remaining()
	return !limited || left >= d
}

// elapsed returns how long the target was fuzzed.
func (m *meter) elapsed() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.elapsedLocked()
}

func (m *meter) elapsedLocked() time.Duration {
	if !m.inTurn {
		return m.spent
	}
	return m.spent + m.opts.Clock() - m.begun
}

// now returns the current timestamp.
func (m *meter) now() timestamp {
	m.mu.Lock()
	defer m.mu.Unlock()
	return timestamp{m.elapsedLocked(), m.execs}
}

// since returns the time since t, or since the end of the warm-up if that came later, by the clock of the run.
func (m *meter) since(t timestamp) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opts.Repeatable {
		return time.Duration(m.execs-max(t.execs, m.warmedAt.execs)) * nominal
	}
	return m.elapsedLocked() - max(t.at, m.warmedAt.at)
}

// duration returns how long one execution of an input of size bytes took, by the clock of the run.
func (m *meter) duration(nanos uint64, size int) time.Duration {
	if m.opts.Repeatable {
		return nominal + time.Duration(size)*nominalByte
	}
	return time.Duration(nanos)
}

// meanTime returns how long an execution has taken on average; 0: there was none.
func (m *meter) meanTime() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.execs == 0 || m.nanos == 0 {
		return 0
	}
	return time.Duration(max(1, m.nanos/m.execs))
}

// left returns how many executions may be promised; 0: all are used up or promised. promised says whether some are promised that were
// not reported: then more may be left later. Promises are made under the lock of the turn.
func (m *meter) left() (execs uint64, promised bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opts.MaxExecs == 0 {
		return unlimited, m.granted > 0
	}
	return m.opts.MaxExecs - min(m.opts.MaxExecs, m.execs+m.granted), m.granted > 0
}

// grant promises n executions.
func (m *meter) grant(n uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.granted += n
}

// account takes a promise of executions back and counts those that were made, with the time that they took.
func (m *meter) account(granted, made, nanos uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.granted -= granted
	m.execs += made
	if m.opts.Repeatable {
		nanos = made * uint64(nominal)
	}
	m.nanos += nanos
}

// addExecs counts executions that a process made before it ended.
func (m *meter) addExecs(n uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.execs += n
}

// show returns the number of executions for a snapshot, with those of requests under way. A request of a slow target may take a
// minute. It is counted when it has ended, shortly after it is no more under way, so the number would go back then. underway is
// called after the count was read, so that no execution is counted twice.
func (m *meter) show(underway func() uint64) uint64 {
	m.mu.Lock()
	execs := m.execs
	m.mu.Unlock()
	execs += underway()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shown = max(m.shown, execs)
	return m.shown
}

// executing returns the time of executions in all workers.
func (m *meter) executing() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Duration(m.nanos)
}

// warmed notes that an input of the warm-up was executed.
func (m *meter) warmed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.warmedAt = timestamp{m.elapsedLocked(), m.execs}
}

// times returns how long the target was fuzzed, and how long since the newest input of the warm-up was executed.
func (m *meter) times() (elapsed, warmed time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	elapsed = m.elapsedLocked()
	return elapsed, elapsed - m.warmedAt.at
}

// verify counts the time of a worker until done is called as time that goes into failures.
func (m *meter) verify() (done func()) {
	begin, checked := m.opts.Clock(), m.check()
	return func() {
		checked()
		m.mu.Lock()
		defer m.mu.Unlock()
		m.verifying += m.opts.Clock() - begin
	}
}

// check counts a worker, until done is called, as one that executes nothing new, because it checks what was found.
func (m *meter) check() (done func()) {
	count := func(by int) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.checking += by
	}
	count(1)
	return func() { count(-1) }
}

// countChecking returns how many workers check what was found.
func (m *meter) countChecking() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.checking
}

// timeVerifying returns the time of workers that went into failures.
func (m *meter) timeVerifying() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.verifying
}

// noteUnjudged counts an execution that was ended before it was known whether it fails.
func (m *meter) noteUnjudged() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unjudged++
}

// countUnjudged returns how many executions were ended before it was known whether they fail.
func (m *meter) countUnjudged() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unjudged
}
