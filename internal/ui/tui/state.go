package tui

import (
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// state is the state of the campaign, with the names of its targets.
type state struct {
	*board.State
	name     func(event.Subject) string // returns a target as a person would type it
	module   string
	stopping bool
}

// nameOf returns the name of a target.
func (s *state) nameOf(t *board.TargetState) string { return s.name(t.Subject) }
