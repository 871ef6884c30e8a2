package work

import (
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// exitHead is what the text begins with that says where a target exits. Package finding reads it.
const exitHead = "gnaw: os.Exit("

// leaves is called when somebody calls os.Exit. If it is the target, it prints where that is, as the runtime does for a panic:
// otherwise nothing tells one exit from another, or where to look.
func (w *worker) leaves(code int) {
	if w.seg.Stage() == shm.Idle || w.seg.Cause() != shm.NoCause {
		return // the end of the tests, or of a process without a coordinator
	}
	print(exitHead, strconv.Itoa(code), ")\n\n", exitStack(string(debug.Stack())), "\n")
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
	for strings.HasPrefix(rest, "log.") {
		_, rest, _ = strings.Cut(rest, "\n")
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return head + "\n" + rest
}
