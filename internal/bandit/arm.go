package bandit

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// arm is what the pool knows about a target: one arm of a bandit.
//
// The model is that new edges of a target are a Poisson process whose rate falls. The rate is estimated from the last
// quarter of the target's time, because older turns had a higher one. The estimate has a gamma distribution. A rate is
// drawn for each target, and the highest one gets the next turn (Thompson sampling), so that a target whose rate is
// uncertain is tried in proportion.
type arm struct {
	ready   bool // it can be fuzzed
	running bool
	over    bool // it shall not be fuzzed any more
	err     error

	Past
	idle      int           // turns in a row without an execution
	lost      time.Duration // of workers in these, as far as their processes did not even get to fuzzing
	warming   bool
	factor    float64       // at the last look; 0: it gets no turn
	startup   time.Duration // of a worker
	verifying time.Duration // time of workers that went into failures
}

// Past is what a campaign knows about a target. It is plain data: a campaign that is killed goes on with it.
type Past struct {
	Turns   int           `json:"turns"`
	Time    time.Duration `json:"time"`   // of all turns
	Worker  time.Duration `json:"worker"` // of all workers in these
	Edges   int           `json:"edges"`  // hit until now
	Execs   uint64        `json:"execs"`  // until now
	Samples []Sample      `json:"samples"`
	Over    bool          `json:"over"`  // there was no more to do
	Quiet   bool          `json:"quiet"` // nothing new was to be expected
}

// Sample is one turn, or several that are long past.
type Sample struct {
	Worker time.Duration `json:"w"` // behind the warm-up
	Edges  int           `json:"e"` // new ones
}

const (
	// The estimate is based on the last 1/window of the time.
	window = 4
	// The prior: half an edge in one second of a worker. It is weak, so that a target of which little is known is not taken
	// for a poor one, and outweighed by a turn without an edge.
	priorEdges   = 0.5
	priorSeconds = 1
	// A target is quiet if there was no new edge for quietFactor times the time that there should have been one in, and
	// for quietAtLeast.
	quietFactor  = 10
	quietAtLeast = 60 * time.Second
	// maxSamples bounds what is kept of a campaign of weeks.
	maxSamples = 256
)

// note adds the result of a turn. The part of the turn after its last new edge counts as a turn of its own: otherwise a target that
// is exhausted at once would look as productive as one that finds new edges until the end. Time that went into failures does not
// count, because no edge could be found in it.
func (a *arm) note(took time.Duration, workers int, p Progress) {
	s := Sample{min(took, p.Warmed) * time.Duration(workers), max(0, p.Edges-max(a.Edges, p.Known))}
	s.Worker = max(0, s.Worker-(p.Verifying-a.verifying))
	a.verifying = p.Verifying
	if a.idle++; p.Execs > a.Execs {
		a.idle, a.lost, a.Execs = 0, 0, p.Execs
	} else if p.Warmed == 0 && !p.Warming {
		a.lost += took * time.Duration(workers)
	}
	a.Turns++
	a.Time += took
	a.Worker += took * time.Duration(workers)
	a.Edges = max(a.Edges, p.Edges)
	barren := Sample{}
	if s.Edges > 0 {
		barren.Worker = min(s.Worker, p.Since*time.Duration(workers))
		s.Worker -= barren.Worker
	}
	if a.Samples = append(a.Samples, s); barren.Worker > 0 {
		a.Samples = append(a.Samples, barren)
	}
	if len(a.Samples) > maxSamples {
		a.Samples = halved(a.Samples)
	}
}

// fresh reports whether too little of the target's time was fuzzing for an estimate, because seeds and earlier entries, or starts, took the
// rest.
func (a *arm) fresh() bool { return a.warming || a.fuzzed() < minTurn/2 }

// comesFirst reports whether the target has a turn before those of which more is known. equal is an equal share of the time until now.
// Starts have a limit of their own: the processes may never get to fuzzing.
func (a *arm) comesFirst(equal time.Duration) bool {
	switch {
	case !a.fresh():
		return false
	case a.lost > 0:
		return !a.stuck() && a.lost < startShare*equal
	}
	return a.Worker < warmShare*equal
}

