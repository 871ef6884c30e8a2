package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

const (
	// raceFlag is what the go command needs to build with the race detector.
	raceFlag = "-race=true"
	// raceIdle is how long the worker with the race detector waits when there is no new entry.
	raceIdle = 100 * time.Millisecond
	// raceGrace is how long it goes on when the campaign is over: its executions take some ten times as long, and the
	// entries of a short campaign shall be replayed too.
	raceGrace = 10 * time.Second
	// raceBatch is how many entries of a target it executes before it looks at the next target.
	raceBatch = 256
	// raceReplays is how often a finding of it is replayed.
	raceReplays = 3
)

// takeRace takes -race: it builds a second test binary, in which a worker more replays the corpus. The others fuzz without
// the detector, ten times as fast.
func (f *fuzzFlags) takeRace(s string) (err error) {
	f.race, err = strconv.ParseBool(s)
	return err
}

// racer replays the corpus of all targets of a campaign in binaries with the race detector.
type racer struct {
	console  *console
	binaries *binaries
	seen     map[*member]*replayed
}

// replayed is what was done for a target.
type replayed struct {
	entries  int             // of its corpus that were executed
	failures map[string]bool // that were seen, by triage.Key
	broken   bool            // it cannot be executed
}

func newRacer(c *console) *racer {
	return &racer{
		console:  c,
		binaries: &binaries{console: c, built: map[string]*built{}, extra: []string{raceFlag}},
		seen:     map[*member]*replayed{},
	}
}

// run replays until ctx ends, or until there is nothing left to do after over is closed.
func (r *racer) run(ctx context.Context, over <-chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for last := false; ; {
		select {
		case <-over:
			if !last { // what comes now is all there is
				last = true
				defer time.AfterFunc(raceGrace, cancel).Stop()
			}
		default:
		}
		busy := false
		for _, m := range r.console.members {
			busy = r.visit(ctx, m) || busy
		}
		if ctx.Err() != nil || last && !busy {
			return
		}
		if busy {
			continue
		}
		select {
		case <-over:
		case <-ctx.Done():
		case <-time.After(raceIdle):
		}
	}
}

// visit replays new entries of a target. It reports whether there were some.
func (r *racer) visit(ctx context.Context, m *member) bool {
	m.mu.Lock()
	session := m.session
	m.mu.Unlock()
	if r.seen[m] == nil {
		r.seen[m] = &replayed{failures: map[string]bool{}}
	}
	done := r.seen[m]
	if session == nil || done.broken || ctx.Err() != nil {
		return false
	}
	entries := session.target.Passed(done.entries)
	if len(entries) == 0 {
		return false
	}
	entries = entries[:min(len(entries), raceBatch)]
	if err := r.replay(ctx, m, entries); err != nil && ctx.Err() == nil {
		done.broken = true
		m.event(engine.Warning{Text: fmt.Sprintf("the corpus cannot be replayed with -race: %v", err)})
	}
	return true
}

// replay executes entries of a target in a process with the race detector.
func (r *racer) replay(ctx context.Context, m *member, entries []input.Args) (err error) {
	config, err := r.config(ctx, m)
	if err != nil {
		return err
	}
	global, err := executor.NewGlobal()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, global.Close()) }()
	var w *executor.Worker
	defer func() {
		if w != nil {
			w.Stop()
		}
	}()
	for _, a := range entries {
		if w == nil {
			if w, err = executor.Start(ctx, config, global); err != nil {
				return err
			}
			if err := w.Setup(wire.Setup{}); err != nil {
				return fmt.Errorf("set up a process: %w", err)
			}
		}
		f, err := execute(ctx, w, a)
		var exit *executor.Exit
		slow := errors.As(err, &exit) && exit.Hang // the detector takes its time
		if err != nil && !slow {
			return err
		}
		r.seen[m].entries++
		if f != nil || slow {
			w.Kill()
			w = nil
		}
		if f != nil {
			r.found(ctx, m, config, f)
		}
	}
	return nil
}

// config says how to start processes of a target with the race detector in them.
func (r *racer) config(ctx context.Context, m *member) (executor.Config, error) {
	if _, err := r.binaries.build(ctx, m.target.Package); err != nil {
		return executor.Config{}, err
	}
	o, err := m.options()
	o.config.Path = r.binaries.path(m.target.Package)
	return o.config, err
}

