package bandit

import (
	"context"
	"slices"
	"sync"
	"time"
)

// prepareAll prepares the targets, as many at a time as there are workers.
func (p *pool) prepareAll(ctx context.Context) {
	var group sync.WaitGroup
	next := make(chan int)
	for range min(p.Parallel, len(p.Targets)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range next {
				p.prepare(ctx, i)
			}
		}()
	}
	for _, i := range p.spread() {
		next <- i
	}
	close(next)
	group.Wait()
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

// prepareAside prepares the targets in order while those that are ready are fuzzed. Meanwhile the pool has one worker
// less, if it has several.
func (p *pool) prepareAside(ctx context.Context) {
	p.mu.Lock()
	n := min(p.Parallel-1, 1, len(p.free))
	kept := slices.Clone(p.free[len(p.free)-n:])
	p.free = p.free[:len(p.free)-n]
	p.mu.Unlock()
	begin := p.Clock()
	for i := range p.Targets {
		p.prepare(ctx, i)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, kept...)
	p.busy += time.Duration(n) * (p.Clock() - begin)
	p.changed.Broadcast()
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
		a.Past = p.Targets[i].Past()
		a.over = a.Over || p.Quiet && a.Quiet || p.Each > 0 && a.Time >= p.Each
	}
	p.changed.Broadcast()
}
