package worker

import (
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/blocks"
	"github.com/gnaw-fuzz/gnaw/internal/probe/chance"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/refusal"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// ballastSize is the size in bytes of memory that is reserved and never touched. It counts as live, so the garbage
// collector runs once per 32 MiB of allocation at GOGC=100 where it would run once per 4 MiB: a target that
// allocates 40 KB per execution runs half as fast again. Unlike another GOGC it does not multiply a heap that is
// large already.
const ballastSize = 16 << 20

// helloSeeds is how many bytes of seeds one message has.
const helloSeeds = 16 << 20

// worker carries out the requests of the coordinator. One goroutine of Serve owns it and all its parts; while an order is carried
// out, the goroutine that calls the target does.
type worker struct {
	target Harness
	seg    *shm.Segment
	out    *wire.Writer
	setup  wire.Setup

	run     runner
	memory  memory
	list    suggestions
	mut     mutator
	feed    feedback
	loop    loop
	study   study
	procs   processors
	refuses bool          // what inputs do outside of the process is refused
	placed  map[uint]bool // places of comparisons that were reported; nil before the first request for comparisons

	ballast []byte
}

func newWorker(target Harness, answers io.Writer, seg *shm.Segment, global []byte) *worker {
	w := &worker{target: target, seg: seg, out: wire.NewWriter(answers), ballast: make([]byte, ballastSize)}
	w.run = runner{request: request{seg: seg, list: &w.list}}
	w.run.init(target, cover.New(target.Counters, global))
	w.memory = memory{run: &w.run}
	w.list.seg = seg
	w.mut = mutator{
		run: &w.run, list: &w.list, setup: &w.setup, entries: map[uint64]int{}, sums: map[uint64]mutate.Sums{},
	}
	w.feed = feedback{
		run: &w.run, mut: &w.mut, list: &w.list, setup: &w.setup, out: w.out, strikes: map[cover.Feature]int{},
	}
	w.feed.yields.of = &w.feed.yields.mutants
	w.loop = loop{
		run: &w.run, mut: &w.mut, list: &w.list, feed: &w.feed, memory: &w.memory, setup: &w.setup, sampler: sampler{run: &w.run, mut: &w.mut, list: &w.list},
	}
	w.loop.order = w.loop.burst
	w.study = study{run: &w.run, mut: &w.mut, list: &w.list, feed: &w.feed, setup: &w.setup}
	w.study.chaser.study = &w.study
	return w
}

// greet sends the coordinator what the test binary knows about the target.
func (w *worker) greet() error {
	t := w.target
	hello := wire.Hello{Protocol: t.Protocol, Binary: binaryDigest(), Kinds: t.Kinds, Counters: len(t.Counters), Race: t.Race}
	if t.Blocks != nil {
		hello.Packages = blocks.Packages()
		t.Blocks.Take() // what ran before F.Fuzz
	}
	for _, s := range t.Seeds {
		hello.Seeds = append(hello.Seeds, input.Append(nil, s))
	}
	for _, part := range hello.Parts(helloSeeds) {
		if err := w.out.Send(part); err != nil {
			return err
		}
	}
	return nil
}

// dispatch carries out requests until the coordinator says stop, which it reports, or is gone.
func (w *worker) dispatch(requests *wire.Reader) (stop bool, err error) {
	for {
		w.seg.SetStage(shm.Idle)
		kind, payload, err := requests.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("read from the coordinator: %w", err)
		}
		stop, err := w.handle(kind, payload)
		if stop || err != nil {
			return stop, err
		}
	}
}

func (w *worker) handle(kind wire.Type, payload []byte) (stop bool, err error) {
	switch kind {
	case wire.TypeSetup:
		err = w.configure(payload)
	case wire.TypeEntry:
		err = w.addEntry(payload)
	case wire.TypeWords:
		err = w.setWords(payload)
	case wire.TypeRefuse:
		err = w.beginRefusals(payload)
	case wire.TypeRun:
		w.procs.useAll()
		err = w.runInput(payload)
	case wire.TypeFuzz:
		w.refuse(false)
		w.procs.begin(w.run.exec.made)
		err = w.fuzzEntry(payload)
		w.procs.end(w.run.spent, w.run.exec.made)
	case wire.TypeMeasure:
		w.refuse(false)
		w.procs.useAll()
		err = w.measure(payload)
	case wire.TypeCompare:
		w.refuse(false)
		w.procs.useAll()
		err = w.compareInput(payload)
	case wire.TypeStop:
		return true, nil
	default:
		err = fmt.Errorf("unexpected message %#x from the coordinator", uint8(kind))
	}
	return false, err
}

func (w *worker) configure(payload []byte) (err error) {
	if w.setup, err = wire.DecodeSetup(payload); err != nil {
		return err
	}
	w.mut.havoc = mutate.Material{Rand: mutate.NewRand(w.setup.Seed), Without: w.setup.Without}
	if !w.setup.Without.Has(technique.MapOrder) {
		w.run.order = uint64(w.setup.Number) + 1
	}
	chance.KeepPooled(w.setup.NoClock)
	w.run.log.Without(unreported(w.setup.Without))
	if w.setup.Without.Has(technique.Buckets) {
		w.run.cov.EdgesOnly()
	}
	w.solveWithout(w.setup.Without)
	if w.setup.MemLimit > 0 {
		w.memory.guard = newMemoryGuard(w.setup.MemLimit, w.setup.Resident, w.seg)
		w.memory.guard.setThreshold(w.setup.Alloc)
	}
	if w.setup.MaxStack > 0 {
		debug.SetMaxStack(w.setup.MaxStack)
	}
	w.procs.limit(w.setup.Procs)
	w.run.cov.Clear() // what ran before F.Fuzz
	return nil
}

