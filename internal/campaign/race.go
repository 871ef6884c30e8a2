package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

const (
	// raceFlag is the flag of the go command for the race detector.
	raceFlag = "-race=true"
	// raceBatch is how many entries of a target are executed before the next target is visited.
	raceBatch = 256
	// raceReplays is how often a finding is replayed.
	raceReplays = 3
)

// racer executes the corpus of all targets of a campaign in binaries with the race detector. Its methods are called by one goroutine.
type racer struct {
	campaign *Campaign
	binaries *binaries
	seen     map[*target]*replayed
}

// replayed is the state of the racer for one target.
type replayed struct {
	entries  int             // of the corpus, executed
	failures map[string]bool // by triage.Key
	broken   bool            // the binary cannot be executed
}

func newRacer(c *Campaign) *racer {
	return &racer{campaign: c, binaries: newBinaries(c.Builder, c.Fuzzing.Flags, true, c.Events), seen: map[*target]*replayed{}}
}

// run replays new entries until ctx ends, or until there are none left after over is closed.
func (r *racer) run(ctx context.Context, over <-chan struct{}) {
	visit := func(ctx context.Context, t *target, _ bool) bool { return r.visit(ctx, t) }
	r.campaign.sweep(ctx, over, visit, waitFor)
}

// visit executes new entries of a target. It reports whether there were any.
func (r *racer) visit(ctx context.Context, t *target) bool {
	t.mu.Lock()
	s := t.session
	t.mu.Unlock()
	if r.seen[t] == nil {
		r.seen[t] = &replayed{failures: map[string]bool{}}
	}
	done := r.seen[t]
	if s == nil || done.broken || ctx.Err() != nil {
		return false
	}
	entries := s.Target.Passed(done.entries)
	if len(entries) == 0 {
		return false
	}
	entries = entries[:min(len(entries), raceBatch)]
	if err := r.replay(ctx, t, entries); err != nil && ctx.Err() == nil {
		done.broken = true
		t.notice(event.Warning, fmt.Sprintf("the corpus cannot be replayed with -race: %v", err))
	}
	return true
}

// replay executes entries of a target in a process with the race detector.
func (r *racer) replay(ctx context.Context, t *target, entries []input.Args) (err error) {
	config, err := r.config(ctx, t)
	if err != nil {
		return err
	}
	p := &session.Process{Config: config}
	defer func() { err = errors.Join(err, p.Close()) }()
	for _, a := range entries {
		f, err := p.Execute(ctx, a)
		if err != nil {
			return err
		}
		r.seen[t].entries++
		if f == nil || f.Kind == finding.Hang { // the race detector is slow
			continue
		}
		p.End() // a failing execution may change later ones
		r.found(ctx, t, config, f)
	}
	return nil
}

// config returns how to start processes of a target with the race detector.
func (r *racer) config(ctx context.Context, t *target) (executor.Config, error) {
	if _, err := r.binaries.build(ctx, t.Package); err != nil {
		return executor.Config{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	o, err := t.options()
	o.Config.Path = r.binaries.path(t.Package)
	return o.Config, err
}

// found writes and replays a finding, and queues it to be recorded; only the first one with its key.
func (r *racer) found(ctx context.Context, t *target, config executor.Config, f *finding.Finding) {
	f.Target, f.Flags = t.Name, []string{raceFlag}
	key := triage.Key(f)
	if r.seen[t].failures[key] {
		return
	}
	r.seen[t].failures[key] = true
	h, own, err := corpus.Open(t.seeds(), corpus.GoTest(nil)).Take(f.Input)
	if err == nil {
		f.Path, f.Own = h.Path(), own
		err = errors.Join(r.prove(ctx, t, config, f), h.Keep())
	} else {
		engine.KeepElsewhere(f, filepath.Join(t.cache(), t.Name), err)
		err = r.prove(ctx, t, config, f)
	}
	if err != nil {
		t.notice(event.Warning, err.Error())
		return
	}
	r.campaign.queue.add(func() { t.found(ctx, f) })
}

// prove replays a finding.
func (r *racer) prove(ctx context.Context, t *target, config executor.Config, f *finding.Finding) error {
	ctx = context.WithoutCancel(ctx)                      // at the end of the campaign too
	p := session.Replayer{Config: config, Target: t.Name} // none of these is a hang
	for range raceReplays {
		failed, err := failsAgain(ctx, p, f)
		if err != nil {
			return fmt.Errorf("the input %s of a failure with -race could not be run again: %w", cmp.Or(f.Path, f.Kept), err)
		}
		engine.CountReplay(f, failed)
	}
	return nil
}

// failsAgain replays a finding and reports whether it fails. If there is no file for go test, or go test does not run the input, which it
// notes in the finding, it executes the input in a fuzzing process.
func failsAgain(ctx context.Context, p session.Replayer, f *finding.Finding) (bool, error) {
	if f.Why == "" && f.NotRun == "" {
		got, err := p.Replay(ctx, filepath.Base(f.Path), f.Kind)
		var notRun *engine.NotRunError
		if !errors.As(err, &notRun) {
			return got == engine.ReplayFailed, err
		}
		f.NotRun = notRun.Why
	}
	return failsAlone(ctx, p.Config, f)
}

// failsAlone executes the input of a finding in a fuzzing process of its own and reports whether it fails with the same kind.
func failsAlone(ctx context.Context, config executor.Config, f *finding.Finding) (failed bool, err error) {
	p := &session.Process{Config: config}
	defer func() { err = errors.Join(err, p.Close()) }()
	got, err := p.Execute(ctx, f.Input)
	return got != nil && got.Kind == f.Kind, err
}

// prepareRace builds the test binary with the race detector, if the campaign has a racer.
func (c *Campaign) prepareRace(ctx context.Context, t *target) error {
	if c.racer == nil {
		return nil
	}
	_, err := c.racer.binaries.build(ctx, t.Package)
	return err
}

// beginRace starts the racer, if there is one. The function that it returns waits until the racer has executed the rest of the corpus, at
// most for sweepGrace.
func (c *Campaign) beginRace(ctx context.Context) (end func()) {
	if c.racer == nil {
		return func() {}
	}
	return beginSweep(func(over <-chan struct{}) { c.racer.run(ctx, over) })
}
