package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// claim makes f a finding of the run, and reports whether it is one: the first by its key that is not one of too many at its
// place. The one who claims it calls settled when it is dealt with. It ends a run that does not keep going: at once, or, if a
// mutant showed the first one, after linger.
func (r *run) claim(f *finding.Finding, mutant bool) (isFinding bool, linger Lingering) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Target, f.Found = r.Target, r.elapsed()
	key, sig := triage.Key(f), finding.Signature{Kind: f.Kind, Place: f.Place}
	first := r.claimed[key]
	most := maxAtPlace
	if !r.KeepGoing {
		most = 1
	}
	if at := r.places[sig]; first == nil && len(at) >= most {
		first = at[0]
	}
	if first != nil {
		r.others[first] = withSmaller(r.others[first], f.Input)
		return false, linger
	}
	if r.closed {
		return false, linger
	}
	r.claimed[key] = f
	r.places[sig] = append(r.places[sig], f)
	r.findings = append(r.findings, f)
	r.settling++
	switch {
	case r.KeepGoing:
	case r.Linger.Max > 0 && mutant || r.lingering != nil:
		linger = Lingering{For: r.linger(), Again: len(r.findings) > 1}
	default:
		r.close()
	}
	return true, linger
}

// maxAtPlace is how many failures of one kind at one place are told apart by the words of their messages. A target that prints
// its input in them would have another failure for each.
const maxAtPlace = 4

// maxOthers is how many inputs are kept of a failure besides the first one.
const maxOthers = 2

// withSmaller returns inputs, the smallest first, with another one if it is small enough.
func withSmaller(kept []input.Args, a input.Args) []input.Args {
	if slices.ContainsFunc(kept, a.Equal) || len(kept) == maxOthers && a.Size() >= kept[maxOthers-1].Size() {
		return kept
	}
	kept = append(slices.Clone(kept), a)
	slices.SortStableFunc(kept, func(a, b input.Args) int { return cmp.Compare(a.Size(), b.Size()) })
	return kept[:min(len(kept), maxOthers)]
}

// failed deals with an input that made the target fail while its process lives.
func (r *run) failed(s *slot, failed wire.Failed, warm *warmEntry) error {
	defer r.bookJudged(time.Now())
	a, _, err := input.Decode(failed.Input, r.Kinds)
	if err != nil {
		return fmt.Errorf("read a failing input: %w", err)
	}
	if triage.Ours(failed.Output) {
		s.worker.Kill()
		r.dropWorker(s)
		return r.mistaken(failed.Output, warm, s.born)
	}
	f := triage.Failed(a, failed.Output, failed.Logged)
	if f.Kind == finding.Race {
		r.readRace(s, f)
		return r.settle(s, f, warm, false)
	}
	return r.settle(s, f, warm, true)
}

// bookJudged books the time of a worker since begin as one that went into a failure.
func (r *run) bookJudged(begin time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.judged += time.Since(begin)
}

// died deals with an input that ended the process.
func (r *run) died(s *slot, exit *executor.Exit, warm *warmEntry) error {
	f := triage.Died(exit)
	if exit.Cause == shm.Memory {
		if warm == nil && r.hasGrown(f) {
			return nil
		}
		return r.usedTooMuch(s, f, warm)
	}
	if f.Kind == finding.Memory {
		return r.outOfMemory(s, f, warm)
	}
	if limit := triage.StackLimit(exit); limit == firstStack || limit > 0 && warm == nil {
		return r.overflowed(s, f, warm)
	}
	if f.Kind == finding.Hang && r.PlainReplay {
		return r.hung(s, f, warm)
	}
	return r.settle(s, f, warm, false)
}

// outOfMemory deals with an input that ended the process because the system gave it no more memory. A worker needs a
// little more than plain go test does, so this may be a failure there or not.
func (r *run) outOfMemory(s *slot, f *finding.Finding, warm *warmEntry) error {
	known, passed := r.triedBefore(f)
	switch {
	case warm != nil || r.Replay == nil || known:
		return r.settle(s, f, warm, false)
	case passed.n >= maxSlow && !passed.less(f):
		return r.usedTooMuch(s, f, warm)
	}
	got, replayed, err := r.beforehand(f)
	switch {
	case err != nil:
		return err
	case !replayed || got == ReplayFailed:
		return r.settle(s, f, warm, false)
	}
	r.notePassed(f)
	return r.usedTooMuch(s, f, warm)
}

