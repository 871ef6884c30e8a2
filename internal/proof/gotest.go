package proof

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/refusal"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

const (
	// slowBy: an input that hangs in a fuzzing process and takes at least 1/slowBy of the limit in plain go test is slow, not flaky.
	// With the race detector, instrumentation makes a loop up to fifty times as slow.
	slowBy = 64
	// failureBy times the limit for one execution is the time for a process that shows a failure that is not a hang.
	failureBy = 4
	// strictly is how often an input has to pass before [GoTest.Fails] says so.
	strictly = 3
	// seedsLimit is the limit for a run of all seeds: that of go test.
	seedsLimit = 10 * time.Minute
)

// GoTest runs inputs of a target as plain go test does.
type GoTest struct {
	Config executor.Config
	Target string
	Plain  func(ctx context.Context) (path string, err error) // builds the binary without instrumentation; nil: it cannot be built
	// Policy says what a process that executes the file or seed with that name refuses, as the engine does; nil: nothing.
	Policy func(name string) (allowed [][]byte, refuse bool)
}

// Prove runs one file of testdata/fuzz, or a seed, as `go test -run=Target/name` does, with the flags of the user, and says what that shows
// about f. A hang runs without instrumentation.
//
// A goroutine may end its process when the execution that has started it is over, and plain go test may come to its end before. So an input
// that passes is repeated, and f.Count is set to the value of -count with which go test shows the failure.
func (g GoTest) Prove(ctx context.Context, x Execution, f *finding.Finding) (Verdict, error) {
	r, v, err := g.prove(ctx, x, f)
	if err != nil || r.outcome != passed || f.Count > 0 || f.Replays > 0 || f.Kind != finding.Fatal && f.Kind != finding.Exit {
		return v, err
	}
	t := g.input(x)
	t.limit *= failureBy
	f.Count, err = t.repeat(ctx, func(output string, exit error) bool { return EndedAlike(f, output, exit) })
	if f.Count > 0 {
		v = Fails
	}
	return v, err
}

// Fails reports whether an input fails as f says, with f.Count, in one of several processes. The error also says if an input neither fails
// nor passes: if it takes long where a hang is expected, or does not end where another failure is.
func (g GoTest) Fails(ctx context.Context, x Execution, f *finding.Finding) (bool, error) {
	for range strictly {
		r, v, err := g.prove(ctx, x, f)
		if err != nil || v == Fails {
			return err == nil, err
		}
		if err := inconclusive(r, v); err != nil {
			return false, err
		}
	}
	return false, nil
}

// prove is [GoTest.Prove] with one execution, and also returns how the process ended.
func (g GoTest) prove(ctx context.Context, x Execution, f *finding.Finding) (r result, v Verdict, err error) {
	t := g.input(x)
	t.count = f.Count
	switch {
	case f.Kind != finding.Hang:
		t.limit *= failureBy
	case g.Plain != nil:
		if t.path, err = g.Plain(ctx); err != nil {
			return r, 0, err
		}
	}
	if r, err = t.prove(ctx); err != nil {
		return r, 0, err
	}
	v, err = verdictOf(r, f.Kind, g.Config.Timeout)
	return r, v, err
}

// verdictOf returns what the result of a process shows about a failure of a kind. limit is the limit for one execution. The error says why it
// shows nothing.
func verdictOf(r result, kind finding.Kind, limit time.Duration) (Verdict, error) {
	isHang, isMemory := kind == finding.Hang, kind == finding.Memory
	switch {
	case r.outcome == skipped && isMemory: // the input needs the memory before the target skips it
		return Passes, nil
	case r.outcome == killed && isMemory: // the system has no more memory
		return Fails, nil
	case r.outcome == refused:
		return 0, &RefusedError{r.why}
	case r.outcome == notRun || r.outcome == skipped:
		return 0, &NotRunError{r.why}
	case r.outcome == killed:
		return 0, errors.New(r.why)
	case r.outcome == failed, r.outcome == unfinished && isHang: // for other failures the end of the time is another one
		return Fails, nil
	case r.outcome == passed && isHang && r.took >= limit/slowBy:
		return Slow, nil
	}
	return Passes, nil
}

// inconclusive returns an error if a process shows neither that an input fails nor that it passes; otherwise nil.
func inconclusive(r result, v Verdict) error {
	switch {
	case v == Slow:
		return errors.New("the input takes long, but does not hang")
	case v == Passes && r.outcome == unfinished:
		return errors.New("the input does not end in time")
	}
	return nil
}

// Time runs one file of testdata/fuzz as plain go test does, in the binary without instrumentation, and returns the time that the target
// took; on a busy machine, the time that it had a processor. ended is false if the input did not pass within the limit.
func (g GoTest) Time(ctx context.Context, x Execution, limit time.Duration) (took time.Duration, ended bool, err error) {
	t := g.input(x)
	if t.path, err = g.Plain(ctx); err != nil {
		return 0, false, err
	}
	t.limit = limit
	r, err := t.prove(ctx)
	if err != nil {
		return 0, false, err
	}
	if _, err := verdictOf(r, finding.Unknown, limit); err != nil {
		return 0, false, err
	}
	took, ended = timed(r, limit)
	return took, ended, nil
}

// timed returns the time that a process with a limit shows.
func timed(r result, limit time.Duration) (took time.Duration, ended bool) {
	return r.alone(), r.outcome == passed && r.took <= limit
}

// Seeds runs the target with all its seeds as `go test -run=^Target$` does, or without any of them. plain chooses the binary without
// instrumentation. The error is about gnaw or the machine, or that of ctx.
func (g GoTest) Seeds(ctx context.Context, plain, without bool) (w Whole, err error) {
	t := g.test("^" + g.Target + "$")
	if without {
		t.pattern += noSubtest
	}
	if plain {
		if t.path, err = g.Plain(ctx); err != nil {
			return w, err
		}
	}
	return t.whole(ctx, seedsLimit)
}

// Output returns the last lines that the target and its seeds print; empty: they pass. Without a word of package testing in between, these
// are what the tests themselves say.
func (g GoTest) Output(ctx context.Context) string { return g.test("^" + g.Target + "$").printed(ctx) }

// input returns how to run a file of testdata/fuzz, or a seed.
func (g GoTest) input(x Execution) test {
	t := g.test(report.RunPattern(g.Target, x.Name))
	if g.Policy == nil {
		return t
	}
	if allowed, refuse := g.Policy(x.Name); refuse {
		t.addVariable(refusal.Variable(allowed))
	}
	return t
}

// test returns how to run a pattern of tests.
func (g GoTest) test(pattern string) test {
	return test{
		path: g.Config.Path, args: UserArgs(g.Config.Args), dir: g.Config.Dir, env: g.Config.Env, target: g.Target, pattern: pattern,
		limit: g.Config.Timeout, start: executor.StartLimit(g.Config.Timeout),
	}
}

// UserArgs returns the arguments of a worker process without those that gnaw and the go command give it.
func UserArgs(args []string) (users []string) {
	for _, a := range args {
		if !ofFuzzing(a) {
			users = append(users, a)
		}
	}
	return users
}

// ofFuzzing reports whether an argument of a worker process is about fuzzing, selects tests, or makes the process write
// files that belong to the run of go test.
func ofFuzzing(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	switch name {
	case "test.run", "test.skip", "test.bench", "test.timeout", "test.count", "test.testlogfile", "test.parallel", "test.gocoverdir", "test.v":
		return true
	}
	return strings.HasPrefix(name, "test.fuzz")
}
