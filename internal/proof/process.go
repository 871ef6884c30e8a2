package proof

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/refusal"
)

// outcome is how the subtest of an input ended.
type outcome uint8

// The outcomes.
const (
	notRun     outcome = iota // it did not begin, so nothing is known
	skipped                   // it called Skip, so nothing is known
	passed                    // it passed, and so did the process
	failed                    // it failed, or the process ended before it did
	unfinished                // it was still running when its time was up
	killed                    // something outside has ended the process by a signal meanwhile, so nothing is known
	refused                   // it wanted to do something outside of its process that is refused, so nothing is known
)

// test is what to run.
type test struct {
	path    string   // test binary
	args    []string // more arguments
	dir     string   // working directory
	env     []string
	target  string // name of the fuzz target
	pattern string // for -test.run: the target and the one input
	count   int    // for -test.count: how often the process runs the input; 0: once

	limit time.Duration // for the subtest on an idle machine; one that gets the processor for a part of it only may take longer
	start time.Duration // for the process until the subtest begins, and for what it does when that has ended

	repeatFor time.Duration // when the process ends although the count is not reached; 0: never
}

// result is how a replay ended.
type result struct {
	outcome   outcome
	why       string        // for notRun, skipped and killed: what happened instead, as the rest of a sentence; for refused, what it wanted to do
	took      time.Duration // by the subtest
	processor time.Duration // that the process had meanwhile, but for up to a pulse at the begin; 0 where the system does not report it

	during bool // for killed: the subtest had begun and not ended
}

// alone returns how long the subtest takes on a machine that does nothing else, as far as that is known.
func (r result) alone() time.Duration {
	if r.processor == 0 {
		return r.took
	}
	return oracle.Taken(r.processor+pulse, r.took)
}

// pulse is how often a process is looked at.
const pulse = 20 * time.Millisecond

// attempts is how often a test is run whose process a signal ends that something outside may have sent.
const attempts = 3

// prove runs a test. The error is about gnaw or the machine, or that of ctx. A test has failed if a signal ends its process during the subtest
// in each attempt, but not the process that runs the target without the input.
func (t test) prove(ctx context.Context) (r result, err error) {
	during := true
	for range attempts {
		if r, err = t.once(ctx); err != nil || r.outcome != killed {
			return r, err
		}
		during = during && r.during
	}
	if !during {
		return r, nil
	}
	return t.control(ctx, r, func(_ state, err error) outcome {
		if signaled(err) {
			return killed
		}
		return failed
	})
}

// signaled reports whether err says that a signal ended the process that a fault of its own does not raise.
func signaled(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && executor.EndedFromOutside(exit.ProcessState)
}

// ours returns the error of a run if it is about gnaw or the machine, or that of ctx; nil: the error says how the process ended.
func (t test) ours(ctx context.Context, err error) error {
	var exit *exec.ExitError
	if ctx.Err() != nil || err == nil || errors.As(err, &exit) || timeUp(err) {
		return ctx.Err()
	}
	return fmt.Errorf("run %s: %w", t.path, err)
}

// once is [test.prove] with one process, or with a second one to find out what the end of the first means.
func (t test) once(ctx context.Context) (result, error) {
	out := &output{target: t.target, now: time.Now}
	w, err := t.run(ctx, out)
	if err := t.ours(ctx, err); err != nil {
		return result{}, err
	}
	r := t.resultOf(out, err, signaled(err))
	r.took, r.processor = w.took(), w.processor
	s := out.state()
	r.during = s.begun() && s.ended == ""
	switch {
	case r.outcome == failed && s.ended == "PASS":
		return t.control(ctx, r, func(_ state, err error) outcome { return ifPasses(err, failed, passed) })
	case r.outcome == failed && s.ended == "" && err == nil:
		return t.control(ctx, r, func(s state, _ error) outcome {
			if s.whole == "" { // nor does it say there how it ended: something has redirected its output
				return passed
			}
			return failed
		})
	case r.outcome == notRun && !s.reached && err != nil && !timeUp(err):
		return t.control(ctx, r, func(s state, err error) outcome {
			if s.reached {
				return notRun
			}
			return ifPasses(err, failed, notRun) // it prints nothing of package testing, so its exit code decides
		})
	}
	return r, nil
}

