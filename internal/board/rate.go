package board

import (
	"math"
	"time"
)

const (
	// memory is the age at which an execution has the weight 1/e in a rate. A turn takes up to ten seconds, and progress is reported each second:
	// five seconds even out the reports, and let the rate follow a change within a turn.
	memory = 5 * time.Second
	// hold is how long a rate stays as it is while workers are busy and report nothing: two intervals of the reports.
	hold = 2 * time.Second
)

// decay is a rate of executions with exponentially decaying weights. The sum of decays is the decay of the sum.
type decay struct {
	at    time.Time // of the latest report; zero: there was none
	value float64   // at that time
}

// add notes n executions since the previous report. The first report is where counting begins.
func (d *decay) add(at time.Time, n uint64) {
	passed := at.Sub(d.at).Seconds()
	switch {
	case d.at.IsZero():
		d.at = at
	case passed > 0:
		kept := math.Exp(-passed / memory.Seconds())
		d.value = d.value*kept + float64(n)/passed*(1-kept)
		d.at = at
	default: // two reports at one time
		d.value += float64(n) / memory.Seconds()
	}
}

// now returns the rate at a time. busy says that executions are going on, of which the next report will tell.
func (d decay) now(at time.Time, busy bool) float64 {
	silent := at.Sub(d.at)
	if busy {
		silent -= hold
	}
	if d.value == 0 || silent <= 0 {
		return d.value
	}
	v := d.value * math.Exp(-silent.Seconds()/memory.Seconds())
	if v < 0.01 { // less than an execution in a minute and a half
		return 0
	}
	return v
}

// young returns the factor that makes up for executions that a campaign of some age cannot have had.
func young(age time.Duration) float64 {
	if age <= 0 {
		return 1
	}
	return 1 / (1 - math.Exp(-max(age, time.Second).Seconds()/memory.Seconds()))
}
