package worker

import (
	"fmt"
	"os"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/refusal"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// What a target does outside of its process is refused while it executes an input that is no seed, and noted before. The state is that of
// package refusal; a worker switches it with each request.

// tellRefusals has refused actions told to the coordinator by the segment, which also knows them after the end of the process.
func tellRefusals(seg *shm.Segment) {
	refusal.OnRefused(func(a refusal.Action) { seg.SetRefused(a.String()) })
}

// refuse switches for an execution of an input that is given or not.
func (w *worker) refuse(given bool) {
	switch {
	case !w.refuses:
		refusal.Off()
	case given:
		refusal.Note()
	default:
		refusal.Refuse()
	}
}

// endRefusals allows everything again, for the rest of TestMain.
func endRefusals() {
	refusal.Note()
	refusal.OnRefused(nil)
}

// beginRefusals has actions refused from now on, except for what seeds have done in other workers.
func (w *worker) beginRefusals(payload []byte) error {
	m, err := wire.DecodeRefuse(payload)
	if err != nil {
		return err
	}
	w.refuses = true
	refusal.Allow(m.Allowed)
	return nil
}

// inReplay says that this is a process of plain go test in which gnaw runs one input. It refuses what a worker does.
var inReplay = enterReplay()

func enterReplay() bool {
	allowed, on := refusal.FromEnv()
	refusal.Allow(allowed)
	return on
}

// ReplayBegins is called before plain go test executes an input with t. A refusal ends the process, because the input shows nothing then.
func ReplayBegins(t *testing.T) {
	if !inReplay {
		return
	}
	refusal.OnRefused(func(a refusal.Action) {
		refusal.Off() // what is done at the end of the process
		fmt.Fprintf(standardError(), "\n%s%s\n", refusal.ReplayHead, a)
		os.Exit(refusal.ExitCode)
	})
	refusal.Refuse()
	t.Cleanup(refusal.Note) // the first one is called last
}
