package campaign

import (
	"math"
	"math/rand/v2"
	"time"
)

// arm is what the pool knows about a target: one arm of a bandit.
//
// New edges of a target are taken for a Poisson process whose rate falls. It is estimated from the last quarter of the
// target's time, because a campaign steers away from what it knows and older turns say too much. The estimate has a
// gamma distribution; who gets the next turn is drawn from these (Thompson sampling), so that targets of which little is
// known get a chance in proportion.
type arm struct {
	ready   bool // it can be fuzzed
	running bool
	over    bool // it shall not be fuzzed any more
	still   bool // because nothing new is to be expected
	err     error

	turns  int
	time   time.Duration // of all turns
	worker time.Duration // of all workers in these
	edges  int           // hit until now
	execs  uint64        // until now
	idle   int           // turns in a row without an execution
	past   []sample
	lastAt time.Duration // worker time when the last new edge was there
}

// sample is one turn.
type sample struct {
	worker time.Duration
	edges  int // new ones
}

const (
	// window is the part of the time that the estimate rests on.
	window = 4
	// The prior: half an edge in ten seconds of a worker, which a few turns outweigh.
	priorEdges   = 0.5
	priorSeconds = 10
	// A target is quiet if there was no new edge for quietFactor times the time that there should have been one in, and
	// for quietAtLeast.
	quietFactor  = 10
	quietAtLeast = 60 * time.Second
)

// note books a turn.
func (a *arm) note(took time.Duration, workers int, p Progress) {
	s := sample{took * time.Duration(workers), max(0, p.Edges-max(a.edges, p.Known))}
	if a.idle++; p.Execs > a.execs {
		a.idle, a.execs = 0, p.Execs
	}
	a.turns++
	a.time += took
	a.worker += s.worker
	if s.edges > 0 {
		a.lastAt = a.worker
	}
	a.edges = max(a.edges, p.Edges)
	a.past = append(a.past, s)
}

// recent returns new edges and worker seconds of the window.
func (a *arm) recent() (edges, seconds float64) {
	limit := a.worker / window
	sum := time.Duration(0)
	for i := len(a.past) - 1; i >= 0 && (sum < limit || i == len(a.past)-1); i-- {
		sum += a.past[i].worker
		edges += float64(a.past[i].edges)
	}
	return edges, sum.Seconds()
}

// draw returns a random rate of new edges per worker second, by the distribution of the estimate.
func (a *arm) draw(r *rand.Rand) float64 {
	edges, seconds := a.recent()
	return gamma(r, edges+priorEdges) / (seconds + priorSeconds)
}

// expect returns the time in which a worker should find the next edge; 0 before the first turn.
func (a *arm) expect() time.Duration {
	if a.turns == 0 {
		return 0
	}
	edges, seconds := a.recent()
	return time.Duration((seconds + priorSeconds) / (edges + priorEdges) * float64(time.Second))
}

// quiet reports whether nothing new is to be expected: the time without a new edge is many times what it took to find the
// ones before.
func (a *arm) quiet() bool {
	since := a.worker - a.lastAt
	edges := 0
	for _, s := range a.past {
		edges += s.edges
	}
	gap := a.lastAt / time.Duration(max(1, edges))
	return since >= quietAtLeast && since >= quietFactor*gap
}

// gamma draws from the gamma distribution with that shape and scale 1 (Marsaglia and Tsang, "A Simple Method for
// Generating Gamma Variables", 2000; a shape below 1 by the power of a uniform number, as given there).
func gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1) * math.Pow(1-r.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}
