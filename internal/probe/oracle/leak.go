package oracle

import (
	"fmt"
	"runtime"
	"time"
)

// leak reports goroutines that executions leave behind. Its limit is how long a goroutine may outlive the execution that
// started it: those that wait for a timer to give up are recognized only when they do.
var leak = Oracle{
	Name:    "leak",
	Meaning: "each execution leaves a goroutine that never ends",
	Limit:   Limit{Unit: Nanoseconds, Default: uint64(time.Second), Fast: uint64(20 * time.Millisecond)},
	measure: measureLeak,
}

const (
	// Repeats is how many executions an oracle looks at that needs several. What stays behind must grow with each of
	// them: a goroutine or a reference that is made once is no leak.
	Repeats = 4
	// Persistence is how many executions must leave goroutines behind if the runtime does not know whether something may
	// still wake them up: a pool that grows on demand has grown by then.
	Persistence = 64
	// persistTime and PersistSize: executions that are slow, or allocate much, are fewer. What stays behind may hold
	// all of it.
	persistTime = time.Second
	PersistSize = 256 << 20
)

func measureLeak(m *Measurement) {
	count, before := runtime.NumGoroutine(), Goroutines(nil)
	for i := range Repeats + 1 {
		if i == 1 {
			// Stacks are only worth a look if one execution has left something.
			if Settle(count, 0) {
				return
			}
			count, before = runtime.NumGoroutine(), Running()
		}
		if !m.execute(m.Args) || m.run.Over() {
			return
		}
	}
	// Other goroutines may have ended meanwhile, so the limit is lower than what was left behind.
	if Settle(count+Repeats/2-1, m.Limits.Time(Leak)) {
		return
	}
	g, n := LeftBehind(before), Repeats
	if g.Count >= n && !g.Exact {
		if n = m.persist(n); n == 0 {
			return
		}
		g = m.stay(before, n)
	}
	if g.Count >= n {
		m.report(Report{Oracle: Leak, Detail: g.Stack, Message: fmt.Sprintf(
			"%d executions leave %d goroutines behind, blocked in %s", n, g.Count, g.State)})
	}
}

// persist executes the input repeatedly, and returns how often with the n times before; 0: the measurement is over.
func (m *Measurement) persist(n int) int {
	begin, allocated := time.Now(), Allocated()
	for n < Persistence && (m.NoClock || time.Since(begin) < persistTime) && Allocated()-allocated < PersistSize {
		if !m.execute(m.Args) || m.run.Over() {
			return 0
		}
		n++
	}
	return n
}

// stay returns the largest group of goroutines that executions have left behind, as soon as it has n. Those that were
// started last may not have come to what they wait for.
func (m *Measurement) stay(before Goroutines, n int) (g Group) {
	for pause := time.Millisecond; pause < m.Limits.Time(Leak); pause *= 2 {
		if g = LeftBehind(before); g.Count >= n {
			return g
		}
		time.Sleep(pause)
	}
	return LeftBehind(before)
}
