package session

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
)

// Single says how [Run] fuzzes a target.
type Single struct {
	Time     time.Duration // 0: no limit
	Workers  int           // at least 1
	Interval time.Duration // between two [event.Progress]; more than 0
	Late     time.Duration // for executions that are under way when Time is over; 0: as long as it takes to know whether they hang
}

// Run fuzzes a target in a single turn, and publishes what happens: the events of the engine, an [event.Failure] for each finding, and,
// from the beginning of the warm-up, an [event.Progress] at each interval and at the end. Reaching a limit or the end of ctx is no error.
// Run sets OnEvent and OnFound of the options.
func Run(ctx context.Context, o Options, single Single, bus *event.Bus) (out engine.Outcome, err error) {
	var begun atomic.Bool // the warm-up has
	o.OnEvent = func(e event.Event) {
		bus.Publish(e)
		if _, ok := e.(event.WarmUp); ok {
			begun.Store(true)
		}
	}
	o.OnFound = func(f *finding.Finding) { bus.Publish(failureOf(o.Options.Target, f)) }
	s := Open(o)
	defer func() { err = errors.Join(err, s.Close()) }()
	progress := func(state engine.Snapshot) {
		if begun.Load() {
			bus.Publish(event.Progress{Subject: o.Options.Target, Run: state.Run})
		}
	}
	done := make(chan struct{})
	var background sync.WaitGroup
	background.Add(1)
	go func() {
		defer background.Done()
		tick := time.NewTicker(single.Interval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				progress(s.Fuzzer.Snapshot())
			case <-done:
				return
			}
		}
	}()
	err = s.Fuzz(ctx, single.Time, cmp.Or(single.Late, executor.JudgeTime(o.Config.Timeout)), single.Workers)
	close(done)
	background.Wait()
	out = s.Fuzzer.Outcome()
	progress(out.Final)
	return out, err
}

// failureOf makes an event of a finding.
func failureOf(t event.Subject, f *finding.Finding) event.Failure {
	return event.Failure{Subject: t, Kind: f.Kind, Input: cmp.Or(f.Path, f.Seed, f.Kept), Flaky: f.Flaky, NotRun: f.NotRun, Count: f.Count}
}
