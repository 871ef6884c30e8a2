package bandit

import "time"

// Limits of a turn. A turn costs the start of its workers, mostly some 100 ms.
const (
	minTurn = time.Second
	maxTurn = 10 * time.Second
	// leastTurn is the least of a first turn, which is shorter than minTurn where the budget is too small for each target to
	// have one of that length: to see the seeds of all targets is worth more than to fuzz a few of them.
	leastTurn = 100 * time.Millisecond
	// turnsEach is how many turns each target shall have at least if there is a budget.
	turnsEach = 4
	// maxDoublings: a turn in which no execution ended is followed by one twice as long, at most maxDoublings times in a row.
	maxDoublings = 4
	// startFactor: a turn lasts at least startFactor times as long as the start of a worker. Otherwise a test binary whose
	// packages take seconds to initialize would do little else. If a turn was too short for the start, its length is not
	// known, and maxDoublings limits the turn: a process may hang before it gets to fuzzing.
	startFactor = 4
	// warmShare: a target that has not executed all its seeds and earlier entries, or has hardly done anything else, comes
	// first until it had warmShare equal shares of the time. Without a limit, a target whose seeds hang would take it all.
	warmShare = 2
	// startShare: a target whose processes have not got to fuzzing comes first, in longer and longer turns, until it has lost startShare
	// equal shares of the time, or the longest turn. Its start may take longer than a turn because the machine is busy.
	startShare = 1
	// floorShare is the part of an equal share that every target gets, however few edges it finds.
	floorShare = 0.2
)

// turn is a task for some workers.
type turn struct {
	target  int
	length  time.Duration
	more    time.Duration // that it may take
	workers int
	slots   []int // numbers of these workers
}

// choose picks a target and the length of its turn, if workers are free. The caller holds the mutex.
func (p *pool) choose(left time.Duration) (t turn, ok bool) {
	p.weigh()
	waiting := p.waiting()
	if len(p.free) == 0 || len(waiting) == 0 {
		return t, false
	}
	alive := 0 // targets that want time, now or later
	for _, a := range p.arms {
		if !a.over && a.factor > 0 {
			alive++
		}
	}
	t.workers = min(max(1, (p.Parallel+alive-1)/alive), len(p.free))
	t.target = p.pick(p.balanced(waiting))
	t.length = p.length(p.arms[t.target], t.workers, alive, left)
	t.more = p.Overtime // also after the end of the campaign: what is executed then is not lost
	return t, true
}

// length returns the length of a turn of a target. alive is the number of targets that share what is left of the time.
func (p *pool) length(a *arm, workers, alive int, left time.Duration) time.Duration {
	d := maxTurn
	if p.Time > 0 {
		share := left * time.Duration(p.Parallel) / time.Duration(turnsEach*alive*workers)
		d = max(minTurn, min(maxTurn, share))
	}
	d = max(d<<min(a.idle, maxDoublings), min(startFactor*a.startup, d<<maxDoublings))
	if p.Time > 0 && a.lost > 0 {
		equal := p.Time * time.Duration(p.Parallel) / time.Duration(alive)
		d = min(d, max(minTurn, (startShare*equal-a.lost)/time.Duration(workers)))
	}
	if p.Time > 0 {
		d = min(d, left)
	}
	if p.Time > 0 && a.Turns == 0 {
		d = min(d, max(leastTurn, left*time.Duration(p.Parallel)/time.Duration(p.untried()*workers)))
	}
	if p.Each > 0 {
		d = min(d, p.Each-a.Time)
	}
	return d
}

// waiting lists the targets that could have a turn now.
func (p *pool) waiting() (list []int) {
	for i, a := range p.arms {
		if a.ready && !a.running && !a.over && a.factor > 0 {
			list = append(list, i)
		}
	}
	return list
}

// weigh reads the factors of all targets, which may change at any time, for the choice of one turn.
func (p *pool) weigh() {
	for i, a := range p.arms {
		a.factor = p.Control.factor(i)
	}
}

// shared returns the time of workers that the targets with a factor have had, and how many these are.
func (p *pool) shared() (total time.Duration, n int) {
	for _, a := range p.arms {
		if a.factor > 0 {
			total, n = total+a.Worker, n+1
		}
	}
	return total, n
}

// untried returns how many targets want a first turn.
func (p *pool) untried() (n int) {
	for _, a := range p.arms {
		if !a.over && !a.running && a.Turns == 0 && a.factor > 0 {
			n++
		}
	}
	return n
}

// balanced returns those of the waiting targets whose share, that of the first Own targets or that of the others, has had less time; all
// if only one share has targets that wait.
func (p *pool) balanced(waiting []int) []int {
	var had [2]time.Duration
	var of [2][]int
	share := func(i int) int {
		if i < p.Own {
			return 0
		}
		return 1
	}
	for i, a := range p.arms {
		had[share(i)] += a.Worker
	}
	for _, i := range waiting {
		of[share(i)] = append(of[share(i)], i)
	}
	switch {
	case len(of[0]) == 0, len(of[1]) == 0:
		return waiting
	case had[0] <= had[1]:
		return of[0]
	}
	return of[1]
}

// pick chooses one of the targets: one that had no turn yet, one of which nothing is known although it had, one below its
// floor, or the one with the best draw.
func (p *pool) pick(waiting []int) int {
	total, n := p.shared()
	equal := total / time.Duration(n)
	floor := time.Duration(floorShare * float64(equal))
	best, value := -1, 0.0
	for _, i := range waiting {
		a := p.arms[i]
		if a.Turns == 0 {
			return i
		}
		v := a.draw(p.random) * a.factor
		if a.stuck() {
			v = 0 // it gets its floor
		}
		if a.comesFirst(equal) {
			v += 1e30
		}
		if a.Worker < floor {
			v += float64(floor-a.Worker) * 1e9 // before all others; the one with the least time comes first
		}
		if best < 0 || v > value {
			best, value = i, v
		}
	}
	return best
}
