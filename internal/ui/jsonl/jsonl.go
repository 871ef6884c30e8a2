// Package jsonl writes the events of a campaign for a program: one JSON object on each line.
package jsonl

import (
	"io"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Renderer writes events. Its methods are called by one goroutine at a time.
type Renderer struct {
	Out     io.Writer
	Verbose bool // new entries too
}

// Event writes an event. It ignores errors of the output, which the command reports.
func (r *Renderer) Event(e event.Stamped) {
	if _, isEntry := e.Event.(event.Entry); isEntry && !r.Verbose {
		return
	}
	line, err := event.Encode(e.Event, e.At)
	if err != nil {
		return // the types of events can always be encoded
	}
	_, _ = r.Out.Write(line)
}