// solveWithout turns techniques off in all that derives inputs from comparisons.
func (w *worker) solveWithout(off technique.Set) {
	w.list.solver.Without, w.study.checksums.Without, w.study.chaser.descent.Without = off, off, off
	for i := range w.study.chaser.levels {
		w.study.chaser.levels[i].solver.Without = off
	}
}

// unreported returns what hooks in the standard library need not report.
func unreported(off technique.Set) (k compare.Kind) {
	if off.Has(technique.MapKeys) {
		k |= compare.Keys
	}
	if off.Has(technique.Substrings) {
		k |= compare.Needles
	}
	if off.Has(technique.Encodings) {
		k |= compare.Numbers
	}
	if off.Has(technique.Lengths) {
		k |= compare.Bounds
	}
	return k
}

// addEntry takes an entry to mutate.
func (w *worker) addEntry(payload []byte) error {
	m, err := wire.DecodeEntry(payload)
	if err != nil {
		return err
	}
	a, err := unpack(m.Input, w.target.Kinds)
	if err == nil {
		w.mut.add(m.ID, a)
	}
	return err
}

// setWords takes words to use in mutants.
func (w *worker) setWords(payload []byte) error {
	m, err := wire.DecodeWords(payload)
	if err == nil {
		w.mut.havoc.Tokens = m.List
	}
	return err
}

// runInput executes one input for the coordinator: a seed, a candidate of the minimizer, a replay.
func (w *worker) runInput(payload []byte) error {
	m, err := wire.DecodeRun(payload)
	if err != nil {
		return err
	}
	a, err := w.single(m.Input)
	if err != nil {
		return err
	}
	w.refuse(m.Given)
	w.memory.forget()
	if w.target.Blocks != nil {
		w.target.Blocks.Clear() // a process that is killed leaves no record
	}
	start := time.Now()
	out := w.run.once(a)
	took := time.Since(start)
	if w.target.Blocks != nil {
		w.target.Blocks.Take()
	}
	ran := wire.Ran{Nanos: uint64(took), Failed: out.failed, Output: out.output, Logged: out.logged}
	ran.Lost = !out.failed && !hits(w.run.trace, m.Show)
	w.memory.check(a)
	if m.All && !out.failed {
		ran.Features = w.run.trace // Send copies it
	}
	if first := w.run.cov.Unknown(w.run.trace); m.Trace && !out.failed && len(first) > 0 {
		c := w.feed.believe(a, first, took)
		if c.failed {
			ran.Failed, ran.Output, ran.Logged = true, c.output, c.logged
		} else {
			ran.Added, ran.Edges = w.run.cov.Merge(c.added)
			ran.Features, ran.Nanos = c.features, uint64(c.duration)
		}
	}
	w.run.cov.Clear()
	ran.Execs = w.run.spent
	if m.Given {
		ran.Actions = refusal.Fresh()
	}
	return w.out.Send(ran)
}

// fuzzEntry mutates one entry and executes the mutants until the executions are used up, the coordinator asks for an
// end, the target fails, or a new edge shows up: that is worth a look at the schedule.
func (w *worker) fuzzEntry(payload []byte) error {
	m, err := wire.DecodeFuzz(payload)
	if err != nil {
		return err
	}
	w.memory.greedy = nil
	w.run.allow(m.Execs, m.Bytes)
	w.mut.pick(m.ID)
	w.mut.reserve(m.MaxLen)
	start := time.Now()
	w.study.reset()
	w.loop.sampler.holds = m.Holds
	if w.mut.base != nil { // otherwise the coordinator has not sent it
		if err := w.fuzz(m); err != nil {
			return err
		}
	}
	w.list.book()
	took := time.Since(start)
	w.study.chaser.share.request(took, w.run.spent)
	return w.out.Send(wire.Done{
		Execs: w.run.spent, Nanos: uint64(took), Tried: w.list.tried,
		// A request that was preempted before the study has listed nothing, not everything.
		Solved: !w.list.busy() && !w.study.over && (w.study.begun || !m.Study || w.mut.base == nil),
		Greedy: w.memory.greedy,
	})
}

// fuzz takes an entry through its request: what the request before has left to attribute, the study, and bursts.
func (w *worker) fuzz(m wire.Fuzz) (err error) {
	again := true
	if len(w.feed.recent) > 0 {
		w.seg.SetTried(shm.Untried)
		again, err = w.feed.attribute(m.Trim)
		w.seg.SetTried(m.Skip)
	}
	if !again || err != nil { // inputs that are still to be run again are of the request before
		return err
	}
	w.feed.origin = w.mut.base
	if m.Study && !w.run.finished() {
		if again, err = w.study.entry(m); w.run.finished() {
			again = false
		}
	}
	for again && err == nil {
		again, err = w.loop.once(m)
	}
	return err
}
