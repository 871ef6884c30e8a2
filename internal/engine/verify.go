package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// internalExitCode is what package testing exits with when a worker process fails outside of the target.
const internalExitCode = 70

// verifier finds out whether a failure is a finding, and which input shows it best.
type verifier struct {
	*state
	replays   *replays
	minimizer *minimizer
	hangs     *hangs
	memory    *memory
	overflows *overflows
	signals   *signals
}

func newVerifier(s *state) *verifier {
	r, o := &replays{s}, &overflows{state: s}
	m := &minimizer{state: s, replays: r, overflows: o}
	return &verifier{
		state: s, replays: r, minimizer: m, overflows: o, hangs: &hangs{state: s, replays: r}, signals: &signals{state: s, replays: r},
		memory: &memory{state: s, replays: r, minimizer: m},
	}
}

// failed deals with an input that made the target fail while its process lives. warm is what the worker executes in the warm-up, if it
// does.
func (v *verifier) failed(s *slot, failed wire.Failed, warm *warmEntry) error {
	defer v.meter.verify()()
	a, err := v.entries.decode(failed.Input)
	if err != nil {
		return fmt.Errorf("read a failing input: %w", err)
	}
	if proof.Ours(failed.Output) {
		v.pool.kill(s)
		return v.ownFailure(failed.Output, warm, s.born)
	}
	f := proof.Failed(a, failed.Output, failed.Logged)
	if f.Refused = proof.RefusedBy(s.worker); f.Refused != "" {
		v.refused(f, warm)
		return nil
	}
	if f.Kind != finding.Race {
		return v.settle(s, f, warm, true)
	}
	// The detector reports each race once per process, so the process is of no use any more: neither to minimize, nor to find this
	// one again.
	w := s.worker
	v.pool.end(s)
	proof.FillRace(f, w.Stderr())
	return v.settle(s, f, warm, false)
}

// lost deals with a worker that is gone: its last input is a finding if the target did it. warm is what it executed in the warm-up, if
// it did.
func (v *verifier) lost(s *slot, err error, warm *warmEntry) error {
	v.pool.kill(s)
	var exit *executor.Exit
	if !errors.As(err, &exit) {
		if errors.Is(err, context.DeadlineExceeded) && !v.turn.isStopped() { // the turn has waited for it in vain
			v.meter.noteUnjudged()
		}
		return err
	}
	defer v.meter.verify()()
	v.meter.addExecs(exit.Execs) // else a target that ends its process again and again would be fuzzed for ever
	if exit.FromOutside() {
		return v.killed(s, exit, warm)
	}
	if exit.Stuck {
		return v.restart(fmt.Errorf("%w: the worker did not read its request: goroutines of the target may block it, "+
			"or it was stopped", exit), warm, s.born)
	}
	if exit.Cause == shm.Lost {
		return closedPipes(exit)
	}
	if exit.Code() == internalExitCode && exit.Stage == shm.Idle { // the target may end with any code
		return fmt.Errorf("fuzzing process exited unexpectedly due to an internal failure: %w\n%s", exit.Err, exit.Stderr)
	}
	if proof.Ours(exit.Stderr) {
		return v.ownFailure(fmt.Sprintf("%v\n%s", exit, exit.Stderr), warm, s.born)
	}
	if exit.Input == nil && exit.Unrecorded {
		return v.restart(fmt.Errorf("%w; the input has more than %d MiB, so gnaw could not record it; use smaller seeds. "+
			"The process printed:\n%s", exit, shm.MaxRecord>>20, exit.Stderr), warm, s.born)
	}
	if exit.Input == nil {
		return exit
	}
	return v.died(s, exit, warm)
}

func closedPipes(exit *executor.Exit) error {
	last := ""
	if exit.Input != nil {
		last = fmt.Sprintf("; this is the last one:\n%s", input.Marshal(exit.Input))
	}
	return fmt.Errorf("the fuzz target has closed the pipes between its process and gnaw; it must close no file that "+
		"it has not opened. It did so with one of the last inputs%s", last)
}

// killed deals with a worker that a signal has ended. The system sends one to a process that needs more memory than there is.
func (v *verifier) killed(s *slot, exit *executor.Exit, warm *warmEntry) error {
	f, err := v.memory.outOfRoom(exit)
	switch {
	case err != nil && !isContext(err):
		v.events.warn(fmt.Sprintf("gnaw could not test whether the input of a killed process needs too much memory: %v", err))
	case f != nil:
		return v.settleOthers(s, v.memory.usedTooMuch(s, f, warm))
	}
	f, isKnown, err := v.signals.check(exit, warm)
	switch {
	case err != nil || isKnown:
		return err
	case f != nil:
		return v.settle(s, f, warm, false)
	}
	return v.restart(fmt.Errorf("fuzzing process terminated by unexpected signal; no crash will be recorded: %w", exit.Err), warm, s.born)
}

