//go:build unix

package executor

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/probe/worker"
)

// workerEnv has the test binary be a worker that behaves as its value says.
const workerEnv = "GNAW_TEST_WORKER"

// protocol is what the worker and the tests say that they were built from.
const protocol = "of this test"

func TestMain(m *testing.M) {
	if mode := os.Getenv(workerEnv); mode != "" {
		os.Exit(beWorker(mode))
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "16") // the tests wait more than they work
	code := m.Run()
	if leaked := leaks(); code == 0 && leaked != "" {
		fmt.Fprintf(os.Stderr, "goroutines are left after all tests:\n%s\n", leaked)
		code = 1
	}
	os.Exit(code)
}

// leaks returns the stacks of the goroutines that this package has started and that do not end.
func leaks() (left string) {
	for range 200 {
		left = ""
		buf := make([]byte, 1<<20)
		for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")[1:] { // the first is this one
			if strings.Contains(g, "created by github.com/gnaw-fuzz/gnaw") || strings.Contains(g, "created by os/exec") {
				left += g + "\n\n"
			}
		}
		if left == "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return left
}

// Descriptors of a worker.
const (
	fdRequests = 3
	fdAnswers  = 4
	fdSegment  = 5
	fdGlobal   = 6
	fdLifeline = 7
)

var bytesKind = []input.Kind{input.Bytes}

// beWorker is the process of a worker. Modes with a colon come after a proper greeting.
func beWorker(mode string) (code int) {
	wire.Adopt(fdRequests, fdAnswers, fdSegment, fdGlobal, fdLifeline)
	answers := wire.NewWriter(wire.FD(fdAnswers))
	hello := wire.Hello{Protocol: protocol, Kinds: bytesKind, Counters: numCounters}
	switch mode {
	case "serve":
		return serve()
	case "exit":
		fmt.Fprintln(os.Stderr, "no flag is called so")
		return 3
	case "exit in peace":
		return 0
	case "garbage":
		fmt.Fprint(os.NewFile(fdAnswers, "answers"), "hello, world\n")
	case "close":
		_ = syscall.Close(fdAnswers)
	case "child":
		return leaveChild()
	case "left":
		_, _ = wire.FD(fdAnswers).Read(make([]byte, 1)) // the lifeline has the second descriptor here
		return 0
	case "silence":
	case "other protocol":
		hello.Protocol = "of another one"
		_ = answers.Send(hello)
	case "other message":
		_ = answers.Send(wire.Done{})
	case "broken greeting":
		_, _ = wire.FD(fdAnswers).Write([]byte{byte(wire.TypeHello), 1, 0, 0, 0, 0xff})
	case "deaf":
		_ = answers.Send(hello)
	case "wrong answer":
		_ = answers.Send(hello)
		_, _, _ = wire.NewReader(wire.FD(fdRequests)).Next()
		_ = answers.Send(hello)
	case "half an answer":
		_ = answers.Send(hello)
		_, _, _ = wire.NewReader(wire.FD(fdRequests)).Next()
		_, _ = wire.FD(fdAnswers).Write([]byte{byte(wire.TypeRan), 9, 0})
		return 0
	}
	time.Sleep(time.Hour)
	return 0
}

// numCounters of the target.
const numCounters = 1024

// serve is a worker as it should be. What its target does depends on the input.
func serve() int {
	seg, err := shm.Open(os.NewFile(fdSegment, "segment"))
	if err != nil {
		panic(err)
	}
	global, err := shm.Map(os.NewFile(fdGlobal, "global"), cover.GlobalSize(numCounters))
	if err != nil {
		panic(err)
	}
	target := worker.Harness{
		Kinds: bytesKind, Counters: make([]byte, numCounters), Protocol: protocol,
		Seeds: []input.Args{args("seed")},
	}
	target.Run = func(loop func(*testing.T, func(func(func()) bool) bool)) (ok bool, output string, logged int) {
		t := new(testing.T)
		loop(t, func(func(func()) bool) bool { return t.Failed() })
		return !t.Failed(), "    x_test.go:7: no\n", 1
	}
	misdeeds["linger"] = func(*testing.T, string) {
		for !seg.Preempted() {
			runtime.Gosched()
		}
	}
	target.Call = func(t *testing.T, a input.Args) {
		target.Counters[0]++
		target.Counters[1+len(a[0].Data)%500]++
		word, rest, _ := bytes.Cut(a[0].Data, []byte(" "))
		if do := misdeeds[string(word)]; do != nil {
			do(t, string(rest))
		}
	}
	conn := worker.Connection{
		Requests: wire.FD(fdRequests), Answers: wire.FD(fdAnswers), Lifeline: wire.FD(fdLifeline),
	}
	if err := worker.Serve(target, conn, seg, global); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 70
	}
	return 0
}

