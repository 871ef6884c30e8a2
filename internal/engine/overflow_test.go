package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// pretendWhole is the size of a stack without gnaw, for workers that are fakes.
const pretendWhole = 128 << 20

// recurse has a worker use 128 KiB of stack for each opening bracket in its input, and returns how that ends.
func recurse(f *fakeWorker, data string) error {
	limit := f.setup.MaxStack
	if limit == 0 {
		limit = pretendWhole
	}
	if strings.Count(data, "(")<<17 < limit {
		return nil
	}
	return &executor.Exit{Err: errors.New("exit status 2"), Input: args(data), Stderr: fmt.Sprintf(
		"runtime: goroutine stack exceeds %d-byte limit\nfatal error: stack overflow\n\ngoroutine 7 [running]:\np.f()\n\t/src/p.go:%d +0x1\n",
		limit, 3+len(data)%2)}
}

// recursive has workers recurse, and the first one meet an input with which that overflows the stack.
func (l *lab) recursive() {
	l.run = func(_ context.Context, f *fakeWorker, data string) (wire.Ran, error) { return pass, recurse(f, data) }
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if f.number == 1 {
			return executor.Fuzzed{}, recurse(f, "let "+strings.Repeat("((", 65)+" x")
		}
		return allOf(m), nil
	}
}

func TestAnInputThatOverflowsASmallerStackIsMadeDeeper(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.opts.MaxExecs = 5000
	l.recursive()
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 1 {
		t.Fatalf("Run = %+v, %v, want one finding", out.Findings, err)
	}
	f := out.Findings[0]
	if want := strings.Repeat("(", 4160); string(f.Input[0].Data) != want || f.Kind != finding.Fatal || !strings.Contains(f.Output, fmt.Sprint(pretendWhole)) {
		t.Errorf("the finding is %v with %d bytes and %q, want that of %d bytes", f.Kind, f.Input.Size(), f.Output, len(want))
	}
	if files := l.files(l.opts.CorpusDir); len(files) != 1 || f.Replays != 1 || f.Failures != 1 {
		t.Errorf("the files are %v after %d replays, want one", files, f.Replays)
	}
}

// overflowing returns a lab whose mutants, if they are executed with less stack than all, are those inputs, one after the
// other. A target that meets a square bracket allows no more depth than that of less stack.
func overflowing(t *testing.T, inputs ...string) *lab {
	l := newLab(t)
	l.seeds("a")
	l.opts.MaxExecs, l.opts.KeepGoing = 5000, true
	run := func(f *fakeWorker, in string) error {
		if strings.Contains(in, "[") && f.setup.MaxStack == 0 {
			return nil
		}
		return recurse(f, strings.ReplaceAll(in, "[", "("))
	}
	l.run = func(_ context.Context, f *fakeWorker, in string) (wire.Ran, error) { return pass, run(f, in) }
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if len(inputs) == 0 || f.setup.MaxStack == 0 {
			return allOf(m), nil
		}
		in := inputs[0]
		inputs = inputs[1:]
		err := run(f, in)
		if exit := (*executor.Exit)(nil); errors.As(err, &exit) {
			exit.Input = args(in)
		}
		return executor.Fuzzed{}, err
	}
	return l
}

func TestAnOverflowIsLookedIntoAlthoughAnotherOneIsNoFinding(t *testing.T) {
	many := func(unit string) string { return strings.Repeat(unit, 130) }
	l := overflowing(t, many("["), many("["), many(".["), many("((]")+many("long padding"))
	out, err := l.goFuzz(t.Context())
	if want := strings.Repeat("((]", 2080); err != nil || len(out.Findings) != 1 || string(out.Findings[0].Input[0].Data) != want {
		t.Errorf("Run = %+v, %v, want a finding of %d bytes", out.Findings, err, len(want))
	}
}

func TestEachConstructIsMadeDeeperOnce(t *testing.T) {
	for _, tt := range []struct {
		name          string
		input         func(i int) string
		deeper, whole int // executions with the whole stack of what is made deeper, and workers with it for mutants
	}{
		{"all by one construct", func(int) string { return strings.Repeat("[", 130) }, 1 + len(deepenBy), 0},
		{"each by another one", func(i int) string { return "(" + strings.Repeat("["+strings.Repeat("x", i), 130) }, maxConstructs * (1 + len(deepenBy)), 1},
		{"nothing is repeated", func(int) string { return strings.Repeat("(x(yy(zzz(", minRepeats-1) + "((((((([" }, 40, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var inputs []string
			for i := range 40 {
				inputs = append(inputs, tt.input(i))
			}
			l := overflowing(t, inputs...)
			deeper, whole := 0, 0
			run, fuzz := l.run, l.fuzz
			l.run = func(ctx context.Context, f *fakeWorker, in string) (wire.Ran, error) {
				if f.setup.MaxStack == 0 {
					deeper++
				}
				return run(ctx, f, in)
			}
			l.fuzz = func(ctx context.Context, f *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
				if f.setup.MaxStack == 0 {
					whole = 1
				}
				return fuzz(ctx, f, m, found)
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != 0 || deeper != tt.deeper || whole != tt.whole {
				t.Errorf("Run = %+v, %v with %d executions and %d workers, want no finding, %d, %d", out.Findings, err, deeper, whole, tt.deeper, tt.whole)
			}
		})
	}
}

