package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// maxKilled is how many workers in a row something outside may kill until no other one is started.
const maxKilled = 5

// slowStart is how long the user waits for a word about a process that does not reach F.Fuzz.
const slowStart = 8 * time.Second

// maxVain is how many turns may be too short to know that no second process starts while another one lives.
const maxVain = 3

// maxMemRaise is how many times its first value the memory limit may become.
const maxMemRaise = 4

// slot is the place of one worker. The goroutine that serves it owns it.
type slot struct {
	number  int
	worker  Worker // nil: none runs
	stack   int    // bytes at which a stack of the worker overflows; 0: as in plain go test
	words   bool   // the worker has the words
	allowed int    // how many of the allowed actions the worker knows
	born    uint64 // how many were started when the worker was, with itself

	checked    timestamp     // when the worker was started, or its drift checked
	checkAfter time.Duration // when the next check is due; 0: as soon as for any new worker

	others   bool   // failures that showed while another finding was minimized are being settled
	memLimit uint64 // of workers that start while an input that used too much memory is minimized; 0: that of the pool
}

// pool starts and ends the workers of all slots.
type pool struct {
	opts   *Options
	turn   *turn
	meter  *meter
	events *events

	fewer atomic.Bool // the user knows that fewer workers were started than asked for
	late  atomic.Bool // the user knows that a turn waited for an execution
	slow  atomic.Bool // the user knows that a process does not reach F.Fuzz for long

	mu       sync.Mutex
	size     int             // number of workers
	live     map[Worker]bool // all that live
	started  uint64          // number of workers: each makes other mutants, also of the same entry as one before
	startup  time.Duration   // how long the newest worker took to start
	killed   int             // number of workers lost to signals from outside, in a row
	killedAt uint64          // number of workers that were started when the last of these was counted
	said     map[string]bool // warnings about workers that are started again
	paired   bool            // two processes of the target have lived at the same time
	vain     int             // turns in which a second process has not started
	alone    bool            // no second process starts while another one lives
	memLimit uint64          // bytes of heap per worker; 0: no limit
	memFirst uint64          // memLimit before it was raised
	memMax   uint64          // memLimit is not raised beyond this
	resident bool            // workers that start count only memory that is really used
	binary   cover.Digest    // of the binary of the first worker; zero: not known
}

func newPool(opts *Options, t *turn, m *meter, e *events) *pool {
	return &pool{opts: opts, turn: t, meter: m, events: e, live: map[Worker]bool{}, said: map[string]bool{}, memLimit: opts.MemLimit}
}

// resize sets the number of workers for a turn and returns it: there are no more processes than executions.
func (p *pool) resize(workers int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.size = workers
	if p.opts.MaxExecs > 0 && uint64(workers) > p.opts.MaxExecs {
		p.size = int(p.opts.MaxExecs)
	}
	if p.alone {
		p.size = 1
	}
	return p.size
}

// workers returns the number of workers.
func (p *pool) workers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}

// start starts the process of a slot, which has none, and sets it up. A goroutine's stack in it overflows at that many bytes;
// 0: as in plain go test.
func (p *pool) start(ctx context.Context, s *slot, stack int) (wire.Hello, error) {
	begin := p.opts.Clock()
	slow := time.AfterFunc(slowStart, func() {
		p.events.warnOnce(&p.slow, fmt.Sprintf("a process of the target has not reached F.Fuzz for %v; it may wait for something that another process has", slowStart))
	})
	defer slow.Stop()
	w, hello, err := p.opts.Start(ctx)
	p.mu.Lock()
	p.startup = p.opts.Clock() - begin
	p.mu.Unlock()
	for err != nil {
		var start *executor.StartError
		if !errors.As(err, &start) || !start.External || ctx.Err() != nil {
			return hello, err
		}
		if err := p.restart(err, math.MaxUint64); err != nil {
			return hello, err
		}
		w, hello, err = p.opts.Start(ctx)
	}
	if err := p.checkBinary(hello.Binary); err != nil {
		w.Kill()
		return hello, err
	}
	setup := p.enter(w, s, hello)
	setup.MaxStack = stack
	_ = w.Setup(setup) // a process that is gone shows in the request that follows
	s.worker, s.stack = w, stack
	s.checked, s.checkAfter = p.meter.now(), 0
	return hello, nil
}

// errReplaced says that features of two binaries would be compared.
var errReplaced = errors.New("the test binary was replaced while it is fuzzed, and the coverage of two binaries cannot be compared; " +
	"start gnaw again to fuzz the new one")

// checkBinary returns an error if a worker is of another binary than the first one.
func (p *pool) checkBinary(binary cover.Digest) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch unknown := (cover.Digest{}); {
	case p.binary == unknown:
		p.binary = binary
	case binary != unknown && binary != p.binary:
		return errReplaced
	}
	return nil
}

// binaryDigest returns the digest of the binary that workers run; zero: it is not known.
func (p *pool) binaryDigest() cover.Digest {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.binary
}

// enter counts a new worker as one that lives and returns its settings.
func (p *pool) enter(w Worker, s *slot, hello wire.Hello) wire.Setup {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live[w] = true
	p.paired = p.paired || len(p.live) > 1
	p.started++
	s.born = p.started
	setup := wire.Setup{
		Seed: p.opts.Seed + p.started, MemLimit: p.memLimit, Resident: p.resident, TrimMax: trimExecs, Without: p.opts.Without,
		Number: s.number, NoClock: p.opts.Repeatable, Procs: p.opts.Procs,
	}
	if s.memLimit > 0 {
		setup.MemLimit, setup.Resident = s.memLimit, false
	}
	if hello.Race {
		setup.MemLimit = 0 // the detector uses several times the memory of the target
		setup.Procs = 0    // and sees more where goroutines run at the same time
	} else if p.opts.Oracles.On.Has(oracle.Alloc) {
		setup.Alloc = p.opts.Oracles.Of(oracle.Alloc)
	}
	return setup
}

