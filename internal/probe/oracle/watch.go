package oracle

import "time"

// Watch measures how long something takes. On a busy machine the time that the processor was with the process is nearer to
// the truth than the time that has passed.
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
func (w Watch) Took() time.Duration {
	used, passed := processorTime()-w.used, time.Since(w.start)
	if used < passed && used > passed/implausible {
		return used
	}
	return passed
}
