package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// An interruption is the signal that has ended a command: it is the cause of its context.
type interruption struct{ signal os.Signal }

func (i *interruption) Error() string { return fmt.Sprintf("interrupted by the signal %v", i.signal) }

// exit is the exit code of a command that has not done what it was asked to, as shells have it.
func (i *interruption) exit() int {
	if s, ok := i.signal.(syscall.Signal); ok {
		return signaled + int(s)
	}
	return exitcode.Internal
}

// signaled is what a shell adds to the number of the signal by which a command has ended.
const signaled = 128

// interruptionOf returns the signal that has ended ctx, nil if none has.
func interruptionOf(ctx context.Context) *interruption {
	var i *interruption
	errors.As(context.Cause(ctx), &i)
	return i
}

// sameTerm is how long a second SIGTERM counts as the first one.
const sameTerm = time.Second

// listen has the signals of the user end a command. One that cleans up ends its context with the first signal, and the process
// with the second; any other ends at once. The function that it returns ends the listening.
func listen(ctx context.Context, env Env, cleansUp bool) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var since time.Time // of the first signal
		for stopping := false; ; {
			select {
			case s := <-env.Interrupts:
				i := &interruption{s}
				switch {
				case !cleansUp:
					env.Abort(i.exit())
					return
				case stopping && s == syscall.SIGHUP:
					continue // a terminal that is closed sends it, and so does its shell
				case stopping && s == syscall.SIGTERM && time.Since(since) < sameTerm:
					continue // timeout(1) sends it to the process, and to its group
				case stopping:
					env.Abort(i.exit())
					return
				}
				stopping, since = true, time.Now()
				fmt.Fprintln(env.Stderr, "gnaw: stopping; again to stop at once")
				cancel(i)
			case <-done:
				return
			}
		}
	}()
	return ctx, func() {
		close(done)
		<-ended
		cancel(nil)
	}
}
