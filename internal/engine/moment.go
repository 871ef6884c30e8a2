package engine

import "time"

// moment is a point of a run.
type moment struct {
	at    time.Duration // for how long the target had been fuzzed: others have their turns in between
	execs uint64        // executions until then
}

// nominal is how long an execution takes by the clock of a repeatable run, which counts executions, and nominalByte how much
// longer it takes for each byte of its input. Without the second, all of such a run is spent on the first entry of 64 KiB for
// which the target takes milliseconds.
const (
	nominal     = 10 * time.Microsecond
	nominalByte = 20 * time.Nanosecond
)

// now is the moment at hand. The caller holds the mutex, or nobody else knows r yet.
func (r *run) now() moment { return moment{r.elapsed(), r.execs} }

// since returns how long a moment is past, by the clock of the run; no longer than it fuzzes. The caller holds the mutex.
func (r *run) since(m moment) time.Duration {
	if r.Repeatable {
		return time.Duration(r.execs-max(m.execs, r.warmedAt.execs)) * nominal
	}
	return r.elapsed() - max(m.at, r.warmedAt.at)
}

// duration returns how long one execution of an input of size bytes took, by the clock of the run.
func (r *run) duration(nanos uint64, size int) time.Duration {
	if r.Repeatable {
		return nominal + time.Duration(size)*nominalByte
	}
	return time.Duration(nanos)
}
