//go:build unix

package executor

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// timeout for one execution where a test does not wait for it.
const patient = time.Minute

func TestRunAndFuzz(t *testing.T) {
	t.Parallel()
	w, global, err := launch(t, "serve", patient)
	if err != nil {
		t.Fatal(err)
	}
	if w.Hello.Counters != numCounters || len(w.Hello.Seeds) != 1 {
		t.Errorf("Hello = %+v", w.Hello)
	}
	if err := w.Setup(wire.Setup{Seed: 1, TrimMax: 10}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		in     string
		failed bool
	}{{"pass", false}, {"fail", true}, {"pass", false}} {
		ran, err := w.Run(t.Context(), args(tt.in), wire.Run{Trace: true})
		if err != nil || ran.Failed != tt.failed {
			t.Errorf("Run(%q) = failed %v (%v), want %v", tt.in, ran.Failed, err, tt.failed)
		}
	}
	if w.Knows(1) {
		t.Error("the worker knows an entry that it was not given")
	}
	if err := w.Add(1, args("pass")); err != nil || !w.Knows(1) {
		t.Errorf("Add: %v, known: %v", err, w.Knows(1))
	}
	found := 0
	r, err := w.Fuzz(t.Context(), wire.Fuzz{ID: 1, Execs: 500, MaxLen: 100}, patient, func(wire.New) { found++ })
	if err != nil || r.Failed != nil || found == 0 || r.Execs == 0 || r.Execs > 500 {
		t.Errorf("Fuzz = %+v (%v) with %d new inputs", r, err, found)
	}
	if edges, buckets := global.Count(); edges < 3 || buckets < edges { // edge 0 and one per length
		t.Errorf("the global map has %d edges and %d buckets", edges, buckets)
	}
	if !w.Knows(1) || w.Knows(2) {
		t.Errorf("the worker knows entry 1: %v, entry 2: %v", w.Knows(1), w.Knows(2))
	}
	w.Stop()
	checkGone(t, w.PID())
	w.Kill() // may be called again
	w.Preempt()
}

func TestTheSliceEndsARequest(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	if err := w.Add(1, args("seed")); err != nil {
		t.Fatal(err)
	}
	for range 3 { // until nothing new is found, which ends a request too
		r, err := w.Fuzz(t.Context(), wire.Fuzz{ID: 1, Execs: 1 << 50, MaxLen: 4}, 20*time.Millisecond, func(wire.New) {})
		if err != nil {
			t.Fatalf("Fuzz = %+v (%v)", r, err)
		}
	}
}

func TestPreemptEndsARequest(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	if err := w.Add(1, args("seed")); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				w.Preempt()
			}
		}
	}()
	if r, err := w.Fuzz(t.Context(), wire.Fuzz{ID: 1, Execs: 1 << 50, MaxLen: 4}, 0, func(wire.New) {}); err != nil {
		t.Errorf("Fuzz = %+v (%v)", r, err)
	}
}

func TestFuzzReportsAFailure(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	if err := w.Add(1, args("fail now")); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		r, err := w.Fuzz(t.Context(), wire.Fuzz{ID: 1, Execs: 1000, MaxLen: 10}, patient, func(wire.New) {})
		if err != nil {
			t.Fatal(err)
		}
		if r.Failed != nil {
			if !strings.Contains(string(r.Failed.Input), "fail ") && !strings.HasSuffix(string(r.Failed.Input), "fail") {
				t.Errorf("the failing input is %q", r.Failed.Input)
			}
			if r.Failed.Output != "    x_test.go:7: no\n" {
				t.Errorf("the output is %q", r.Failed.Output)
			}
			return
		}
	}
	t.Error("a failure next to the entry was not found")
}

