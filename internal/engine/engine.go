// Package engine fuzzes one target: it connects the corpus, the schedule, the workers, the minimizer and the oracles.
//
// [Fuzzer.Fuzz] runs one goroutine per worker. The goroutine chooses the next task, sends it to the worker, and handles the result. The
// engine writes a failing input to disk at once, minimizes it with the worker that found it, and replays it in a fresh process. The first
// failure ends the run, at once or after a grace period in which the engine looks for other failures; with KeepGoing no failure ends it.
// The engine reports each kind of failure at each place once. A [Fuzzer] can be fuzzed in several turns. If gnaw is killed, nothing that
// the engine has reported is lost.
//
// # Files
//
// The files are in the order in which an input passes through them: a function calls functions of its own file and of later files. The
// stages come first; each sends tasks to workers:
//
//   - engine.go, beside.go, dispatch.go: Fuzz, the start of the first processes, the goroutine of a worker, and the choice of its next task
//   - failing.go, prepare.go, warm.go: seeds and cached entries are loaded and executed once
//   - watch.go, import.go: entries that other processes have found are executed once
//   - request.go, burst.go: the request to mutate an entry, and its options
//   - drift.go: a worker is replaced if its executions change the behavior of later ones
//   - oracles.go, cost.go: oracles measure inputs that pass
//   - verify.go: a failure becomes a finding, or not, after signal.go, memory.go, hang.go, minimize.go, matter.go,
//     candidate.go, overflow.go and replay.go have checked it
//
// The stages share the state of the run (state.go, snapshot.go). It has one type for each of these parts, with its own lock:
//
//   - queue.go: the inputs that wait for the oracles
//   - ledger.go, grace.go, claims.go, keys.go: the findings, how long the run continues after one, which failure is one, and what
//     distinguishes failures
//   - files.go: the files of findings
//   - saver.go, warmup.go, imports.go, entries.go, length.go: the corpus and its directory, and how long mutants may be
//   - pool.go: the workers
//   - refusals.go: what seeds have done outside of their process, and what was refused
//   - emit.go: the order of events
//   - turn.go, meter.go: when the turn ends, and the time and the executions of the target
//
// # Locks
//
// A goroutine that holds a lock takes others in this order only: hangs, turn, requests, queue; then one of ledger, files, warm-up, imports,
// entries, lengths, pool, overflows and saver; then the meter or the keys. No lock is held while a worker does something or a file is written, except that of
// hangs, which are replayed one at a time. Events and findings are reported while no lock but that of their order is held, so the
// callbacks may call the methods of the target.
package engine

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// Outcome is how a run ended.
type Outcome struct {
	Finding  *finding.Finding   // the first one, else that of OverLimit; nil: the target did not fail
	Findings []*finding.Finding // all
	// Others has inputs that failed as a finding does, as they came, the smallest ones first; at most two of each.
	Others    map[*finding.Finding][]input.Args
	OverLimit []*finding.Finding // inputs that used too much memory
	Beyond    []Beyond           // what is not recorded because there is too much of it at one place
	Final     Snapshot
}

// Fuzzer fuzzes a target, and has all that is known about it: corpus, schedule, findings. Between two turns it runs nothing.
type Fuzzer struct{ engine *engine }

// New returns a target that was not fuzzed yet.
func New(o Options) *Fuzzer { return &Fuzzer{newEngine(o)} }

// Fuzz fuzzes for a turn of length d with that many workers, at least one. The turn ends earlier when a failure is found (unless the
// options say to keep going), when the executions are used up, or when ctx ends; none of these is an error. With a d of 0 there is no
// limit of time. The error is about gnaw, its files and its workers. When Fuzz returns, every process and goroutine that it started has
// ended.
//
// Executions that are under way when d is over may go on for the time more: one that takes so long may hang, and a hang is only known
// when its limit is over. Fuzz may be called again after an error, and will most likely return the same one. Turns of one target must
// not overlap.
func (t *Fuzzer) Fuzz(ctx context.Context, d, more time.Duration, workers int) error {
	e, outer := t.engine, ctx
	if d > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d+more)
		defer cancel()
	}
	e.meter.begin(d)
	defer e.meter.end()
	number := e.turn.begin(outer, ctx)
	if d > 0 && more > 0 {
		over := time.AfterFunc(d, func() {
			if e.turn.rest(number) {
				e.pool.preempt()
			}
		})
		defer over.Stop()
		late := time.AfterFunc(d+lateAfter, func() { e.late(number, more) })
		defer late.Stop()
	}
	err := e.fuzz(e.pool.resize(workers))
	if turnErr := e.turn.end(); err == nil {
		err = turnErr
	}
	return err
}

// lateAfter is how long a turn waits for executions before gnaw prints a warning.
const lateAfter = 2 * time.Second

// late tells the user that the turn with that number, if it is under way, waits for executions for so much longer than its time.
func (e *engine) late(number uint64, more time.Duration) {
	if e.pool.underway() > 0 && e.turn.isUnderWay(number) {
		e.events.warnOnce(&e.pool.late, fmt.Sprintf("an execution goes on although its time is over; gnaw waits for up to %v to see whether it hangs",
			more.Round(time.Second)))
	}
}

// Outcome returns what came of all turns until now. It may be called from any goroutine.
func (t *Fuzzer) Outcome() Outcome {
	out := Outcome{Final: t.engine.Snapshot()}
	t.engine.ledger.report(&out)
	return out
}

