package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

const (
	// raceFlag is the flag of the go command for the race detector.
	raceFlag = "-race=true"
	// raceBatch is how many entries of a target are executed before the next target is visited.
	raceBatch = 256
	// raceReplays is how often a finding is replayed.
	raceReplays = 3
	// raceGrace is how long the racer continues after the campaign.
	raceGrace = time.Minute
)

// racer executes the corpus of all targets of a campaign in binaries with the race detector. Its methods are called by one goroutine.
type racer struct {
	campaign *Campaign
	seen     map[*target]*replayed
}

// replayed is the state of the racer for one target.
type replayed struct {
	entries  int             // of the corpus, executed
	failures map[string]bool // by proof.Key
	broken   error           // why the binary cannot be executed
}

func newRacer(c *Campaign) *racer {
	return &racer{campaign: c, seen: map[*target]*replayed{}}
}

// run replays new entries until ctx ends, or until there are none left after over is closed.
func (r *racer) run(ctx context.Context, over <-chan struct{}) {
	visit := func(ctx context.Context, t *target, _ bool) bool { return r.visit(ctx, t) }
	r.campaign.sweep(ctx, over, "executes the latest entries with the race detector", raceGrace, visit, waitFor)
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
	if s == nil || done.broken != nil || ctx.Err() != nil {
		return false
	}
	entries := s.Fuzzer.Passed(done.entries)
	if len(entries) == 0 {
		return false
	}
	entries = entries[:min(len(entries), raceBatch)]
	if err := r.replay(ctx, t, entries); err != nil && ctx.Err() == nil {
		done.broken = fmt.Errorf("the corpus cannot be replayed with -race: %w", err)
		t.notice(event.Warning, done.broken.Error())
	}
	return true
}

// missing returns the result of a target without findings if the racer has not executed all its entries, and the reason; otherwise they are
// empty. It is called when the racer has ended. Nobody waits for the racer after a signal.
func (r *racer) missing(ctx context.Context, t *target, s *session.Session) (event.Result, error) {
	if r == nil || s == nil || r.seen[t] == nil {
		return "", nil
	}
	done := r.seen[t]
	left := len(s.Fuzzer.Passed(done.entries))
	switch {
	case done.broken != nil:
		return event.Unusable, done.broken
	case left > 0 && ctx.Err() == nil:
		return event.Unreached, fmt.Errorf("%s not executed with the race detector; use a longer -fuzztime", report.Plural(left, "entry"))
	}
	return "", nil
}

// replay executes entries of a target in a process with the race detector.
func (r *racer) replay(ctx context.Context, t *target, entries []input.Args) (err error) {
	config, err := r.config(ctx, t)
	if err != nil {
		return err
	}
	p := &session.Process{Config: config}
	p.Allowed, p.Refuse = policy(t, "")
	defer func() { err = errors.Join(err, p.Close()) }()
	for _, a := range entries {
		f, err := p.Execute(ctx, a)
		if err != nil {
			return err
		}
		r.seen[t].entries++
		if f == nil || f.Kind == finding.Hang || f.Refused != "" { // the race detector is slow
			continue
		}
		p.End() // a failing execution may change later ones
		r.found(ctx, t, config, f)
	}
	return nil
}

// config returns how to start processes of a target with the race detector.
func (r *racer) config(ctx context.Context, t *target) (executor.Config, error) {
	path, _, err := r.campaign.binaries.build(ctx, t.Target, Race)
	if err != nil {
		return executor.Config{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	o, err := t.options()
	o.Config.Path = path
	return o.Config, err
}

// found writes and replays a finding, and queues it to be recorded; only the first one with its key.
func (r *racer) found(ctx context.Context, t *target, config executor.Config, f *finding.Finding) {
	f.Target, f.Flags = t.Func, []string{raceFlag}
	key := proof.Key(f, nil)
	if r.seen[t].failures[key] {
		return
	}
	r.seen[t].failures[key] = true
	h, own, err := corpus.Open(t.seeds(), corpus.GoTest(nil)).Take(f.Input)
	if err == nil {
		f.Path, f.Own = h.Path(), own
		err = r.prove(ctx, t, config, f)
		giveBack := h.Keep
		if refused := (*proof.RefusedError)(nil); own && errors.As(err, &refused) {
			giveBack = h.Discard
		}
		err = errors.Join(err, giveBack())
	} else {
		engine.KeepElsewhere(f, filepath.Join(t.cache(), t.Func), err)
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
	ctx = context.WithoutCancel(ctx) // at the end of the campaign too
	// None of these is a hang.
	p := proof.GoTest{Config: config, Target: t.Func, Policy: func(name string) ([][]byte, bool) { return policy(t, name) }}
	apart := func(ctx context.Context, f *finding.Finding) (bool, error) { return failsAlone(ctx, p, f) }
	for range raceReplays {
		v, err := proof.Again(ctx, proof.Of(f), f, p.Prove, apart)
		if err != nil {
			return fmt.Errorf("the input %s of a failure with -race could not be run again: %w", cmp.Or(f.Path, f.Kept), err)
		}
		proof.Count(f, v == proof.Fails)
	}
	return nil
}

// failsAlone executes the input of a finding in a fuzzing process of its own and reports whether it fails with the same kind.
func failsAlone(ctx context.Context, r proof.GoTest, f *finding.Finding) (failed bool, err error) {
	p := &session.Process{Config: r.Config}
	p.Allowed, p.Refuse = r.Policy("")
	defer func() { err = errors.Join(err, p.Close()) }()
	got, err := p.Execute(ctx, f.Input)
	if err != nil {
		return false, err
	}
	return proof.Shows(f, got, proof.SameKind)
}

// prepareRace builds the test binary with the race detector, if the campaign has a racer.
func (c *Campaign) prepareRace(ctx context.Context, t *target) error {
	if c.racer == nil {
		return nil
	}
	_, _, err := c.binaries.build(ctx, t.Target, Race)
	return err
}

// beginRace starts the racer, if there is one. The function that it returns waits until the racer has executed the rest of the corpus, at
// most for raceGrace.
func (c *Campaign) beginRace(ctx context.Context) (end func()) {
	if c.racer == nil {
		return func() {}
	}
	return beginSweep(func(over <-chan struct{}) { c.racer.run(ctx, over) })
}