func TestAProcessThatDiesIsAnExit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		timeout  time.Duration
		code     int
		stderr   string // part of it
		check    func(e *Exit) bool
	}{
		{"exit code", "exit 3", patient, 3, "", nil},
		{"exit in peace", "return", patient, 0, "", func(e *Exit) bool { return e.Err == nil && strings.HasSuffix(e.Error(), "exit status 0") }},
		{"panic elsewhere", "panic boom", patient, 2, "panic: boom", nil},
		{"abort", "abort", patient, 2, "SIGABRT", nil},
		{"hang", "hang", 300 * time.Millisecond, 2, "executor.hangHere", func(e *Exit) bool { return e.Hang }},
		{"hang that keeps a processor busy", "spin", 300 * time.Millisecond, 2, "executor.spinHere", func(e *Exit) bool { return e.Hang }},
		{"hang of a program that catches signals", "outlive", 300 * time.Millisecond, 2, "executor.outliveQuit", func(e *Exit) bool { return e.Hang }},
		{"hang of a program that ignores signals", "ignore", 300 * time.Millisecond, 2, "executor.hangHere", func(e *Exit) bool { return e.Hang }},
		{"kill", "kill", patient, -1, "", func(e *Exit) bool { return e.External }},
		{"closed pipe", "close", patient, -1, "", nil},
		{"memory", "allocate", patient, 2, "memory limit of 64 MiB exceeded", func(e *Exit) bool { return e.Cause == shm.Memory }},
		{"input too large to be recorded", "exit 3 " + strings.Repeat(".", shm.MaxRecord), patient, 3, "", func(e *Exit) bool { return e.Unrecorded }},
		{"hang of an input too large to be recorded", "hang " + strings.Repeat(".", shm.MaxRecord), time.Second, 2, "executor.hangHere", func(e *Exit) bool { return e.Unrecorded }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := serving(t, tt.timeout)
			if tt.in == "allocate" {
				if err := w.Setup(wire.Setup{Seed: 1, MemLimit: 64 << 20}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := w.Run(t.Context(), args("pass"), wire.Run{Trace: true}); err != nil {
				t.Fatal(err)
			}
			_, err := w.Run(t.Context(), args(tt.in), wire.Run{Trace: true})
			var e *Exit
			if !errors.As(err, &e) {
				t.Fatalf("Run(%.99q) = %v, want an *Exit", tt.in, err)
			}
			if e.Code() != tt.code || !strings.Contains(e.Stderr, tt.stderr) || tt.check != nil && !tt.check(e) {
				t.Errorf("Run(%.99q): code %d, want %d; stderr %q, want %q in it; %v", tt.in, e.Code(), tt.code, e.Stderr, tt.stderr, e)
			}
			if !e.Input.Equal(args(tt.in)) || e.Stage != shm.Running {
				t.Errorf("Run(%.99q): the input is %.99q in stage %d", tt.in, e.Input.Values(), e.Stage)
			}
			if e.Hang != strings.HasPrefix(tt.name, "hang") || e.External != (tt.code < 0) || !strings.HasPrefix(e.Error(), "fuzzing process hung or terminated unexpectedly: ") {
				t.Errorf("Run(%.99q): %v, hang %v, external %v", tt.in, e, e.Hang, e.External)
			}
			checkGone(t, w.PID())
		})
	}
}

