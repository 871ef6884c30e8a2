package oracle

import "time"

// Watch measures how long something takes, by [Taken].
type Watch struct {
	start time.Time
	used  time.Duration
}

// Start starts a watch.
func Start() Watch { return Watch{time.Now(), processorTime()} }

// implausible is the part of the time that was waited for, or spent elsewhere, from which on the processor's time says
// nothing: the system may count it coarsely.
const implausible = 8

// Took returns the time since the start.
func (w Watch) Took() time.Duration { return Taken(processorTime()-w.used, time.Since(w.start)) }

// Taken returns how long something takes for which time has passed, while the processors were with its process for the time used. On a
// busy machine the latter is nearer to the truth.
func Taken(used, passed time.Duration) time.Duration {
	if used < passed && used > passed/implausible {
		return used
	}
	return passed
}
