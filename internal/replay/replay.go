// Package replay runs one input of a fuzz target as plain go test does, in a fresh process, and returns how its subtest ended.
//
// The end of the process alone proves nothing: a test binary that passes may not have run the input, because the target was
// skipped, the process changed its folder and did not find the file, or something ended the process with exit code 0. So a result
// counts only if the subtest began. The time of the subtest does not include the time until the process reaches it.
package replay

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// Outcome is how the subtest of an input ended.
type Outcome uint8

// The outcomes.
const (
	NotRun     Outcome = iota // it did not begin, so nothing is known
	Skipped                   // it called Skip, so nothing is known
	Passed                    // it passed, and so did the process
	Failed                    // it failed, or the process ended before it did
	Unfinished                // it was still running when its time was up
	Killed                    // something outside has ended the process meanwhile, so nothing is known
)

// Test is what to run.
type Test struct {
	Path    string   // test binary
	Args    []string // more arguments
	Dir     string   // working directory
	Env     []string
	Target  string // name of the fuzz target
	Pattern string // for -test.run: the target and the one input

	Limit time.Duration // for the subtest on an idle machine; one that gets the processor for a part of it only may take longer
	Start time.Duration // for the process until the subtest begins, and for what it does when that has ended
}

// Result is how a replay ended.
type Result struct {
	Outcome   Outcome
	Why       string        // for NotRun, Skipped and Killed: what happened instead, as the rest of a sentence
	Took      time.Duration // by the subtest
	Processor time.Duration // that the process had meanwhile; 0 where the system does not report it
}

// pulse is how often a process is looked at.
const pulse = 20 * time.Millisecond

// attempts is how often a test is run whose process something outside kills.
const attempts = 3

// Run runs a test. The error is about gnaw or the machine, or that of ctx.
func Run(ctx context.Context, t Test) (r Result, err error) {
	for range attempts {
		if r, err = t.once(ctx); err != nil || r.Outcome != Killed {
			break
		}
	}
	return r, err
}

// once is [Run] with one process, or with a second one to find out what the end of the first means.
func (t Test) once(ctx context.Context) (Result, error) {
	out := &output{target: t.Target, now: time.Now}
	w, err := t.run(ctx, out)
	var exit *exec.ExitError
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err != nil && !errors.As(err, &exit) && !timeUp(err) {
		return Result{}, fmt.Errorf("run %s: %w", t.Path, err)
	}
	r := t.resultOf(out, err, exit != nil && executor.EndedFromOutside(exit.ProcessState))
	r.Took, r.Processor = w.took(), w.processor
	s := out.state()
	switch {
	case r.Outcome == Failed && s.ended == "PASS":
		return t.control(ctx, r, func(_ state, err error) Outcome { return ifPasses(err, Failed, Passed) })
	case r.Outcome == Failed && s.ended == "" && err == nil:
		return t.control(ctx, r, func(s state, _ error) Outcome {
			if s.whole == "" { // nor does it say there how it ended: something has redirected its output
				return Passed
			}
			return Failed
		})
	case r.Outcome == NotRun && !s.reached && exit != nil:
		return t.control(ctx, r, func(s state, err error) Outcome {
			if s.reached {
				return NotRun
			}
			return ifPasses(err, Failed, NotRun) // it prints nothing of package testing, so its exit code decides
		})
	}
	return r, nil
}

func ifPasses(err error, yes, no Outcome) Outcome {
	if err == nil {
		return yes
	}
	return no
}

// These say which time was up.
var (
	errUnfinished = errors.New("the subtest takes too long")
	errNotBegun   = errors.New("the subtest does not begin")
	errNotEnded   = errors.New("the process does not end when the subtest has")
)

func timeUp(err error) bool {
	return errors.Is(err, errUnfinished) || errors.Is(err, errNotBegun) || errors.Is(err, errNotEnded)
}

// resultOf returns what the end of a process means. killed says that something outside has ended it.
func (t Test) resultOf(out *output, err error, killed bool) Result {
	s := out.state()
	switch {
	case killed && s.ended != "FAIL" && !timeUp(err):
		return Result{Outcome: Killed, Why: fmt.Sprintf("something outside has ended its test process: %v", err)}
	case !s.begun:
		return Result{Outcome: NotRun, Why: t.whyNot(s, out.rest(), err)}
	case errors.Is(err, errUnfinished):
		return Result{Outcome: Unfinished}
	case s.ended == "FAIL", s.ended == "", err != nil && !errors.Is(err, errNotEnded):
		return Result{Outcome: Failed}
	case s.ended == "SKIP":
		return Result{Outcome: Skipped, Why: "it is skipped there"}
	}
	return Result{Outcome: Passed}
}

// whyNot says why the subtest did not begin.
func (t Test) whyNot(s state, said string, err error) string {
	switch {
	case errors.Is(err, errNotBegun):
		return fmt.Sprintf("its test process does not get to the input within %v", t.Start)
	case s.whole == "SKIP":
		return t.Target + " calls Skip there"
	case s.reached && err == nil:
		return "its test process does not find the file, because it runs in another folder or removes it"
	case err != nil && said != "":
		return fmt.Sprintf("its test process ends before (%v): %s", err, reason(said))
	case err != nil:
		return fmt.Sprintf("its test process ends before: %v", err)
	}
	return "its test process ends before, or something hides what package testing prints"
}

// reason is the line of what a process has printed that most likely says why it has ended: that of a panic, or the last one.
func reason(said string) string {
	lines := strings.Split(said, "\n")
	if i := slices.IndexFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
	}); i >= 0 {
		return lines[i]
	}
	return lines[len(lines)-1]
}

// control runs the target without the input, where the end of the process with it may have another reason, and has the outcome
// decided by what came of that.
func (t Test) control(ctx context.Context, r Result, outcome func(state, error) Outcome) (Result, error) {
	t.Pattern = "^" + t.Target + "$/^$" // no subtest has an empty name
	out := &output{target: t.Target, now: time.Now}
	_, err := t.run(ctx, out)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if r.Outcome = outcome(out.state(), err); r.Outcome != NotRun {
		r.Why = ""
	}
	return r, nil
}

// run runs the process until it ends, or its time is up.
func (t Test) run(ctx context.Context, out *output) (w *watched, err error) {
	bounded, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	args := append([]string{"-test.run=" + t.Pattern, "-test.v=test2json", "-test.timeout=0"}, t.Args...)
	cmd := exec.CommandContext(bounded, t.Path, args...)
	cmd.Dir, cmd.Env = t.Dir, t.Env
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = time.Second
	w = &watched{limit: t.Limit, start: t.Start, out: out, cmd: cmd}
	ended, watching := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watching)
		w.watch(ended, cancel)
	}()
	err = group.RunLeashed(cmd)
	close(ended)
	<-watching
	if cause := context.Cause(bounded); timeUp(cause) {
		err = cause
	}
	if errors.Is(err, exec.ErrWaitDelay) { // what it has left behind holds its output
		err = nil
	}
	if s := cmd.ProcessState; s != nil && w.begun {
		w.processor = max(0, s.UserTime()+s.SystemTime()-w.before)
	}
	return w, err
}

// Output runs tests and returns the last lines that they print; nothing if they pass. Without a word of package testing in between,
// these are what the tests themselves say.
func Output(ctx context.Context, t Test) string {
	out := &output{target: t.Target, now: time.Now}
	t.Limit = t.Start
	if _, err := t.run(ctx, out); err == nil || ctx.Err() != nil {
		return ""
	}
	return out.rest()
}
