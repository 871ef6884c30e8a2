package proof

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// stackAt is what the runtime prints below its first line, with one frame of the user's code.
func stackAt(name, line string) string {
	return "\n\ngoroutine 7 [running]:\nexample.com/m." + name + "(...)\n\t/src/m/m.go:" + line + " +0x1d\n"
}

// exited is how a process ends that exits with this code.
func exited(t *testing.T, code int) error {
	t.Helper()
	err := exec.Command("sh", "-c", fmt.Sprintf("exit %d", code)).Run()
	if got := (&executor.Exit{Err: err}).Code(); got != code {
		t.Fatalf("the exit code is %d, want %d", got, code)
	}
	return err
}

// What a target prints that recovers is no reason for the end of its process.
func TestDiedKnowsBetterThanWhatTheTargetPrinted(t *testing.T) {
	const recovered = "panic: bad request" // with an empty line, as the runtime prints it
	words := recovered + stackAt("Handle.func1", "13") + "created by testing.(*F).Fuzz.func1 in goroutine 1\n\t/go/fuzz.go:333 +0x5a5\n"
	dump := "SIGQUIT: quit\nPC=0x4\n\ngoroutine 0:\n" + stackAt("spin", "3") + "created by testing.(*F).Fuzz.func1 in goroutine 1\n\t/go/fuzz.go:333 +0x5a5\n"
	status := errors.New("exit status 2")
	for _, tt := range []struct {
		name  string
		exit  executor.Exit
		kind  finding.Kind
		place string
	}{
		{"a hang", executor.Exit{Err: status, Hang: true, Stderr: words + dump}, finding.Hang, "example.com/m.spin m.go:3"},
		{"a hang without stacks", executor.Exit{Err: status, Hang: true, Stderr: words}, finding.Hang, ""},
		{"memory", executor.Exit{Err: status, Cause: shm.Memory, Stderr: words + "fatal error: memory limit exceeded" + stackAt("grab", "5")}, finding.Memory, "example.com/m.grab m.go:5"},
		{"memory without stacks", executor.Exit{Err: status, Cause: shm.Memory, Stderr: words}, finding.Memory, ""},
		{"a signal", executor.Exit{Err: errors.New("signal: killed"), External: true, Stderr: words}, finding.Signal, ""},
		{"an exit", executor.Exit{Err: exited(t, 1), Stderr: words}, finding.Exit, ""},
		{"an exit with the code of the runtime", executor.Exit{Err: exited(t, 2), Stderr: words + "gnaw: os.Exit(2)" + stackAt("End", "7")}, finding.Exit, "example.com/m.End m.go:7"},
		{"a panic behind a call of os.Exit that was refused", executor.Exit{Err: exited(t, 2), Stderr: "gnaw: os.Exit(0)" + stackAt("End", "7") + "panic: later" + stackAt("late", "9")}, finding.Fatal, "example.com/m.late m.go:9"},
		{"a fatal error", executor.Exit{Err: exited(t, 2), Stderr: words + "fatal error: all goroutines are asleep - deadlock!" + stackAt("wait", "9")}, finding.Fatal, "example.com/m.wait m.go:9"},
		{"an overflow that takes long", executor.Exit{Err: status, Hang: true, Stderr: words + "runtime: goroutine stack exceeds 9-byte limit\nfatal error: stack overflow" + stackAt("deep", "9")}, finding.Fatal, "example.com/m.deep m.go:9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := Died(&tt.exit)
			if f.Kind != tt.kind || f.Place != tt.place {
				t.Errorf("Died = %v at %q, want %v at %q", f.Kind, f.Place, tt.kind, tt.place)
			}
			if calls := f.Calls(); (len(calls) > 0) != (tt.place != "") {
				t.Errorf("the calls are %v", calls)
			}
		})
	}
}

