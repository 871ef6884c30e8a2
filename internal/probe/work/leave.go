package work

import (
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// exitHead is what the text begins with that says where a target exits. Package finding reads it.
const exitHead = "gnaw: os.Exit("

// serving is the segment of the worker of this process; nil: there is none, or not any more.
var serving atomic.Pointer[shm.Segment]

// The hook is set before the target has any goroutine, so that the race detector has nothing to say about it.
func init() { hook.Leave = leaves }

// leaves is called when somebody calls os.Exit. If it is the target, it prints where that is, as the runtime does for a panic:
// otherwise nothing tells one exit from another, or where to look.
func leaves(code int) {
	seg := serving.Load()
	if seg == nil || seg.Stage() == shm.Idle || seg.Cause() != shm.NoCause {
		return // the end of the tests, or of a process without a coordinator
	}
	// The target may have left a line without an end.
	print("\n", exitHead, strconv.Itoa(code), ")\n\n", exitStack(string(debug.Stack())), "\n")
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
