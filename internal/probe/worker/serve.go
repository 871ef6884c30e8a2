package worker

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// graceAfterLoss is how long a worker whose coordinator is gone may go on with the execution at hand.
const graceAfterLoss = time.Second

// Connection is the worker's end of the pipes to its coordinator.
type Connection struct {
	Requests io.Reader
	Answers  io.Writer
	// Lifeline ends when the coordinator does. Before that may come wire.Released or wire.Stacks.
	Lifeline io.Reader
}

// Serve works for the coordinator at the other end of the pipes until it says stop or goes away. It is called once per
// process. The error says what is wrong with the connection; a target that fails is not an error. After wire.Stop it leaves no
// goroutine behind: a TestMain that looks for leaks would wait for them, and so would everyone who waits for the process.
//
// Requests are read where they are worked on: handed from goroutine to goroutine, each would wait until another thread
// wakes up, with one processor up to 10 ms.
func Serve(target Harness, conn Connection, seg *shm.Segment, global []byte) error {
	w := newWorker(target, conn.Answers, seg, global)
	recording = target.Blocks
	serving.Store(seg)
	defer serving.Store(nil) // the segment is not there for ever
	tellRefusals(seg)
	defer endRefusals()
	if err := w.greet(); err != nil {
		return fmt.Errorf("greet the coordinator: %w", err)
	}
	released := make(chan struct{})
	unseen(func() {
		defer close(released)
		endWith(conn.Lifeline, seg)
	})
	var stop bool
	var err error
	unseen(func() {
		stop, err = w.dispatch(wire.NewReader(conn.Requests))
		w.run.exec.close()
	})
	w.run.exec.wait()
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		seg.SetCause(shm.Lost) // the pipes do not work
	}
	if err != nil {
		seg.SetStage(shm.Idle) // no execution ends the process
	}
	w.memory.guard.stop()
	if stop {
		<-released
	}
	return err
}

// endWith waits for the end of the coordinator. Then the process must end soon too, even if the target never returns: a
// worker without a coordinator is a stray process. It returns at once when the coordinator has said that all is in order.
func endWith(lifeline io.Reader, seg *shm.Segment) {
	word := make([]byte, 1)
	switch n, _ := lifeline.Read(word); {
	case n > 0 && word[0] == wire.Stacks:
		exitWithStacks(seg)
	case n > 0:
		return
	}
	seg.Preempt()
	time.AfterFunc(graceAfterLoss, func() { exitLost(seg) })
}