// neverPaired reports whether no two processes of the target have lived at the same time yet.
func (p *pool) neverPaired() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.paired
}

// startedInVain notes that a second process has not started beside the first one; enough says that it had the time for that. It reports
// whether the target gets one worker from now on.
func (p *pool) startedInVain(enough bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.vain++
	p.alone = enough || p.vain >= maxVain
	return p.alone
}

// endAlone ends the process of a slot if no other process of the target can run beside it, such as a replay.
func (p *pool) endAlone(s *slot) {
	p.mu.Lock()
	alone := p.alone
	p.mu.Unlock()
	if alone {
		p.end(s)
	}
}

// ensure has a slot have a worker with such a stack.
func (p *pool) ensure(ctx context.Context, s *slot, stack int) error {
	if s.worker != nil && s.stack != stack {
		p.end(s)
	}
	if s.worker != nil {
		return nil
	}
	_, err := p.start(ctx, s, stack)
	return err
}

// ensureInTurn is ensure as long as the turn lasts.
func (p *pool) ensureInTurn(s *slot, stack int) error {
	ctx, cancel := p.turn.starting()
	defer cancel()
	return p.ensure(ctx, s, stack)
}

// retire deals with the error of a process that does not start. If others run, the turn goes on with those: the target may need
// something that only one process can have, such as a port.
func (p *pool) retire(err error) error {
	stopped := p.turn.ctx.Err() != nil || p.turn.unlessStopped(err) == nil
	p.mu.Lock()
	last := p.size == 1
	if !last && !stopped {
		p.size--
	}
	left := p.size
	p.mu.Unlock()
	if last || stopped {
		return err
	}
	p.events.warnOnce(&p.fewer, fmt.Sprintf("gnaw could not start all workers and continues with %d: %v", left, err))
	return nil
}

// restart has a worker started again that ended through no fault of the target, unless that has happened too often: then it returns
// err. The user reads each reason once. born says when the worker was started: workers that live when another one is killed may be killed by the same event, which
// counts once.
func (p *pool) restart(err error, born uint64) error {
	p.mu.Lock()
	if born > p.killedAt {
		p.killed, p.killedAt = p.killed+1, p.started
	}
	again := p.opts.Restart && p.killed <= maxKilled
	p.mu.Unlock()
	if !again {
		return err
	}
	text := err.Error() + "; starting it again"
	p.mu.Lock()
	first := !p.said[text]
	p.said[text] = true
	p.mu.Unlock()
	if first {
		p.events.warn(text)
	}
	return nil
}

// worked notes that a worker has executed something, so that workers that are killed later are not in a row with those before.
func (p *pool) worked() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = 0
}

// drop forgets a process that has ended.
func (p *pool) drop(s *slot) {
	p.mu.Lock()
	delete(p.live, s.worker)
	p.mu.Unlock()
	s.worker, s.words = nil, false
}

// end ends the process of a slot, if it has one.
func (p *pool) end(s *slot) {
	if s.worker != nil {
		s.worker.Stop()
		p.drop(s)
	}
}

// kill ends the process of a slot that answers no more.
func (p *pool) kill(s *slot) {
	s.worker.Kill()
	p.drop(s)
}

// preempt has all workers end their requests soon.
func (p *pool) preempt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.live {
		w.Preempt()
	}
}

// underway returns the number of executions of the requests that are under way.
func (p *pool) underway() (execs uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.live {
		execs += w.Underway()
	}
	return execs
}

// startTime returns how long the newest worker took to start.
func (p *pool) startTime() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.startup
}

// limit returns the bytes of heap that a worker may have; 0: no limit.
func (p *pool) limit() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.memLimit
}

// raiseLimit raises the limit because an input has exceeded it, and returns the limit before it was raised for the first time: two workers
// may exceed it at the same time. Each of these inputs ends a worker, and mutants of one of them exceed it too.
func (p *pool) raiseLimit() (first uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.resident {
		p.resident, p.memFirst, p.memMax = true, p.memLimit, maxMemRaise*p.memLimit
		if p.opts.MemShare > 0 {
			p.memMax = max(p.memLimit, min(p.memMax, p.opts.MemShare))
		}
	}
	p.memLimit = min(2*p.memLimit, p.memMax)
	return p.memFirst
}

// unraised returns the limit as long as no input has exceeded it.
func (p *pool) unraised() (limit uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.memLimit, !p.resident
}

// roomLimit returns the limit at which a process ends itself before the system does that; 0: unknown.
func (p *pool) roomLimit() uint64 {
	limit := p.limit()
	if room := roomForOne(p.opts.MemRoom); limit == 0 || room > 0 && room < limit {
		return room
	}
	return limit
}

// lowerLimit sets the limit, and reports whether it was another one.
func (p *pool) lowerLimit(limit uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	lowered := p.memLimit != limit
	p.memLimit = limit
	return lowered
}

// roomForOne returns how much one process may have of the memory that all have together, so that the system need not end it.
func roomForOne(room uint64) uint64 { return room / 4 * 3 }