// maxMemRaise is how many times its first value the memory limit may become.
const maxMemRaise = 4

// usedTooMuch keeps the first input that needed more memory than the limit and goes on: the target has not failed, and
// plain go test may well pass on a large machine. It is the finding of the run if nothing else is found. Workers that
// start from now on count only memory that is really used, so that one greedy place does not hide all others.
func (r *run) usedTooMuch(s *slot, f *finding.Finding, warm *warmEntry) error {
	if warm != nil {
		r.spoiled(warm)
		r.warmed(warm)
	}
	r.mu.Lock()
	f.Target, f.Found = r.Target, r.elapsed()
	limit := r.MemLimit
	first := r.overLimit == nil
	if first {
		r.overLimit, r.memMax = f, maxMemRaise*r.MemLimit
		if r.MemShare > 0 {
			r.memMax = max(r.MemLimit, min(r.memMax, r.MemShare))
		}
	}
	// Each of these ends a worker, and mutants of one greedy input are greedy too.
	r.MemLimit = min(2*r.MemLimit, r.memMax)
	r.mu.Unlock()
	if !first {
		return nil
	}
	if warm != nil && warm.isSeed {
		f.Seed = warm.name
		r.emit(SeedFailed{warm.name})
		if r.KeepGoing {
			r.proveMemory(s, f, limit)
		}
		return nil
	}
	var besides []*finding.Finding
	r.put(f)
	if r.KeepGoing && (r.MinimizeTime > 0 || r.MinimizeLimit > 0) {
		begin := time.Now()
		s.memLimit = clearlyMore(limit, roomForOne(r.MemRoom))
		besides = r.minimize(s, f)
		r.endWorker(s)
		s.memLimit = 0
		f.Minimize = time.Since(begin)
	}
	if r.KeepGoing {
		r.proveMemory(s, f, limit)
	}
	r.keep(f)
	r.emit(UsedTooMuch{f})
	return r.settleBesides(s, besides)
}

// clearlyMore is the limit that a smaller input has to exceed than one that exceeds limit. What is on the heap also has the buffers of the
// engine, and what the execution before has left, so an input that needs little less than the limit would exceed it by chance, and
// minimizing leads there. room is what one process may have; 0: not known.
func clearlyMore(limit, room uint64) uint64 {
	more := 2*limit + limit/4
	if room > 0 {
		more = min(more, room)
	}
	return max(more, limit)
}

// hasGrown reports whether a process was over the limit by what all its executions have left behind, and not by the input: then
// another process does with it. In a run that keeps going the input is proved later, and marked if it is not the reason.
func (r *run) hasGrown(f *finding.Finding) bool {
	r.mu.Lock()
	limit, asked := r.MemLimit, r.overLimit != nil
	r.mu.Unlock()
	if r.KeepGoing || asked {
		return false
	}
	if needs, err := r.exceedsApart(r.judging(), f.Input, limit); err != nil || needs {
		return false
	}
	r.warnOnce(&r.grown, fmt.Sprintf("a fuzzing process has used more than %d MiB, and none of its inputs needs as much: executions keep "+
		"memory that is not given back; such processes are replaced", limit>>20))
	return true
}

// settle writes, minimizes and replays a finding. A failing seed ends a run that does not keep going at once, as it does in
// go test.
func (r *run) settle(s *slot, f *finding.Finding, warm *warmEntry, alive bool) error {
	if counts, err := r.counts(f, warm); err != nil || !counts {
		return err
	}
	isFinding, linger := r.claim(f, warm == nil)
	if isFinding {
		defer r.settled()
	}
	if warm != nil && r.goesOn() { // the others need not wait until it is settled
		r.spoiled(warm)
		r.warmed(warm)
	}
	if !isFinding {
		return r.settleSmaller(s, f, warm)
	}
	if warm != nil && warm.isSeed {
		f.Seed = warm.name
		r.emit(SeedFailed{warm.name})
		if r.KeepGoing && r.prove(s, f) && f.Failures == 0 {
			return r.retract(f)
		}
		r.emit(Found{f})
		return nil
	}
	// It is on disk before anything else is done with it, so that nothing can lose it.
	var besides []*finding.Finding
	r.put(f)
	if linger.For > 0 {
		r.emit(linger)
	}
	if (alive || r.KeepGoing) && !isDeep(f) && (r.MinimizeTime > 0 || r.MinimizeLimit > 0) {
		begin := time.Now()
		besides = r.minimize(s, f)
		f.Minimize = time.Since(begin)
	}
	isTwin, late := r.isTwin(f), false
	if !isTwin {
		late = r.prove(s, f)
	}
	if late && f.Failures == 0 {
		return r.retract(f)
	}
	r.keep(f)
	if !isTwin {
		r.tell(f)
	}
	return r.settleBesides(s, besides)
}

