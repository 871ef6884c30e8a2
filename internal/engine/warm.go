package engine

import (
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// warmEntry is an input that is executed once before fuzzing starts.
type warmEntry struct {
	name   string
	args   input.Args
	isSeed bool // given by the user: a failure is not written again
	isZero bool // made up because there was none: counts as found by fuzzing
	deep   bool // overflows firstStack
}

// takeSeeds takes the types and the inputs of F.Add from a worker and reads the seed directory. If the turn ends meanwhile, it
// takes nothing: the next one does.
func (r *run) takeSeeds(hello wire.Hello) error {
	seeds := r.Seeds
	for i, packed := range hello.Seeds {
		a, _, err := input.Decode(packed, hello.Kinds)
		if err != nil {
			return fmt.Errorf("the %s argument list of F.Add does not fit the fuzz target: %w", ordinal(i+1), err)
		}
		seeds = append(seeds, Seed{fmt.Sprintf("seed#%d", i), a})
	}
	if r.SeedDir == "" {
		r.Kinds, r.Seeds = hello.Kinds, seeds
		return nil
	}
	entries, problems, err := corpus.Load(r.ctx, r.SeedDir, hello.Kinds, nil)
	if err != nil {
		return err
	}
	if len(problems) > 0 { // as in go test
		return errors.Join(problems...)
	}
	for _, e := range entries {
		if !corpus.IsLent(e.Path) { // what another gnaw runs with go test at this moment is no seed
			seeds = append(seeds, Seed{e.Path, e.Args})
		}
	}
	r.Kinds, r.Seeds = hello.Kinds, seeds
	return nil
}

func ordinal(n int) string {
	switch n {
	case 1:
		return "1st"
	case 2:
		return "2nd"
	case 3:
		return "3rd"
	}
	return fmt.Sprintf("%dth", n)
}

// loadCache queues the entries that earlier runs left.
func (r *run) loadCache() error {
	if r.CacheDir == "" {
		return nil
	}
	entries, problems, err := corpus.Load(r.ctx, r.CacheDir, r.Kinds, func(done, total int) {
		r.emit(Loading{done, total})
	})
	if err != nil {
		return err
	}
	for _, p := range problems {
		r.emit(Warning{fmt.Sprintf("skipping a file of the corpus cache: %v", p)})
	}
	for _, e := range entries {
		r.enqueue(&warmEntry{name: e.Path, args: e.Args})
	}
	return nil
}

// enqueue adds an entry to the warm-up, unless its content is known.
func (r *run) enqueue(e *warmEntry) {
	name := corpus.Name(input.Marshal(e.args))
	if r.hashes[name] {
		return
	}
	r.hashes[name] = true
	r.warmup = append(r.warmup, e)
	r.warmTotal++
	if e.isSeed {
		r.seedsLeft++
	}
}

// chooseWarm takes the next input of the warm-up.
func (r *run) chooseWarm() *task {
	t := &task{warm: r.warmup[0], grant: 1}
	r.warmup = r.warmup[1:]
	return t
}

// performWarm executes a seed or a cached entry for the first time.
func (r *run) performWarm(s *slot, t *task) error {
	ran, err := s.worker.Run(r.ctx, t.warm.args, wire.Run{Trace: r.instrumented})
	if err != nil {
		if isContext(err) {
			r.postpone(t.warm)
		}
		return r.lost(s, err, t.warm)
	}
	r.account(0, max(ran.Execs, 1), ran.Nanos)
	if ran.Failed {
		failed := wire.Failed{Input: input.Append(nil, t.warm.args), Output: ran.Output, Logged: ran.Logged}
		return r.failed(s, failed, t.warm)
	}
	e := &schedule.Entry{
		Args: t.warm.args, Duration: r.duration(ran.Nanos, t.warm.args.Size()),
		Features: ran.Features, Edges: ran.Edges, Path: t.warm.name,
	}
	r.mu.Lock()
	r.allowAsLong(t.warm)
	r.addEntry(e)
	r.mu.Unlock()
	if t.warm.isZero && len(ran.Added) > 0 {
		r.saver.save(e, len(ran.Added))
	}
	r.warmed(t.warm)
	return nil
}

// allowAsLong allows mutants as long as an input that is mutated, and a quarter. The caller holds the mutex.
func (r *run) allowAsLong(w *warmEntry) {
	for _, v := range w.args {
		n := len(v.Data)
		if !r.Without.Has(technique.LengthLimit) {
			n += n / 4
		}
		r.maxLen = max(r.maxLen, n)
		if w.isSeed {
			r.usualLen = max(r.usualLen, n)
		}
	}
}

// postpone puts an input of the warm-up back that the end of the turn has cut short; nil is none.
func (r *run) postpone(e *warmEntry) {
	if e == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warmup = append([]*warmEntry{e}, r.warmup...)
}

// warmed notes that an input of the warm-up is done with. The last one is announced before fuzzing begins.
func (r *run) warmed(e *warmEntry) {
	if e.isZero {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.warmDone+1 == r.warmTotal {
		s := r.snapshot()
		s.WarmDone, s.WarmingUp = r.warmTotal, false
		r.mu.Unlock() // who listens may ask for a snapshot
		r.emit(WarmedUp{s})
		r.mu.Lock()
	}
	r.warmDone++
	if e.isSeed {
		r.seedsLeft--
	}
	r.warmedAt = r.now()
	r.changed.Broadcast()
}