func ifPasses(err error, yes, no outcome) outcome {
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
	errRepeated   = errors.New("the subtest was repeated for long enough")
)

func timeUp(err error) bool {
	return errors.Is(err, errUnfinished) || errors.Is(err, errNotBegun) || errors.Is(err, errNotEnded) || errors.Is(err, errRepeated)
}

// resultOf returns what the end of a process means. fromOutside says that something outside has ended it.
func (t test) resultOf(out *output, err error, fromOutside bool) result {
	s := out.state()
	var exit *exec.ExitError
	switch {
	case s.refused != "" && errors.As(err, &exit) && exit.ExitCode() == refusal.ExitCode:
		return result{outcome: refused, why: s.refused}
	case fromOutside && s.ended != "FAIL" && !timeUp(err):
		return result{outcome: killed, why: fmt.Sprintf("something outside has ended its test process: %v", err)}
	case !s.begun():
		return result{outcome: notRun, why: t.whyNot(s, out.rest(), err)}
	case errors.Is(err, errUnfinished):
		return result{outcome: unfinished}
	case s.ended == "FAIL", s.ended == "", err != nil && !errors.Is(err, errNotEnded):
		return result{outcome: failed}
	case s.ended == "SKIP":
		return result{outcome: skipped, why: "it is skipped there"}
	}
	return result{outcome: passed}
}

// whyNot says why the subtest did not begin.
func (t test) whyNot(s state, said string, err error) string {
	switch {
	case errors.Is(err, errNotBegun):
		return fmt.Sprintf("its test process does not get to the input within %v", t.start)
	case s.whole == "SKIP":
		return t.target + " calls Skip there"
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

// noSubtest is the end of a pattern that selects no subtest: none has an empty name.
const noSubtest = "/^$"

// control runs the target without the input, where the end of the process with it may have another reason, and has the outcome
// decided by what came of that.
func (t test) control(ctx context.Context, r result, decide func(state, error) outcome) (result, error) {
	t.pattern = "^" + t.target + "$" + noSubtest
	out := &output{target: t.target, now: time.Now}
	_, err := t.run(ctx, out)
	if ctx.Err() != nil {
		return result{}, ctx.Err()
	}
	if r.outcome = decide(out.state(), err); r.outcome != notRun && r.outcome != killed {
		r.why = ""
	}
	return r, nil
}

// run runs the process until it ends, or its time is up.
func (t test) run(ctx context.Context, out *output) (w *watched, err error) {
	bounded, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := t.command(bounded, out)
	w = &watched{limit: t.limit, start: t.start, repeatFor: t.repeatFor, out: out, cmd: cmd}
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
		w.processor = max(0, s.UserTime()+s.SystemTime()-w.before.Ran)
	}
	return w, err
}

// command returns the command that runs the test binary, with more flags.
func (t test) command(ctx context.Context, out *output, more ...string) *exec.Cmd {
	if t.count > 0 {
		more = append(more, fmt.Sprintf("-test.count=%d", t.count))
	}
	args := slices.Concat([]string{"-test.run=" + t.pattern, "-test.v=test2json", "-test.timeout=0"}, more, t.args)
	cmd := exec.CommandContext(ctx, t.path, args...)
	cmd.Dir, cmd.Env = t.dir, t.env
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = time.Second
	return cmd
}

// printed runs the tests and returns the last lines that they print; nothing if they pass.
func (t test) printed(ctx context.Context) string {
	out := &output{target: t.target, now: time.Now}
	t.limit = t.start
	if _, err := t.run(ctx, out); err == nil || ctx.Err() != nil {
		return ""
	}
	return out.rest()
}

// addVariable adds a variable to the environment.
func (t *test) addVariable(v string) {
	if t.env == nil {
		t.env = os.Environ()
	}
	t.env = append(slices.Clip(t.env), v)
}
