// Package campaign fuzzes many targets with one pool of workers, and continues after findings.
//
// [Campaign.Run] builds the test binaries, fuzzes the targets in turns (package bandit splits the time), replays the corpus with the race
// detector, replays and records findings, and resumes a campaign that was killed. It publishes all events on an [event.Bus], and
// [Campaign.Snapshot] returns its state at any time. It prints nothing: commands, tests and dashboards subscribe to the same events.
//
// The goroutines that fuzz do not wait for others: a separate goroutine replays findings, reads their sources and writes them to the
// history.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/distill"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
)

const (
	// statusInterval is the time between two status events.
	statusInterval = 5 * time.Second
	// liveInterval is the time between two events about the builds in progress, and about the progress of a target.
	liveInterval = time.Second
)

// Campaign is one campaign. Snapshot may be called from any goroutine, at any time. The state that it reports is that of its board, which
// observes the events that it publishes.
type Campaign struct {
	Options
	targets  []*target
	binaries *binaries
	racer    *racer   // nil: no race detector
	coverer  *coverer // nil: the campaign counts no statements
	checker  *checker
	spots    *spots          // nil: the campaign has no -focus
	ctx      context.Context // of Run; what waits in the queue for its turn uses it
	queue    *queue
	outside  buildLimit
	control  bandit.Control
	spent    time.Duration // of fuzzing, before the campaign was killed
	board    *board.Board

	warnShortage sync.Once // of files or processes

	distill func(ctx context.Context, t *target, dir string) (distill.Choice, error) // distillFolder; tests replace it

	mu     sync.Mutex // guards cancel and the factors of targets
	cancel func()     // ends the campaign

	publishing sync.Mutex // orders the progress of targets
}

// Run runs a campaign until it reaches a limit or ctx ends; neither is an error. The error is about gnaw.
func Run(ctx context.Context, o Options) (Summary, error) { return New(o).Run(ctx) }

// New returns a campaign that has not begun.
func New(o Options) *Campaign {
	if o.History == nil {
		o.History = unrecorded{o.Toolchain.Version}
	}
	if o.Sources == nil {
		o.Sources = noSources{}
	}
	if o.Schedule == nil {
		o.Schedule = bandit.Run
	}
	if o.Ledger == nil {
		o.Ledger = newLedger(o)
	}
	c := &Campaign{Options: o, ctx: context.Background(), cancel: func() {}, board: board.New(), distill: distillFolder}
	o.Events.Observe(c.board.Apply)
	c.outside.time = max(o.Limits.Time/outsideShare, leastOutside)
	for _, t := range o.Targets {
		c.targets = append(c.targets, &target{campaign: c, Target: t, factor: 1, result: event.Clean, findings: map[string]event.Result{}})
	}
	c.checker = newChecker(c)
	all, own := map[string]bool{}, map[string]bool{}
	for _, t := range o.Targets {
		all[t.Package] = true
		if t.Outside == nil {
			own[t.Package] = true
		}
	}
	c.binaries = newBinaries(o.Builder, o.Events, map[Variant]int{Instrumented: len(all), Race: len(all), Cover: len(own)})
	if o.Fuzzing.Race {
		c.racer = newRacer(c)
	}
	if o.Focus != nil {
		c.spots = &spots{Plan: o.Focus, campaign: c}
	}
	if o.Fuzzing.Cover {
		c.coverer = newCoverer(c)
	}
	return c
}

// Run runs the campaign as the function [Run] does. It is called once.
func (c *Campaign) Run(ctx context.Context) (Summary, error) {
	c.Ledger.Begin(ctx) // what it still has to do when a limit ends the campaign is not lost
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.mu.Lock()
	c.cancel = cancel
	c.mu.Unlock()
	killed, progress := c.History.Start(ctx, c.Options)
	c.queue = newQueue()
	c.ctx = ctx
	plan := event.Plan{}
	for _, t := range c.targets {
		plan.Targets = append(plan.Targets, t.name())
	}
	c.Events.Publish(plan)
	c.resume(killed, progress)
	saveResults(c, false)
	saveBroken(c)
	for _, b := range c.Broken {
		c.Events.Publish(event.Notice{What: event.Aside, Subject: event.Subject{Package: b.Package}, Text: b.Reason})
	}
	c.spots.announce()
	endReports := c.beginReports()
	endRace, endCover, endChecks := c.beginRace(ctx), c.beginCover(ctx), c.checker.begin(ctx)
	r := c.Schedule(ctx, c.pool())
	stopped := noteInterruption(ctx, c.warn)
	endRace()
	endCover()
	endChecks()
	endReports()
	c.queue.flush()
	for _, t := range c.targets {
		t.conclude(ctx)
		if s := t.snapshot(); s.Execs > 0 {
			c.History.SavePoint(pointOf(t, s, c.coverer.of(t)))
		}
		c.noteFuzzed(t)
	}
	c.checker.reportVet()
	c.queue.close()
	saveProgressAt(c, r.Elapsed)
	saveResults(c, true)
	c.Ledger.End() // which publishes findings
	c.publishStatus(r.Elapsed, true)
	c.History.End()
	s := c.summary(r, stopped)
	var errs []error
	for _, t := range c.targets {
		errs = append(errs, t.close())
	}
	return s, errors.Join(errs...)
}

