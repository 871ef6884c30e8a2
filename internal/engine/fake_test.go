package engine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// fakeWorker is a Worker made of two functions.
type fakeWorker struct {
	lab    *lab
	number int // in the order of their start, from 1
	setup  wire.Setup
	known  map[uint64]string
	slice  time.Duration // of the newest request
	sent   []string      // words, one item per call of SendWords
	ended  bool

	underway atomic.Uint64

	given   bool     // its newest Run is of a seed
	refuses bool     // a message asked it to refuse
	allowed [][]byte // except for these
	action  string   // that its newest execution was not allowed to do
}

func (f *fakeWorker) Setup(s wire.Setup) error { f.setup = s; return f.lab.setupErr }

func (f *fakeWorker) Knows(id uint64) bool { _, ok := f.known[id]; return ok }

func (f *fakeWorker) Add(id uint64, a input.Args) error {
	f.known[id] = string(a[0].Data)
	return nil
}

func (f *fakeWorker) SendWords(words [][]byte) error {
	f.lab.checkUsable(f)
	f.sent = append(f.sent, string(bytes.Join(words, []byte(" "))))
	return nil
}

func (f *fakeWorker) Run(ctx context.Context, a input.Args, m wire.Run) (wire.Ran, error) {
	f.lab.checkUsable(f)
	f.given = m.Given
	if m.Show == nil {
		return f.lab.run(ctx, f, string(a[0].Data))
	}
	if f.lab.drift == nil {
		return wire.Ran{}, nil
	}
	return f.lab.drift(f, string(a[0].Data))
}

func (f *fakeWorker) Fuzz(ctx context.Context, m wire.Fuzz, slice time.Duration, found func(wire.New)) (executor.Fuzzed, error) {
	f.lab.checkUsable(f)
	f.slice = slice
	if _, ok := f.known[m.ID]; !ok {
		f.lab.t.Errorf("a worker shall mutate entry %d, which it does not have", m.ID)
	}
	return f.lab.fuzz(ctx, f, m, found)
}

func (f *fakeWorker) Refuse(allowed [][]byte) error {
	f.allowed, f.refuses = allowed, true
	return nil
}

func (f *fakeWorker) Refused() (string, bool) { return f.action, f.action != "" }

func (f *fakeWorker) RunOracles(ctx context.Context, m wire.Measure) (executor.OracleResult, error) {
	f.lab.checkUsable(f)
	return f.lab.oracles(ctx, f, m)
}

func (f *fakeWorker) Stderr() string { return f.lab.stderr }

func (f *fakeWorker) Underway() uint64 { return f.underway.Load() }

func (f *fakeWorker) Preempt() {
	f.lab.count(&f.lab.preempted)
	if f.lab.onPreempt != nil {
		f.lab.onPreempt()
	}
}

func (f *fakeWorker) Stop() { f.Kill() }

func (f *fakeWorker) Kill() {
	f.lab.mu.Lock()
	defer f.lab.mu.Unlock()
	f.ended = true
}

// lab is where an engine runs with fake workers.
type lab struct {
	t        *testing.T
	opts     Options
	parallel int           // workers of goFuzz
	turn     time.Duration // of goFuzz; 0: no limit

	// run and fuzz are what workers do; they are called by several goroutines at once.
	run       func(ctx context.Context, f *fakeWorker, data string) (wire.Ran, error)
	fuzz      func(ctx context.Context, f *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error)
	drift     func(f *fakeWorker, data string) (wire.Ran, error) // an entry is executed again; nil: it shows what it has shown
	on        func(event.Event)                                  // called for each event, after the checks that hold for all
	onPreempt func()                                             // called when a worker is to end its request
	oracles   func(ctx context.Context, f *fakeWorker, m wire.Measure) (executor.OracleResult, error)
	hello     wire.Hello
	startErr  func(number int) error
	passes    bool                                               // a replay in plain go test passes
	replay    func(data string, kind finding.Kind) proof.Verdict // of a file or seed; nil: passes decides
	refused   string                                             // what each replay refuses; empty: nothing
	setupErr  error
	stderr    string // what workers print

	mu        sync.Mutex
	workers   []*fakeWorker
	events    []event.Event
	replayed  []string // files that were replayed
	checked   []string // inputs that were checked, with the oracles
	execs     uint64   // granted to Fuzz
	preempted uint64
}

// clock is a time that only a test moves.
type clock struct{ now atomic.Int64 }