// ownFailure deals with a failure of gnaw's own code in the process of the target, which is gone.
func (v *verifier) ownFailure(what string, warm *warmEntry, born uint64) error {
	return v.restart(fmt.Errorf("gnaw itself has failed in the process of the target, please report that: %s", what), warm, born)
}

// restart has a worker started again that ended through no fault of the target or its input, unless that has happened too often.
func (v *verifier) restart(err error, warm *warmEntry, born uint64) error {
	v.warmup.requeue(warm)
	return v.pool.restart(err, born)
}

// refused deals with a failure before which something was refused. The refusal may be the reason, and to find out by plain go test would do
// what was refused.
func (v *verifier) refused(f *finding.Finding, warm *warmEntry) {
	v.refusals.fail(f)
	v.warmFailed(warm)
}

// died deals with an input that ended the process.
func (v *verifier) died(s *slot, exit *executor.Exit, warm *warmEntry) error {
	f := v.describe(exit)
	if f.Refused != "" {
		v.refused(f, warm)
		return nil
	}
	limit := proof.StackLimit(exit)
	switch {
	case exit.Cause == shm.Memory:
		if warm == nil && v.memory.hasGrown(f) {
			return nil
		}
		return v.settleOthers(s, v.memory.usedTooMuch(s, f, warm))
	case f.Kind == finding.Memory:
		if passes, err := v.memory.passes(f, warm); err != nil {
			return err
		} else if passes {
			return v.settleOthers(s, v.memory.usedTooMuch(s, f, warm))
		}
	case limit == firstStack || limit > 0 && warm == nil:
		deeper, err := v.overflows.deepen(s, f, warm)
		if err != nil || deeper == nil {
			return err
		}
		return v.settle(s, deeper, nil, s.worker != nil)
	case f.Kind == finding.Hang && v.PlainReplay:
		if warm == nil {
			defer v.hangs.count()
		}
		if isNone, err := v.hangs.isNone(f, warm); err != nil || isNone {
			return err
		}
	}
	return v.settle(s, f, warm, false)
}

// settle writes, minimizes and replays a finding. A failing seed ends a run that does not keep going at once, as it does in
// go test. alive says that the process that found it still lives.
func (v *verifier) settle(s *slot, f *finding.Finding, warm *warmEntry, alive bool) error {
	if counts, err := v.counts(s, f, warm); err != nil || !counts {
		return err
	}
	got, period, err := v.claim(s, f, warm)
	if err != nil {
		return err
	}
	if got == claimed {
		defer v.ledger.concluded(f)
	}
	if !v.ledger.isClosed() { // other workers need not wait until it is settled
		v.warmFailed(warm)
	}
	isSeed := warm != nil && warm.isSeed
	if isSeed && (got == claimed || v.KeepGoing) {
		v.events.emit(event.SeedFailed{Subject: v.Target, Seed: warm.name})
	}
	switch got {
	case claimedBefore:
		return v.settleSmaller(s, f, warm)
	case doubtful, beyond:
		return nil
	}
	if isSeed {
		f.Seed = warm.name
		return v.settleSeed(s, f)
	}
	return v.settleClaimed(s, f, period, alive)
}

// settleSeed settles the failure of a seed, which is a file of the user or of the source of the target: it is neither written nor minimized.
func (v *verifier) settleSeed(s *slot, f *finding.Finding) error {
	if v.KeepGoing && v.replays.prove(s, f) && f.Failures == 0 {
		return v.retract(f)
	}
	v.events.found(f)
	return nil
}

// settleClaimed writes, minimizes and proves a finding that is claimed. period is the time that the claim adds to the run, and alive reports
// whether the worker outlived the finding.
func (v *verifier) settleClaimed(s *slot, f *finding.Finding, period event.Grace, alive bool) error {
	// It is on disk before anything else is done with it, so that nothing can lose it.
	v.files.put(f)
	if period.Seconds > 0 {
		v.events.emit(period)
	}
	var others []*finding.Finding
	if (alive || v.KeepGoing) && !isDeep(f) && v.minimizer.isOn() {
		others = v.minimizer.minimize(s, f)
	}
	isTwin, late := v.ledger.isTwin(f), false
	if !isTwin {
		late = v.replays.prove(s, f)
	}
	if f.Refused != "" {
		v.refusals.fail(f)
		return v.retract(f)
	}
	if late && f.Failures == 0 {
		return v.retract(f)
	}
	v.files.keep(f)
	if !isTwin {
		v.ledger.noteReported(f, f.Input.Size())
		v.events.found(f)
	}
	return v.settleOthers(s, others)
}