// Exhausted reports whether another turn has nothing to do: the executions are used up, or every input fails. It may be
// called from any goroutine.
func (t *Fuzzer) Exhausted() bool { return t.engine.turn.isExhausted() }

// Snapshot returns the state of the target. It may be called from any goroutine.
func (t *Fuzzer) Snapshot() Snapshot { return t.engine.Snapshot() }

// Passed returns the inputs that are in the corpus, in the order in which they came, without the first ones. The target has
// to remember them; see Options. They must not be changed. It may be called from any goroutine.
func (t *Fuzzer) Passed(from int) []input.Args { return t.engine.entries.passedFrom(from) }

// Import adds entries that another process has found, such as one on another machine, to those that wait for their execution. It does
// not wait for that, and no worker does: one entry at a time is executed beside fuzzing, after the warm-up, in this turn or the next
// ones. An entry becomes one of the corpus if it shows something new, and is saved if it has no file; if it fails, that is a failure as
// any other. An entry is not executed if the target has one with the same arguments, or if all its features are of the binary that runs
// and entries of the target show them. It may be called from any goroutine, also by a callback, and before the first turn.
func (t *Fuzzer) Import(entries []Imported) { t.engine.importEntries(entries) }

// Prove runs a finding again for which the run had no time, and counts it. It returns [proof.Slow] for a hang that is none, and sets
// Refused of one that wants to do something that is refused. It reports
// no event, so that a callback may call it.
func (t *Fuzzer) Prove(ctx context.Context, f *finding.Finding) (got proof.Verdict, err error) {
	r := t.engine.verifier.replays
	err = r.count(f, 1, func() (failed bool, err error) {
		got, err = r.rerun(ctx, f)
		return got == proof.Fails, err
	})
	if f.Refused = refusedIn(err); f.Refused != "" {
		t.engine.refusals.leave(f)
	}
	return got, err
}

// Undecided says why the run without a finding does not say that there is none: after a failure behind a refusal, or if it was cut short; empty: it
// does. It may be called from any goroutine.
func (t *Fuzzer) Undecided() string {
	return cmp.Or(t.engine.refusals.why(), t.engine.turn.whyCut())
}

// Policy returns what a replay of the file or seed with that name refuses: nothing if refuse is false, else all but the allowed actions.
// It may be called from any goroutine.
func (t *Fuzzer) Policy(name string) (allowed [][]byte, refuse bool) {
	e := t.engine
	if !e.Refuse {
		return nil, false
	}
	for _, s := range e.warmup.givenSeeds() {
		if filepath.Base(s.Name) == name {
			return nil, false
		}
	}
	return e.refusals.list(), true
}

// engine joins the stages.
type engine struct {
	*state
	warming  *warming
	importer *importing
	watch    *watch
	requests *requests
	oracles  *oracles
	verifier *verifier
}

func newEngine(o Options) *engine {
	if o.WriteDir == "" {
		o.WriteDir = o.CorpusDir
	}
	if o.Clock == nil {
		start := time.Now()
		o.Clock = func() time.Duration { return time.Since(start) }
	}
	s := newState(&o)
	o.Start, o.StartPatient = s.refusals.starting(o.Start), s.refusals.starting(o.StartPatient)
	v := newVerifier(s)
	return &engine{
		state: s, warming: &warming{state: s, verifier: v}, importer: &importing{s, v}, watch: &watch{state: s, listed: map[string]bool{}}, requests: newRequests(s, &drift{state: s, verifier: v}, v),
		oracles: &oracles{state: s, verifier: v}, verifier: v,
	}
}

// fuzz fuzzes for a turn with that many workers.
func (e *engine) fuzz(workers int) error {
	slots := make([]slot, workers)
	for i := range slots {
		slots[i].number = i
	}
	if err := e.startFirst(&slots[0]); err != nil {
		return e.turn.unlessStopped(err)
	}
	slots = e.startBeside(slots)
	e.saver = newSaver(e.Options, e.entries, e.events, e.fail)
	saved := make(chan struct{})
	go func() { e.saver.run(); close(saved) }()
	release := context.AfterFunc(e.turn.ctx, e.turn.wake)
	defer release()

	searched := make(chan struct{})
	go func() { e.requests.findWords(); close(searched) }()
	if e.Repeatable {
		<-searched // choices do not depend on how long it takes
	}

	watched := make(chan struct{})
	go func() { e.watch.run(); close(watched) }()

	var serving sync.WaitGroup
	for i := range slots {
		serving.Add(1)
		go func() {
			defer serving.Done()
			e.fail(e.serve(&slots[i]))
		}()
	}
	serving.Wait()
	e.ledger.stopGrace()
	e.saver.close()
	<-saved
	e.turn.cancel()
	<-searched
	<-watched
	return nil
}

// startFirst starts the worker of the first slot. The first one of a run describes the target, for which the corpus is loaded.
func (e *engine) startFirst(s *slot) error {
	ctx, cancel := e.turn.starting()
	defer cancel()
	hello, err := e.pool.start(ctx, s, e.verifier.overflows.maxStack())
	if err != nil || e.prepared.Load() {
		return err
	}
	if err := e.prepare(hello); err != nil {
		e.pool.end(s)
		return err
	}
	e.prepared.Store(true)
	return nil
}
