package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
)

// result is what came of a target.
type result uint8

const (
	clean     result = iota + 1 // no failure
	buggy                       // a failure that repeats
	flaky                       // a failure that did not
	skipped                     // it calls f.Skip
	unusable                    // it could not be fuzzed
	familiar                    // a failure that is in the list of known ones
	unreached                   // the campaign ended before it was fuzzed, so nothing is known
)

// String is the name of the result in output that machines read.
func (r result) String() string {
	return [...]string{"", "clean", "bug", "flaky", "skipped", "unusable", "known", "unreached"}[r]
}

// errSkipped is a target that ended in good order without calling F.Fuzz.
var errSkipped = errors.New("the target ended in good order without calling F.Fuzz, as with f.Skip")

// member is a target of a campaign.
type member struct {
	console *console
	target  build.Target

	scarceSince time.Time // when the system began not to have what a process takes; zero: it has. Only Fuzz uses it

	mu      sync.Mutex
	session *session // nil until the first turn
	base    int      // edges after the warm-up
	result  result
	done    bool              // there is no more to do
	err     error             // why it is set aside
	told    map[string]result // what was found, by ID: buggy, flaky or familiar

	code    string // digest of the test binary; before Prepare, what it was when the campaign was killed
	past    state  // what the campaign knew when it was killed
	latest  state  // what it knows now
	changed bool   // it knows more than is recorded
}

// countOf returns how many findings make this of the target. The caller holds the mutex.
func (m *member) countOf(what result) (n int) {
	for _, r := range m.told {
		if r == what {
			n++
		}
	}
	return n
}

// Prepare builds the test binary. Targets of one package share it.
func (m *member) Prepare(ctx context.Context) error {
	code, err := m.console.binaries.build(ctx, m.target.Package)
	if err != nil {
		return err
	}
	m.recognize(code)
	return m.console.prepareRace(ctx, m)
}