// claim makes a failure a finding if it is one. If one like it was flaky, it is one if it fails in plain go test: a failure that depends
// on the process says nothing about another input that fails at the same place.
func (v *verifier) claim(s *slot, f *finding.Finding, warm *warmEntry) (got claim, period event.Grace, err error) {
	by := claimantOf(warm)
	if got, period = v.ledger.claim(f, by); got != doubtful || !by.isSeed && !v.ledger.mayTry(f) {
		return got, period, nil
	}
	defer v.ledger.addTrying(v.Clock())
	if fails, err := v.failsAgain(s, f, warm); err != nil || !fails {
		return doubtful, period, err
	}
	by.again = true
	got, period = v.ledger.claim(f, by)
	return got, period, nil
}

// settleOthers deals with failures that showed while another one was minimized, unless the turn or the run is over: what one
// finding takes is bounded, what all of them take is not.
func (v *verifier) settleOthers(s *slot, others []*finding.Finding) error {
	if len(others) == 0 {
		return nil
	}
	s.others = true
	defer func() { s.others = false }()
	for _, f := range others {
		if v.turn.ctx.Err() != nil || v.turn.isStopped() {
			return nil
		}
		if err := v.settle(s, f, nil, s.worker != nil); err != nil {
			return err
		}
	}
	return nil
}

// settleSmaller deals with a failure that is reported already: one of a smaller input takes the place of that one. Of hangs, and of what
// needs too much memory or stack, that would take too long.
func (v *verifier) settleSmaller(s *slot, f *finding.Finding, warm *warmEntry) error {
	if warm != nil || f.Kind == finding.Hang || f.Kind == finding.Memory || isOverflow(f) {
		return nil
	}
	first := v.ledger.claimSmaller(f)
	if first == nil {
		return nil
	}
	defer v.ledger.settled()
	if err := v.files.write(f); err != nil {
		if first.Why == "" { // otherwise the user knows
			v.events.warn(err.Error())
		}
		return nil
	}
	var others []*finding.Finding
	if v.minimizer.isOn() {
		others = v.minimizer.minimize(s, f)
	}
	v.replays.prove(s, f)
	if f.Replays == 0 || f.Flaky || f.Refused != "" || f.Path == first.Path {
		if err := v.files.forget(f); err != nil {
			v.events.warn(err.Error())
		}
		return v.settleOthers(s, others)
	}
	v.ledger.noteReported(first, f.Input.Size())
	v.files.keep(f)
	v.events.smaller(f)
	return v.settleOthers(s, others)
}

// counts reports whether a failure is one. If it first shows when the run is being stopped, it may come of what stops it: a
// signal to all processes reaches the target too, and the commands that it runs. Then it counts if plain go test fails, or a process of
// its own where go test does not run the input.
func (v *verifier) counts(s *slot, f *finding.Finding, warm *warmEntry) (bool, error) {
	if !v.turn.isStopped() || v.Replay == nil || f.Replays > 0 {
		return true, nil
	}
	return v.failsAgain(s, f, warm) // settle replays it, and says why go test does not run it
}

// failsAgain reports whether the input of a failure fails in plain go test, or in a process of its own where go test does not run it.
func (v *verifier) failsAgain(s *slot, f *finding.Finding, warm *warmEntry) (bool, error) {
	v.pool.endAlone(s)
	late := v.turn.isStopped()
	got, replayed, err := v.replays.check(f, warm)
	if err != nil || replayed {
		if replayed && got == proof.Fails && late {
			proof.Count(f, true)
		}
		return got == proof.Fails, err
	}
	// There is no file, or plain go test does not run it.
	ctx, cancel := v.turn.replaying()
	defer cancel()
	failed, err := v.replays.failsApart(ctx, f)
	if err != nil {
		v.meter.noteUnjudged()
	}
	if err != nil && !isContext(err) {
		v.events.warn(fmt.Sprintf("a failing input could not be run again, so it is not reported: %v", err))
	}
	return failed, nil
}

// retract takes a finding back that showed just before the run was stopped, and does not fail in plain go test.
func (v *verifier) retract(f *finding.Finding) error {
	v.ledger.remove(f)
	return v.files.retract(f)
}