// useClock gives the engine a clock that begins at 0.
func (l *lab) useClock() *clock {
	c := &clock{}
	l.opts.Clock = c.Now
	return c
}

// Now returns the time.
func (c *clock) Now() time.Duration { return time.Duration(c.now.Load()) }

func (c *clock) set(now time.Duration) { c.now.Store(int64(now)) }

func (c *clock) advance(d time.Duration) { c.now.Add(int64(d)) }

var bytesKind = []input.Kind{input.Bytes}

func args(data string) input.Args { return input.Args{{Kind: input.Bytes, Data: []byte(data)}} }

func packed(data string) []byte { return input.Append(nil, args(data)) }

// newLab returns a lab whose target passes and shows nothing new, with one worker and directories of its own.
func newLab(t *testing.T) *lab {
	dir := t.TempDir()
	l := &lab{t: t, parallel: 1, hello: wire.Hello{Kinds: bytesKind, Counters: 8}}
	l.opts = Options{
		Target: event.Subject{Func: "FuzzX"}, Kinds: bytesKind, CorpusDir: filepath.Join(dir, "testdata", "fuzz", "FuzzX"),
		CacheDir: filepath.Join(dir, "cache"), Settings: Settings{Seed: 1},
	}
	l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) { return pass, nil }
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		return allOf(m), nil
	}
	return l
}

// pass is an execution that shows nothing new.
var pass = wire.Ran{Execs: 1, Nanos: 1000}

// allOf is a request that used up its executions and brought nothing.
func allOf(m wire.Fuzz) executor.Fuzzed {
	return executor.Fuzzed{Done: wire.Done{Execs: m.Execs, Nanos: 1000 * m.Execs}}
}

// novel is an input that shows something new.
func novel(data string) wire.New {
	return wire.New{Input: packed(data), Nanos: 1000, Added: []cover.Feature{8}, Edges: 1, Features: []cover.Feature{0, 8}}
}

// failing is a request that ended with a failing input.
func failing(data, output string) executor.Fuzzed {
	return executor.Fuzzed{Done: wire.Done{Execs: 1, Nanos: 1000}, Failed: &wire.Failed{Input: packed(data), Output: output}}
}

// ranFailing is an execution that failed.
func ranFailing(output string) wire.Ran {
	return wire.Ran{Execs: 1, Nanos: 1000, Failed: true, Output: output}
}

// failedAt is the output of a failure at the line of a file.
func failedAt(line int) string { return fmt.Sprintf("    x_test.go:%d: no\n", line) }

// seeds gives the run seeds that are named after their content.
func (l *lab) seeds(contents ...string) {
	for _, c := range contents {
		l.opts.Seeds = append(l.opts.Seeds, Seed{"seed " + c, args(c)})
	}
}

// cache writes entries into the cache directory and returns them in the order of their file names.
func (l *lab) cache(contents ...string) (ordered []string) {
	l.t.Helper()
	for _, c := range contents {
		if _, _, err := storeIn(l.opts.CacheDir, nil).Save(args(c)); err != nil {
			l.t.Fatal(err)
		}
	}
	entries, _, err := storeIn(l.opts.CacheDir, bytesKind).Load(l.t.Context(), nil)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, e := range entries {
		ordered = append(ordered, string(e.Args[0].Data))
	}
	return ordered
}

// goFuzz runs the engine and checks what holds for every run: it ends, no worker and no goroutine is left, and what
// was announced is on disk.
func (l *lab) goFuzz(ctx context.Context) (Outcome, error) {
	l.t.Helper()
	target := New(l.options())
	err := target.Fuzz(ctx, l.turn, 0, l.parallel)
	out := target.Outcome()
	for _, f := range l.workers {
		if !f.ended {
			l.t.Errorf("worker %d is left when Fuzz returns", f.number)
		}
	}
	checkGoroutines(l.t)
	return out, err
}