func TestWorkersHaveTheWholeStackIfTheirStartsTakeTooLong(t *testing.T) {
	for _, tt := range []struct {
		name       string
		startup    time.Duration
		repeatable bool
		overflows  int // until then
	}{
		{"milliseconds", 20 * time.Millisecond, false, 251},
		{"seconds", 8 * time.Second, false, 1},
		{"it must not depend on time", time.Millisecond, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newEngine(Options{Settings: Settings{Repeatable: tt.repeatable}})
			r.pool.startup = tt.startup
			n := 0
			for r.verifier.overflows.maxStack() != 0 && n < 1000 {
				n++
				if f := (&finding.Finding{Input: args("a")}); !r.verifier.overflows.count(f, nil) {
					t.Errorf("overflow %d is not looked into", n)
				}
			}
			if n != tt.overflows {
				t.Errorf("all workers have the whole stack after %d overflows, want %d", n, tt.overflows)
			}
		})
	}
}

func TestAnInputThatFailsWithASmallerStackOnlyIsNoFinding(t *testing.T) {
	for _, data := range []string{
		strings.Repeat("(,", 64) + strings.Repeat("a(b(", 32) + "((", // what is repeated most is not enough
		strings.Repeat("(x(yy(zzz(", 32) + "((",
	} {
		l := newLab(t)
		l.seeds("a")
		l.opts.MaxExecs = 5000
		l.recursive()
		enough := l.run
		l.run = func(ctx context.Context, f *fakeWorker, in string) (wire.Ran, error) {
			if f.setup.MaxStack == 0 {
				return pass, nil // as deep as it may be
			}
			return enough(ctx, f, in)
		}
		fuzz := l.fuzz
		l.fuzz = func(ctx context.Context, f *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
			if f.number > 1 {
				return fuzz(ctx, f, m, found)
			}
			_, err := l.run(ctx, f, data)
			return executor.Fuzzed{}, err
		}
		out, err := l.goFuzz(t.Context())
		if err != nil || len(out.Findings) != 0 || len(l.files(l.opts.CorpusDir)) != 0 {
			t.Errorf("Run = %+v, %v with the files %v, want nothing", out.Findings, err, l.files(l.opts.CorpusDir))
		}
		if out.Final.Execs < 5000 {
			t.Errorf("the run ended after %d executions, want all", out.Final.Execs)
		}
	}
}

