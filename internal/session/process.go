package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// Process executes single inputs of a target in a test process. It starts a process for the first input, and after an input that ended
// the last process. One goroutine at a time calls its methods.
type Process struct {
	Config executor.Config
	Setup  wire.Setup // limits of each process; there is no limit for memory with the race detector, which needs several times as much

	global *executor.Global
	worker *executor.Worker // nil: to be started
}

// Start starts the test process if there is none.
func (p *Process) Start(ctx context.Context) (err error) {
	if p.worker != nil {
		return nil
	}
	if p.global == nil {
		if p.global, err = executor.NewGlobal(); err != nil {
			return err
		}
	}
	w, err := executor.Start(ctx, p.Config, p.global)
	if err != nil {
		return err
	}
	setup := p.Setup
	if w.Hello.Race {
		setup.MemLimit = 0
	}
	if err := w.Setup(setup); err != nil {
		w.Kill()
		return fmt.Errorf("set up a fuzzing process: %w", err)
	}
	p.worker = w
	return nil
}

// Kinds returns the types of the target's arguments; nil before the first start.
func (p *Process) Kinds() []input.Kind {
	if p.worker == nil {
		return nil
	}
	return p.worker.Hello.Kinds
}

// Execute executes an input and returns how it failed; nil: it passed. The error is about gnaw, the machine or ctx; it is an
// *executor.Exit if something outside has ended the process, which says nothing about the input.
func (p *Process) Execute(ctx context.Context, a input.Args) (*finding.Finding, error) {
	if err := p.Start(ctx); err != nil {
		return nil, err
	}
	ran, err := p.worker.Run(ctx, a, wire.Run{})
	var exit *executor.Exit
	switch {
	case err == nil && !ran.Failed:
		return nil, nil
	case err == nil:
		f := triage.Failed(a, ran.Output, ran.Logged)
		if f.Kind == finding.Race { // the detector reports each race once per process
			p.stop() // after which all of its output is there
			engine.FillRace(f, p.worker.Stderr())
			p.worker = nil
		}
		return f, nil
	}
	p.worker.Kill()
	p.worker = nil
	if ctx.Err() != nil || !errors.As(err, &exit) || exit.External && !exit.Hang {
		return nil, errors.Join(ctx.Err(), err)
	}
	f := triage.Died(exit)
	f.Input, f.Original = a, a
	return f, nil
}

// Hello returns the message in which the process describes its binary and the target. It is the zero value if no process runs.
func (p *Process) Hello() wire.Hello {
	if p.worker == nil {
		return wire.Hello{}
	}
	return p.worker.Hello
}

// Record returns the last record of blocks of a binary that was built with -cover; see [executor.Global.Record]. It is called after Start,
// after Execute, and after End.
func (p *Process) Record() []uint32 {
	if p.global == nil {
		return nil
	}
	return p.global.Record()
}

// Running reports whether a process runs, so that Start would start none.
func (p *Process) Running() bool { return p.worker != nil }

// RunOracles asks the oracles about an input.
func (p *Process) RunOracles(ctx context.Context, m wire.Measure) (executor.OracleResult, error) {
	if err := p.Start(ctx); err != nil {
		return executor.OracleResult{}, err
	}
	return p.worker.RunOracles(ctx, m)
}

// Compare executes an input and returns its comparisons. ok is false if the process ended during the execution. Sites are valid for one
// process: if Running is false before the call, the sites of earlier calls are no longer valid. The error is about gnaw, the machine or ctx.
func (p *Process) Compare(ctx context.Context, a input.Args) (c wire.Compared, ok bool, err error) {
	if err := p.Start(ctx); err != nil {
		return c, false, err
	}
	if c, err = p.worker.Compare(ctx, a); err == nil {
		return c, true, nil
	}
	p.worker.Kill()
	p.worker = nil
	var exit *executor.Exit
	if ctx.Err() == nil && errors.As(err, &exit) {
		return c, false, nil
	}
	return c, false, errors.Join(ctx.Err(), err)
}

// End ends the process, if there is one. The next input gets another one.
func (p *Process) End() {
	p.stop()
	p.worker = nil
}

// stop lets the process end by itself.
func (p *Process) stop() {
	if p.worker != nil {
		p.worker.Stop()
	}
}

// Close ends the process.
func (p *Process) Close() error {
	p.End()
	if p.global == nil {
		return nil
	}
	return p.global.Close()
}