// A measurement executes its input many times. The memory limit is one for each execution.
func TestOraclesHaveTheMemoryLimitOfOneExecution(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	if err := w.Setup(wire.Setup{Seed: 1, MemLimit: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	limits := oracle.Limits{On: oracle.Keep | oracle.Alloc}
	limits.Set(oracle.Alloc, 32<<20)
	res, err := w.RunOracles(t.Context(), wire.Measure{Input: input.Append(nil, args("churn")), Limits: limits})
	if err != nil || len(res.Reports) != 1 || res.Reports[0].Oracle != oracle.Alloc {
		t.Errorf("RunOracles = %+v (%v), want a report about allocation", res, err)
	}
}

func TestErrorOutputIsBounded(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	_, err := w.Run(t.Context(), args("shout"), wire.Run{})
	var e *Exit
	if !errors.As(err, &e) || e.Code() != 4 {
		t.Fatalf("Run = %v, want an *Exit with code 4", err)
	}
	if n := len(e.Stderr); n < stderrKept/2 || n > 2*stderrKept {
		t.Errorf("%d bytes of 10 MB are kept, want about %d", n, stderrKept)
	}
	if !strings.HasPrefix(e.Stderr, "000000.") || !strings.Contains(e.Stderr, "\n010239.") || !strings.Contains(e.Stderr, "(output left out)") {
		t.Error("the beginning or the end of the output is missing, or the note between them")
	}
}

func TestTail(t *testing.T) {
	tests := []struct {
		name   string
		writes []string
		want   string
	}{
		{"nothing", nil, ""},
		{"fits", []string{"abc", "de"}, "abcde"},
		{"fits exactly", []string{"abcd", "efgh"}, "abcdefgh"},
		{"one long write", []string{"abcdefghijklmnop"}, "abcd\n... (output left out) ...\nmnop"},
		{"short writes", strings.Split("a b c d e f g h i j k l m n o p", " "), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tl := &tail{limit: 8}
			for _, s := range tt.writes {
				if n, err := tl.Write([]byte(s)); n != len(s) || err != nil {
					t.Fatalf("Write(%q) = %d, %v", s, n, err)
				}
			}
			got := tl.String()
			if tt.want == "" && tt.writes != nil { // how much is kept depends on the writes
				if !strings.HasPrefix(got, "abcd\n") || !strings.HasSuffix(got, "mnop") || len(got) > 8+8+len(tt.writes)*2+20 {
					t.Errorf("String = %q, want the first four and at least the last four letters", got)
				}
				return
			}
			if got != tt.want {
				t.Errorf("String = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTailSince(t *testing.T) {
	tl := &tail{limit: 8}
	_, _ = tl.Write([]byte("abcdef"))
	for from, want := range []string{"abcdef", "bcdef", "cdef", "def", "ef", "f", ""} {
		if got := tl.since(from); got != want || tl.written() != 6 {
			t.Errorf("since(%d) = %q of %d bytes, want %q of 6", from, got, tl.written(), want)
		}
	}
	_, _ = tl.Write([]byte("ghijklmnopq"))
	for from, want := range map[int]string{0: "abcd\n... (output left out) ...\nefnopq", 2: "cd\n... (output left out) ...\nefnopq", 9: "\n... (output left out) ...\nefnopq", 14: "opq", 17: ""} {
		if got := tl.since(from); got != want {
			t.Errorf("since(%d) = %q, want %q", from, got, want)
		}
	}
}

func TestTheOutputOfAnExecutionBeginsAtAPosition(t *testing.T) {
	var p positions
	for i, step := range []struct {
		at   position
		last uint64 // execution
		want int    // bytes that were printed before it
	}{
		{position{0, 0}, 1, 0},
		{position{10, 0}, 1, 10}, // printed while the target was set up
		{position{20, 1}, 1, 10}, // by the first execution, or before
		{position{30, 1}, 1, 10},
		{position{30, 1}, 2, 30},
		{position{40, 5}, 5, 30},
		{position{40, 5}, 9, 40},
	} {
		if p.add(step.at); p.of(step.last) != step.want {
			t.Errorf("step %d: the output of execution %d begins at %d, want %d", i, step.last, p.of(step.last), step.want)
		}
	}
}

func TestAWorkerThatSpeaksNonsense(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, mode, in, want string }{
		{"the target writes into the pipe", "serve", "garbage", "communicating with fuzzing process: invalid character '!' looking for beginning of value"},
		{"another message than asked for", "wrong answer", "x", "communicating with fuzzing process: unexpected message 0x80"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w, _, err := launch(t, tt.mode, patient)
			if err != nil {
				t.Fatal(err)
			}
			if tt.mode == "serve" {
				if err := w.Setup(wire.Setup{}); err != nil {
					t.Fatal(err)
				}
			}
			_, err = w.Run(t.Context(), args(tt.in), wire.Run{})
			var p *ProtocolError
			if !errors.As(err, &p) || err.Error() != tt.want {
				t.Errorf("Run = %v, want %s", err, tt.want)
			}
			checkGone(t, w.PID())
			w.Stop() // does nothing any more
		})
	}
}

func TestAnAnswerThatIsCutOffIsAnExit(t *testing.T) {
	t.Parallel()
	w, _, err := launch(t, "half an answer", patient)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Run(t.Context(), args("x"), wire.Run{})
	var e *Exit
	if !errors.As(err, &e) || e.Code() != 0 || e.Input != nil {
		t.Errorf("Run = %v, want an *Exit without input", err)
	}
	checkGone(t, w.PID())
}

func TestAProcessThatDoesNotGetToFuzzing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		mode, want string
		code       int
	}{
		{"exit", "fuzzing process terminated without fuzzing: exit status 3\nno flag is called so\n", 3},
		{"exit in peace", "fuzzing process terminated without fuzzing: EOF", 0},
		{"child", "fuzzing process terminated without fuzzing: exit status 3\nno database\n", 3},
		{"garbage", "fuzzing process terminated without fuzzing: invalid character 'h' looking for beginning of value", -1},
		{"close", "fuzzing process terminated without fuzzing: EOF", -1},
		{"other message", "fuzzing process terminated without fuzzing: unexpected message 0x89", -1},
		{"broken greeting", "fuzzing process terminated without fuzzing: message ends too early", -1},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			w, _, err := launch(t, tt.mode, patient)
			var e *StartError
			if w != nil || !errors.As(err, &e) || err.Error() != tt.want || e.Code != tt.code {
				t.Errorf("Start = %v, want %s and code %d", err, tt.want, tt.code)
			}
		})
	}
	t.Run("other protocol", func(t *testing.T) {
		t.Parallel()
		_, _, err := launch(t, "other protocol", patient)
		if err == nil || !strings.Contains(err.Error(), "built by another version of gnaw") {
			t.Errorf("Start = %v, want an error about versions", err)
		}
	})
	t.Run("silence", func(t *testing.T) {
		t.Parallel()
		if _, _, err := launch(t, "silence", patient); !errors.Is(err, context.Canceled) {
			t.Errorf("Start = %v, want that of the context", err)
		}
	})
	t.Run("no such file", func(t *testing.T) {
		t.Parallel()
		global, err := NewGlobal()
		if err != nil {
			t.Fatal(err)
		}
		defer global.Close()
		_, err = Start(t.Context(), Config{Path: filepath.Join(t.TempDir(), "missing")}, global)
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("Start = %v, want that there is no such file", err)
		}
	})
}

