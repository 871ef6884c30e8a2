package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// errSkipped says that a target ended with exit code 0 without calling F.Fuzz.
var errSkipped = errors.New("the target returned without calling F.Fuzz, for example because it calls f.Skip")

// target is a target of a campaign.
type target struct {
	build.Target
	campaign *Campaign

	shortage shortage // of files or processes; only Fuzz uses it
	factor   float64  // as Weigh has set it; the mutex of the campaign guards it
	needed   int      // entries that the last distillation of the corpus has kept; only Fuzz uses it

	mu       sync.Mutex
	session  *session.Session // nil until the first turn
	base     int              // edges after the warm-up
	result   event.Result
	done     bool                    // another turn has nothing to do
	err      error                   // why it is set aside
	findings map[string]event.Result // by ID: a bug, flaky or known

	code     string // digest of the test binary; before Prepare, that of the killed campaign
	compared bool   // with that of the killed campaign
	past     state  // of the killed campaign
	latest   state  // after the last turn
	given    string // digest of the files in testdata/fuzz before the first turn
	changed  bool   // latest or findings are not in the history yet
	onBug    func() // ends the check in plain go test; nil: there was none

	notes notes // for the history
}

// Binary returns the name of the test binary: targets of one package share it.
func (t *target) Binary() string { return t.Package }

// Prepare builds the test binary.
func (t *target) Prepare(ctx context.Context) error {
	if err := t.campaign.prepareOutside(ctx, t); err != nil {
		return err
	}
	_, code, err := t.campaign.binaries.build(ctx, t.Target, Instrumented)
	if t.Outside != nil {
		t.campaign.outside.begin()
	}
	if err != nil {
		return err
	}
	t.compareCode(code)
	t.campaign.prepareCover(ctx, t)
	return t.campaign.prepareRace(ctx, t)
}

