package focus

import "math"

// far is the distance of code from which no way to a spot is known.
const far = math.MaxUint16

// distances returns for each node how many conditions must turn out right until the node `to` is executed; far: there is no way. Code that
// another goroutine or the runtime calls counts as one condition more.
func (g *graph) distances(to int) []uint16 {
	dist := make([]uint16, len(g.nodes))
	for i := range dist {
		dist[i] = far
	}
	dist[to] = 0
	now, next := []int{to}, []int(nil)
	for d := uint16(0); len(now) > 0; d++ {
		for len(now) > 0 {
			at := now[len(now)-1]
			now = now[:len(now)-1]
			if dist[at] != d {
				continue // a shorter way was found
			}
			for _, e := range g.nodes[at].from {
				if n := d + e.cost; n < dist[e.node] {
					dist[e.node] = n
					if e.cost == 0 {
						now = append(now, e.node)
					} else {
						next = append(next, e.node)
					}
				}
			}
		}
		now, next = next, now
	}
	return dist
}

// reachable returns the nodes that can be executed after a root in a test binary with these packages.
func (g *graph) reachable(root int, linked map[string]bool) []bool {
	seen := make([]bool, len(g.nodes))
	queue := []int{root}
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if f := g.nodes[at].function; seen[at] || f != nil && !linked[f.pkg.PkgPath] {
			continue
		}
		seen[at] = true
		for _, e := range g.nodes[at].to {
			queue = append(queue, e.node)
		}
	}
	return seen
}

// proofs returns the nodes that are executed only together with the node of a spot: those from which every way leads to it, and those of the
// same function to which every way leads through it. dist are the distances to the spot.
func (g *graph) proofs(spot int, dist []uint16) []bool {
	proof := make([]bool, len(g.nodes))
	for i, d := range dist {
		proof[i] = d == 0
	}
	f := g.nodes[spot].function
	behind, around := g.within(f, f.entry, -1), g.within(f, f.entry, spot)
	for id := f.entry; id < f.last; id++ {
		if behind[id] && !around[id] {
			proof[id] = true
		}
	}
	return proof
}

// within returns the nodes of a function that can be executed after the node from on ways that do not lead through the node `without`.
func (g *graph) within(f *function, from, without int) map[int]bool {
	seen := map[int]bool{}
	queue := []int{from}
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[at] || at == without || at < f.entry || at >= f.last {
			continue
		}
		seen[at] = true
		for _, e := range g.nodes[at].to {
			queue = append(queue, e.node)
		}
	}
	return seen
}