// startRun has a worker execute an input and cancels the context as soon as it does.
func startRun(t *testing.T, w *Worker, in string) error {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seg := w.shared.seg
	go func() {
		for ctx.Err() == nil {
			if seg.Execs() > 0 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err := w.Run(ctx, args(in), wire.Run{})
	cancel()
	return err
}

func TestTheEndOfTheContextEndsAHangingExecution(t *testing.T) {
	t.Parallel()
	w := serving(t, 0)
	if err := startRun(t, w, "hang"); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want that of the context", err)
	}
	checkGone(t, w.PID())
}

func TestTheEndOfTheContextLosesNoResult(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	w.grace = patient
	if err := startRun(t, w, "linger"); err != nil {
		t.Fatalf("Run of an execution that ends after the context = %v, want nil", err)
	}
	if _, err := w.Run(t.Context(), args("pass"), wire.Run{}); err != nil {
		t.Errorf("the next Run = %v", err)
	}
}

// A turn of a campaign ends in the middle of what a slow target does: it has done it nevertheless.
func TestTheEndOfTheContextTellsWhatWasDone(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	if err := w.Add(1, args("hang")); err != nil {
		t.Fatal(err)
	}
	if n := w.Underway(); n != 0 {
		t.Errorf("%d executions are under way before a request", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for w.Underway() == 0 && ctx.Err() == nil {
			runtime.Gosched()
		}
		cancel()
	}()
	// A study executes the entry first.
	r, err := w.Fuzz(ctx, wire.Fuzz{ID: 1, Execs: 1 << 50, MaxLen: 4, Study: true, Solve: true, Skip: 7}, 0, func(wire.New) {})
	if !errors.Is(err, context.Canceled) || r.Execs != 1 || r.Nanos == 0 || r.Tried != 7 {
		t.Errorf("Fuzz = %+v, %v, want one execution that took some time, 7 suggestions, and the error of the context", r.Done, err)
	}
	if n := w.Underway(); n != 0 {
		t.Errorf("%d executions are under way after the request", n)
	}
	checkGone(t, w.PID())
}

func TestTheEndOfTheContextEndsARequestToABrokenPipe(t *testing.T) {
	t.Parallel()
	w, _, err := launch(t, "deaf", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.process.in.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Run(ctx, args("x"), wire.Run{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want that of the context", err)
	}
	checkGone(t, w.PID())
}

func TestAProcessThatDoesNotStopIsKilled(t *testing.T) {
	t.Parallel()
	w, _, err := launch(t, "deaf", patient)
	if err != nil {
		t.Fatal(err)
	}
	w.Stop()
	checkGone(t, w.PID())
}

func TestAWorkerWithoutCoordinatorEnds(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	seg := w.shared.seg
	go func() {
		for seg.Execs() == 0 {
			time.Sleep(time.Millisecond)
		}
		_ = w.process.life.Close()
	}()
	_, err := w.Run(t.Context(), args("hang"), wire.Run{})
	var e *Exit
	if !errors.As(err, &e) || e.Cause != shm.Lost || e.External {
		t.Errorf("Run = %v, want an *Exit because of lost pipes (%+v)", err, e)
	}
}

// The end of the stream does not come if a child of the process holds the pipe.
func TestAChildThatHoldsThePipeDelaysNothing(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	file := filepath.Join(t.TempDir(), "pid")
	_, err := w.Run(t.Context(), args("child "+file), wire.Run{})
	var e *Exit
	if !errors.As(err, &e) || e.Code() != 5 {
		t.Errorf("Run = %v, want an *Exit with code 5", err)
	}
	checkGone(t, w.PID())
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	checkEnds(t, pid)
}

// A process that hangs may have been stopped in what it does between two requests by what the target has left behind.
func TestAProcessThatTakesNoRequestIsEnded(t *testing.T) {
	t.Parallel()
	large := args(strings.Repeat(".", 1<<20)) // more than a pipe has room for
	for _, tt := range []struct {
		name string
		do   func(w *Worker) error
	}{
		{"a request that fits into the pipe", func(w *Worker) error {
			w.patience = pulse
			_, err := w.Run(t.Context(), args("x"), wire.Run{})
			return err
		}},
		{"a large request", func(w *Worker) error {
			_, err := w.Run(t.Context(), large, wire.Run{})
			return err
		}},
		{"a large entry", func(w *Worker) error {
			if err := w.Add(1, large); err == nil {
				t.Error("Add says that a process which reads nothing has the entry")
			}
			_, err := w.Fuzz(t.Context(), wire.Fuzz{ID: 1, Execs: 1}, 0, func(wire.New) {})
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w, _, err := launch(t, "deaf", patient)
			if err != nil {
				t.Fatal(err)
			}
			w.process.send = wire.NewWriter(requestPipe{w.process.in, time.Millisecond, 3})
			err = tt.do(w)
			var e *Exit
			if !errors.As(err, &e) || !e.Stuck || e.Hang || e.External {
				t.Errorf("%v, want an *Exit of a process that was stuck", err)
			}
			checkGone(t, w.PID())
		})
	}
}

// What a terminal sends to the group of gnaw is not for the target: it may run commands, or listen for signals.
func TestAWorkerLeadsAGroup(t *testing.T) {
	t.Parallel()
	w := serving(t, patient)
	if group, err := syscall.Getpgid(w.PID()); err != nil || group != w.PID() {
		t.Errorf("the process group of worker %d is %d (%v)", w.PID(), group, err)
	}
}

func TestTwoWorkersShareAGlobalMap(t *testing.T) {
	t.Parallel()
	a, global, err := launch(t, "serve", patient)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Kill()
	b, err := Start(t.Context(), a.cfg, global)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Kill()
	added := 0
	for _, w := range []*Worker{a, b} {
		if err := w.Setup(wire.Setup{}); err != nil {
			t.Fatal(err)
		}
		ran, err := w.Run(t.Context(), args("pass"), wire.Run{Trace: true})
		if err != nil {
			t.Fatal(err)
		}
		added += len(ran.Added)
	}
	if added != 2 { // edge 0 and one for the length
		t.Errorf("two workers added %d features by the same input, want 2", added)
	}
	if edges, buckets := global.Count(); edges != 2 || buckets != 2 {
		t.Errorf("Count = %d edges, %d buckets, want 2 and 2", edges, buckets)
	}
}

func TestErrorsSpeakForThemselves(t *testing.T) {
	if got := (&StartError{Err: io.EOF, Wait: errors.New("exit status 2")}).Error(); got != "fuzzing process terminated without fuzzing: exit status 2" {
		t.Errorf("StartError: %s", got)
	}
	broken := errors.New("broken")
	if !errors.Is(&StartError{Err: broken}, broken) || !errors.Is(&ProtocolError{broken}, broken) {
		t.Error("the causes are hidden")
	}
	if got := (&Exit{Err: broken}).Code(); got != -1 {
		t.Errorf("Code of an exit that has none = %d, want -1", got)
	}
}

// A campaign may have thousands of targets, of which most wait for their turn.
func TestAGlobalMapThatRestsHoldsNothingAndForgetsNothing(t *testing.T) {
	w, global, err := launch(t, "serve", patient)
	if err != nil {
		t.Fatal(err)
	}
	run := func(w *Worker) (added int) {
		if err := w.Setup(wire.Setup{}); err != nil {
			t.Fatal(err)
		}
		ran, err := w.Run(t.Context(), args("pass"), wire.Run{Trace: true})
		if err != nil {
			t.Fatal(err)
		}
		w.Stop()
		return len(ran.Added)
	}
	if added := run(w); added != 2 { // edge 0 and one for the length
		t.Fatalf("%d features are new", added)
	}
	for range 2 {
		if err := global.Rest(); err != nil {
			t.Fatal(err)
		}
		if edges, buckets := global.Count(); edges != 2 || buckets != 2 || global.file != nil || global.mem != nil {
			t.Errorf("while it rests: %d edges, %d buckets, %+v", edges, buckets, global.file)
		}
	}
	for range 2 {
		if err := global.Wake(); err != nil {
			t.Fatal(err)
		}
	}
	w, err = Start(t.Context(), w.cfg, global)
	if err != nil {
		t.Fatal(err)
	}
	if added := run(w); added != 0 {
		t.Errorf("%d features are new that were seen before the map rested", added)
	}
}

// A target may write to any descriptor, or change its size. gnaw would end by a signal if the memory was gone that it reads.
func TestATargetCannotChangeTheSizeOfSharedMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has seals")
	}
	f, err := memoryFile("gnaw-test", 4096)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int64{0, 100, 8192} {
		if err := f.Truncate(size); err == nil {
			t.Errorf("its size was changed to %d", size)
		}
	}
}

// A process that cannot stop its goroutines prints no stacks by itself; the signal that follows is not one that programs catch.
func TestTheSignalForStacksIsNotCaught(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere a program can catch it")
	}
	t.Parallel()
	w := serving(t, patient)
	go func() {
		for !strings.Contains(w.output.tail.String(), listening) {
			time.Sleep(time.Millisecond)
		}
		dump(w.process.cmd.Process)
	}()
	_, err := w.Run(t.Context(), args("outlive"), wire.Run{})
	var e *Exit
	if !errors.As(err, &e) || e.Code() != 2 || !strings.Contains(e.Stderr, "SIGTRAP") || !strings.Contains(e.Stderr, "executor.outliveQuit") {
		t.Errorf("Run = %v, want an *Exit with stacks", err)
	}
}
