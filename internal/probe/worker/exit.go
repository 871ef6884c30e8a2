package worker

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/probe/blocks"
	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

const (
	// exitAsPanic is the exit code of a worker that ended itself: that of an uncaught panic.
	exitAsPanic = 2
	// exitLostPipes is the exit code of a worker whose pipes were closed; 70 is what testing uses for internal errors.
	exitLostPipes = 70
)

// exitHead begins the text that says where a target exits. Package finding reads it.
const exitHead = "gnaw: os.Exit("

// serving is the segment of the worker of this process; nil: no worker runs.
var serving atomic.Pointer[shm.Segment]

// recording is the recorder of the worker of this process, until EndRecord removes it; nil: there is none. It is set before the target
// has any goroutine. It is not an [atomic.Pointer] because onDeath reads it.
var recording *blocks.Recorder

// The hooks are set before the target has any goroutine, so that the race detector reports no race on them. A TestMain may redirect the standard
// error of a worker before Serve is called.
func init() {
	hook.OnExit, hook.OnDeath = onExit, onDeath
	if slices.Contains(os.Args, "-test.fuzzworker") {
		keepStderr()
	}
}

// onExit is called by os.Exit. If the target calls that, onExit prints where, as the runtime does for a panic: otherwise nothing
// distinguishes one exit from another.
func onExit(code int) {
	if r := recording; r != nil {
		r.Take()
	}
	seg := serving.Load()
	if seg == nil || seg.Stage() == shm.Idle || seg.Cause() != shm.NoCause {
		return // the end of the tests, or of a process without a coordinator
	}
	restoreStderr()
	// The target may have left a line without an end.
	print("\n", exitHead, strconv.Itoa(code), ")\n\n", exitStack(string(debug.Stack())), "\n")
}

// onDeath is called by the runtime after an error that it cannot recover from, on the stack of the system. There it must not allocate, and
// atomic operations crash if the binary has the race detector.
//
//go:norace
func onDeath() {
	if r := recording; r != nil {
		r.TakeLast()
	}
	// The runtime prints the reason before, and the stacks behind.
	if restoreStderr() {
		print("\n", redirectedHead, "\n")
	}
}

// redirectedHead takes the place of the reason for the end of a process which the runtime has printed to another file than gnaw reads. Package
// finding reads its first words.
const redirectedHead = "fatal error: the target has put another file in the place of the standard error, which has the reason"

// EndRecord takes the last record of blocks. Blocks that are reached later are not recorded.
func EndRecord() {
	if r := recording; r != nil {
		recording = nil
		r.Take()
	}
}

// exitStack returns the stack of the goroutine without the frames above the call that exits: those of gnaw, of os.Exit, and of
// package log, whose Fatal does.
func exitStack(stack string) string {
	head, rest, _ := strings.Cut(stack, "\n")
	if _, below, ok := strings.Cut(rest, "\nos.Exit("); ok {
		rest = below
		_, rest, _ = strings.Cut(rest, "\n") // the end of the call
		_, rest, _ = strings.Cut(rest, "\n") // its place
	}
	for ofLog(rest) {
		_, rest, _ = strings.Cut(rest, "\n")
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return head + "\n" + rest
}

// ofLog reports whether the first frame is of package log of the standard library.
func ofLog(stack string) bool {
	call, _, _ := strings.Cut(stack, "\n")
	return strings.HasPrefix(call, "log.") && !strings.Contains(call, "/")
}

// overLimit is set by the first call of exitOverLimit: the loop and the guard may both call it.
var overLimit atomic.Bool

// atOnePlace says that the first stack is that of the allocation. Package finding looks for it.
const atOnePlace = ", most of it allocated at one place"

// exitOverLimit ends the process as a fatal error of the runtime would, with the stacks of all goroutines. The stack that has allocated
// most comes first, if there is one.
func exitOverLimit(seg *shm.Segment, what, allocator string, limit uint64) {
	if overLimit.Swap(true) {
		select {}
	}
	seg.SetCause(shm.Memory)
	if allocator != "" {
		what, allocator = what+atOnePlace, allocator+"\n"
	}
	fmt.Fprintf(standardError(), "fatal error: memory limit of %d MiB exceeded: %s\n\n%s%s\n", limit>>20, what, allocator, allStacks())
	os.Exit(exitAsPanic)
}

// exitLost ends a process that has no coordinator any more, with the processes that the target has started.
func exitLost(seg *shm.Segment) {
	seg.SetCause(shm.Lost)
	endGroup()
	os.Exit(exitLostPipes)
}

// stacksHead is the line before the stacks of an execution that takes too long. Package finding reads it.
const stacksHead = "gnaw: an execution takes too long; these are all goroutines:"

// exitWithStacks ends the process with the stacks of all goroutines, with those that run. The runtime also prints stacks at a signal, but
// not those of goroutines that run on other threads, and none if the program catches the signal. exitWithStacks waits for ever if a
// goroutine cannot be stopped, as in C.
func exitWithStacks(seg *shm.Segment) {
	stacks := allStacks()
	seg.SetCause(shm.Asked)
	fmt.Fprintf(standardError(), "\n%s\n\n%s\n", stacksHead, stacks)
	os.Exit(exitAsPanic)
}

// standardError is where the runtime prints. The target may have put something else in the place of os.Stderr, and of the descriptor.
func standardError() *os.File {
	restoreStderr()
	return os.NewFile(uintptr(syscall.Stderr), "stderr")
}