// Fuzz fuzzes the target for a turn.
func (m *member) Fuzz(ctx context.Context, d, more time.Duration, workers int) error {
	s, err := m.open()
	if err == nil {
		err = m.present()
	}
	if err != nil {
		return err
	}
	err = s.fuzz(ctx, d, more, workers)
	if scarce(err) && m.mayWait() {
		m.wait(ctx, min(d, scarceFor), err)
		return nil
	}
	m.scarceSince = time.Time{}
	if gone := m.present(); err != nil && gone != nil {
		err = gone // which is why no process could be started
	}
	var start *executor.StartError
	if errors.As(err, &start) && start.Code != 0 && start.Stderr == "" && ctx.Err() == nil {
		err = m.explain(ctx, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done = s.target.Exhausted()
	if start != nil && start.Code == 0 {
		m.result = skipped
		return errSkipped
	}
	if err != nil && ctx.Err() == nil && m.result == clean {
		m.result = unusable
	}
	return err
}

// explain adds to the error of a process that did not get to fuzzing what it prints in plain go test. The output of processes that
// fuzz is not kept.
func (m *member) explain(ctx context.Context, err error) error {
	m.mu.Lock()
	o, optErr := m.options()
	m.mu.Unlock()
	if optErr != nil {
		return err
	}
	if said := plainOutput(ctx, o.config, m.target.Name); said != "" {
		return fmt.Errorf("%w\n%s", err, said)
	}
	return err
}

// present returns an error if the package of the target was deleted since its binary was built: what is found would bring
// its folder back.
func (m *member) present() error {
	list, err := os.ReadDir(m.target.Dir)
	if err == nil && slices.ContainsFunc(list, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".go" }) {
		return nil
	}
	return fmt.Errorf("the folder of the package is gone or has no Go file any more: %s; start gnaw again when it is back", m.target.Dir)
}

// open makes the session at the first turn.
func (m *member) open() (*session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.session != nil {
		return m.session, nil
	}
	o, err := m.options()
	if err != nil {
		return nil, err
	}
	m.session = openSession(o, m.event)
	return m.session, nil
}

// options says how to fuzz the target.
func (m *member) options() (targetOptions, error) {
	c := m.console
	binary := c.binaries.path(m.target.Package)
	cache := filepath.Join(c.toolchain.Cache, "fuzz", filepath.FromSlash(m.target.Package))
	seeds := filepath.Join(m.target.Dir, "testdata", "fuzz", m.target.Name)
	o := targetOptions{
		Options: engine.Options{
			Target:        m.target.Name,
			SeedDir:       seeds,
			CorpusDir:     c.relative(seeds),
			WriteDir:      seeds,
			CacheDir:      filepath.Join(cache, m.target.Name),
			FuzzLimit:     m.limit(),
			MinimizeTime:  c.flags.minimize.time,
			MinimizeLimit: int(c.flags.minimize.execs),
			Procs:         procsOf(c.flags.parallel),
			MemLimit:      c.flags.memLimit,
			MemRoom:       executor.MemoryRoom(),
			MemShare:      memoryShare(executor.MemoryRoom(), c.flags.parallel),
			RandSeed:      c.flags.seed,
			Repeatable:    c.flags.repeatable,
			Without:       c.flags.without,
			Oracles:       c.flags.oracles,
			Remember:      c.flags.race,
			Restart:       true,
			KeepGoing:     true,
		},
		config: workerConfig(c.env, m.target, binary, cache, c.flags.timeout, c.flags.args),
		plain: func(ctx context.Context) (string, error) {
			return c.builder.Plain(ctx, m.target.Package, c.flags.plain)
		},
	}
	place := dictionary.Place{Dir: m.target.Dir, Target: m.target.Name, Getenv: c.env.Getenv}
	var err error
	o.Words, err = findWords(c.flags.words, seeds, place)
	return o, err
}

// limit is how many executions are left to the target; 0: any number. The caller holds the mutex.
func (m *member) limit() uint64 {
	limit := m.console.flags.execs
	if limit == 0 {
		return 0
	}
	return max(1, limit-min(limit, m.past.Execs))
}

// event notes what the engine reports and passes it on.
func (m *member) event(e engine.Event) {
	m.mu.Lock()
	switch e := e.(type) {
	case engine.WarmedUp:
		m.base = e.Snapshot.Edges
	}
	m.mu.Unlock()
	m.console.event(m, e)
}

// found reports a finding. One of the last moment is replayed now, so that nothing is told without proof. What needed too
// much memory is left out: plain go test has no limit, so it would pass on a machine that is large enough, and the engine
// has executed it again.
func (m *member) found(f *finding.Finding) {
	c := m.console
	if f.Replays == 0 && f.Kind != finding.Memory && !m.prove(context.WithoutCancel(c.ctx), f) {
		m.event(engine.NoHang(f))
		return
	}
	id, what := c.report(c.ctx, m.target, f)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told[id] = what
	if what == buggy && c.flags.failFast {
		c.cancel()
	}
}

// prove replays a finding that the engine had no time for, and reports whether it is one. A hang that is none leaves no file behind.
func (m *member) prove(ctx context.Context, f *finding.Finding) bool {
	m.mu.Lock()
	s := m.session
	m.mu.Unlock()
	got, err := s.target.Prove(ctx, f)
	if err != nil && m.console.ctx.Err() != nil { // otherwise the engine has tried before, and said so
		m.event(engine.Warning{Text: err.Error()})
	}
	if err != nil || got != engine.ReplaySlow {
		return true
	}
	if f.Own {
		if err := corpus.Discard(filepath.Join(m.target.Dir, "testdata", "fuzz", m.target.Name, filepath.Base(f.Path))); err != nil {
			m.event(engine.Warning{Text: err.Error()})
		}
	}
	return false
}

// Binary is the package, of which there is one binary.
func (m *member) Binary() string { return m.target.Package }

// Progress tells what was reached.
func (m *member) Progress() campaign.Progress {
	s := m.snapshot()
	m.mu.Lock()
	defer m.mu.Unlock()
	p := campaign.Progress{
		Execs: s.Execs, Edges: s.Edges, Known: m.base, Since: s.SinceEdge, Warmed: s.Warmed, Judged: s.Judged, Startup: s.Startup, Done: m.done, Warming: s.WarmingUp,
	}
	if s.WarmingUp {
		p.Known = s.Edges
	}
	return p
}

// snapshot returns the state of the target, with the executions of the campaign before it was killed.
func (m *member) snapshot() engine.Snapshot {
	m.mu.Lock()
	s, past := m.session, m.past
	m.mu.Unlock()
	if s == nil {
		return engine.Snapshot{Execs: past.Execs, Edges: past.Edges}
	}
	now := s.target.Snapshot()
	now.Execs += past.Execs
	return now
}

// ran returns how many executions of the target this process has done. What was before a kill has no share in a rate, and may
// be dropped.
func (m *member) ran() uint64 {
	m.mu.Lock()
	s := m.session
	m.mu.Unlock()
	if s == nil {
		return 0
	}
	return s.target.Snapshot().Execs
}

// close frees what the target used. Its state is gone then.
func (m *member) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.session
	m.session = nil
	if s == nil {
		return nil
	}
	return s.close()
}