// The output of a finding is that of its execution, and a bounded part of that.
func TestDiedKeepsWhatTheExecutionPrinted(t *testing.T) {
	report := "fatal error: concurrent map writes" + stackAt("put", "3")
	older, own := strings.Repeat("older\n", 5), strings.Repeat("own\n", 100)
	f := Died(&executor.Exit{Err: errors.New("exit status 2"), Stderr: older + own + report, Before: len(older)})
	if n := strings.Count(f.Output, "own"); n != maxBefore || strings.Contains(f.Output, "older") || !strings.Contains(f.Output, "… 60 lines before\n") {
		t.Errorf("the output has %d lines:\n%s", n, f.Output)
	}
	f = Died(&executor.Exit{Err: errors.New("exit status 2"), Stderr: report, Before: 12}) // executions go on while it is printed
	if f.Kind != finding.Fatal || f.Place != "example.com/m.put m.go:3" || !strings.Contains(f.Output, report) {
		t.Errorf("a report that began before is told as %v at %q:\n%s", f.Kind, f.Place, f.Output)
	}
}

func TestDied(t *testing.T) {
	status := errors.New("exit status 2")
	for _, tt := range []struct {
		name    string
		exit    executor.Exit
		kind    finding.Kind
		message string
	}{
		{"a fatal error of the runtime", executor.Exit{Err: status, Stderr: "fatal error: concurrent map writes" + stackAt("put", "3")}, finding.Fatal, "fatal error: concurrent map writes"},
		{"a panic in another goroutine", executor.Exit{Err: status, Stderr: "panic: gone" + stackAt("put", "3")}, finding.Fatal, "gone"},
		{"a hang", executor.Exit{Err: status, Hang: true, Timeout: time.Second, Stderr: "SIGQUIT: quit" + stackAt("spin", "3")}, finding.Hang, "one execution took longer than 1s"},
		{"a stack that overflows for so long that it looks like a hang", executor.Exit{Err: status, Hang: true, Stderr: "runtime: goroutine stack exceeds 16777232-byte limit\nfatal error: stack overflow" + stackAt("spin", "3")}, finding.Fatal, "fatal error: stack overflow"},
		{"too much memory", executor.Exit{Err: status, Cause: shm.Memory}, finding.Memory, ""},
		{"too much memory, whose stacks take long to print", executor.Exit{Err: status, Cause: shm.Memory, Hang: true}, finding.Memory, ""},
		{"os.Exit", executor.Exit{Err: errors.New("exit status 3")}, finding.Exit, ""},
		{"a signal", executor.Exit{Err: errors.New("signal: killed"), External: true}, finding.Signal, "signal: killed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := Died(&tt.exit)
			if f.Kind != tt.kind || f.Message != tt.message || !strings.HasPrefix(f.Output, tt.exit.Error()) {
				t.Errorf("Died = %v, %q with output %q, want %v, %q", f.Kind, f.Message, f.Output, tt.kind, tt.message)
			}
		})
	}
}

// What is logged has the base name of a file; the process tells which one that is.
func TestFailedKnowsTheFileThatLogged(t *testing.T) {
	const output = "    check.go:7: 1 is odd\n"
	const stack = "\ngnaw: failed at\ntesting.(*common).Errorf(...)\n\t/go/testing.go:3\nm/deep.inner(...)\n\t/src/deep/check.go:9\n" +
		"m/deep.Even(...)\n\t/src/deep/check.go:7\nm.FuzzX.func1(...)\n\t/src/x_test.go:7\n"
	f := Failed(nil, output+stack, 1)
	want := finding.Call{In: "m/deep.Even", File: "/src/deep/check.go", Line: 7}
	if f.Output != output || f.Place != "check.go:7" || !slices.Equal(f.At, []finding.Call{want}) || !slices.Equal(f.Calls(), f.At) {
		t.Errorf("Failed = %+v with the calls %v, want one like %+v", f, f.Calls(), want)
	}
	plain := Failed(nil, output, 1)
	if !Same(plain, f) || !Same(f, plain) || Key(plain, nil) != Key(f, nil) {
		t.Errorf("without the stack it is another failure: %q, not %q", Key(plain, nil), Key(f, nil))
	}
	if f := Failed(nil, "    testing.go:3: panic: no"+stackAt("put", "3")+stack, 1); f.Kind != finding.Panic || f.At != nil {
		t.Errorf("a panic is told as %+v", f)
	}
}

