// Package engine fuzzes one target: it joins the corpus, the schedule, the workers, the minimizer and the judgement of
// failures.
//
// [Run] drives one goroutine per worker. Each asks for the next task (a seed to warm up with, an entry to mutate),
// has its worker do it, and reports; everything that they share is in one [run] behind one mutex. A failure is written
// to disk at once, minimized by the worker that found it, and replayed in a fresh process. The first one ends the run, at
// once or after a while in which others are found; a run that shall keep going is not ended. Each kind of failure at each
// place is reported once. A [Target] can be fuzzed in several turns. Nothing that was reported to OnEvent is lost when gnaw
// is killed afterwards.
package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// Outcome is how a run ended.
type Outcome struct {
	Finding  *finding.Finding   // the first one, else OverLimit; nil: the target did not fail
	Findings []*finding.Finding // all
	// Others has inputs that failed as a finding does, as they came, the smallest ones first; at most two of each.
	Others    map[*finding.Finding][]input.Args
	OverLimit *finding.Finding // the first input that used too much memory; nil: there was none
	Final     Snapshot
}

// Run fuzzes until a failure is found (unless it keeps going), the limits are reached or ctx ends; none of these is an
// error. The error is about gnaw, its files and its workers. When Run returns, every process and goroutine that it
// started has ended.
func Run(ctx context.Context, o Options) (Outcome, error) {
	t := New(o)
	err := t.Fuzz(ctx, o.FuzzTime, 0, o.Workers)
	return t.Outcome(), err
}

// Target is a fuzz target with all that is known about it: corpus, schedule, findings. Between two turns it runs nothing.
type Target struct{ r *run }

// New returns a target that was not fuzzed yet. FuzzTime and Workers of the options are for Run.
func New(o Options) *Target { return &Target{newRun(o)} }

// Fuzz fuzzes for a turn, as [Run] does for a whole run; no time means until ctx ends. What is under way when d is over may go on for
// the time more: an execution that takes as long may hang, and would be forgotten with its process. After an error it may be called
// again, which will most likely end in the same way.
func (t *Target) Fuzz(ctx context.Context, d, more time.Duration, workers int) error {
	r := t.r
	begin := time.Now()
	r.mu.Lock()
	r.outer, r.due = ctx, time.Time{}
	if d > 0 {
		r.due = begin.Add(d)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d+more)
		defer cancel()
	}
	if d > 0 && more > 0 {
		over := time.AfterFunc(d, func() { r.rest(begin) })
		defer over.Stop()
	}
	r.ctx, r.cancel = context.WithCancel(ctx)
	r.Workers, r.stopping, r.err, r.turn = workers, false, nil, begin
	if r.FuzzLimit > 0 && uint64(r.Workers) > r.FuzzLimit {
		r.Workers = int(r.FuzzLimit) // no more processes than executions
	}
	r.mu.Unlock()
	defer r.cancel()
	err := r.fuzz()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spent += time.Since(begin)
	r.turn = time.Time{}
	return err
}

// Outcome returns what came of all turns until now.
func (t *Target) Outcome() Outcome {
	r := t.r
	out := Outcome{Final: r.Snapshot()}
	r.mu.Lock()
	defer r.mu.Unlock()
	out.Findings, out.OverLimit = slices.Clone(r.findings), r.overLimit
	out.Others = maps.Clone(r.others)
	out.Finding = r.overLimit
	if len(out.Findings) > 0 {
		out.Finding = out.Findings[0]
	}
	return out
}

// Exhausted reports whether another turn is of no use: the executions are used up, or no input can be executed without
// failing.
func (t *Target) Exhausted() bool {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	return t.r.exhausted
}

// Snapshot returns the state of the target. It may be called from any goroutine.
func (t *Target) Snapshot() Snapshot { return t.r.Snapshot() }

