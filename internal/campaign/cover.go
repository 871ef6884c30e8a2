package campaign

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

const (
	// coverShare limits the time in which the coverer executes entries: it is at most 1/coverShare of the time of one worker.
	coverShare = 40
	// coverVisit is how long the coverer executes entries of a target before it pauses. It is longer than the start of a process, which takes
	// some milliseconds to some tenths of a second.
	coverVisit = 500 * time.Millisecond
)

// coverer executes the entries of all targets of a campaign in test binaries with counters for statements. Each visit of a target starts a
// process and ends it, so that no process takes memory during the pauses.
type coverer struct {
	campaign *Campaign
	seen     map[*target]*seen                             // only the goroutine of run uses it
	open     func(t *target, file string) closer           // returns a process that is not started; tests replace it
	wait     func(d time.Duration, end ...<-chan struct{}) // waitFor; tests replace it

	building sync.Mutex // held while a binary is built

	mu      sync.Mutex                // guards the fields below
	all     map[coverage.Block]bool   // the blocks of all targets; true: an entry reaches the block
	count   event.Reached             // the statements of these blocks
	reached map[*target]event.Reached // the statements of each target
}

// closer is a process that executes entries.
type closer interface {
	coverage.Process
	Close() error
}

// seen is the state of the coverer for one target.
type seen struct {
	live    coverage.Live
	entries int  // how many entries of the corpus it has executed
	broken  bool // the binary cannot be executed
	saved   int  // how many of these entries the sources in the history have
	savedAt time.Time
}

func newCoverer(c *Campaign) *coverer {
	r := &coverer{campaign: c, all: map[coverage.Block]bool{}, seen: map[*target]*seen{}, reached: map[*target]event.Reached{}, wait: waitFor}
	r.open = func(t *target, file string) closer {
		f := c.Fuzzing
		p := &session.Process{
			Config: session.Config(c.Environ, t.Target, file, t.cache(), f.Timeout, f.Args),
			Setup:  wire.Setup{MemLimit: f.MemLimit, Procs: 1},
		}
		p.Allowed, p.Refuse = policy(t, "")
		return p
	}
	return r
}

// prepareCover builds the test binary of the package of a target with counters for statements, if the campaign has a coverer and the binary
// is not built yet. If the build fails, prepareCover publishes a warning, and the coverer leaves the targets of the package out.
func (c *Campaign) prepareCover(ctx context.Context, t *target) {
	if c.coverer == nil || t.Outside != nil {
		return
	}
	c.coverer.building.Lock()
	defer c.coverer.building.Unlock()
	if c.binaries.begun(t.Package, Cover) {
		return
	}
	if _, _, err := c.binaries.build(ctx, t.Target, Cover); err != nil && ctx.Err() == nil {
		c.warn(fmt.Sprintf("-cover has no effect for %s, and fuzzing continues; correct this error, or leave -cover out: %v", t.Package, err))
	}
}

// beginCover starts the coverer, if the campaign has one. The returned function waits until the coverer has executed the remaining entries,
// for at most sweepGrace.
func (c *Campaign) beginCover(ctx context.Context) (end func()) {
	if c.coverer == nil {
		return func() {}
	}
	return beginSweep(func(over <-chan struct{}) {
		c.coverer.run(ctx, over)
		c.coverer.saveAll()
	})
}

// run executes new entries until ctx ends, or until it has executed all entries after over is closed. Before over is closed, it pauses after
// each visit for coverShare-1 times the duration of the visit.
func (r *coverer) run(ctx context.Context, over <-chan struct{}) {
	visit := func(ctx context.Context, t *target, last bool) bool {
		began := time.Now()
		busy := r.visit(ctx, t)
		if busy && !last {
			r.wait(time.Since(began)*(coverShare-1), over, ctx.Done())
		}
		return busy
	}
	r.campaign.sweep(ctx, over, "counts the statements that the latest entries reach", sweepGrace, visit, r.wait)
}

// visit executes new entries of a target, and reports whether there were any.
func (r *coverer) visit(ctx context.Context, t *target) bool {
	t.mu.Lock()
	s := t.session
	t.mu.Unlock()
	file, built, err := r.campaign.binaries.get(t.Package, Cover)
	if r.seen[t] == nil {
		r.seen[t] = &seen{}
	}
	done := r.seen[t]
	if s == nil || !built || err != nil || done.broken || ctx.Err() != nil {
		return false
	}
	entries := s.Fuzzer.Passed(done.entries)
	if len(entries) == 0 {
		r.save(t, done, coverInterval)
		return false
	}
	if err := r.execute(ctx, t, done, file, entries); err != nil && ctx.Err() == nil {
		done.broken = true
		t.notice(event.Warning, fmt.Sprintf("-cover has no more effect for this target, and fuzzing continues; correct this error, or leave -cover out: %v", err))
	}
	r.save(t, done, coverInterval)
	return true
}

// save records which statements the entries of a target reach, if there are new ones and the last record is old enough.
func (r *coverer) save(t *target, done *seen, old time.Duration) {
	if done.saved == done.entries || time.Since(done.savedAt) < old {
		return
	}
	done.saved, done.savedAt = done.entries, time.Now()
	r.campaign.History.SaveSources(t.Target, done.live.Sources())
}

// saveAll records which statements the entries of all targets reach.
func (r *coverer) saveAll() {
	for t, done := range r.seen {
		r.save(t, done, 0)
	}
}

// execute executes entries of a target in a new process for about coverVisit, and adds the blocks that they reach.
func (r *coverer) execute(ctx context.Context, t *target, done *seen, file string, entries []input.Args) (err error) {
	p := r.open(t, file)
	defer func() { err = errors.Join(err, p.Close()) }()
	first, end := done.live.Blocks() == nil, time.Now().Add(coverVisit)
	executed := 0
	n, added, err := done.live.Execute(ctx, p, entries, func() bool {
		executed++
		return executed == 1 || time.Now().Before(end) // at least one entry, even if the start takes longer than the visit
	})
	done.entries += n
	var blocks []coverage.Block
	if first {
		blocks = done.live.Blocks()
	}
	r.reach(t, blocks, added)
	return err
}

// reach adds the blocks that entries of a target reach to the counts, and publishes the count of the target if it is new. blocks are all blocks of the
// binary of the target at the first call, and nil at later calls. added are the blocks that entries of the target reach for the first time.
func (r *coverer) reach(t *target, blocks, added []coverage.Block) {
	r.mu.Lock()
	now := r.reached[t]
	for _, b := range blocks {
		now.Statements += b.Statements
		if _, ok := r.all[b]; !ok {
			r.all[b] = false
			r.count.Statements += b.Statements
		}
	}
	for _, b := range added {
		now.Covered += b.Statements
		if !r.all[b] {
			r.all[b] = true
			r.count.Covered += b.Statements
		}
	}
	r.reached[t] = now
	r.mu.Unlock()
	if len(blocks)+len(added) > 0 {
		r.campaign.Events.Publish(event.Cover{Subject: t.name(), Reached: now})
	}
}

// of returns how many statements the entries of a target reach. A nil coverer returns zero counts.
func (r *coverer) of(t *target) event.Reached {
	if r == nil {
		return event.Reached{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reached[t]
}

// totals returns how many statements the entries of all targets reach. A nil coverer returns zero counts.
func (r *coverer) totals() event.Reached {
	if r == nil {
		return event.Reached{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}
