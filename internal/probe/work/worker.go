package work

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

const (
	// ringLimit is the size in bytes of the largest packed input that is recorded before it is executed.
	ringLimit = shm.MaxRecord
	// ballastSize is the size in bytes of memory that is reserved and never touched. It counts as live, so the garbage
	// collector runs once per 32 MiB of allocation at GOGC=100 where it would run once per 4 MiB: a target that
	// allocates 40 KB per execution runs half as fast again. Unlike another GOGC it does not multiply a heap that is
	// large already.
	ballastSize = 16 << 20
	// graceAfterLoss is how long a worker whose coordinator is gone may go on with the execution at hand.
	graceAfterLoss = time.Second
)

// worker is the state of one worker process. One goroutine, that of Serve, owns it; while an order is carried out it is
// lent to the goroutine that calls the target.
type worker struct {
	target Target
	seg    *shm.Segment
	cov    *cover.Map
	exec   *executor
	out    *wire.Writer
	setup  wire.Setup
	memory *memoryGuard
	procs  processors

	entries map[uint64]int         // where in the pool of havoc an entry is
	sums    map[uint64]mutate.Sums // of entries that were mutated

	args       input.Args      // being executed
	trace      []cover.Feature // of the last execution by once
	recent     []input.Args    // to be executed again: one of them has shown what is in pending
	pending    []cover.Feature // found by a scan too late to tell which input has shown them
	words      []int           // tokens in that, by their indexes
	scratch    input.Args      // a copy of what is executed, if it is no mutant of the batch
	batch      batch
	havoc      mutate.Material
	base       input.Args // entry that is being mutated
	origin     input.Args // what recent inputs were made of: the base, or that of the request before
	sampler    sampler
	vocabulary vocabulary
	solver     solver
	limit      uint64    // executions that the request allows; 0: no limit
	spent      uint64    // executions made for the request
	byteLimit  uint64    // size in bytes of all inputs that the request allows; 0: no limit
	bytes      uint64    // size of those that were executed for the request
	end        endReason // why the last burst ended
	order      uint64    // start of the generator for map and select order; 0: stock behaviour
	strikes    map[cover.Feature]int
	greedy     []byte // packed input of the request that allocated suspiciously much; nil: none
	job        func() // to be carried out near the target
	done       bool   // it was, to its end
	nearT      func() // calls the target with w.args while a job runs there; otherwise nil
	unwinding  bool   // the job ends because an execution has touched its T, and is done again
	restless   bool   // the target has touched its T without failing
	ending     bool   // executions have something to be called at their end
	stragglers stragglers
	ballast    []byte
}

// Connection is the worker's end of the pipes to its coordinator.
type Connection struct {
	Requests io.Reader
	Answers  io.Writer
	// Lifeline ends when the coordinator does. Before that may come wire.Released or wire.Stacks.
	Lifeline io.Reader
}

// helloSeeds is how many bytes of seeds one message has.
const helloSeeds = 16 << 20

// Serve works for the coordinator at the other end of the pipes until it says stop or goes away. It is called once per
// process. The error says what is wrong with the connection; a target that fails is not an error. After wire.Stop it leaves no
// goroutine behind: a TestMain that looks for leaks would wait for them, and so would everyone who waits for the process.
//
// Requests are read where they are worked on: handed from goroutine to goroutine, each would wait until another thread
// wakes up, with one processor up to 10 ms.
func Serve(target Target, conn Connection, seg *shm.Segment, global []byte) error {
	w := &worker{
		target:  target,
		seg:     seg,
		cov:     cover.New(target.Counters, global),
		out:     wire.NewWriter(conn.Answers),
		entries: map[uint64]int{},
		strikes: map[cover.Feature]int{},
		ballast: make([]byte, ballastSize),
	}
	w.exec = newExecutor(target.Run, w.cov.Clear, w.atEnd)
	serving.Store(seg)
	defer serving.Store(nil) // the segment is not there for ever
	hello := wire.Hello{
		Protocol: target.Protocol, Kinds: target.Kinds, Counters: len(target.Counters), Race: target.Race,
	}
	for _, s := range target.Seeds {
		hello.Seeds = append(hello.Seeds, input.Append(nil, s))
	}
	for _, part := range hello.Parts(helloSeeds) {
		if err := w.out.Send(part); err != nil {
			return fmt.Errorf("greet the coordinator: %w", err)
		}
	}
	released := make(chan struct{})
	unseen(func() {
		defer close(released)
		endWith(conn.Lifeline, seg)
	})
	var stop bool
	var err error
	unseen(func() {
		stop, err = w.dispatch(wire.NewReader(conn.Requests))
		w.exec.close()
	})
	w.exec.wait()
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		seg.SetCause(shm.Lost) // the pipes do not work
	}
	if err != nil {
		seg.SetStage(shm.Idle) // no execution ends the process
	}
	w.memory.stop()
	if stop {
		<-released
	}
	return err
}

