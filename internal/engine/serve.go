package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// task is what a worker does next: an input to execute once, or an entry to mutate.
type task struct {
	warm  *warmEntry
	exam  *examination
	entry *schedule.Entry
	meet  []*schedule.Entry // entries to get to know
	fuzz  wire.Fuzz
	slice time.Duration // after which the request is ended; 0: it has only its executions
	grant uint64        // executions promised
}

// serve has the worker of a slot do tasks until the run ends.
func (r *run) serve(s *slot) error {
	defer r.endWorker(s)
	for {
		t := r.next()
		if t == nil {
			return nil
		}
		stack := r.maxStack()
		if t.warm != nil && t.warm.deep {
			stack = 0
		}
		err := r.ensureInTurn(s, stack)
		if err != nil {
			r.giveBack(t)
			err = r.retire(err)
			r.release(t)
			return err
		}
		err = r.perform(s, t)
		r.release(t)
		if err != nil {
			return err
		}
	}
}

// giveBack takes a task back for which there was no worker. Such is the end of a turn; the next one has it done.
func (r *run) giveBack(t *task) {
	r.postpone(t.warm)
	if t.exam != nil {
		r.mu.Lock()
		r.exams.cut = append(r.exams.cut, t.exam)
		r.mu.Unlock()
	}
	r.account(t.grant, 0, 0)
}

// next returns what a worker shall do, nil when the run ends. It waits while others have to finish something first.
func (r *run) next() *task {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if r.stopping {
			return nil
		}
		if t, wait := r.choose(); t != nil {
			r.granted += t.grant
			return t
		} else if !wait {
			r.stopping, r.exhausted = true, true
			r.cancel()
			r.changed.Broadcast()
			return nil
		}
		r.changed.Wait()
	}
}

// errNothing ends a run in which all inputs that there are take too long.
var errNothing = errors.New("there is nothing to fuzz: each input that the fuzz test is given, and an empty one, takes longer " +
	"than one execution may, if only because it is instrumented; allow more with -fuzztimeout, or add a smaller input by F.Add")

// choose picks the next task. Without one, wait tells whether there may be one later.
func (r *run) choose() (t *task, wait bool) {
	left := uint64(1 << 62)
	if r.FuzzLimit > 0 {
		used := r.execs + r.granted
		if used >= r.FuzzLimit {
			if t := r.dueExamination(true); t != nil {
				return t, false
			}
			return nil, r.granted > 0 || r.closed
		}
		left = r.FuzzLimit - used
	}
	switch {
	case r.closed:
		return nil, true // the one who found it ends the run
	case len(r.warmup) > 0:
		return r.chooseWarm(), false
	case r.warmDone < r.warmTotal:
		return nil, true
	}
	if t := r.dueExamination(false); t != nil {
		return t, false
	}
	if r.desperate() {
		t := r.revive(left)
		if t == nil && r.granted == 0 && !r.KeepGoing && r.overLimit == nil && r.err == nil {
			r.err = errNothing
		}
		return t, r.granted > 0 // otherwise there is no input that can be executed
	}
	return r.chooseEntry(left), false
}

// release lets other workers try what the entry of the task compares.
func (r *run) release(t *task) {
	if t.fuzz.Solve {
		r.mu.Lock()
		delete(r.solving, t.entry.ID)
		r.mu.Unlock()
	}
}

// perform has the worker of s do the task and reports what came of it.
func (r *run) perform(s *slot, t *task) error {
	defer r.account(t.grant, 0, 0) // not before it is known what came of it: without a grant, others may end the run
	if t.warm != nil {
		return r.performWarm(s, t)
	}
	if t.exam != nil {
		return r.examine(s, t.exam)
	}
	if over, err := r.recall(s); over || err != nil {
		return err
	}
	r.teach(s)
	for _, e := range t.meet {
		if !s.worker.Knows(e.ID) {
			if err := s.worker.Add(e.ID, e.Args); err != nil {
				break // the process is gone, which the request will show
			}
		}
	}
	res, err := s.worker.Fuzz(r.ctx, t.fuzz, t.slice, r.discovered)
	r.account(0, res.Execs, res.Nanos)
	r.noteSolved(t, res.Done, err)
	r.suspectGreedy(res.Greedy)
	if err != nil && !isContext(err) || res.Failed != nil { // that its turn ends is no fault of an entry
		r.noteFailure(t)
	}
	if err != nil {
		return r.lost(s, err, nil)
	}
	if res.Failed != nil {
		return r.failed(s, *res.Failed, nil)
	}
	return nil
}

// noteFailure has an entry picked less often whose mutants fail: in a run that keeps going they would do so for ever.
func (r *run) noteFailure(t *task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.corpus.Failed(t.entry.ID)
	if r.standIns.ids[t.entry.ID] {
		r.standIns.hopeless++
	}
}

