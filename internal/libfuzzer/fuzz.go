package libfuzzer

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/internal/bundle"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

const (
	// pulse is the time between two lines of progress.
	pulse = 5 * time.Second
	// minimizing is how long a failing input is made smaller before it is reported.
	minimizing = 10 * time.Second
	// ClusterFuzz kills a run ten seconds after its time is over. late is for executions under way then, and proving for failures that are
	// being replayed; the engine adds five seconds to the second.
	late    = 2 * time.Second
	proving = 3 * time.Second
)

// fuzz fuzzes the target. New inputs are written to the first folder. The inputs of the others, and files, are seeds.
func (u *subject) fuzz(ctx context.Context, folders, files []string) (int, error) {
	o, err := u.engineOptions(ctx, folders, files)
	if err != nil {
		return wrong, err
	}
	if u.totalTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, u.total()+proving)
		defer cancel()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p := newProgress(u)
	var bus event.Bus
	bus.Subscribe(func(s event.Stamped) {
		p.event(s)
		if p.failures >= max(1, u.jobs) {
			stop()
		}
	})
	o.OnEntry = append(o.OnEntry, p.kept)
	u.printf("INFO: Seed: %d\n", o.Seed)
	u.printf("INFO: Loaded 1 modules   (%d inline 8-bit counters): %d\n", u.Bundle.Manifest.Counters, u.Bundle.Manifest.Counters)
	out, err := session.Run(ctx, o, session.Single{Time: u.total(), Workers: u.processes(), Interval: pulse, Late: late}, &bus)
	bus.Close()
	if err != nil {
		return wrong, err
	}
	code, err := u.conclude(out)
	p.done(out, u.counted(out.Final.Run, code))
	return code, err
}

// engineOptions returns the options of the run.
func (u *subject) engineOptions(ctx context.Context, folders, files []string) (o session.Options, err error) {
	workers := u.processes()
	o.Config = u.config
	o.Options = engine.Options{
		Target: event.SubjectOf(u.name), SeedDir: u.seedDir(), CorpusDir: u.seedDir(),
		MaxExecs: uint64(max(0, u.runs)), WarmUpOnly: u.runs == 0, MaxLen: int(u.maxLen), Boundary: true, KeepGoing: u.jobs > 0, Restart: true,
		MemRoom: executor.MemoryRoom(), MemShare: session.MemoryShare(executor.MemoryRoom(), workers), Procs: max(1, runtime.GOMAXPROCS(0)/workers),
		Settings: engine.Settings{
			Minimize: engine.Budget{Time: minimizing}, MemLimit: u.memLimit(), Refuse: true,
			Seed: cmp.Or(uint64(u.seed), rand.Uint64()>>1), Repeatable: u.seed != 0,
		},
	}
	if u.lenControl == 0 {
		o.Without |= technique.LengthLimit
	}
	o.Codec = corpus.Either
	if u.Bundle.Has(bundle.Plain) {
		o.Plain = func(context.Context) (string, error) { return u.path(bundle.Plain), nil }
	}
	if o.Words, err = u.words(); err != nil {
		return o, err
	}
	if len(folders) > 0 {
		o.CacheDir = folders[0]
		folders = folders[1:]
	}
	list, err := u.load(ctx, folders)
	if err != nil {
		return o, err
	}
	for _, path := range files {
		one, err := u.read(path)
		if err != nil {
			return o, err
		}
		list = append(list, one)
	}
	for _, one := range list {
		o.Seeds = append(o.Seeds, engine.Seed{Name: one.path, Args: one.args})
	}
	return o, nil
}

// counted returns the number of executions that is printed. With -runs=N it is N if the limit has ended the run, and with -runs=0 the number of
// inputs: one that shows something new is executed again to see whether that is so each time, which no user counts.
func (u *subject) counted(r event.Run, code int) uint64 {
	switch {
	case code == ok && u.runs == 0:
		return uint64(r.WarmDone)
	case code == ok && u.runs > 0:
		return min(r.Execs, uint64(u.runs))
	}
	return r.Execs
}

// conclude reports the failures, writes their artifacts, and returns the exit code.
func (u *subject) conclude(out engine.Outcome) (code int, err error) {
	all := append(out.Findings, out.OverLimit...)
	for _, f := range all {
		u.report(f)
		err = errors.Join(err, u.keep(f))
		if code == ok {
			code = codeOf(f)
		}
	}
	return code, err
}