// options returns the options with the fakes in place.
func (l *lab) options() Options {
	l.opts.OnEvent = l.event
	l.opts.OnFound = func(f *finding.Finding) { l.event(foundEvent{f}) }
	l.opts.OnSmaller = func(f *finding.Finding) { l.event(smallerEvent{f}) }
	l.opts.Start = func(context.Context) (Worker, wire.Hello, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		number := len(l.workers) + 1
		if l.startErr != nil {
			if err := l.startErr(number); err != nil {
				return nil, wire.Hello{}, err
			}
		}
		f := &fakeWorker{lab: l, number: number, known: map[uint64]string{}}
		l.workers = append(l.workers, f)
		return f, l.hello, nil
	}
	l.opts.Replay = func(_ context.Context, x proof.Execution, f *finding.Finding) (proof.Verdict, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.replayed = append(l.replayed, x.Name)
		switch {
		case l.refused != "":
			return 0, &proof.RefusedError{Action: l.refused}
		case l.replay != nil:
			return l.replay(l.content(x.Name), f.Kind), nil
		case l.passes:
			return proof.Passes, nil
		}
		return proof.Fails, nil
	}
	return l.opts
}

// content is what a seed or a file of testdata has.
func (l *lab) content(name string) string {
	for _, s := range l.opts.Seeds {
		if filepath.Base(s.Name) == name {
			return string(s.Args[0].Data)
		}
	}
	a, err := corpus.Read(filepath.Join(l.opts.CorpusDir, name), corpus.GoTest(bytesKind))
	if err != nil {
		l.t.Errorf("replay of %s: %v", name, err)
		return ""
	}
	return string(a[0].Data)
}

// decode is what a packed input has.
func (l *lab) decode(packed []byte) string {
	a, _, err := input.Decode(packed, bytesKind)
	if err != nil {
		l.t.Errorf("decode %q: %v", packed, err)
		return ""
	}
	return string(a[0].Data)
}

// foundEvent and smallerEvent are findings that are reported, among the events.
type (
	foundEvent   struct{ Finding *finding.Finding }
	smallerEvent struct{ Finding *finding.Finding }
)

func (foundEvent) Name() string { return "found" }

func (smallerEvent) Name() string { return "smaller" }

// event keeps an event. What is announced is on disk already.
func (l *lab) event(e event.Event) {
	l.mu.Lock()
	l.events = append(l.events, e)
	l.mu.Unlock()
	switch e := e.(type) {
	case event.Entry:
		if l.opts.CacheDir != "" {
			l.checkFile(e.Path)
		}
	case foundEvent:
		if e.Finding.Path != "" {
			l.checkFile(e.Finding.Path)
		}
	case event.OverLimit:
		l.checkFile(e.Path)
	case event.Grace:
		if len(l.files(l.opts.CorpusDir)) == 0 {
			l.t.Error("a failing input was announced that is not on disk")
		}
	}
	if l.on != nil {
		l.on(e)
	}
}

// checkFile checks that there is a corpus file and returns its content.
func (l *lab) checkFile(path string) string {
	codec := corpus.GoTest
	if l.opts.Codec != nil {
		codec = l.opts.Codec
	}
	a, err := corpus.Read(path, codec(bytesKind))
	if err != nil {
		l.t.Errorf("an entry was announced that is not on disk: %v", err)
		return ""
	}
	return string(a[0].Data)
}

// checkUsable checks that a worker which shall work has not ended.
func (l *lab) checkUsable(f *fakeWorker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f.ended {
		l.t.Errorf("worker %d is used after its end", f.number)
	}
}

func (l *lab) count(n *uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*n++
}

// eventsOf returns the events of one type, in order.
func eventsOf[E event.Event](l *lab) (list []E) {
	for _, e := range l.events {
		if e, ok := e.(E); ok {
			list = append(list, e)
		}
	}
	return list
}

// warningsOf returns the warnings, without those about restarts, in order.
func warningsOf(l *lab) []event.Notice {
	return slices.DeleteFunc(eventsOf[event.Notice](l), isRestart)
}

// restartsOf returns the warnings that a worker is started again, in order.
func restartsOf(l *lab) []event.Notice {
	return slices.DeleteFunc(eventsOf[event.Notice](l), func(n event.Notice) bool { return !isRestart(n) })
}

func isRestart(n event.Notice) bool { return strings.HasSuffix(n.Text, "; starting it again") }

// files lists a directory; one that is not there is empty.
func (l *lab) files(dir string) (names []string) {
	l.t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		l.t.Fatal(err)
	}
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

// checkGoroutines checks that no goroutine of the engine is left. Those that have done their work may need a moment.
func checkGoroutines(t *testing.T) {
	t.Helper()
	left := ""
	for range 200 {
		left = ""
		buf := make([]byte, 1<<20)
		for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "created by github.com/gnaw-fuzz/gnaw/internal/engine.(") {
				left += g + "\n\n"
			}
		}
		if left == "" {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("goroutines are left when Fuzz returns:\n%s", left)
}
