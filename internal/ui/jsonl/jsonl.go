// Package jsonl writes the events of a campaign for a program: one JSON object on each line.
package jsonl

import (
	"io"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Renderer writes events. Its methods are called by one goroutine at a time.
type Renderer struct {
	Out     io.Writer
	Verbose bool // the events of each target too: its new entries, and the stages of fuzzing it
}

// Event writes an event. It ignores errors of the output, which the command reports.
func (r *Renderer) Event(e event.Stamped) {
	if !r.Verbose && isDetail(e.Event) {
		return
	}
	line, err := event.Encode(e.Event, e.At)
	if err != nil {
		return // the types of events can always be encoded
	}
	_, _ = r.Out.Write(line)
}

// isDetail reports whether an event is written only if the user asks for more.
func isDetail(e event.Event) bool {
	switch e.(type) {
	case event.Plan, event.Building, event.Entry, event.Cover, event.Loading, event.WarmUp, event.WarmedUp, event.Progress, event.Turn, event.Again, event.SeedFailed, event.Minimize, event.OverLimit:
		return true
	}
	return false
}
