package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// output is the standard output or the error output of a command. All that gnaw prints passes through it, so that nothing in it does
// anything to a terminal, wherever it comes from. The standard output tells when something could not be written: most of what prints
// does not look.
type output struct {
	to      io.Writer
	notices io.Writer // where a lost write is reported; nil: nowhere
	closed  func()    // is called when nobody reads the output any more; nil: nothing is
	mu      sync.Mutex
	lost    error // the first failure
}

// Write implements io.Writer. Each call has whole characters.
func (o *output) Write(p []byte) (int, error) {
	n, err := io.WriteString(o.to, report.Escape(string(p)))
	if err == nil {
		return len(p), nil
	}
	n = min(n, len(p))
	if errors.Is(err, syscall.EPIPE) && o.closed != nil {
		o.closed()
	}
	if o.notices == nil {
		return n, err
	}
	// Who has closed the output does not want to hear of it.
	if !errors.Is(err, syscall.EPIPE) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.lost == nil { // at once: a campaign may go on for days
			fmt.Fprintf(o.notices, "gnaw: what it prints is incomplete: %v; let it print elsewhere\n", err)
		}
		o.lost = cmp.Or(o.lost, err)
	}
	return n, err
}

// failure returns why something is missing from the output; nil: nothing is.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost
}

// direct returns what a writer of gnaw's writes to, for a process that prints by itself, as the go command does.
func direct(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.to
	}
	return w
}
