package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
)

// output is the standard output of a command. It tells when something could not be written: most of what prints does not look.
type output struct {
	to, notices io.Writer
	mu          sync.Mutex
	lost        error // the first failure
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	// Who has closed the output does not want to hear of it.
	if err != nil && !errors.Is(err, syscall.EPIPE) {
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

// direct returns what a writer of gnaw's writes to, for a process that prints by itself.
func direct(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.to
	}
	return w
}