// endWith waits for the end of the coordinator. Then the process must end soon too, even if the target never returns: a
// worker without a coordinator is a stray process. It returns at once when the coordinator has said that all is in order.
func endWith(lifeline io.Reader, seg *shm.Segment) {
	word := make([]byte, 1)
	switch n, _ := lifeline.Read(word); {
	case n > 0 && word[0] == wire.Stacks:
		exitWithStacks(seg)
	case n > 0:
		return
	}
	seg.Preempt()
	time.AfterFunc(graceAfterLoss, func() { exitLost(seg) })
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
		err = w.remember(payload)
	case wire.TypeWords:
		err = w.learn(payload)
	case wire.TypeRun:
		w.procs.useAll()
		err = w.runRequest(payload)
	case wire.TypeFuzz:
		w.procs.begin(w.exec.made)
		err = w.fuzzRequest(payload)
		w.procs.end(w.spent, w.exec.made)
	case wire.TypeExamine:
		w.procs.useAll()
		err = w.examineRequest(payload)
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
	w.havoc = mutate.Material{Rand: mutate.NewRand(w.setup.Seed), Without: w.setup.Without}
	if !w.setup.Without.Has(technique.MapOrder) {
		w.order = uint64(w.setup.Number) + 1
	}
	w.solver.log.Without(unheard(w.setup.Without))
	if w.setup.Without.Has(technique.Buckets) {
		w.cov.EdgesOnly()
	}
	if w.setup.MemLimit > 0 {
		w.memory = newMemoryGuard(w.setup.MemLimit, w.setup.Resident, w.seg)
		w.memory.suspect(w.setup.Alloc)
	}
	if w.setup.MaxStack > 0 {
		debug.SetMaxStack(w.setup.MaxStack)
	}
	w.procs.limit(w.setup.Procs)
	w.scratch = input.Zero(w.target.Kinds)
	w.cov.Clear() // what ran before F.Fuzz
	return nil
}

// unheard returns what hooks in the standard library need not report.
func unheard(off technique.Set) (k compare.Kind) {
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

// reserve makes room for mutants of n bytes. Those that wait are dropped.
func (w *worker) reserve(n int) {
	w.havoc.MaxLen = n
	grow(w.scratch, n)
	w.batch.reserve(w.target.Kinds, n, w.limit)
}

func (w *worker) remember(payload []byte) error {
	m, err := wire.DecodeEntry(payload)
	if err != nil {
		return err
	}
	a, err := w.unpack(m.Input)
	if err != nil {
		return err
	}
	if i, known := w.entries[m.ID]; known {
		w.havoc.Pool[i] = a
		delete(w.sums, m.ID)
		return nil
	}
	w.entries[m.ID] = len(w.havoc.Pool)
	w.havoc.Pool = append(w.havoc.Pool, a)
	return nil
}

// learn takes words to use in mutants.
func (w *worker) learn(payload []byte) error {
	m, err := wire.DecodeWords(payload)
	if err == nil {
		w.havoc.Tokens = m.List
	}
	return err
}

func (w *worker) unpack(packed []byte) (input.Args, error) {
	a, rest, err := input.Decode(packed, w.target.Kinds)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow a packed input", len(rest))
	}
	return a, err
}

// runRequest executes one input for the coordinator: a seed, a candidate of the minimizer, a replay.
func (w *worker) runRequest(payload []byte) error {
	m, err := wire.DecodeRun(payload)
	if err != nil {
		return err
	}
	a, err := w.unpack(m.Input)
	if err != nil {
		return err
	}
	w.allow(0, 0)
	w.seg.SetStage(shm.Running)
	w.forgetVolume()
	start := time.Now()
	out := w.once(a)
	took := time.Since(start)
	ran := wire.Ran{Nanos: uint64(took), Failed: out.failed, Output: out.output, Logged: out.logged}
	ran.Lost = !out.failed && !hits(w.trace, m.Show)
	w.checkMemory(a)
	if first := w.cov.Unknown(w.trace); m.Trace && !out.failed && len(first) > 0 {
		c := w.believe(a, first, took)
		if c.failed {
			ran.Failed, ran.Output, ran.Logged = true, c.output, c.logged
		} else {
			ran.Added, ran.Edges = w.cov.Merge(c.added)
			ran.Features, ran.Nanos = c.features, uint64(c.duration)
		}
	}
	w.cov.Clear()
	ran.Execs = w.spent
	return w.out.Send(ran)
}
