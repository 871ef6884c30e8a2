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
	plain  func(ctx context.Context) (path string, err error) // builds the test binary without instrumentation; nil: there is none

	plainBuild *build.PlainBuild // what plain is made of, in `gnaw test`
}

// session is a target that can be fuzzed, with the memory that its workers share.
type session struct {
	target *engine.Target
	global *executor.Global
}

// patience is how many times its limit an execution gets where plain go test cannot tell whether it hangs: instrumentation made loops
// that do little else eight times as slow.
const patience = 8

// openSession prepares a target. Each event of the engine goes to onEvent.
func openSession(o targetOptions, onEvent func(engine.Event)) *session {
	global := &executor.Global{}
	o.config.Protocol = build.Protocol()
	starter := func(c executor.Config) engine.StartFunc {
		return func(ctx context.Context) (engine.Worker, wire.Hello, error) {
			w, err := executor.Start(ctx, c, global)
			if err != nil {
				return nil, wire.Hello{}, err
			}
			return w, w.Hello, nil
		}
	}
	patient := o.config
	patient.Timeout *= patience
	o.Start, o.StartPatient = starter(o.config), starter(patient)
	o.Replay, o.PlainReplay = replayer{o.config, o.Target, o.plain}.replay, o.plain != nil
	if o.plain != nil {
		o.PlainTime = replayer{o.config, o.Target, o.plain}.time
	}
	o.Coverage = global.Count
	o.OnEvent = onEvent
	return &session{engine.New(o.Options), global}
}

// fuzz fuzzes the target for a turn. Between two turns a session has nothing of the system: there may be thousands of targets.
func (s *session) fuzz(ctx context.Context, d, more time.Duration, workers int) error {
	if err := s.global.Wake(); err != nil {
		return err
	}
	return errors.Join(s.target.Fuzz(ctx, d, more, workers), s.global.Rest())
}

// close frees the shared memory. The target must not be fuzzed any more.
func (s *session) close() error { return s.global.Close() }

// fuzzTarget runs the engine on one target and prints its progress.
func fuzzTarget(ctx context.Context, o targetOptions, printer *gotest.Printer) (out engine.Outcome, err error) {
	var started atomic.Bool
	s := openSession(o, func(e engine.Event) {
		if _, ok := e.(engine.Started); ok {
			started.Store(true)
		}
		printer.Event(e)
	})
	defer func() { err = errors.Join(err, s.close()) }()
	done := make(chan struct{})
	var printing sync.WaitGroup
	printing.Add(1)
	go func() { defer printing.Done(); printer.Run(done) }()
	err = s.fuzz(ctx, o.FuzzTime, 0, o.Workers)
	out = s.target.Outcome()
	close(done)
	printing.Wait()
	if started.Load() {
		printer.Final(out.Final)
	}
	return out, err
}

// workerConfig says how to start the processes of a target of `gnaw fuzz`. cache is the folder of the corpus of its package, and
// args are the user's for the test binary.
func workerConfig(env Env, t build.Target, binary, cache string, timeout time.Duration, args []string) executor.Config {
	return executor.Config{
		Path: binary, Dir: t.Dir, Env: env.readableEnviron(), Timeout: timeout, Protocol: build.Protocol(),
		Args: append([]string{
			"-test.fuzzworker", "-test.paniconexit0", "-test.timeout=0", "-test.run=^$",
			"-test.fuzz=^" + t.Name + "$", "-test.fuzzcachedir=" + cache,
		}, args...),
	}
}