// teach gives the worker of s the words, once they are there. A process that is gone shows in the request that follows.
func (r *run) teach(s *slot) {
	r.mu.Lock()
	words := r.words
	r.mu.Unlock()
	if len(words) > 0 && !s.taught {
		s.taught = true
		_ = s.worker.Teach(words)
	}
}

// noteSolved books what was tried of the suggestions of an entry. If the process died, it goes on behind the one that it
// was trying; if it died before the first, one counts as tried, so that the next process does not die in the same way.
func (r *run) noteSolved(t *task, done wire.Done, err error) {
	if !t.fuzz.Solve {
		return
	}
	tried := done.Tried
	var exit *executor.Exit
	if errors.As(err, &exit) {
		tried = max(t.fuzz.Skip+1, exit.Tried)
	} else if err != nil && !isContext(err) {
		return
	}
	if tried == shm.Untried {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.corpus.Solved(t.entry.ID, tried, done.Solved)
}

// account books executions.
func (r *run) account(granted, made, nanos uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.granted -= granted
	r.execs += made
	if r.Repeatable {
		nanos = made * uint64(nominal)
	}
	r.nanos += nanos
	if made > 0 {
		r.killed = 0
	}
	r.changed.Broadcast()
}

// addEntry gives an entry its number and adds it to the schedule. The caller holds the mutex.
func (r *run) addEntry(e *schedule.Entry) {
	r.nextID++
	e.ID = r.nextID
	r.corpus.Add(e)
	r.examineLater(e.Args)
}

// discovered takes over an input that shows something new.
func (r *run) discovered(n wire.New) {
	a, _, err := input.Decode(n.Input, r.Kinds)
	if err != nil {
		return // the worker is of the same version, so this cannot happen; a lost entry will be found again
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n.Edges > 0 {
		r.lastEdge = r.now()
	}
	name := nameOf(a)
	if r.hashes[name] {
		return
	}
	r.hashes[name] = true
	e := &schedule.Entry{Args: a, Duration: r.duration(n.Nanos, a.Size()), Features: n.Features, Edges: n.Edges}
	if e.Duration == 0 { // there was no execution left to time it with
		e.Duration = r.meanTime()
	}
	r.nextID++
	e.ID = r.nextID
	if n.Replaces != 0 {
		r.corpus.Replace(n.Replaces, e)
	} else {
		r.lastNew = r.now()
		r.lastEntry = r.lastNew
		r.corpus.Add(e)
		r.examineLater(a)
	}
	r.saver.save(e, len(n.Added))
}

// lost deals with a worker that is gone: its last input is a finding if the target did it. warm is what it was warming
// up with, if it was.
func (r *run) lost(s *slot, err error, warm *warmEntry) error {
	worker := s.worker
	worker.Kill()
	r.dropWorker(s)
	var exit *executor.Exit
	if !errors.As(err, &exit) {
		return err
	}
	defer r.bookJudged(time.Now())
	r.mu.Lock()
	r.execs += exit.Execs // else a target that ends its process again and again would be fuzzed for ever
	r.mu.Unlock()
	if exit.External && !exit.Hang {
		return r.lostToOutside(s, exit, warm)
	}
	if exit.Stuck {
		return r.restart(fmt.Errorf("%w: it did not take what it was sent. What the target has left behind may keep it from "+
			"running, or somebody has stopped it", exit), warm, s.born)
	}
	if exit.Cause == shm.Lost {
		return closedPipes(exit)
	}
	if exit.Code() == internalExitCode && exit.Stage == shm.Idle { // the target may end with any code
		return fmt.Errorf("fuzzing process exited unexpectedly due to an internal failure: %w\n%s", exit.Err, exit.Stderr)
	}
	if triage.Ours(exit.Stderr) {
		return r.mistaken(fmt.Sprintf("%v\n%s", exit, exit.Stderr), warm, s.born)
	}
	if exit.Input == nil && exit.Unrecorded {
		return r.restart(fmt.Errorf("%w; what it executed is above %d MiB, which is too large to be recorded, so it is not known. "+
			"Smaller seeds make smaller inputs. It has printed:\n%s", exit, shm.MaxRecord>>20, exit.Stderr), warm, s.born)
	}
	if exit.Input == nil {
		return exit
	}
	return r.died(s, exit, warm)
}

func closedPipes(exit *executor.Exit) error {
	last := ""
	if exit.Input != nil {
		last = fmt.Sprintf("; this is the last one:\n%s", input.Marshal(exit.Input))
	}
	return fmt.Errorf("the fuzz target has closed the pipes between its process and gnaw; it must close no file that "+
		"it has not opened. It did so with one of the last inputs%s", last)
}

// mistaken deals with a failure of gnaw's own code in the process of the target, which is gone.
func (r *run) mistaken(what string, warm *warmEntry, born uint64) error {
	return r.restart(fmt.Errorf("gnaw itself has failed in the process of the target, please report that: %s", what), warm, born)
}

// internalExitCode is what package testing exits with when a worker process fails outside of the target.
const internalExitCode = 70

// isContext reports whether err is the end of a context.
func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