// misdeeds are what a target may do to its process, by the first word of the input.
var misdeeds = map[string]func(t *testing.T, rest string){
	"fail":    func(t *testing.T, _ string) { t.Fail() },
	"exit":    func(*testing.T, string) { os.Exit(3) },
	"return":  func(*testing.T, string) { os.Exit(0) },
	"hang":    func(*testing.T, string) { hangHere() },
	"spin":    func(*testing.T, string) { spinHere() },
	"outlive": func(*testing.T, string) { outliveQuit() },
	"ignore":  func(*testing.T, string) { signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT); hangHere() },
	"kill":    func(*testing.T, string) { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); hangHere() },
	"abort":   func(*testing.T, string) { _ = syscall.Kill(os.Getpid(), syscall.SIGABRT); hangHere() },
	"garbage": func(*testing.T, string) { _, _ = wire.FD(fdAnswers).Write([]byte("!")); hangHere() },
	"close":   func(*testing.T, string) { _ = syscall.Close(fdAnswers); hangHere() },
	"allocate": func(*testing.T, string) {
		putAside, os.Stderr = os.Stderr, nil
		allocateForever()
	},
	"churn": func(*testing.T, string) { allocateAgain() },
	"panic": func(_ *testing.T, rest string) { go func() { panic(rest) }(); hangHere() },
	"shout": func(*testing.T, string) {
		for i := range 10 << 10 {
			fmt.Fprintf(os.Stderr, "%06d%s\n", i, strings.Repeat(".", 1017))
		}
		os.Exit(4)
	},
	// A child that has the pipe keeps it open when the process is gone.
	"child": func(_ *testing.T, file string) {
		if err := os.WriteFile(file, fmt.Append(nil, startChild("silence").Process.Pid), 0o600); err != nil {
			panic(err)
		}
		os.Exit(5)
	},
}

// startChild starts a process with the pipe.
func startChild(mode string, others ...*os.File) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), workerEnv+"="+mode)
	cmd.ExtraFiles = append([]*os.File{os.NewFile(fdAnswers, "answers")}, others...)
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

// leaveChild ends before it has greeted, and leaves a child with the pipe, which lives as long as the lifeline.
func leaveChild() (code int) {
	fmt.Fprintln(os.Stderr, "no database")
	startChild("left", os.NewFile(fdLifeline, "lifeline"))
	return 3
}

func hangHere() { select {} }

var spun int

//go:noinline
func spinHere() {
	for {
		spun++
	}
}

// listening is what outliveQuit prints.
const listening = "listening for signals"

// outliveQuit hangs until it gets any signal that a program can get.
func outliveQuit() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals)
	fmt.Fprintln(os.Stderr, listening)
	for s := range signals {
		if s != syscall.SIGURG { // which the runtime sends itself
			return
		}
	}
}

var (
	kept     [][]byte
	putAside *os.File // or it would be closed
)

func allocateForever() {
	for {
		kept = append(kept, make([]byte, 1<<20))
	}
}

// page is where allocateAgain allocates.
var page []byte

// allocateAgain allocates 40 MiB, of which one is in use. The heap stays small, however busy the machine is.
func allocateAgain() {
	for i := range 40 {
		page = make([]byte, 1<<20)
		if i%8 == 0 {
			runtime.GC()
		}
	}
}

func args(data string) input.Args { return input.Args{{Kind: input.Bytes, Data: []byte(data)}} }

// launch starts a worker in the mode, with its own global map.
func launch(t *testing.T, mode string, timeout time.Duration) (*Worker, *Global, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	global, err := NewGlobal()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := global.Close(); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	if mode == "silence" {
		time.AfterFunc(300*time.Millisecond, cancel)
	}
	t.Cleanup(cancel)
	w, err := Start(ctx, Config{
		Path: exe, Env: append(os.Environ(), workerEnv+"="+mode, "GORACE=atexit_sleep_ms=0"), Protocol: protocol, Timeout: timeout,
	}, global)
	return w, global, err
}

// serving starts a worker that behaves. When the test ends, it must be gone.
func serving(t *testing.T, timeout time.Duration) *Worker {
	t.Helper()
	w, _, err := launch(t, "serve", timeout)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Setup(wire.Setup{Seed: 1, TrimMax: 10}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Kill()
		checkGone(t, w.PID())
	})
	return w
}

// checkGone checks that there is no process with the number.
func checkGone(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("process %d is still there: %v", pid, err)
	}
}

// checkEnds checks that a process ends that has another parent by now, which may take its time to notice.
func checkEnds(t *testing.T, pid int) {
	t.Helper()
	for range 2000 {
		if syscall.Kill(pid, 0) == syscall.ESRCH {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("process %d does not end", pid)
}
