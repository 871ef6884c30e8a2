// Package engine fuzzes one target: it joins the corpus, the schedule, the workers, the minimizer and the judgement of
// failures.
//
// [Run] drives one goroutine per worker. Each asks for the next task (a seed to warm up with, an entry to mutate),
// has its worker do it, and reports; everything that they share is in one [run] behind one mutex. The first failure
// ends the run: it is written to disk at once, minimized by the worker that found it while the others rest, and
// replayed in a fresh process. Nothing that was reported to OnEvent is lost when gnaw is killed afterwards.
package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// Worker is a process that executes inputs; *executor.Worker in production.
type Worker interface {
	Setup(s wire.Setup) error
	Knows(id uint64) bool
	Add(id uint64, a input.Args) error
	Run(ctx context.Context, a input.Args, trace bool) (wire.Ran, error)
	Fuzz(ctx context.Context, m wire.Fuzz, slice time.Duration, found func(wire.New)) (executor.Fuzzed, error)
	Preempt()
	Stop()
	Kill()
}

// Options says what to fuzz and how long. The zero value of each field means what its comment says.
type Options struct {
	Target        string            // name of the fuzz target
	Kinds         []input.Kind      // types of its arguments; nil: ask the first worker
	Seeds         []Seed            // inputs that the user gave
	SeedDir       string            // directory whose files are seeds too; empty: none
	CorpusDir     string            // directory for failing inputs, as it is shown to the user
	WriteDir      string            // the same directory as gnaw can reach it; empty: CorpusDir
	CacheDir      string            // directory for interesting inputs; empty: they are not kept
	FuzzTime      time.Duration     // 0: no limit
	FuzzLimit     uint64            // executions; 0: no limit
	MinimizeTime  time.Duration     // 0 with MinimizeLimit 0: failures are not minimized
	MinimizeLimit int               // executions; 0: no limit
	Workers       int               // at least 1
	MemLimit      uint64            // bytes of heap per worker; 0: no limit
	RandSeed      uint64            // of all random choices
	Repeatable    bool              // no choice depends on time, so that with one worker the same seed gives the same run
	Without       technique.Set     // techniques that are not used
	Restart       bool              // a worker that something outside has killed is started again
	Start         StartFunc         // starts a worker
	Replay        ReplayFunc        // runs a failing input as plain go test does; nil: findings are not proved
	Coverage      func() (int, int) // edges and buckets seen; nil: unknown
	OnEvent       func(Event)       // called for each event, one at a time; must not block; nil: nobody listens
}

// StartFunc starts a worker and returns what it said about itself.
type StartFunc func(ctx context.Context) (Worker, wire.Hello, error)

// ReplayFunc runs the file with that name in CorpusDir as plain go test does, in a fresh process, and reports whether the
// target failed. The error says that it could not be run.
type ReplayFunc func(ctx context.Context, name string) (failed bool, err error)

// Seed is an input that the user gave.
type Seed struct {
	Name string // "seed#0", or the path of a file
	Args input.Args
}

// Outcome is how a run ended.
type Outcome struct {
	Finding *finding.Finding // nil: the target did not fail
	Final   Snapshot
}

// Run fuzzes until a failure is found, the limits are reached or ctx ends; none of these is an error. The error is
// about gnaw, its files and its workers. When Run returns, every process and goroutine that it started has ended.
func Run(ctx context.Context, o Options) (Outcome, error) {
	r := newRun(o)
	if o.FuzzTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.FuzzTime)
		defer cancel()
	}
	r.ctx, r.cancel = context.WithCancel(ctx)
	defer r.cancel()
	err := r.fuzz()
	if r.finding == nil {
		r.finding = r.overLimit
	}
	return Outcome{Finding: r.finding, Final: r.Snapshot()}, err
}

// run is the state of one Run.
type run struct {
	Options
	ctx    context.Context // ends when the run shall end
	cancel context.CancelFunc
	start  time.Time
	saver  *saver

	emitting sync.Mutex // one event at a time; not taken while mu is held, since who listens may ask for a snapshot

	mu       sync.Mutex
	changed  *sync.Cond // something in the fields below changed
	stopping bool
	err      error // the first error

	instrumented bool
	workers      map[Worker]bool // all that live
	warmup       []*warmEntry    // entries that wait for their first execution
	warmTotal    int
	warmDone     int
	corpus       *schedule.Corpus
	hashes       map[string]bool // file names of all entries
	nextID       uint64
	maxLen       int    // current limit for the length of mutants
	largest      int    // largest buffer of a seed
	lastEntry    moment // when the last new entry came
	lastNew      moment // when it came, or when mutants were allowed to be longer
	execs        uint64 // executions reported
	granted      uint64 // executions promised to workers and not reported
	interesting  int    // new entries, saved
	nanos        uint64 // time of executions in all workers
	finding      *finding.Finding
	overLimit    *finding.Finding // first input that used too much memory
	memMax       uint64           // MemLimit is not raised beyond this
	minimizing   bool
	killed       int // workers lost to signals from outside, in a row
}

// warmEntry is an input that is executed once before fuzzing starts.
type warmEntry struct {
	name   string
	args   input.Args
	isSeed bool // given by the user: a failure is not written again
	isZero bool // made up because there was none: counts as found by fuzzing
}

func newRun(o Options) *run {
	if o.WriteDir == "" {
		o.WriteDir = o.CorpusDir
	}
	if o.FuzzLimit > 0 && uint64(o.Workers) > o.FuzzLimit {
		o.Workers = int(o.FuzzLimit) // no more processes than executions
	}
	r := &run{
		Options: o, start: time.Now(), corpus: schedule.New(o.RandSeed), hashes: map[string]bool{},
		workers: map[Worker]bool{},
	}
	r.changed = sync.NewCond(&r.mu)
	r.lastNew = r.now()
	return r
}

