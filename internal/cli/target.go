package cli

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/ui/gotest"
)

// targetOptions is what fuzzing one target takes.
type targetOptions struct {
	engine.Options
	config executor.Config
	watch  *witness // nil: findings are replayed once, and nobody asks how that went
}

// fuzzTarget runs the engine on one target and prints its progress.
func fuzzTarget(ctx context.Context, o targetOptions, printer *gotest.Printer) (out engine.Outcome, err error) {
	global, err := executor.NewGlobal()
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, global.Close()) }()
	o.config.Protocol = build.Protocol()
	var counters int
	var mu sync.Mutex // guards counters
	o.Start = func(ctx context.Context) (engine.Worker, wire.Hello, error) {
		w, err := executor.Start(ctx, o.config, global)
		if err != nil {
			return nil, wire.Hello{}, err
		}
		mu.Lock()
		defer mu.Unlock()
		counters = w.Hello.Counters
		return w, w.Hello, nil
	}
	o.Replay = func(ctx context.Context, name string) (bool, error) {
		once := func(ctx context.Context) (bool, error) { return replay(ctx, o.config, o.Target, name) }
		if o.watch == nil {
			return once(ctx)
		}
		return o.watch.replay(ctx, once)
	}
	o.Coverage = func() (edges, buckets int) {
		mu.Lock()
		defer mu.Unlock()
		return global.Count(counters)
	}
	var started atomic.Bool
	o.OnEvent = func(e engine.Event) {
		if _, ok := e.(engine.Started); ok {
			started.Store(true)
		}
		if o.watch != nil {
			o.watch.event(e)
		}
		printer.Event(e)
	}
	done := make(chan struct{})
	var printing sync.WaitGroup
	printing.Add(1)
	go func() { defer printing.Done(); printer.Run(done) }()
	out, err = engine.Run(ctx, o.Options)
	close(done)
	printing.Wait()
	if started.Load() {
		printer.Final(out.Final)
	}
	return out, err
}

// workerConfig says how to start the processes of a target of `gnaw fuzz`. cache is the folder of the corpus of its package.
func workerConfig(env Env, t build.Target, binary, cache string, timeout time.Duration) executor.Config {
	return executor.Config{
		Path: binary, Dir: t.Dir, Env: env.Environ, Timeout: timeout, Protocol: build.Protocol(),
		Args: []string{
			"-test.fuzzworker", "-test.paniconexit0", "-test.timeout=0", "-test.run=^$",
			"-test.fuzz=^" + t.Name + "$", "-test.fuzzcachedir=" + cache,
		},
	}
}
