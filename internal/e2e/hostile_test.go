//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostile is a target that does harm, and what shall come of it.
type hostile struct {
	target string
	execs  int
	env    []string
	code   int
	want   string        // expression for the output
	limit  time.Duration // 0: patience
	child  bool          // the target leaves a process of its own behind
	input  string        // content of the failing input

	anyInput bool // there may be one or not
}

// mostOutput is how much a run may print, whatever the target prints, in bytes.
const mostOutput = 1 << 20

// oursIn finds a stack of gnaw itself.
var oursIn = regexp.MustCompile(`github\.com/gnaw-fuzz/gnaw/(internal|cmd)`)

// TestHostile runs targets that do what targets should not do. A run must end by itself, in time, with a message of
// which one can make sense, without a stack of gnaw, and without a process left.
func TestHostile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	megabytes := "MEGABYTES=64"
	if *flagLong {
		megabytes = "MEGABYTES=1024"
	}
	const x = "byte('x')"
	w, dir := module(t, "hostile")
	binary := filepath.Join(w.dir, "hostile.test")
	w.compile(t, host.gnaw, dir, binary)
	for _, h := range []hostile{
		{target: "FuzzCloseFiles", execs: 100000, code: 1, want: `has closed the pipes|terminated unexpectedly`, anyInput: true},
		{target: "FuzzExit0", execs: 100000, code: 1, want: `terminated unexpectedly: exit status 0`, input: x},
		{target: "FuzzExit3", execs: 100000, code: 1, want: `terminated unexpectedly: exit status 3`, input: x},
		{target: "FuzzAbort", execs: 100000, code: 1, want: `SIGABRT`, input: x},
		{target: "FuzzLeakGoroutines", execs: 20000, code: 0, want: `execs: 20000 `},
		{target: "FuzzStdout", execs: 1000, env: []string{megabytes}, code: 0, want: `execs: 1000 `, limit: time.Minute},
		{target: "FuzzStderr", execs: 1000, env: []string{megabytes}, code: 0, want: `execs: 1000 `, limit: time.Minute},
		{
			target: "FuzzStderrAndExit", execs: 100000, env: []string{megabytes}, code: 1, input: x,
			want: `(?s)exit status 5.*[0-9]+ lines before\n.*0123456789abcde\n.*last words`, limit: time.Minute,
		},
		{target: "FuzzRetain", execs: 50000, code: 0, want: `execs: 50000 `},
		{target: "FuzzModifyAndFail", execs: 400000, code: 1, want: `it was an x`, input: `[]byte("x")`},
		{target: "FuzzChild", execs: 1000, code: 0, want: `execs: 1000 `, child: true},
		{target: "FuzzChildAndExit", execs: 100000, code: 1, want: `exit status 3`, child: true, input: x},
		{target: "FuzzSignals", execs: 100000, code: 1, want: `one execution took longer than 300ms`, input: x},
	} {
		t.Run(h.target, func(t *testing.T) { h.run(t, w, dir, binary) })
	}
}

// run runs the target and checks what came of it.
func (h hostile) run(t *testing.T, w *world, dir, binary string) {
	limit, timeout := patience, "300ms"
	if h.limit > 0 { // what writes for long is no hang
		limit, timeout = h.limit, h.limit.String()
	}
	cache := filepath.Join(w.dir, "corpus", h.target)
	env := w.environ(append(h.env, "GNAW_TIMEOUT="+timeout, "GOTRACEBACK=single")...)
	r := w.start(t, dir, env, binary, "-test.run=^$", "-test.fuzz=^"+h.target+"$", fmt.Sprintf("-test.fuzztime=%dx", h.execs),
		"-test.parallel=1", "-test.fuzzcachedir="+cache)
	code, output := r.wait(t, limit)
	if h.child {
		for _, p := range w.processes() {
			if p.args[0] == "sleep" {
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
			}
		}
	}
	w.wantNoProcess(t)
	if code != h.code || !regexp.MustCompile(h.want).MatchString(output) {
		t.Errorf("exit code %d, want %d; no match for %q in\n%s", code, h.code, h.want, clip(output))
	}
	if oursIn.MatchString(output) || len(output) > mostOutput {
		t.Errorf("a stack of gnaw, or too much of everything:\n%s", clip(output))
	}
	if !h.anyInput {
		checkFailingInput(t, filepath.Join(dir, "testdata", "fuzz", h.target), h.input)
	}
}

// checkFailingInput checks that the directory holds one file with the given value, or nothing if there is none.
func checkFailingInput(t *testing.T, dir, value string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.TrimPrefix(string(text), "go test fuzz v1\n"))
	}
	if got := strings.Join(texts, ""); got != value+strings.Repeat("\n", min(1, len(value))) {
		t.Errorf("the failing inputs are %q, want %q", got, value)
	}
}

// TestDiskFull fuzzes with a corpus cache that has room for a few files.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	w, dir := module(t, "growing")
	binary, small := filepath.Join(w.dir, "growing.test"), filepath.Join(w.dir, "small")
	if err := os.Mkdir(small, 0o777); err != nil {
		t.Fatal(err)
	}
	mountSmall(t, small, "64k")
	w.compile(t, host.gnaw, dir, binary)
	r := w.start(t, dir, w.environ(), binary, "-test.run=^$", "-test.fuzz=^FuzzGrow$", "-test.fuzztime=10s", "-test.parallel=2",
		"-test.fuzzcachedir="+small)
	code, output := r.wait(t, patience)
	w.wantNoProcess(t)
	if code != 1 || strings.Count(output, "no space left on device") != 1 || !strings.Contains(output, "free some space") {
		t.Errorf("exit code %d, want 1 and one message that says what is wrong:\n%s", code, output)
	}
	if oursIn.MatchString(output) {
		t.Errorf("a stack of gnaw:\n%s", output)
	}
	(&killing{world: w, dir: dir}).checkStore(t, filepath.Join(small, "FuzzGrow"))
	if left, _ := filepath.Glob(filepath.Join(small, "FuzzGrow", ".gnaw-*")); len(left) > 0 {
		t.Errorf("temporary directories are left: %q", left)
	}
}