// execute executes an entry that passes without the detector. It returns a finding if it does not pass with it, and the
// process is of no more use then.
func execute(ctx context.Context, w *executor.Worker, a input.Args) (*finding.Finding, error) {
	ran, err := w.Run(ctx, a, wire.Run{})
	var exit *executor.Exit
	var f *finding.Finding
	switch {
	case errors.As(err, &exit) && !exit.External && !exit.Hang:
		f = triage.Died(exit)
		f.Input, f.Original = a, a
	case err != nil:
		return nil, err
	case !ran.Failed:
		return nil, nil
	default:
		f = triage.Failed(a, ran.Output, ran.Logged)
	}
	f.Flags = []string{raceFlag}
	if f.Kind == finding.Race {
		readRace(w, f)
	}
	return f, nil
}

// readRace reads what the detector has printed about a race into a finding. It tells each race once per process, so the process
// ends: in it the same input would pass.
func readRace(w *executor.Worker, f *finding.Finding) {
	w.Stop() // all that it has printed is there then
	engine.FillRace(f, w.Said())
}

// found writes, replays and reports a finding, once for each place.
func (r *racer) found(ctx context.Context, m *member, config executor.Config, f *finding.Finding) {
	f.Target = m.target.Name
	if key := triage.Key(f); r.seen[m].failures[key] {
		return
	} else {
		r.seen[m].failures[key] = true
	}
	h, own, err := corpus.Take(filepath.Join(m.target.Dir, "testdata", "fuzz", m.target.Name), f.Input)
	if err == nil {
		f.Path, f.Own = h.Path(), own
		err = errors.Join(r.prove(ctx, m, config, f), h.Keep())
	} else {
		engine.KeepElsewhere(f, filepath.Join(r.console.toolchain.Cache, "fuzz", filepath.FromSlash(m.target.Package), m.target.Name), err)
		err = r.prove(ctx, m, config, f)
	}
	if err != nil {
		m.event(engine.Warning{Text: err.Error()})
		return
	}
	m.found(f)
}

// prove runs a finding again in fresh processes.
func (r *racer) prove(ctx context.Context, m *member, config executor.Config, f *finding.Finding) error {
	ctx = context.WithoutCancel(ctx)                     // what was found is proved, even at the end
	p := replayer{config: config, target: m.target.Name} // none of these is a hang
	for range raceReplays {
		failed, err := failsAgain(ctx, p, f)
		if err != nil {
			return fmt.Errorf("the input %s of a failure with -race could not be run again: %w", cmp.Or(f.Path, f.Kept), err)
		}
		engine.CountReplay(f, failed)
	}
	return nil
}

// failsAgain replays a finding, or executes its input in a process of its own if there is no file for go test, or go test does not run
// it, which the finding says then.
func failsAgain(ctx context.Context, p replayer, f *finding.Finding) (bool, error) {
	if f.Why == "" && f.NotRun == "" {
		got, err := p.replay(ctx, filepath.Base(f.Path), f.Kind)
		var notRun *engine.NotRunError
		if !errors.As(err, &notRun) {
			return got == engine.ReplayFailed, err
		}
		f.NotRun = notRun.Why
	}
	return failsAlone(ctx, p.config, f)
}

// failsAlone executes the input of a finding in a process of its own and reports whether it fails in the same way.
func failsAlone(ctx context.Context, config executor.Config, f *finding.Finding) (failed bool, err error) {
	global, err := executor.NewGlobal()
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, global.Close()) }()
	w, err := executor.Start(ctx, config, global)
	if err != nil {
		return false, err
	}
	defer w.Stop()
	if err := w.Setup(wire.Setup{}); err != nil {
		return false, fmt.Errorf("set up a process: %w", err)
	}
	got, err := execute(ctx, w, f.Input)
	return got != nil && got.Kind == f.Kind, err
}

// flags are those of the go command for a binary.
func (b *binaries) flags() []string { return append(slices.Clone(b.console.flags.build), b.extra...) }

// prepareRace builds the test binary with the race detector, if that is asked for.
func (c *console) prepareRace(ctx context.Context, m *member) error {
	if c.racer == nil {
		return nil
	}
	_, err := c.racer.binaries.build(ctx, m.target.Package)
	return err
}

// beginRace begins to replay the corpus, if that is asked for. The function that it returns waits for the end of that: soon
// after the campaign.
func (c *console) beginRace(ctx context.Context) (end func()) {
	if c.racer == nil {
		return func() {}
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() { defer close(ended); c.racer.run(ctx, over) }()
	return func() { close(over); <-ended }
}
