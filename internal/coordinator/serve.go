package coordinator

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
)

// Connection joins the coordinator with the test process that has started it, and with the user.
type Connection struct {
	// Jobs has one line with a host.Job as JSON; each further line asks the coordinator to stop, and so does the end of the test process.
	Jobs       io.Reader
	Results    io.Writer        // gets a host.Result as JSON
	Interrupts <-chan os.Signal // signals that ask the coordinator to stop
	Abort      func()           // ends the process at once; called when the user asks a second time
}

// Serve reads the job of a test process, fuzzes its target as [Run] does, and writes the result. It closes the bus. The error says that
// the test process gets no result.
func Serve(ctx context.Context, c Connection, o Options) error {
	jobs := bufio.NewReader(c.Jobs)
	var job host.Job
	line, err := jobs.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &job)
	}
	if err != nil {
		o.Events.Close()
		return fmt.Errorf("read the job of the test process: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	defer close(done)
	go c.obey(jobs, done, cancel)
	if err := json.NewEncoder(c.Results).Encode(Run(ctx, o, job)); err != nil {
		return fmt.Errorf("report the result to the test process: %w", err)
	}
	return nil
}

// obey cancels the run when the test process or the user asks for it, or when the test process ends. It aborts when one of them asks
// again. It returns when done is closed.
func (c Connection) obey(jobs *bufio.Reader, done <-chan struct{}, cancel func()) {
	lines := make(chan error)
	go func() {
		for {
			_, err := jobs.ReadString('\n')
			select {
			case lines <- err:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	asked, signaled := 0, 0
	for {
		select {
		case err := <-lines:
			if err != nil { // the test process is gone
				cancel()
				lines = nil
				continue
			}
			asked++
		case s := <-c.Interrupts:
			if s == syscall.SIGHUP { // from a closed terminal; no user repeats it
				cancel()
				continue
			}
			signaled++
		case <-done:
			return
		}
		// One ^C may arrive both ways.
		switch max(asked, signaled) {
		case 0:
		case 1:
			cancel()
		default:
			c.Abort()
		}
	}
}
