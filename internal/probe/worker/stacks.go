package worker

import (
	"bytes"
	"runtime"
	"time"
)

const (
	// looks is how often the stacks are taken, and betweenLooks the time until the next.
	looks        = 5
	betweenLooks = time.Millisecond
	// executing is in the last line of the stack of the goroutine that calls the target.
	executing = "\ncreated by testing.(*F).Fuzz."
)

// allStacks returns the stacks of all goroutines. The compiler attributes a few instructions of an inlined function to the function that
// it is inlined into, such as one that spills a register. The stack of a goroutine that is stopped there lacks a frame, so the stacks
// are taken several times, and those with most frames of the execution are returned.
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
