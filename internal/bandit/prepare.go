package bandit

import (
	"context"
	"slices"
	"sync"
	"time"
)

// earlyAfter is how long a target that is ready waits for the others before it is fuzzed, if there is a time budget.
const earlyAfter = 20 * time.Second

// preparation is the state of preparing the targets. The mutex of the pool guards it.
type preparation struct {
	order  []int         // the targets whose preparation has not begun
	active int           // goroutines that prepare targets
	over   bool          // all targets are ready, or cannot be fuzzed
	kept   []int         // numbers of the workers that do not fuzz until over
	ready  bool          // a target is ready
	since  time.Duration // time by the clock at which the first target became ready
	wake   *time.Timer   // after earlyAfter
}

// prepareAll prepares the targets: as many at a time as there are workers and, while targets are fuzzed, one at a time.
func (p *pool) prepareAll(ctx context.Context) {
	var group sync.WaitGroup
	p.mu.Lock()
	p.active = min(p.Parallel, len(p.order))
	n := p.active
	p.mu.Unlock()
	for range n {
		group.Add(1)
		go func() {
			defer group.Done()
			for i, ok := p.nextToPrepare(); ok; i, ok = p.nextToPrepare() {
				p.prepare(ctx, i)
			}
		}()
	}
	group.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	p.free = append(p.free, p.kept...)
	slices.Sort(p.free)
	p.busy += time.Duration(len(p.kept)) * (p.elapsed() - p.Spent)
	p.changed.Broadcast()
}

// nextToPrepare returns the next target to prepare. ok is false if the goroutine must end: no target is left, or fuzzing has begun and another
// goroutine prepares the rest.
func (p *pool) nextToPrepare() (i int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.order) == 0 || p.fuzzing && p.active > 1 {
		p.active--
		return 0, false
	}
	i, p.order = p.order[0], p.order[1:]
	return i, true
}

// awaitTargets waits until fuzzing with a time budget begins: until all targets are ready, or may follow later.
func (p *pool) awaitTargets(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.over && !p.mayFollow() && ctx.Err() == nil {
		p.changed.Wait()
	}
	if p.wake != nil {
		p.wake.Stop()
	}
}

// mayFollow reports whether fuzzing begins before all targets are ready. It does if one target has been ready for earlyAfter and, at the pace
// since then, the others will be ready in half of the time budget. Otherwise the budget could end first. The pace is that of one goroutine,
// because the pool prepares one target at a time while it fuzzes others. The caller holds the mutex.
func (p *pool) mayFollow() bool {
	waited := p.Clock() - p.since
	if !p.ready || waited < earlyAfter {
		return false
	}
	built := map[string]bool{}
	for i, a := range p.arms {
		name := p.Targets[i].Binary()
		built[name] = built[name] || a.ready || a.err != nil
	}
	done := 0
	for _, ok := range built {
		if ok {
			done++
		}
	}
	seconds := waited.Seconds() * float64(min(p.Parallel, len(built))) / float64(max(1, done-1)) // for one binary
	return seconds*float64(len(built)-done) <= (p.Time-p.Spent).Seconds()/2
}

// start begins fuzzing and its time. If some targets are not ready yet, it keeps one of several workers back until all are.
func (p *pool) start() {
	p.mu.Lock()
	p.begin, p.fuzzing = p.Clock(), true
	if !p.over {
		n := min(p.Parallel-1, 1, len(p.free))
		p.kept = slices.Clone(p.free[len(p.free)-n:])
		p.free = p.free[:len(p.free)-n]
	}
	p.mu.Unlock()
	p.emit(Event{Target: -1, What: Begun})
}

// spread returns the targets in an order in which neighbours are of different packages: one binary is built for all targets
// of a package, and the others would only wait for it.
func (p *pool) spread() (order []int) {
	turn := map[string]int{} // targets of a binary so far
	rounds := make([][]int, len(p.Targets)+1)
	for i, t := range p.Targets {
		n := turn[t.Binary()]
		turn[t.Binary()] = n + 1
		rounds[n] = append(rounds[n], i)
	}
	return slices.Concat(rounds...)
}

// prepare prepares one target.
func (p *pool) prepare(ctx context.Context, i int) {
	if ctx.Err() != nil {
		return
	}
	p.emit(Event{Target: i, What: Preparing})
	err := p.Targets[i].Prepare(ctx)
	if err != nil && ctx.Err() != nil {
		return
	}
	if err == nil {
		p.emit(Event{Target: i, What: Prepared})
	} else {
		p.emit(Event{Target: i, What: SetAside, Err: err})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.arms[i]
	a.ready, a.err, a.over = err == nil, err, err != nil
	if err == nil {
		if !p.ready {
			p.ready, p.since = true, p.Clock()
			p.wake = time.AfterFunc(earlyAfter, p.look)
		}
		a.Past = p.Targets[i].Past()
		a.over = a.Over || p.Quiet && a.Quiet || p.Each > 0 && a.Time >= p.Each
	}
	p.changed.Broadcast()
}