// The frames of an instrumented target are larger than those of plain go test.
func TestAnOverflowThatPlainGoTestMayNotHaveIsNoFinding(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.opts.MaxExecs = 5000
	l.recursive()
	enough := l.run
	l.run = func(ctx context.Context, f *fakeWorker, in string) (wire.Ran, error) {
		if strings.Count(in, "(") > 3*1040 {
			return pass, nil // too deep for the target
		}
		return enough(ctx, f, in)
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 0 || len(l.files(l.opts.CorpusDir)) != 0 {
		t.Errorf("Run = %+v, %v with the files %v, want nothing", out.Findings, err, l.files(l.opts.CorpusDir))
	}
}

func TestARecursionWithoutEndIsMinimized(t *testing.T) {
	l := newLab(t)
	l.seeds("a")
	l.opts.MaxExecs, l.opts.KeepGoing, l.opts.Minimize.Time = 5000, true, time.Minute
	l.recursive()
	deep := l.run
	endless := func(ctx context.Context, f *fakeWorker, in string) (wire.Ran, error) {
		if strings.Contains(in, "!") {
			in = strings.Repeat("(", 2000)
		}
		return deep(ctx, f, in)
	}
	l.run = endless
	fuzz := l.fuzz
	l.fuzz = func(ctx context.Context, f *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
		if f.number > 1 {
			return fuzz(ctx, f, m, found)
		}
		_, err := endless(ctx, f, "!")
		var exit *executor.Exit
		errors.As(err, &exit)
		exit.Input = args(strings.Repeat(" ", 100) + "let !" + strings.Repeat("ab", 50))
		return executor.Fuzzed{}, err
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 1 || string(out.Findings[0].Input[0].Data) != "!" {
		t.Errorf("Run = %+v, %v, want a finding of one byte", out.Findings, err)
	}
}

func TestADeeperInputMayFailInAnotherWay(t *testing.T) {
	exit := func(e executor.Exit) error { e.Input = args("x"); return &e }
	for _, tt := range []struct {
		name string
		ran  wire.Ran
		err  error
		want []finding.Kind
	}{
		{"it fails a check", ranFailing(failedAt(7)), nil, []finding.Kind{finding.Failure}},
		{"it exits", pass, exit(executor.Exit{Err: errors.New("exit status 3")}), []finding.Kind{finding.Exit}},
		{"it hangs", pass, exit(executor.Exit{Err: errors.New("exit status 2"), Hang: true}), nil},
		{"it needs too much memory", pass, exit(executor.Exit{Err: errors.New("exit status 2"), Cause: shm.Memory}), nil},
		{"the system kills it", pass, exit(executor.Exit{Err: errors.New("signal: killed"), External: true}), nil},
		{"the time is up", pass, context.DeadlineExceeded, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("a")
			l.opts.MaxExecs, l.opts.KeepGoing = 5000, true
			l.recursive()
			enough := l.run
			l.run = func(ctx context.Context, f *fakeWorker, in string) (wire.Ran, error) {
				if f.setup.MaxStack == 0 && len(in) > 200 {
					return tt.ran, tt.err
				}
				return enough(ctx, f, in)
			}
			out, err := l.goFuzz(t.Context())
			var got []finding.Kind
			for _, f := range out.Findings {
				got = append(got, f.Kind)
			}
			if err != nil || !slices.Equal(got, tt.want) || len(l.files(l.opts.CorpusDir)) != len(tt.want) {
				t.Errorf("Run = %v, %v, want the kinds %v", got, err, tt.want)
			}
		})
	}
}

func TestASeedThatNeedsMoreStackIsExecutedAgain(t *testing.T) {
	for _, tt := range []struct {
		name       string
		brackets   int
		seedFails  bool
		findingLen int
	}{
		{"less than all", 200, false, 200 * 8 * surely},
		{"more than all", 2000, true, 2000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds("a", strings.Repeat("(", tt.brackets))
			l.opts.MaxExecs, l.opts.KeepGoing = 5000, true
			l.recursive()
			l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if f.setup.MaxStack != firstStack {
					t.Error("mutants are executed with the whole stack")
				}
				return allOf(m), nil
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != 1 || out.Findings[0].Input.Size() != tt.findingLen || len(eventsOf[event.SeedFailed](l)) > 0 != tt.seedFails {
				t.Errorf("Run = %+v, %v, want a finding of %d bytes, the seed: %v", out.Findings, err, tt.findingLen, tt.seedFails)
			}
			if w := out.Final.WarmDone; !tt.seedFails && w != 2 {
				t.Errorf("%d seeds were executed, want 2", w)
			}
		})
	}
}

func TestDeeperInputsRepeatWhatIsRepeated(t *testing.T) {
	many := func(unit string, n int) string { return strings.Repeat(unit, n) }
	for _, tt := range []struct {
		name, data string
		want       []string // the shortest two
	}{
		{"nothing is", "let ((((a + b))))", nil},
		{"too few times", many("(", 31) + "a", nil},
		{"open", "x=" + many("(", 64), []string{"x=" + many("(", 128), "x=" + many("(", 256)}},
		{"open and closed", many("[", 100) + "1" + many("]", 100), []string{
			many("[", 200) + "1" + many("]", 200), many("[", 200) + "1" + many("]", 100),
		}},
		{"several bytes", "f" + many("(b", 70) + "(", []string{"f" + many("(b", 140) + "(", "f" + many("(b", 280) + "("}},
		{"the longer part", many("a", 64) + many("{\"k\":", 64), []string{
			many("a", 64) + many("{\"k\":", 128), many("a", 64) + many("{\"k\":", 256),
		}},
		{"nothing, as it is too long", many("(", maxDeep/2+1), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			a := input.Args{{Kind: input.Int, Bits: 7}, {Kind: input.String, Data: []byte("-")}, {Kind: input.Bytes, Data: []byte(tt.data)}}
			for _, d := range deeper(a, deepenBy[:]...) {
				if d[0].Bits != 7 || string(d[1].Data) != "-" {
					t.Errorf("other arguments have changed: %v", d)
				}
				got = append(got, string(d[2].Data))
			}
			if !slices.Equal(got[:min(len(got), 2)], tt.want) {
				t.Errorf("deeper(%.40q) = %.300q…, want %.300q…", tt.data, got, tt.want)
			}
			if string(a[2].Data) != tt.data {
				t.Error("the input has changed")
			}
		})
	}
}