// run is the state of one Run.
type run struct {
	Options
	outer  context.Context // ends when the caller wants it
	ctx    context.Context // ends when the turn shall end
	cancel context.CancelFunc
	saver  *saver

	doubting sync.Mutex // one hang is replayed at a time; not taken while mu is held
	emitting sync.Mutex // one event at a time; not taken while mu is held, since who listens may ask for a snapshot

	mu        sync.Mutex
	changed   *sync.Cond // something in the fields below changed
	stopping  bool
	err       error         // the first error
	prepared  bool          // the corpus is loaded
	folders   []string      // those that were not there then and failing inputs need, the innermost first
	exhausted bool          // there is nothing left to do, in this turn or another
	turn      time.Time     // when the turn began; zero between two turns
	due       time.Time     // when the turn shall end; zero if no time is set
	spent     time.Duration // in earlier turns

	instrumented bool
	workers      map[Worker]bool // all that live
	started      uint64          // workers: each makes other mutants, also of the same entry as one before
	warmup       []*warmEntry    // entries that wait for their first execution
	warmTotal    int
	warmDone     int
	seedsLeft    int    // inputs that the user gave and that were not executed yet
	warmedAt     moment // when the last of them was executed
	corpus       *schedule.Corpus
	standIns     standIns
	hashes       map[string]bool // file names of all entries
	nextID       uint64
	maxLen       int             // current limit for the length of mutants
	usualLen     int             // up to which those of any entry are not long
	requests     uint64          // for mutants
	again        uint64          // requests for entries that were solved before
	lastEntry    moment          // when the last new entry came
	lastEdge     moment          // when the last new edge came
	lastNew      moment          // when the last new entry came, or when mutants were allowed to be longer
	execs        uint64          // executions reported
	shown        uint64          // executions that a Snapshot has told, with those of requests under way
	granted      uint64          // executions promised to workers and not reported
	solving      map[uint64]bool // entries of which a worker tries what they compare
	interesting  int             // new entries, saved
	nanos        uint64          // time of executions in all workers
	findings     []*finding.Finding
	claimed      map[string]*finding.Finding              // the first of each failure, by triage.Key
	places       map[finding.Signature][]*finding.Finding // those at each place
	others       map[*finding.Finding][]input.Args
	inputs       map[string]*finding.Finding // by the file name of their final input
	held         map[*finding.Finding]*corpus.Hold
	final        map[*finding.Finding]smallest // of findings that are told
	fewer        bool                          // fewer workers were started than asked for
	renewed      bool                          // a worker was replaced for what it had forgotten
	vain         bool                          // another one was, and that did not help
	grown        bool                          // a worker was over the memory limit by what many executions left behind
	harmless     map[string]harmless           // hangs and wants of memory that plain go test does not have, by triage.Key
	overLimit    *finding.Finding              // first input that used too much memory
	memMax       uint64                        // MemLimit is not raised beyond this
	startup      time.Duration                 // how long the newest worker took to start
	overflows    overflows
	minimizing   int           // findings that are
	judged       time.Duration // of workers, that went into failures
	settling     int           // findings that somebody deals with
	closed       bool          // no more findings are taken: the run ends when those there are are dealt with
	lingering    *time.Timer   // closes the run; nil: nothing was found
	closeAt      time.Duration // when, by elapsed
	lastClose    time.Duration // and when at the latest
	killed       int           // workers lost to signals from outside, in a row
	killedAt     uint64        // workers that were started when the last of these was counted
	words        [][]byte      // what Words found; nil: not yet, or nothing
	searched     bool          // Words need not be called again
	exams        examinations
	passed       []input.Args // all entries, in the order in which they came, if Remember is set
}

func newRun(o Options) *run {
	if o.WriteDir == "" {
		o.WriteDir = o.CorpusDir
	}
	r := &run{
		Options: o, solving: map[uint64]bool{}, claimed: map[string]*finding.Finding{}, others: map[*finding.Finding][]input.Args{},
		places: map[finding.Signature][]*finding.Finding{}, inputs: map[string]*finding.Finding{}, harmless: map[string]harmless{},
		corpus: schedule.New(o.RandSeed), hashes: map[string]bool{},
		workers: map[Worker]bool{}, held: map[*finding.Finding]*corpus.Hold{}, final: map[*finding.Finding]smallest{}, standIns: standIns{ids: map[uint64]bool{}},
		exams: examinations{suspects: map[finding.Kind]int{}, claimed: map[finding.Kind]bool{}, waiting: map[finding.Kind][]suspicion{}},
	}
	r.changed = sync.NewCond(&r.mu)
	r.lastNew = r.now()
	return r
}

// elapsed returns how long the target was fuzzed. The caller holds the mutex.
func (r *run) elapsed() time.Duration {
	if r.turn.IsZero() {
		return r.spent
	}
	return r.spent + time.Since(r.turn)
}

