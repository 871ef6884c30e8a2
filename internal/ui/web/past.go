package web

import (
	"context"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// past returns the state of a campaign of the history. findings are those that it has seen.
func (s *data) past(ctx context.Context, c store.Summary, running bool, findings []event.Finding) (*board.State, error) {
	h, err := s.history()
	if err != nil {
		return nil, err
	}
	b := board.History{Campaign: c, Running: running, Findings: findings}
	if b.Points, err = h.Latest(ctx, c.ID); err != nil {
		return nil, err
	}
	if b.Progress, err = h.Progress(ctx, c.ID); err != nil {
		return nil, err
	}
	if b.Results, err = h.Results(ctx, c.ID); err != nil {
		return nil, err
	}
	return board.Past(b), nil
}
