// Package session opens one fuzz target: it connects the engine with the processes that execute inputs, the replay of failing inputs in plain
// go test, and the dictionaries. A campaign uses a [Session] for each target, gnaw test uses [Run], and commands that execute single
// inputs use a [Process] without an engine.
package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// Options says how to fuzz one target. [Open] sets those options of the engine that start processes.
type Options struct {
	engine.Options
	Config executor.Config // how to start a process of the target
	// Plain builds the test binary without instrumentation and returns its path. It is called before the first replay of a hang; nil:
	// there is no such binary.
	Plain func(ctx context.Context) (path string, err error)
}

// Session is a target that can be fuzzed, with the memory that its workers share. Its methods, and those of Fuzzer, may be called from
// any goroutine, but Fuzz and Close only by one at a time.
type Session struct {
	Fuzzer *engine.Fuzzer
	global *executor.Global

	mu    sync.Mutex
	users int // of the shared memory: turns and replays that are running
}

// patience is the factor by which the limit for one execution is raised where plain go test cannot show whether the execution hangs:
// instrumentation has made loops eight times as slow.
const patience = 8

// Open prepares a target. Nothing runs until Fuzz is called.
func Open(o Options) *Session {
	global := &executor.Global{}
	o.Config.Protocol = overlay.Protocol()
	starter := func(c executor.Config) engine.StartFunc {
		return func(ctx context.Context) (engine.Worker, wire.Hello, error) {
			w, err := executor.Start(ctx, c, global)
			if err != nil {
				return nil, wire.Hello{}, err
			}
			return w, w.Hello, nil
		}
	}
	patient := o.Config
	patient.Timeout *= patience
	o.Start, o.StartPatient = starter(o.Config), starter(patient)
	s := &Session{global: global}
	r := proof.GoTest{
		Config: o.Config, Target: o.Target.Func, Plain: o.Plain,
		Policy: func(name string) ([][]byte, bool) { return s.Fuzzer.Policy(name) },
	}
	o.Replay, o.PlainReplay = r.Prove, o.Plain != nil
	if o.Plain != nil {
		o.PlainTime = r.Time
	}
	o.Coverage = global.Count
	s.Fuzzer = engine.New(o.Options)
	return s
}

// Fuzz fuzzes the target for a turn, as [engine.Fuzzer.Fuzz] does. Between two turns a session holds no resources of the system, because
// there may be thousands of targets.
func (s *Session) Fuzz(ctx context.Context, d, more time.Duration, workers int) error {
	if err := s.wake(); err != nil {
		return err
	}
	return errors.Join(s.Fuzzer.Fuzz(ctx, d, more, workers), s.rest())
}

// Prove replays a finding, as [engine.Fuzzer.Prove] does, during a turn or between two turns.
func (s *Session) Prove(ctx context.Context, f *finding.Finding) (proof.Verdict, error) {
	if err := s.wake(); err != nil {
		return 0, err
	}
	got, err := s.Fuzzer.Prove(ctx, f)
	return got, errors.Join(err, s.rest())
}

// wake makes the shared memory usable. It is released when rest was called as often as wake.
func (s *Session) wake() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users == 0 {
		if err := s.global.Wake(); err != nil {
			return err
		}
	}
	s.users++
	return nil
}

func (s *Session) rest() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users > 0 {
		return nil
	}
	return s.global.Rest()
}

// Close frees the shared memory. The target must not be fuzzed any more.
func (s *Session) Close() error { return s.global.Close() }

// Config returns how to start processes of a target. binary is the path of its test binary, cache is the folder of the corpus of its
// package, and args are the user's arguments for the test binary.
func Config(environ []string, t build.Target, binary, cache string, timeout time.Duration, args []string) executor.Config {
	readable, _ := ReadableEnviron(environ)
	return executor.Config{
		Path: binary, Dir: t.Work(), Env: readable, Timeout: timeout, Protocol: overlay.Protocol(),
		Args: append([]string{
			"-test.fuzzworker", "-test.paniconexit0", "-test.timeout=0", "-test.run=^$",
			"-test.fuzz=^" + t.Func + "$", "-test.fuzzcachedir=" + cache,
		}, args...),
	}
}
