package focus

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// Aim applies a [Plan] to the inputs of one test binary.
type Aim struct {
	plan  *Plan
	nodes []int    // by counter; -1: not known
	guess []*guess // by spot; nil: the spot has a counter, or gnaw cannot know whether it is reached
	near  []uint16 // by counter: the least distance to a spot that is not reached
}

// guess says when a spot without a counter of its own, such as code behind a loop, counts as reached: the input hits a counter of hit, and no
// counter of escape. Both are by counter. hit has the counters of the function that contains the spot, and escape those of them that belong to
// code from which no way leads to the spot.
type guess struct{ hit, escape []bool }

// Read finds the code of the counters of a test binary. It reads each binary once: all targets of a package have the same Aim.
func (p *Plan) Read(binary string) (*Aim, error) {
	p.reading.Lock()
	defer p.reading.Unlock()
	p.mu.Lock()
	known := p.aims[binary]
	p.mu.Unlock()
	if known != nil {
		return known, nil
	}
	sites, err := readSites(binary)
	if err != nil {
		return nil, err
	}
	a := &Aim{plan: p, nodes: p.nodesOf(sites)}
	for i := range p.spots {
		a.guess = append(a.guess, a.guessOf(i))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.aims[binary] = a
	a.measure()
	return a, nil
}

// Unseen returns the spots that a target may reach, but for which the test binary has no counter that shows whether an input reaches them.
func (a *Aim) Unseen(t Root) (list []Spot) {
	p := a.plan
	for i, s := range p.spots {
		seen := a.guess[i] != nil || p.reach[t] == nil || !p.reach[t][s.node]
		for _, id := range a.nodes {
			seen = seen || id >= 0 && p.dist[i][id] == 0
		}
		if !seen {
			list = append(list, s)
		}
	}
	return list
}

// guessOf returns the guess for a spot; nil: the spot has a counter, or gnaw cannot know whether it is reached.
func (a *Aim) guessOf(spot int) *guess {
	dist, f := a.plan.dist[spot], a.plan.nodes[a.plan.spots[spot].node].function
	g := &guess{make([]bool, len(a.nodes)), make([]bool, len(a.nodes))}
	known := map[int]bool{}
	for counter, id := range a.nodes {
		if id < 0 {
			continue
		}
		if dist[id] == 0 {
			return nil
		}
		if id >= f.entry && id < f.last {
			known[id], g.hit[counter] = true, true
			g.escape[counter] = !a.plan.within(f, id, -1)[a.plan.spots[spot].node]
		}
	}
	if len(known) == 0 {
		return nil // the function is inlined
	}
	for _, it := range counters(f.items) {
		if it.node < 0 || !known[it.node] && it.node != f.entry {
			return nil // an input could pass the spot by without a counter that shows it
		}
	}
	return g
}

// measure computes the distance of each counter. The caller holds the mutex of the plan.
func (a *Aim) measure() {
	a.near = make([]uint16, len(a.nodes))
	for counter, id := range a.nodes {
		a.near[counter] = far
		for i := range a.plan.spots {
			if id >= 0 && !a.plan.state[i].reached {
				a.near[counter] = min(a.near[counter], a.plan.dist[i][id])
			}
		}
	}
}

// Distance returns the number of conditions between an input that shows the features and the nearest spot that is not reached. ok is false
// if gnaw knows no way from the code that the input executes to such a spot.
func (a *Aim) Distance(features []cover.Feature) (conditions int, ok bool) {
	a.plan.mu.Lock()
	near := a.near
	a.plan.mu.Unlock()
	d := uint16(far)
	for _, f := range features {
		if c := f.Counter(); c < len(near) {
			d = min(d, near[c])
		}
	}
	return int(d), d != far
}

// to returns the distance between an input with these features and one spot, and the node of the input that is nearest to the spot.
func (a *Aim) to(spot int, features []cover.Feature) (d uint16, node int) {
	d, node = far, -1
	dist := a.plan.dist[spot]
	for _, f := range features {
		if c := f.Counter(); c < len(a.nodes) && a.nodes[c] >= 0 && dist[a.nodes[c]] < d {
			d, node = dist[a.nodes[c]], a.nodes[c]
		}
	}
	if g := a.guess[spot]; g != nil && g.holds(features) {
		d = 0
	}
	return d, node
}

// holds reports whether an input with these features counts as reaching the spot.
func (g *guess) holds(features []cover.Feature) bool {
	shows := func(set []bool) bool {
		return slices.ContainsFunc(features, func(f cover.Feature) bool { return f.Counter() < len(set) && set[f.Counter()] })
	}
	return shows(g.hit) && !shows(g.escape)
}
