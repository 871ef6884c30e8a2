package engine

import (
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// prepare loads the corpus for the target that the first worker describes.
func (e *engine) prepare(hello wire.Hello) error {
	e.entries.setInstrumented(hello.Counters > 0)
	if hello.Race {
		e.queue.turnOff() // the detector has allocations and goroutines of its own, and takes time
	}
	if e.entries.argumentKinds() == nil {
		if err := e.takeSeeds(hello); err != nil {
			return err
		}
	}
	if hello.Counters == 0 {
		e.events.warn("the test binary was not built with coverage instrumentation, so fuzzing will run without coverage guidance and may be inefficient")
	}
	e.files.setMissing(disk.Missing(e.WriteDir))
	e.sweep()
	for _, s := range e.warmup.givenSeeds() {
		e.enqueue(&warmEntry{name: s.Name, args: s.Args, isSeed: true})
	}
	if err := e.loadCache(); err != nil {
		return err
	}
	if e.warmup.isEmpty() {
		e.events.warn("starting with empty corpus")
		e.enqueueZero()
	}
	e.events.emit(event.WarmUp{Subject: e.Target, Run: e.Snapshot().Run})
	return nil
}

// sweep removes what killed processes have left behind, but nothing behind a link that leads out of the module.
func (e *engine) sweep() {
	errs := []error{corpus.Sweep(e.CacheDir)}
	if disk.CheckLinks(e.WriteDir) == nil {
		errs = append(errs, corpus.Sweep(e.WriteDir), corpus.SweepTemporary(e.WriteDir))
	}
	for _, err := range errs {
		if err != nil {
			e.events.warn(err.Error())
		}
	}
}

// takeSeeds takes the types and the inputs of F.Add from a worker and reads the seed directory. If the turn ends meanwhile, it
// takes nothing: the next one does.
func (e *engine) takeSeeds(hello wire.Hello) error {
	seeds := e.Seeds
	for i, packed := range hello.Seeds {
		a, _, err := input.Decode(packed, hello.Kinds)
		if err != nil {
			return fmt.Errorf("the %s argument list of F.Add does not fit the fuzz target: %w", ordinal(i+1), err)
		}
		seeds = append(seeds, Seed{fmt.Sprintf("seed#%d", i), a})
	}
	if e.SeedDir != "" {
		entries, problems, err := storeIn(e.SeedDir, hello.Kinds).Load(e.turn.ctx, nil)
		if err != nil {
			return err
		}
		if len(problems) > 0 { // as in go test
			return errors.Join(problems...)
		}
		for _, entry := range entries {
			if !corpus.IsTemporary(entry.Path) { // a file that another gnaw has go test run now is not a seed
				seeds = append(seeds, Seed{entry.Path, entry.Args})
			}
		}
	}
	e.entries.setKinds(hello.Kinds)
	e.warmup.setSeeds(seeds)
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
func (e *engine) loadCache() error {
	if e.CacheDir == "" {
		return nil
	}
	e.watch.skip()
	entries, problems, err := e.cache(e.entries.argumentKinds()).Load(e.turn.ctx, func(done, total int) {
		e.events.emit(event.Loading{Subject: e.Target, Done: done, Total: total})
	})
	if err != nil {
		return err
	}
	e.events.warnSkipped(problems)
	for _, entry := range entries {
		e.enqueue(&warmEntry{name: entry.Path, args: entry.Args})
	}
	return nil
}

// enqueue adds an entry to the warm-up, unless its content is known.
func (e *engine) enqueue(w *warmEntry) {
	if e.entries.claimName(nameOf(w.args)) {
		e.warmup.add(w)
	}
}

// enqueueZero adds the zero value to the warm-up, unless it is known.
func (e *engine) enqueueZero() {
	e.enqueue(&warmEntry{args: input.Zero(e.entries.argumentKinds()), isZero: true})
}
