package cli

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
)

// output is the standard output of a command. It notes what could not be written: most of what prints does not look.
type output struct {
	to   io.Writer
	mu   sync.Mutex
	lost error // the first failure
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	// Who has closed the output does not want to hear of it.
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.lost == nil {
			o.lost = err
		}
	}
	return n, err
}

// failure says that something is missing from the output, and why; nil: nothing is.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost == nil {
		return nil
	}
	return fmt.Errorf("what it prints is incomplete: %w; write it elsewhere and run the command again", o.lost)
}

// direct returns what a writer of gnaw's writes to, for a process that prints by itself.
func direct(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.to
	}
	return w
}
