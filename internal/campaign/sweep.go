package campaign

import (
	"context"
	"fmt"
	"time"
)

const (
	// sweepIdle is how long a sweep waits when no target has a new entry.
	sweepIdle = 100 * time.Millisecond
	// sweepGrace is how long a sweep continues after the campaign, to execute the entries of a short campaign too.
	sweepGrace = 10 * time.Second
	// sweepSilent is how long a sweep continues after the campaign without a word.
	sweepSilent = 2 * time.Second
)

// beginSweep starts run on a goroutine. The function that it returns closes over and waits until run returns.
func beginSweep(run func(over <-chan struct{})) (end func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() { defer close(ended); run(over) }()
	return func() { close(over); <-ended }
}

// sweep calls visit with one target after the other, until ctx ends, or until no target has a new entry after over is closed, for at most
// grace then: the context of visit ends, also if it began before. visit executes some new entries of the target in a binary other than the one that
// fuzzes, and reports whether there were any; last is true after over is closed. wait is waitFor, or its replacement in a test.
// does says in a message what visit does.
func (c *Campaign) sweep(
	ctx context.Context, over <-chan struct{}, does string, grace time.Duration, visit func(ctx context.Context, t *target, last bool) bool,
	wait func(d time.Duration, end ...<-chan struct{}),
) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // a visit may take longer than all the rest
		select {
		case <-ctx.Done():
			return
		case <-over:
		}
		defer time.AfterFunc(grace, cancel).Stop()
		defer time.AfterFunc(sweepSilent, func() { c.warn(fmt.Sprintf("fuzzing is over; gnaw still %s, for up to %v", does, grace)) }).Stop()
		<-ctx.Done()
	}()
	for last := false; ; {
		select {
		case <-over:
			last = true // no more entries come
		default:
		}
		busy := false
		for _, t := range c.targets {
			busy = visit(ctx, t, last) || busy
		}
		if ctx.Err() != nil || last && !busy {
			return
		}
		if !busy {
			wait(sweepIdle, over, ctx.Done())
		}
	}
}

// waitFor waits for a duration, or until one of two channels is closed.
func waitFor(d time.Duration, end ...<-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-end[0]:
	case <-end[1]:
	}
}
