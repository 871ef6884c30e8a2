package tui

import (
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Frame returns the frame of the list of targets without colors.
func Frame(s *board.State, width, height int) string {
	name := func(t event.Subject) string { return t.Func }
	return (&scene{state: &state{State: s, name: name}, at: &place{}, width: width, height: height, styles: newStyles(true)}).frame()
}