// fuzz is a turn with the contexts in place.
func (r *run) fuzz() error {
	slots := make([]slot, r.Workers)
	for i := range slots {
		slots[i].number = i
	}
	ctx, cancel := r.inTurn()
	defer cancel()
	hello, err := r.startWorker(ctx, &slots[0], r.maxStack())
	if err != nil {
		return r.unlessStopped(err)
	}
	if !r.prepared {
		if err := r.prepare(hello); err != nil {
			r.endWorker(&slots[0])
			return r.unlessStopped(err)
		}
		r.mu.Lock()
		r.prepared = true
		r.mu.Unlock()
	}
	r.saver = newSaver(r)
	done := make(chan struct{})
	go func() { r.saver.run(); close(done) }()
	release := context.AfterFunc(r.ctx, r.wake)
	defer release()

	searched := make(chan struct{})
	go func() { r.findWords(); close(searched) }()
	if r.Repeatable {
		<-searched // no choice shall depend on how long it takes
	}

	var serving sync.WaitGroup
	for i := range slots {
		serving.Add(1)
		go func() {
			defer serving.Done()
			r.fail(r.serve(&slots[i]))
		}()
	}
	serving.Wait()
	if r.lingering != nil {
		r.lingering.Stop()
	}
	r.saver.close()
	<-done
	r.cancel()
	<-searched
	return r.err
}

// findWords has the words found that workers are given before their next request.
func (r *run) findWords() {
	if r.Words == nil || r.searched || r.Without.Has(technique.Dictionary) {
		return
	}
	words := r.Words(r.ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.words, r.searched = words, r.ctx.Err() == nil
}

// inTurn returns the context of processes that start. One that does not get to fuzzing before the time is over has no overtime.
func (r *run) inTurn() (context.Context, context.CancelFunc) {
	if r.due.IsZero() {
		return context.WithCancel(r.ctx)
	}
	return context.WithDeadline(r.ctx, r.due)
}

// unlessStopped drops an error that the end of the run explains.
func (r *run) unlessStopped(err error) error {
	over := !r.due.IsZero() && !time.Now().Before(r.due)
	if r.ctx.Err() != nil && errors.Is(err, r.ctx.Err()) || over && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// ensureInTurn has a slot have a worker with such a stack, as long as the turn lasts.
func (r *run) ensureInTurn(s *slot, stack int) error {
	ctx, cancel := r.inTurn()
	defer cancel()
	return r.ensureWorker(ctx, s, stack)
}

// prepare loads the corpus for the target that the first worker describes.
func (r *run) prepare(hello wire.Hello) error {
	r.instrumented = hello.Counters > 0
	if hello.Race {
		r.Oracles.On = 0 // the detector has allocations and goroutines of its own, and takes time
	}
	if r.Kinds == nil {
		if err := r.takeSeeds(hello); err != nil {
			return err
		}
	}
	if !r.instrumented {
		r.emit(Warning{"the test binary was not built with coverage instrumentation, so fuzzing will run without coverage guidance and may be inefficient"})
	}
	r.folders = disk.Missing(r.WriteDir)
	for _, dir := range []string{r.WriteDir, r.CacheDir} {
		if err := corpus.Sweep(dir); err != nil {
			r.emit(Warning{err.Error()})
		}
	}
	if err := corpus.SweepLent(r.WriteDir); err != nil {
		r.emit(Warning{err.Error()})
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
	r.maxLen, r.usualLen = minLen, minLen
	if r.Without.Has(technique.LengthLimit) {
		r.maxLen = hardLen
	}
	r.emit(Started{r.Snapshot})
	return nil
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

// warnOnce tells something that is told once in a run. told says whether it was; the mutex guards it.
func (r *run) warnOnce(told *bool, text string) {
	r.mu.Lock()
	first := !*told
	*told = true
	r.mu.Unlock()
	if first {
		r.emit(Warning{text})
	}
}

// fail ends the run with an error; nil and errors that the end of the run explains change nothing.
func (r *run) fail(err error) {
	if err == nil || r.unlessStopped(err) == nil {
		return
	}
	r.mu.Lock()
	if r.err == nil && (r.KeepGoing || len(r.findings) == 0) {
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

// rest ends the turn that began then: workers end what they have under way, and get nothing more to do.
func (r *run) rest(begin time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.turn.Equal(begin) {
		return
	}
	r.stopping = true
	for w := range r.workers {
		w.Preempt()
	}
	r.changed.Broadcast()
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