// fuzz is Run with the contexts in place.
func (r *run) fuzz() error {
	first, hello, err := r.startWorker(0)
	if err != nil {
		return r.unlessStopped(err)
	}
	if err := r.prepare(hello); err != nil {
		first.Stop()
		return r.unlessStopped(err)
	}
	r.saver = newSaver(r)
	done := make(chan struct{})
	go func() { r.saver.run(); close(done) }()
	release := context.AfterFunc(r.ctx, r.wake)
	defer release()

	var serving sync.WaitGroup
	for i := range r.Workers {
		w := first
		if i > 0 {
			w = nil
		}
		serving.Add(1)
		go func() {
			defer serving.Done()
			r.fail(r.serve(&slot{worker: w, number: i}))
		}()
	}
	serving.Wait()
	r.saver.close()
	<-done
	return r.err
}

// unlessStopped drops an error that the end of the run explains.
func (r *run) unlessStopped(err error) error {
	if r.ctx.Err() != nil && errors.Is(err, r.ctx.Err()) {
		return nil
	}
	return err
}

// prepare loads the corpus for the target that the first worker describes.
func (r *run) prepare(hello wire.Hello) error {
	r.instrumented = hello.Counters > 0
	if r.Kinds == nil {
		if err := r.takeSeeds(hello); err != nil {
			return err
		}
	}
	if !r.instrumented {
		r.emit(Warning{"the test binary was not built with coverage instrumentation, so fuzzing will run without coverage guidance and may be inefficient"})
	}
	for _, dir := range []string{r.WriteDir, r.CacheDir} {
		if err := corpus.Sweep(dir); err != nil {
			r.emit(Warning{err.Error()})
		}
	}
	for _, s := range r.Seeds {
		r.enqueue(&warmEntry{name: s.Name, args: s.Args, isSeed: true})
	}
	if err := r.loadCache(); err != nil {
		return err
	}
	if len(r.warmup) == 0 {
		r.emit(Warning{"starting with empty corpus"})
		r.enqueue(&warmEntry{args: input.Zero(r.Kinds), isZero: true})
		r.warmTotal = 0
	}
	r.maxLen = max(minLen, r.largest+r.largest/4)
	if r.Without.Has(technique.LengthLimit) {
		r.maxLen = max(hardLen, r.largest)
	}
	r.emit(Started{r.Snapshot})
	return nil
}

// takeSeeds takes the types and the inputs of F.Add from a worker and reads the seed directory.
func (r *run) takeSeeds(hello wire.Hello) error {
	r.Kinds = hello.Kinds
	for i, packed := range hello.Seeds {
		a, _, err := input.Decode(packed, r.Kinds)
		if err != nil {
			return fmt.Errorf("the %s argument list of F.Add does not fit the fuzz target: %w", ordinal(i+1), err)
		}
		r.Seeds = append(r.Seeds, Seed{fmt.Sprintf("seed#%d", i), a})
	}
	if r.SeedDir == "" {
		return nil
	}
	entries, problems, err := corpus.Load(r.ctx, r.SeedDir, r.Kinds, nil)
	if err != nil {
		return err
	}
	if len(problems) > 0 { // as in go test
		return errors.Join(problems...)
	}
	for _, e := range entries {
		r.Seeds = append(r.Seeds, Seed{e.Path, e.Args})
	}
	return nil
}

func ordinal(n int) string {
	switch n {
	case 1:
		return "1st"
	case 2:
		return "2nd"
	case 3:
		return "3rd"
	}
	return fmt.Sprintf("%dth", n)
}

// loadCache queues the entries that earlier runs left.
func (r *run) loadCache() error {
	if r.CacheDir == "" {
		return nil
	}
	entries, problems, err := corpus.Load(r.ctx, r.CacheDir, r.Kinds, func(done, total int) {
		r.emit(Loading{done, total})
	})
	if err != nil {
		return err
	}
	for _, p := range problems {
		r.emit(Warning{fmt.Sprintf("skipping a file of the corpus cache: %v", p)})
	}
	for _, e := range entries {
		r.enqueue(&warmEntry{name: e.Path, args: e.Args})
	}
	return nil
}

// enqueue adds an entry to the warm-up, unless its content is known.
func (r *run) enqueue(e *warmEntry) {
	name := corpus.Name(input.Marshal(e.args))
	if r.hashes[name] {
		return
	}
	r.hashes[name] = true
	for _, v := range e.args {
		r.largest = max(r.largest, len(v.Data))
	}
	r.warmup = append(r.warmup, e)
	r.warmTotal++
}

// emit reports an event.
func (r *run) emit(e Event) {
	if r.OnEvent == nil {
		return
	}
	r.emitting.Lock()
	defer r.emitting.Unlock()
	r.OnEvent(e)
}

// fail ends the run with an error; nil and errors that the end of the run explains change nothing.
func (r *run) fail(err error) {
	if err == nil || r.unlessStopped(err) == nil {
		return
	}
	r.mu.Lock()
	if r.err == nil && r.finding == nil {
		r.err = err
	}
	r.mu.Unlock()
	r.stop()
}

// stop ends the run.
func (r *run) stop() {
	r.cancel()
	r.wake()
}

// wake has everybody look at the state again.
func (r *run) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		r.stopping = true
	}
	r.changed.Broadcast()
}
