package work

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

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

const (
	// looks is how often the stacks are taken, and betweenLooks the time until the next.
	looks        = 5
	betweenLooks = time.Millisecond
	// executing is in the last line of the stack of the goroutine that calls the target.
	executing = "\ncreated by testing.(*F).Fuzz."
)

// allStacks returns the stacks of all goroutines. The compiler gives a few instructions of an inlined function to the function that it is
// inlined into, such as one that puts a register on the stack. A goroutine that is stopped there lacks a frame, so the stacks are
// taken several times, and those count in which the execution has most frames.
func allStacks() (best []byte) {
	most := -1
	for i := range looks {
		if i > 0 {
			time.Sleep(betweenLooks) // the goroutine goes on
		}
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if n := frames(stacks); n > most {
			best, most = stacks, n
		}
	}
	return best
}

// frames returns the number of frames of the goroutine that executes, in the stacks of all goroutines; 0: it is not among them.
func frames(stacks []byte) int {
	before, _, found := bytes.Cut(stacks, []byte(executing))
	if !found {
		return 0
	}
	own := before[bytes.LastIndex(before, []byte("\n\n"))+1:]
	return bytes.Count(own, []byte("\n\t"))
}

// standardError is where the runtime prints. The target may have put something else in the place of os.Stderr.
func standardError() *os.File { return os.NewFile(uintptr(syscall.Stderr), "stderr") }
