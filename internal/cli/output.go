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

// output is the standard output or the error output of a command. It escapes all control characters, so that they have no effect on a
// terminal. Most code that prints ignores errors, so the standard output reports the first one itself.
type output struct {
	to      io.Writer
	screen  *screen   // the screen whose line of progress a write removes; nil if the output is no terminal
	notices io.Writer // gets a line about the first failure; nil: no line
	closed  func()    // called when the reader of the output has closed it; nil: nothing is called
	mu      sync.Mutex
	lost    error     // the first failure
	instead io.Writer // gets the text while the interface has the screen; nil at other times
}

// Write implements io.Writer. p consists of whole characters.
func (o *output) Write(p []byte) (int, error) {
	text := report.Escape(string(p))
	o.mu.Lock()
	instead := o.instead
	o.mu.Unlock()
	if instead != nil {
		_, err := io.WriteString(instead, text)
		return len(p), err
	}
	return o.send(text, len(p))
}

// divert makes Write write to another writer. After divert(nil) it writes to the output again.
func (o *output) divert(to io.Writer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.instead = to
}

// painted is an output for text that has escape codes of gnaw. Its caller has escaped the other control characters.
type painted struct{ *output }

// Write implements io.Writer.
func (p painted) Write(text []byte) (int, error) { return p.send(string(text), len(text)) }

// send writes text that stands for size bytes of the caller.
func (o *output) send(text string, size int) (int, error) {
	unlock := o.screen.clear()
	n, err := io.WriteString(o.to, text)
	unlock() // a line about the failure may go to the same terminal
	if err == nil {
		return size, nil
	}
	n = min(n, size)
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