// pool returns how the time is split between the targets.
func (c *Campaign) pool() bandit.Options {
	o := bandit.Options{
		Parallel: c.Fuzzing.Parallel, Time: c.Limits.Time, Each: c.Limits.Each, Quiet: c.Limits.Quiet, Seed: c.Fuzzing.Seed, Spent: c.spent,
		Control: &c.control, OnEvent: c.onPoolEvent, Overtime: executor.JudgeTime(c.Fuzzing.Timeout),
	}
	for _, t := range c.targets {
		o.Targets = append(o.Targets, t)
		if t.Outside == nil {
			o.Own++
		}
	}
	c.weighAll()
	return o
}

// begin notes and publishes that fuzzing begins.
func (c *Campaign) begin() {
	c.Events.Publish(event.Start{
		Module: c.Module.Path, Targets: len(c.targets), Workers: c.Fuzzing.Parallel,
		Seconds: max(0, c.Limits.Time-c.spent).Seconds(), Each: c.Limits.Each.Seconds(), Execs: c.Limits.MaxExecs, Quiet: c.Limits.Quiet,
		Cover: c.coverer != nil, Spots: c.spots.count(), Until: c.Limits.Reached, Spent: c.spent.Seconds(),
	})
}

// onPoolEvent handles an event of the pool.
func (c *Campaign) onPoolEvent(e bandit.Event) {
	switch e.What {
	case bandit.Begun:
		c.begin()
		c.queue.add(c.saveProgress) // the campaign is resumed if it is killed from now on
		return
	case bandit.Paused, bandit.Resumed:
		c.notePause(e.What == bandit.Paused)
		return
	}
	t := c.targets[e.Target]
	switch e.What {
	case bandit.SetAside:
		what := event.Aside
		if errors.Is(e.Err, errSkipped) {
			what = event.Skipped
		}
		t.setAside(e.Err)
		if !errors.Is(e.Err, errLate) { // the table has the reason
			t.notice(what, e.Err.Error())
		}
	case bandit.Turn:
		c.Events.Publish(event.Turn{Subject: t.name(), Slots: e.Slots, Execs: t.snapshot().Execs})
	case bandit.Booked:
		c.Events.Publish(t.turnEnd(e.Past, e.Slots))
		c.queue.add(func() { t.endTurn(e.Past) }) // after the findings of the turn, which a kill must not lose
	case bandit.WentQuiet:
		t.notice(event.Quiet, fmt.Sprintf("the next new edge is expected in about %v", e.Expect.Round(time.Second)))
	}
}

// beginReports publishes and records the state of the campaign at each interval, until the function that it returns is called.
func (c *Campaign) beginReports() (end func()) {
	done := make(chan struct{})
	var background sync.WaitGroup
	background.Add(2)
	status, cover, progress, live := time.NewTicker(statusInterval), time.NewTicker(coverInterval), time.NewTicker(progressInterval), time.NewTicker(liveInterval)
	go func() { defer background.Done(); c.publishLive(done, live.C, status.C) }()
	go func() { defer background.Done(); c.record(done, cover.C, progress.C) }()
	return func() {
		close(done)
		background.Wait()
		status.Stop()
		cover.Stop()
		progress.Stop()
		live.Stop()
	}
}

// record records the coverage and the progress, each at its ticks, until done is closed.
func (c *Campaign) record(done <-chan struct{}, cover, progress <-chan time.Time) {
	for {
		select {
		case <-progress:
			c.saveProgress()
		case <-cover:
			for _, t := range c.targets {
				s, reached := t.snapshot(), c.coverer.of(t)
				if s.Execs > 0 && t.notes.isNew(s.Run, reached) {
					c.History.SavePoint(pointOf(t, s, reached))
				}
			}
			saveResults(c, false)
		case <-done:
			return
		}
	}
}

// summary publishes and returns the results of all targets.
func (c *Campaign) summary(r bandit.Result, stopped int) Summary {
	s := Summary{
		Stopped: stopped, Vet: len(c.checker.vet),
		Findings: c.bugs(), Broken: len(c.Broken), Elapsed: r.Elapsed, Busy: r.Busy, Outside: c.Limits.Outside, Until: c.Limits.Reached,
	}
	for _, t := range c.targets {
		e := t.end()
		s.Targets = append(s.Targets, TargetSummary{t.Target, e.Result})
		c.Events.Publish(e)
	}
	s.Missed = c.spots.end()
	outside := 0
	if !s.Outside {
		outside = s.CountOutside(event.Bug)
	}
	c.Events.Publish(event.End{
		Outside: outside, Seconds: r.Elapsed.Seconds(), Targets: len(c.targets), Buggy: s.Count(event.Bug), Flaky: s.Count(event.Flaky), Clean: s.Count(event.Clean),
		Skipped: s.Count(event.Skip), Unusable: s.Count(event.Unusable), Known: s.Count(event.KnownOnly), Unreached: s.Count(event.Unreached),
		Fails: s.Count(event.Fails), Vet: s.Vet,
		Findings: s.Findings, Busy: r.Busy, Exit: s.ExitCode(),
	})
	return s
}

// bugs returns the number of published findings that count.
func (c *Campaign) bugs() (n int) {
	c.board.Read(time.Now(), func(s *board.State) { n = s.Totals().Bugs })
	return n
}

// nameOf returns a target as events name it.
func (o Options) nameOf(t build.Target) event.Subject {
	return event.Subject{Package: t.Package, Folder: o.Module.Source(t.Package, t.Dir).Relative(t.Home()), Func: t.Func}
}