// stuck reports whether the longest turn is too short for the start of the target.
func (a *arm) stuck() bool { return a.lost > 0 && a.idle > maxDoublings }

// fuzzed returns the time of all samples.
func (a *arm) fuzzed() (sum time.Duration) {
	for _, s := range a.Samples {
		sum += s.Worker
	}
	return sum
}

// halved joins pairs of samples, which moves the beginning of the window a little.
func halved(samples []Sample) (half []Sample) {
	for pair := range slices.Chunk(samples, 2) {
		sum := Sample{}
		for _, s := range pair {
			sum.Worker += s.Worker
			sum.Edges += s.Edges
		}
		half = append(half, sum)
	}
	return half
}

// recent returns new edges and worker seconds of the window.
func (a *arm) recent() (edges, seconds float64) {
	limit := a.fuzzed() / window
	sum := time.Duration(0)
	for i := len(a.Samples) - 1; i >= 0 && (sum < limit || i == len(a.Samples)-1); i-- {
		sum += a.Samples[i].Worker
		edges += float64(a.Samples[i].Edges)
	}
	return edges, sum.Seconds()
}

// draw returns a random rate of new edges per worker second, by the distribution of the estimate. Time in which its processes did
// not get to fuzzing lowers the rate: otherwise a target that never does would be worth trying for ever.
func (a *arm) draw(r *rand.Rand) float64 {
	edges, seconds := a.recent()
	return gamma(r, edges+priorEdges) / (seconds + priorSeconds + a.lost.Seconds())
}

// outlook returns new edges and worker seconds for an estimate that a person reads: those of the window, but of all time since the last new edge
// if that is longer. Otherwise a target that has shown nothing for an hour would promise an edge in twice the length of its window.
func (a *arm) outlook() (edges, seconds float64) {
	edges, seconds = a.recent()
	if edges > 0 {
		return edges, seconds
	}
	since := time.Duration(0)
	for _, s := range slices.Backward(a.Samples) {
		if s.Edges > 0 {
			break
		}
		since += s.Worker
	}
	return 0, max(seconds, since.Seconds())
}

// expect returns the time in which a worker should find the next edge; 0 before the first turn.
func (a *arm) expect() time.Duration {
	if a.Turns == 0 {
		return 0
	}
	edges, seconds := a.outlook()
	return time.Duration((seconds + priorSeconds) / (edges + priorEdges) * float64(time.Second))
}

// Estimate is the time in which one worker should find the next new edge. Low and High are the 10th and the 90th percentile of its
// distribution.
type Estimate struct{ Mean, Low, High time.Duration }

// Estimate returns the estimate for a target; the zero value before its first turn. The rate of new edges has a gamma distribution, as for the
// turns of [Run], so the time to the next one has a Lomax distribution with the same shape and scale.
func (p Past) Estimate() Estimate {
	a := arm{Past: p}
	if a.Turns == 0 {
		return Estimate{}
	}
	edges, seconds := a.outlook()
	quantile := func(q float64) time.Duration {
		t := (seconds + priorSeconds) * (math.Pow(1-q, -1/(edges+priorEdges)) - 1)
		return time.Duration(min(t, math.MaxInt64/1e10) * float64(time.Second))
	}
	return Estimate{a.expect(), quantile(0.1), quantile(0.9)}
}

// quiet reports whether nothing new is to be expected: the time without a new edge is many times what it took to find the
// ones before. Neither the warm-up nor what went into failures is such time.
func (a *arm) quiet() bool {
	var until, since time.Duration
	edges := 0
	for _, s := range a.Samples {
		since += s.Worker
		if s.Edges > 0 {
			edges += s.Edges
			until, since = until+since, 0
		}
	}
	gap := until / time.Duration(max(1, edges))
	return !a.warming && since >= quietAtLeast && since >= quietFactor*gap
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
