package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// interruption is the signal that ended a command. It is the cause of the command's context.
type interruption struct{ signal os.Signal }

func (i *interruption) Error() string { return fmt.Sprintf("interrupted by the signal %v", i.signal) }

// exit returns the exit code of a command that a signal ended before it was done, as shells define it.
func (i *interruption) exit() int {
	if s, ok := i.signal.(syscall.Signal); ok {
		return signaled + int(s)
	}
	return exitcode.Internal
}

// ExitCode returns the exit code of a campaign that the signal ended and that has no finding; 0: that of one that came to its end. ^C is how
// a person ends a campaign. A process of a target may have sent another signal, and the system sends them to whatever it stops.
func (i *interruption) ExitCode() int {
	if i.signal == syscall.SIGTERM || i.signal == syscall.SIGHUP {
		return i.exit()
	}
	return exitcode.OK
}

// orInterruption returns the signal that ended ctx, or else err: an operation that a signal ends may have any error.
func orInterruption(ctx context.Context, err error) error {
	if i := interruptionOf(ctx); i != nil {
		return i
	}
	return err
}

// signaled is what a shell adds to the number of a signal for the exit code of a command that the signal ended.
const signaled = 128

// interruptionOf returns the signal that ended ctx; nil: no signal did.
func interruptionOf(ctx context.Context) *interruption {
	var i *interruption
	errors.As(context.Cause(ctx), &i)
	return i
}

// sameTerm is the time in which a second SIGTERM counts as the first one.
const sameTerm = time.Second

// listen ends a command when a signal arrives. If the command cleans up, the first signal ends its context and the second one ends the
// process; otherwise the first one ends the process. The caller calls the returned function when the command has ended.
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
					group.EndAll()
					env.Abort(i.exit())
					return
				}
				stopping, since = true, time.Now()
				fmt.Fprintln(env.Stderr, "gnaw: stopping; send the signal again to stop at once")
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
