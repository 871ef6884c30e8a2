package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// output is the standard output or the error output of a command. It escapes control characters, wherever they come from, so that they
// have no effect on a terminal. Most code that prints ignores errors, so the standard output reports the first one itself.
type output struct {
	to      io.Writer
	notices io.Writer // gets a line about the first failure; nil: no line
	closed  func()    // called when the reader of the output has closed it; nil: nothing is called
	mu      sync.Mutex
	lost    error // the first failure
}

// Write implements io.Writer. p consists of whole characters.
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
	// A user who closed the output needs no message.
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

// failure returns why the output is incomplete; nil: it is complete.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost
}

// direct returns the writer behind an output, for a process such as the go command that prints by itself.
func direct(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.to
	}
	return w
}

// writeJSON writes one value on one line.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}
