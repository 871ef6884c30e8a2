package schedule

import (
	"math"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

const (
	// nearShare is the share of the picks that go to the nearest entries only; docs/experiments/2026-11-26-focus.md.
	nearShare = 0.5
	// nearUnsolved is the factor for a nearest entry whose suggestions were not all tried.
	nearUnsolved = 8
)

// aim is the part of the schedule that prefers the entries that come near to some code.
type aim struct {
	distance Distance // nil: there is no such code
	nearest  int      // least distance of an entry that can be picked; math.MaxInt: there is none
	near     tree     // weights of the entries with that distance; the others have weight zero
}

// Distance returns the distance between some code and the inputs that show the features. ok is false if no distance is known. The result for
// the same features may change.
type Distance func(features []cover.Feature) (d int, ok bool)

// Aim makes the Corpus prefer the entries that come near to some code: half of the picks go to the nearest ones. If distance is nil, the
// Corpus prefers none.
func (c *Corpus) Aim(distance Distance) {
	c.aim = aim{distance: distance, nearest: math.MaxInt}
	c.duration = 0 // all weights are computed anew
}

// of returns the distance of an entry; math.MaxInt: it is not known.
func (a *aim) of(e *Entry) int {
	if d, ok := a.distance(e.Features); ok {
		return d
	}
	return math.MaxInt
}

// isNear reports whether an entry has the least distance.
func (c *Corpus) isNear(s *state) bool {
	return c.aim.distance != nil && s.distance == c.aim.nearest && s.distance < math.MaxInt
}

// measure computes the distance of an entry. If it is the nearest one, all weights are computed anew before the next pick.
func (c *Corpus) measure(s *state) {
	s.distance = math.MaxInt
	if c.aim.distance == nil {
		return
	}
	if s.distance = c.aim.of(s.entry); s.distance < c.aim.nearest {
		c.duration = 0
	}
}

// weighNear computes the distances of all entries, and the weights of the nearest ones.
func (c *Corpus) weighNear() {
	if c.aim.distance == nil {
		return
	}
	c.aim.nearest = math.MaxInt
	for _, s := range c.states {
		if s.distance = c.aim.of(s.entry); !s.replaced {
			c.aim.nearest = min(c.aim.nearest, s.distance)
		}
	}
	values := make([]float64, len(c.states))
	for i, s := range c.states {
		values[i] = c.nearWeight(s)
	}
	c.aim.near.fill(values)
}

// nearWeight returns the weight of an entry among the nearest ones. A mutant of a small entry is more likely to change the right bytes.
func (c *Corpus) nearWeight(s *state) float64 {
	switch {
	case !c.isNear(s):
		return 0
	case s.solved || s.entry.Edges == 0: // the suggestions of an entry without a new edge are tried later
		return c.weight(s) / float64(s.entry.Args.Size()+8)
	}
	return nearUnsolved * c.weight(s) / float64(s.entry.Args.Size()+8)
}

// set changes the weight of an entry.
func (c *Corpus) set(s *state) {
	c.weights.set(s.index, c.weight(s))
	if c.aim.distance != nil {
		c.aim.near.set(s.index, c.nearWeight(s))
	}
}

// draw returns the entry to mutate next.
func (c *Corpus) draw() *state {
	t := &c.weights
	if c.aim.distance != nil && c.aim.near.sum() > 0 && c.random.Float64() < nearShare {
		t = &c.aim.near
	}
	return c.states[t.find(c.random.Float64()*t.sum())]
}