func TestOurs(t *testing.T) {
	head := "panic: index out of range\n\ngoroutine 18 [running]:\n"
	testingFrames := "testing.(*F).Fail(0x6e0238?)\n\t/go/src/testing/fuzz.go:133 +0x48\npanic({0x6af0c0?, 0x3?})\n\t/go/src/runtime/panic.go:860 +0x13a\n"
	gnaws := "internal/fuzz/gnaw/probe/solve.Recolor({0x3, 0x1})\n\t/go/src/internal/fuzz/gnaw/probe/solve/color.go:128 +0x3cf\n"
	users := "example.com/m.put(...)\n\t/src/m/m.go:3 +0x1d\n"
	logged := func(frames string) string {
		text := "panic: index out of range\ngoroutine 18 [running]:\nruntime/debug.Stack()\n\t/go/src/stack.go:26 +0x9b\n" + frames
		return "    testing.go:1927: " + strings.ReplaceAll(text, "\n", "\n        ")
	}
	for _, tt := range []struct {
		name, stderr string
		want         bool
	}{
		{"gnaw's code", head + testingFrames + gnaws + users, true},
		{"the user's code, which gnaw has called", head + testingFrames + users + gnaws, false},
		{"another process's words", "SIGQUIT: quit\n\ngoroutine 1 [running]:\n" + gnaws, false},
		{"nothing", "", false},
		{"gnaw's code under a T", logged(testingFrames + gnaws + users), true},
		{"the user's code under a T", logged(testingFrames + users + gnaws), false},
		{"words of the user's", "    m_test.go:3: panic: at the disco\n", false},
		{"a text with a stack of gnaw", "panic: bad\n\t\n\tgoroutine 1 [running]:\n\t" + strings.ReplaceAll(gnaws, "\n", "\n\t") + "\n\ngoroutine 18 [running]:\n" + users, false},
		{"a text with a stack of gnaw under a T", strings.Replace(logged(users), "out of range", "out of range\n        goroutine 1 [running]:\n        "+strings.ReplaceAll(gnaws, "\n", "\n        "), 1), false},
	} {
		if got := Ours(tt.stderr); got != tt.want {
			t.Errorf("%s: Ours = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// text is an input of one string.
func text(s string) input.Args { return input.Args{{Kind: input.String, Data: []byte(s)}} }

func TestSame(t *testing.T) {
	panics := func(message, name, line string) *finding.Finding {
		return Failed(nil, "    testing.go:9: panic: "+message+strings.ReplaceAll(stackAt(name, line), "\n", "\n        "), 0)
	}
	logs := func(lines ...string) *finding.Finding {
		return Failed(nil, "    "+strings.Join(lines, "\n    ")+"\n", 0)
	}
	dies := func(stderr string, hang bool) *finding.Finding {
		return Died(&executor.Exit{Err: errors.New("exit status 2"), Stderr: stderr, Hang: hang})
	}
	for _, tt := range []struct {
		name      string
		want, got *finding.Finding
		same      bool
	}{
		{"a panic with another number", panics("index out of range [5] with length 3", "at", "4"), panics("index out of range [1] with length 0", "at", "4"), true},
		{"a panic at another line", panics("no", "at", "4"), panics("no", "at", "5"), false},
		{"a panic with other words at the same line", panics("too long", "at", "4"), panics("too short", "at", "4"), false},
		{"a failure with other values", logs("m_test.go:3: got 5"), logs("m_test.go:3: got 7"), true},
		{"a failure with other words at the same line", logs("m_test.go:3: got 5"), logs("m_test.go:3: lost 5"), false},
		{"a failure among others", logs("m_test.go:3: got 5"), logs("m_test.go:3: got 7", "m_test.go:4: and more"), true},
		{"a failure that prints its input", Failed(text("some words"), "    m_test.go:3: parse some words: failed", 0), Failed(text("words"), "    m_test.go:3: parse words: failed", 0), true},
		{"a failure that prints its input by a name, in capitals and with numbers", Failed(text("k1 and more"), "    m_test.go:3: key=K1 got={k1}", 0), Failed(text("k2"), "    m_test.go:3: key=K2 got={k2}", 0), true},
		{"a failure that prints its input in hexadecimal", Failed(text("zq"), "    m_test.go:3: no 7a71", 0), Failed(text("z"), "    m_test.go:3: no 7a", 0), true},
		{"a failure that prints its input, with other words", Failed(text("some"), "    m_test.go:3: parse some: failed", 0), Failed(text("some"), "    m_test.go:3: print some: failed", 0), false},
		{"a failure with more logged behind it", Failed(nil, "    m_test.go:3: got 5\n    m_test.go:4: as of 3", 1), logs("m_test.go:3: got 7"), true},
		{"a failure instead of none that was logged", Failed(nil, "", 0), logs("m_test.go:3: got 7"), false},
		{"none that was logged instead of a failure", logs("m_test.go:3: got 7"), Failed(nil, "", 0), false},
		{"the same line of another file", logs("m_test.go:3: got 5"), logs("sub/m_test.go:3: got 5"), false},
		{"a panic behind a failure", logs("m_test.go:3: got 5"), logs("m_test.go:3: got 5", "testing.go:1: panic: b"), false},
		{"a race instead of a failure", logs("m_test.go:3: got 5"), logs("testing.go:1712: race detected during execution of test"), false},
		{"a failure at another line", logs("m_test.go:3: got 5"), logs("m_test.go:4: got 5"), false},
		{"t.Fail twice", Failed(nil, "", 0), Failed(nil, "", 0), true},
		{"a hang at another place", dies("SIGQUIT: quit"+stackAt("spin", "3"), true), dies("SIGQUIT: quit"+stackAt("turn", "9"), true), true},
		{"a fatal error instead of a panic", panics("no", "at", "4"), dies("panic: no"+stackAt("at", "4"), false), false},
		{"the same fatal error", dies("panic: no"+stackAt("at", "4"), false), dies("panic: no"+stackAt("at", "4"), false), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Target = "FuzzM" // as a finding has it that was claimed
			if got := Same(tt.want, tt.got); got != tt.same {
				t.Errorf("Same = %v, want %v; the keys are\n%q\n%q", got, tt.same, Key(tt.want, nil), Key(tt.got, nil))
			}
		})
	}
}

func TestRedescribe(t *testing.T) {
	logs := func(in string, logged int, lines ...string) *finding.Finding {
		return Failed(text(in), "    "+strings.Join(lines, "\n    ")+"\n", logged)
	}
	memory := func(name string) *finding.Finding {
		return Died(&executor.Exit{Err: errors.New("exit status 2"), Cause: shm.Memory, Stderr: "fatal error: memory limit exceeded" + stackAt(name, "3")})
	}
	for _, tt := range []struct {
		name           string
		f, got         *finding.Finding
		place, message string
	}{
		{"the same words with another value", logs("", 1, "m_test.go:3: got 5"), logs("", 1, "m_test.go:3: got 7"), "m_test.go:3", "got 7"},
		{"another call of t.Error that fails before", logs("", 1, "m_test.go:4: got 5"), logs("", 1, "m_test.go:3: is lost", "m_test.go:4: got 7"), "m_test.go:4", "got 7"},
		{"other words of the same call before", logs("", 1, "m_test.go:4: got 5"), logs("", 1, "m_test.go:4: lost it", "m_test.go:4: got 7"), "m_test.go:4", "got 7"},
		{"a message with the input in it", logs("some words", 1, "m_test.go:4: parse some words"), logs("words", 1, "m_test.go:3: is lost", "m_test.go:4: parse words"), "m_test.go:4", "parse words"},
		{"nothing that was logged", Failed(nil, "", 0), Failed(nil, "", 0), "", ""},
		{"too much memory at another place", memory("put"), memory("get"), "example.com/m.get m.go:3", "fatal error: memory limit exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !Same(tt.f, tt.got) {
				t.Fatalf("%+v is not the failure that %+v is", tt.got, tt.f)
			}
			Redescribe(tt.f, tt.got)
			if tt.f.Place != tt.place || tt.f.Message != tt.message || tt.f.Output != tt.got.Output {
				t.Errorf("it says %q at %q, want %q at %q", tt.f.Message, tt.f.Place, tt.message, tt.place)
			}
		})
	}
}

func TestHangsWithoutAStackAreNotTakenForOne(t *testing.T) {
	hang := func(in, stderr string) *finding.Finding {
		return Died(&executor.Exit{
			Err: errors.New("signal: killed"), Hang: true, External: true, Timeout: time.Second, Stderr: stderr,
			Input: input.Args{{Kind: input.Bytes, Data: []byte(in)}},
		})
	}
	if a, b := hang("a", ""), hang("b", ""); Key(a, nil) == Key(b, nil) || Key(a, nil) != Key(hang("a", ""), nil) {
		t.Errorf("the keys are %q and %q", Key(a, nil), Key(b, nil))
	}
	for _, head := range []string{"SIGTRAP: trace trap\nPC=0x1 m=0 sigcode=-1\n", "gnaw: an execution takes too long; these are all goroutines:\n"} {
		stack := head + stackAt("spin", "3")
		if a, b := hang("a", stack), hang("b", stack); Key(a, nil) != Key(b, nil) || a.Kind != finding.Hang || a.Place == "" {
			t.Errorf("two hangs at one place are %+v and %+v", a, b)
		}
	}
}

// A target may send itself the signal by which gnaw asks for stacks.
func TestASignalThatAsksForStacksIsNoHang(t *testing.T) {
	for _, head := range []string{"SIGQUIT: quit\nPC=0x1 m=0 sigcode=0\n", "SIGTRAP: trace trap\nPC=0x1 m=0 sigcode=0\n"} {
		if f := Died(&executor.Exit{Err: errors.New("exit status 2"), Stderr: head + stackAt("spin", "3")}); f.Kind != finding.Signal {
			t.Errorf("%q is a %v", head, f.Kind)
		}
	}
}

func TestTheLimitIsThatOfTheUser(t *testing.T) {
	const text = "fatal error: memory limit of %d MiB exceeded: the heap holds 300 MiB"
	for _, tt := range []struct{ had, limit, want int }{{144, 64, 64}, {256, 64, 64}, {64, 64, 64}, {48, 64, 48}} {
		f := &finding.Finding{Kind: finding.Memory, Message: fmt.Sprintf(text, tt.had), Output: "exit status 2\n" + fmt.Sprintf(text, tt.had)}
		NameLimit(f, uint64(tt.limit)<<20)
		if want := fmt.Sprintf(text, tt.want); f.Message != want || f.Output != "exit status 2\n"+want {
			t.Errorf("the limit of %d MiB of a process and that of %d MiB of the user become %q, %q", tt.had, tt.limit, f.Message, f.Output)
		}
	}
	f := &finding.Finding{Message: "panic: memory limit of nothing"}
	if NameLimit(f, 1<<20); f.Message != "panic: memory limit of nothing" {
		t.Errorf("another message becomes %q", f.Message)
	}
}