// judge decides what came of the target when the campaign is over.
func (m *member) judge() {
	m.mu.Lock()
	s := m.session
	m.mu.Unlock()
	if s != nil {
		out := s.target.Outcome()
		for f, others := range out.Others {
			m.console.keep(m.target, f, others)
		}
		m.console.restore(m)
		// An input that needs too much memory may pass in plain go test, but nobody wants it unseen.
		if f := out.OverLimit; f != nil {
			m.found(f)
		}
	}
	now := m.snapshot()
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.countOf(buggy) > 0:
		m.result = buggy
	case m.result != clean:
	case m.countOf(flaky) > 0 && now.Hopeless:
		m.result, m.err = unusable, errFailsAlways
	case m.countOf(flaky) > 0:
		m.result = flaky
	case m.countOf(familiar) > 0:
		m.result = familiar
	default:
		if why := notReached(s != nil, now); why != "" && !m.past.Seeded {
			m.result, m.err = unreached, errors.New(why)
		}
	}
}

// errFailsAlways is a target that cannot work in a process that fuzzes it.
var errFailsAlways = errors.New("each input that it is given fails in a fuzzing process, and so does the zero value, but not each time " +
	"in plain go test")

// notReached says why nothing is known about a target of which no failure is, and whose seeds were not all executed before the
// campaign was killed; empty if it was fuzzed.
func notReached(hadTurn bool, s engine.Snapshot) string {
	switch {
	case !hadTurn:
		return "its turn did not come"
	case !s.Prepared:
		return "its process did not get to F.Fuzz in its time"
	case s.Execs == 0:
		return "no input was executed in its time"
	case !seeded(s):
		return plural(s.SeedsLeft, "seed") + " left"
	}
	return ""
}

// seeded reports whether all seeds of a target were executed.
func seeded(s engine.Snapshot) bool { return s.Prepared && s.SeedsLeft == 0 }

// binaries builds test binaries, each once.
type binaries struct {
	console *console
	mu      sync.Mutex
	built   map[string]*built // by package
	extra   []string          // flags for the go command, besides those of the user
}

type built struct {
	once sync.Once
	code string // digest
	err  error
}

func (b *binaries) path(pkg string) string { return b.console.builder.Path(pkg, b.flags()) }

// build builds the test binary of a package, unless it has been, and returns its digest.
func (b *binaries) build(ctx context.Context, pkg string) (code string, err error) {
	b.mu.Lock()
	one := b.built[pkg]
	if one == nil {
		one = &built{}
		b.built[pkg] = one
	}
	b.mu.Unlock()
	one.once.Do(func() {
		b.console.say(&buildLine{Package: pkg, Race: len(b.extra) > 0})
		one.err = b.console.builder.Binary(ctx, pkg, b.flags())
		one.code = digestOf(b.path(pkg))
	})
	return one.code, one.err
}
