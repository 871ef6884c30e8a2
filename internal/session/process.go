package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// Process executes single inputs of a target in a test process. It starts a process for the first input, and after an input that ended
// the last process. One goroutine at a time calls its methods.
type Process struct {
	Config  executor.Config
	Refuse  bool       // inputs do nothing outside of the process but what is allowed
	Allowed [][]byte   // actions that are allowed, in the form of [wire.Ran]
	Setup   wire.Setup // limits of each process; there is no limit for memory with the race detector, which needs several times as much

	global  *executor.Global
	worker  *executor.Worker // nil: to be started
	refused string           // what the last execution was refused
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
	if p.Refuse {
		_ = w.Refuse(p.Allowed) // a process that is gone shows below
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
	f, _, err := p.execute(ctx, a, wire.Run{})
	return f, err
}

// ExecuteSeed is Execute for an input that may act outside of the process. actions are what it and the setup of the process did there, as far as
// it was not allowed before; from now on, other inputs may do the same. A process that ends does not tell them.
func (p *Process) ExecuteSeed(ctx context.Context, a input.Args) (f *finding.Finding, actions [][]byte, err error) {
	f, ran, err := p.execute(ctx, a, wire.Run{Given: true})
	return f, p.allowed(ran), err
}

// allowed allows what a seed has done, and returns it.
func (p *Process) allowed(ran wire.Ran) (actions [][]byte) {
	for _, action := range ran.Actions {
		actions = append(actions, slices.Clone(action)) // it is part of a message
	}
	p.Allowed = append(p.Allowed, actions...)
	return actions
}

// Observed is what one execution of an input shows.
type Observed struct {
	Features []cover.Feature // in ascending order
	Took     time.Duration
	Failed   bool // there are no features, because the input fails or something ended the process
}

// Observe executes an input and returns all features that this execution shows. given says that it is a seed, as for ExecuteSeed. The error
// is about gnaw, the machine or ctx.
func (p *Process) Observe(ctx context.Context, a input.Args, given bool) (o Observed, err error) {
	f, ran, err := p.execute(ctx, a, wire.Run{Given: given, All: true})
	if given {
		p.allowed(ran)
	}
	if exit := (*executor.Exit)(nil); err != nil && (ctx.Err() != nil || !errors.As(err, &exit)) {
		return o, err
	}
	if f != nil || err != nil {
		return Observed{Failed: true}, nil
	}
	return Observed{Features: ran.Features, Took: time.Duration(ran.Nanos)}, nil
}

// Allow allows what a seed has done in another process.
func (p *Process) Allow(actions [][]byte) {
	if p.Allowed = append(p.Allowed, actions...); p.worker != nil && p.Refuse && len(actions) > 0 {
		_ = p.worker.Refuse(p.Allowed) // a process that is gone shows in the execution that follows
	}
}

// Refused returns the last action that the input of the last Execute was refused, as the rest of a sentence; empty: none was.
func (p *Process) Refused() string { return p.refused }

// execute is Execute for an execution as m says.
func (p *Process) execute(ctx context.Context, a input.Args, m wire.Run) (f *finding.Finding, ran wire.Ran, err error) {
	p.refused = ""
	if err := p.Start(ctx); err != nil {
		return nil, ran, err
	}
	r, err := proof.Execute(ctx, p.worker, proof.Execution{Args: a}, m)
	p.refused = r.Refused
	f, err = p.judge(ctx, r, err)
	return f, r.Ran, err
}

// judge returns how an input failed, from the result of its execution. It ends a process that is of no more use.
func (p *Process) judge(ctx context.Context, r proof.Ran, err error) (*finding.Finding, error) {
	if err == nil && r.Exit == nil {
		if f := r.Failure; f != nil && f.Kind == finding.Race { // the detector reports each race once per process
			p.stop() // after which all of its output is there
			proof.FillRace(f, p.worker.Stderr())
			p.worker = nil
		}
		return r.Failure, nil
	}
	p.worker.Kill()
	p.worker = nil
	if err == nil && ctx.Err() != nil {
		err = r.Exit
	}
	if err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	return r.Failure, nil
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