// Fuzz fuzzes the target for a turn.
func (t *target) Fuzz(ctx context.Context, d, more time.Duration, workers int) error {
	s, err := t.open()
	if err != nil {
		return err
	}
	if err = t.campaign.Sources.Present(t.Target); err == nil { // otherwise writing a failing input would make its folder again
		err = s.Fuzz(ctx, d, more, workers)
	}
	if isShortage(err) && t.shortage.mayWait(t.campaign.Limits.MaxExecs > 0) {
		awaitResources(ctx, min(d, shortagePause), err, &t.campaign.warnShortage, func(text string) { t.notice(event.Warning, text) })
		return nil
	}
	t.shortage.end()
	if err == nil {
		distillCorpus(ctx, t)
	}
	if gone := t.campaign.Sources.Present(t.Target); err != nil && errors.Is(gone, ErrGone) {
		err = gone // the reason why no process starts
	}
	var start *executor.StartError
	if errors.As(err, &start) && start.Code != 0 && start.Stderr == "" && ctx.Err() == nil {
		err = t.explain(ctx, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done = s.Fuzzer.Exhausted()
	if start != nil && start.Code == 0 {
		t.result = event.Skip
		return errSkipped
	}
	if err != nil && ctx.Err() == nil && t.result == event.Clean {
		t.result = event.Unusable
	}
	return err
}

// policy says what processes of the target refuse, as [engine.Fuzzer.Policy] does.
func policy(t *target, name string) (allowed [][]byte, refuse bool) {
	t.mu.Lock()
	s := t.session
	t.mu.Unlock()
	if s == nil {
		return nil, t.campaign.Fuzzing.Refuse
	}
	return s.Fuzzer.Policy(name)
}

// explain adds the output of plain go test to the error of a process that ended before F.Fuzz: gnaw does not keep the standard output of
// fuzzing processes.
func (t *target) explain(ctx context.Context, err error) error {
	t.mu.Lock()
	o, optErr := t.options()
	t.mu.Unlock()
	if optErr != nil {
		return err
	}
	g := proof.GoTest{Config: o.Config, Target: t.Target.Func}
	if output := g.Output(ctx); output != "" {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return err
}

// open returns the session. It makes it at the first turn.
func (t *target) open() (*session.Session, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session != nil {
		return t.session, nil
	}
	o, err := t.options()
	if err != nil {
		return nil, err
	}
	o.OnEvent, o.OnFound, o.OnSmaller = t.onEvent, t.onFound, t.onSmaller
	o.Known = func(f *finding.Finding) bool { return t.campaign.Ledger.IsKnown(t.Target, f) }
	t.campaign.spots.aim(t, &o.Options, o.Config.Path)
	for _, f := range t.campaign.OnEntry {
		o.OnEntry = append(o.OnEntry, func(k engine.Kept) { f(t.name(), k) })
	}
	t.session, t.given = session.Open(o), digestOfSeeds(t.seeds())
	return t.session, nil
}

// cache is the folder of the corpus of the package.
func (t *target) cache() string {
	root := cmp.Or(t.campaign.Corpus, filepath.Join(t.campaign.Toolchain.Cache, "fuzz"))
	return filepath.Join(root, filepath.FromSlash(t.Package))
}

// seeds is the folder of the target in testdata/fuzz, in which its test processes look for inputs.
func (t *target) seeds() string { return filepath.Join(t.Work(), "testdata", "fuzz", t.Target.Func) }

// options returns how to fuzz the target. The caller holds the mutex.
func (t *target) options() (session.Options, error) {
	c, f := t.campaign, t.campaign.Fuzzing
	binary, _, _ := c.binaries.get(t.Package, Instrumented) // a target whose binary is not built is not opened
	o := session.Options{
		Options: engine.Options{
			Target:    t.name(),
			SeedDir:   t.seeds(),
			CorpusDir: project.Relative(c.Dir, filepath.Join(t.Home(), "testdata", "fuzz", t.Target.Func)),
			WriteDir:  t.seeds(),
			CacheDir:  filepath.Join(t.cache(), t.Target.Func),
			MaxExecs:  t.limit(),
			Settings:  f.Settings,
			Procs:     max(1, runtime.GOMAXPROCS(0)/f.Parallel),
			MemRoom:   executor.MemoryRoom(),
			MemShare:  session.MemoryShare(executor.MemoryRoom(), f.Parallel),
			Remember:  f.Race || c.coverer != nil,
			Restart:   true,
			Boundary:  true,
			KeepGoing: true,
		},
		Config: session.Config(c.Environ, t.Target, binary, t.cache(), f.Timeout, f.Args),
		Plain: func(ctx context.Context) (string, error) {
			return c.Builder.Build(ctx, t.Target, Plain, nil)
		},
	}
	o.Formats = func(call finding.Call) []finding.Format { return formatsAt(sourceOf(c.Module, t.Target), call) }
	var err error
	o.Words, err = session.FindWords(f.Words, t.seeds(), func(ctx context.Context) [][]byte { return c.Sources.Words(ctx, t.Target) })
	return o, err
}

// limit returns how many executions the target has left; 0: any number. The caller holds the mutex.
func (t *target) limit() uint64 {
	limit := t.campaign.Limits.MaxExecs
	if limit == 0 {
		return 0
	}
	return max(1, limit-min(limit, t.past.Execs))
}

// onEvent publishes an event of the engine.
func (t *target) onEvent(e event.Event) {
	t.mu.Lock()
	before := t.past.Execs // the engine counts its own
	t.mu.Unlock()
	switch one := e.(type) {
	case event.WarmUp:
		one.Execs += before
		e = one
	case event.WarmedUp:
		t.mu.Lock()
		t.base = one.Edges
		t.mu.Unlock()
		one.Execs += before
		e = one
	case event.Entry:
		t.notes.add(t.Target, one)
	}
	t.campaign.Events.Publish(e)
}

// onFound queues a finding of the engine to be recorded.
func (t *target) onFound(f *finding.Finding) {
	t.campaign.queue.add(func() { t.found(t.campaign.ctx, f) })
}

// onSmaller queues a smaller input of a finding to be recorded.
func (t *target) onSmaller(f *finding.Finding) {
	t.campaign.queue.add(func() { t.campaign.Ledger.Smaller(t.Target, f) })
}

// found records and publishes a finding. It runs in the queue. It first replays a finding that the engine had no time to replay. It does
// not replay one that exceeds the memory limit: plain go test has no limit and may pass, and the engine has executed the input again.
func (t *target) found(ctx context.Context, f *finding.Finding) {
	c := t.campaign
	if f.Replays == 0 && f.Kind != finding.Memory && !t.prove(ctx, f) {
		if f.Refused == "" {
			t.notice(event.Warning, engine.NoHang(f))
		}
		return
	}
	c.spots.failed(t, f)
	if _, what := c.Ledger.Report(t.Target, f, noteOf(t)); what == event.Bug && c.Limits.FailFast && (t.Outside == nil || c.Limits.Outside) {
		c.cancel()
	}
}

// prove replays a finding that the engine had no time to replay, and reports whether it is a finding. It removes the file of a hang that
// is none, and that of a failure that may come of a refusal.
func (t *target) prove(ctx context.Context, f *finding.Finding) bool {
	t.mu.Lock()
	s := t.session
	t.mu.Unlock()
	got, err := s.Prove(context.WithoutCancel(ctx), f)
	if f.Refused != "" {
		t.notice(event.Warning, engine.NotDecided(f))
		discard(t, f)
		return false
	}
	if err != nil && ctx.Err() != nil { // otherwise the engine has tried before, and reported the error
		t.notice(event.Warning, err.Error())
	}
	if err != nil || got != proof.Slow {
		return true
	}
	discard(t, f)
	return false
}

// discard removes the file of a failure that is no finding, if gnaw has made it.
func discard(t *target, f *finding.Finding) {
	if !f.Own {
		return
	}
	if err := corpus.Discard(filepath.Join(t.seeds(), filepath.Base(f.Path))); err != nil {
		t.notice(event.Warning, err.Error())
	}
}

// setAside notes why the target is not fuzzed any more.
func (t *target) setAside(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case errors.Is(err, errLate):
		t.result = event.Unreached
	case t.result == event.Clean:
		t.result = event.Unusable
	}
	t.err = err
}

// Progress returns what the pool needs to split the time.
func (t *target) Progress() bandit.Progress {
	s := t.snapshot()
	t.mu.Lock()
	defer t.mu.Unlock()
	p := bandit.Progress{
		Execs: s.Execs, Edges: s.Edges, Known: t.base, Since: s.SinceEdge, Warmed: s.Warmed, Verifying: s.Verifying, Startup: s.Startup, Done: t.done, Warming: s.WarmingUp,
	}
	if s.WarmingUp {
		p.Known = s.Edges
	}
	return p
}

// snapshot returns the state of the target, with the executions before a kill.
func (t *target) snapshot() engine.Snapshot {
	t.mu.Lock()
	s, past := t.session, t.past
	t.mu.Unlock()
	if s == nil {
		return engine.Snapshot{Run: event.Run{Execs: past.Execs, Edges: past.Edges}}
	}
	now := s.Fuzzer.Snapshot()
	now.Execs += past.Execs
	return now
}

// ran returns the executions of the target by this process. Those before a kill do not count for a rate.
func (t *target) ran() uint64 {
	t.mu.Lock()
	s := t.session
	t.mu.Unlock()
	if s == nil {
		return 0
	}
	return s.Fuzzer.Snapshot().Execs
}

// close frees the resources of the target, and its state.
func (t *target) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.session
	t.session = nil
	if s == nil {
		return nil
	}
	return s.Close()
}