// settleBesides deals with failures that showed while another one was minimized, unless the turn or the run is over: what one
// finding takes is bounded, what all of them take is not.
func (r *run) settleBesides(s *slot, besides []*finding.Finding) error {
	if len(besides) == 0 {
		return nil
	}
	s.besides = true
	defer func() { s.besides = false }()
	for _, f := range besides {
		if r.ctx.Err() != nil || r.outer.Err() != nil {
			return nil
		}
		if err := r.settle(s, f, nil, s.worker != nil); err != nil {
			return err
		}
	}
	return nil
}

// isTwin reports whether the input of a finding has become that of another one, which then stands for both: what was left out
// made the difference between them.
func (r *run) isTwin(f *finding.Finding) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := nameOf(f.Input)
	if r.inputs[name] == nil {
		r.inputs[name] = f
		return false
	}
	r.findings = slices.DeleteFunc(r.findings, func(other *finding.Finding) bool { return other == f })
	return true
}

// judging returns the context for what is done with a finding. In a run that keeps going the end of a turn does not cut
// it short.
func (r *run) judging() context.Context {
	if r.KeepGoing {
		return r.outer
	}
	return r.ctx
}

// setMinimizing counts one more finding, or one less, that is minimized.
func (r *run) setMinimizing(by int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.minimizing += by
}

// prove runs a finding again, as plain go test does if it can, in fresh processes. One that does not fail there depends on what was
// executed before, or on the process that executed it. late says that it was run again when the run was being stopped.
func (r *run) prove(s *slot, f *finding.Finding) (late bool) {
	if r.Replay == nil && f.Why == "" || f.Replays > 0 {
		return false
	}
	r.endWorker(s) // its memory and its processor may be needed
	ctx, cancel := r.proving()
	defer cancel()
	late = r.stopped()
	replays := 1
	if r.KeepGoing && !late {
		replays = replaysOfMany
	}
	r.repeat(f, replays, func() (bool, error) {
		got, err := r.rerun(ctx, f)
		return got == ReplayFailed, err
	})
	return late && f.Replays > 0
}

// proveMemory executes an input that used too much memory in processes of their own: plain go test has no limit.
func (r *run) proveMemory(s *slot, f *finding.Finding, limit uint64) {
	r.endWorker(s) // its memory may be needed
	r.repeat(f, replaysOfMany, func() (bool, error) { return r.exceedsApart(r.judging(), f.Input, limit) })
}

// exceedsApart executes an input in a new process and reports whether that needs more memory than the limit. A process that something
// outside has killed proves nothing: the system does that when all processes together need more than there is.
func (r *run) exceedsApart(ctx context.Context, a input.Args, limit uint64) (bool, error) {
	for range maxKilled {
		exit, err := r.apart(ctx, a, wire.Setup{MemLimit: limit, Without: r.Without})
		if err != nil || exit == nil {
			return false, err
		}
		if !exit.External || exit.Hang {
			return exit.Cause == shm.Memory || triage.Died(exit).Kind == finding.Memory, nil
		}
	}
	return false, fmt.Errorf("something outside has killed its process %d times", maxKilled)
}

const (
	// replaysOfMany is how often a finding is replayed in a run that keeps going. One that fails in nine of ten processes
	// is taken for a sure one with p=0.73, one that fails in every other with p=0.13.
	replaysOfMany = 3
	// slowReplay ends the replays: who waits ten seconds for a hang shall not wait thirty.
	slowReplay = 5 * time.Second
)
