package work

import (
	"fmt"
	"os"
	"runtime"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// stacksHead is the line before the stacks of an execution that takes too long. Package finding reads it.
const stacksHead = "gnaw: an execution takes too long; these are all goroutines:"

// exitWithStacks ends the process with the stacks of all goroutines, also of those that run: the runtime, which would print them
// at a signal too, has no stack of what runs on another thread, and prints none if the program catches the signal. It waits for ever
// if a goroutine cannot be stopped, as in C.
func exitWithStacks(seg *shm.Segment) {
	stacks := allStacks()
	seg.SetCause(shm.Asked)
	fmt.Fprintf(standardError(), "\n%s\n\n%s\n", stacksHead, stacks)
	os.Exit(exitAsPanic)
}

func allStacks() []byte {
	stacks := make([]byte, 1<<20)
	return stacks[:runtime.Stack(stacks, true)]
}

// standardError is where the runtime prints. The target may have put something else in the place of os.Stderr.
func standardError() *os.File { return os.NewFile(uintptr(syscall.Stderr), "stderr") }