// TestInterrupt presses ^C, once and twice.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	w, dir := module(t, "hostile")
	// The go command exits with 1 after an interrupt, whatever the tests say. The stock engine prints the same, unless it
	// is interrupted while it starts a process: then it fails.
	const want = "PASS\nok  \texample.com/hostile\tTIME"
	// With one processor the go command has nobody to notice the interrupt while the test runs, and exits with 0 now and
	// then (18 of 170 runs of a plain test; with two processors 0 of 50).
	ofGo := func(code int) bool { return code == 1 || code == 0 && runtime.GOMAXPROCS(0) == 1 }
	for _, target := range []string{"FuzzQuick", "FuzzSignalsRun"} {
		t.Run(target, func(t *testing.T) {
			code, output := w.interrupt(t, dir, 1, "", "test", "-run=^$", "-vet=off", "-fuzz=^"+target+"$", "-parallel=2")
			if !ofGo(code) || normal(output) != want {
				t.Errorf("exit code %d and\n%s\nwant 1 and\n%s", code, output, want)
			}
		})
	}
	begun := filepath.Join(w.dir, "begun")
	for times := 1; times <= 2; times++ {
		t.Run(fmt.Sprintf("FuzzSlow %d times", times), func(t *testing.T) {
			code, output := w.interrupt(t, dir, times, begun, "test", "-run=^$", "-vet=off", "-fuzz=^FuzzSlow$", "-parallel=2")
			if !ofGo(code) {
				t.Errorf("exit code %d, want 1\n%s", code, output)
			}
		})
		t.Run(fmt.Sprintf("gnaw fuzz %d times", times), func(t *testing.T) {
			code, output := w.interrupt(t, dir, times, begun, "fuzz", "-refuse=off", "-fuzz=^FuzzSlow$", "-parallel=2")
			// Its first execution is under way, so nothing is known about it.
			if want := []int{notReached, 128 + int(syscall.SIGINT)}[times-1]; code != want || !strings.Contains(output, "gnaw: stopping; send the signal again to stop at once") {
				t.Errorf("exit code %d, want %d\n%s", code, want, output)
			}
		})
	}
}

// notReached is the exit code of a campaign that ends before its targets have executed their seeds.
const notReached = 4

// TestTerminate ends gnaw as `timeout`, a container that stops and a job that is cancelled do: by SIGTERM, which its children do not get.
func TestTerminate(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	w, dir := module(t, "hostile")
	begun := filepath.Join(w.dir, "begun")
	r := w.start(t, dir, w.environ("BEGUN="+begun), host.gnaw, "fuzz", "-refuse=off", "-fuzz=^FuzzSlow$", "-parallel=2")
	r.waitFor(t, " workers: ", begun)
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	code, output := r.wait(t, patience)
	if code != notReached || !strings.Contains(output, "gnaw: stopping; send the signal again to stop at once") || !strings.Contains(output, "1 target: 0 with a bug") {
		t.Errorf("exit code %d, want %d, and the table\n%s", code, notReached, output)
	}
	w.wantNoProcess(t)
}

// pendingSignals matches the signals of a process in /proc that it has not taken yet, as a mask.
var pendingSignals = regexp.MustCompile(`(?m)^ShdPnd:\t([0-9a-f]+)$`)

// hasPending reports whether a signal has been sent to p that p has not taken yet.
func (p process) hasPending(sig syscall.Signal) bool {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid)) // empty if the process has ended
	match := pendingSignals.FindSubmatch(status)
	if match == nil {
		return false
	}
	mask, err := strconv.ParseUint(string(match[1]), 16, 64)
	return err == nil && mask&(1<<(sig-1)) != 0
}

// waitForInterrupt waits until gnaw and its processes have taken an interrupt. A campaign prints that it is stopping.
func (w *world) waitForInterrupt(t *testing.T, r *running, command string) {
	t.Helper()
	if command == "fuzz" {
		r.waitFor(t, "gnaw: stopping", "")
	}
	taken := func() bool {
		return !slices.ContainsFunc(w.processes(), func(p process) bool { return p.hasPending(syscall.SIGINT) })
	}
	if !eventually(taken) {
		t.Errorf("some of %v do not take the interrupt", w.processes())
	}
}

// interrupt starts gnaw, waits until fuzzing has begun and the file is there that the target makes, sends interrupts to
// the process group, and waits for the end, which must come before an execution of FuzzSlow is over.
func (w *world) interrupt(t *testing.T, dir string, times int, begun string, args ...string) (code int, output string) {
	t.Helper()
	if err := os.RemoveAll(begun); err != nil {
		t.Fatal(err)
	}
	r := w.start(t, dir, w.environ("BEGUN="+begun), host.gnaw, args...)
	says := "fuzz: elapsed"
	if args[0] == "fuzz" {
		says = " workers: " // before the status lines of the campaign
	}
	r.waitFor(t, says, begun)
	start := time.Now()
	for n := range times {
		if n > 0 { // two pending signals of a kind are one
			w.waitForInterrupt(t, r, args[0])
		}
		if err := interruptGroup(r.cmd); err != nil && n == 0 { // later ones may come too late
			t.Fatal(err)
		}
	}
	code, output = r.wait(t, patience)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("the end took %v", took)
	}
	if oursIn.MatchString(output) {
		t.Errorf("a stack of gnaw:\n%s", output)
	}
	w.wantNoProcess(t)
	return code, output
}
