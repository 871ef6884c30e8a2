package session

import (
	"context"
	"errors"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// Search bounds the search for a smaller input.
type Search struct {
	Time   time.Duration // 0: no limit
	Execs  int           // executions; 0: no limit
	Others []input.Args  // other failing inputs, the smallest first; the search begins with the first one that is smaller and fails in the same way
}

// Minimize searches for a simpler input that fails in the same way as first. best is how the simplest one fails; it is first if there is
// no simpler one. The end of ctx or of the time ends the search and is not an error. best is valid beside an error too.
func (p *Process) Minimize(ctx context.Context, first *finding.Finding, s Search) (best *finding.Finding, stats minimize.Stats, err error) {
	if s.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.Time)
		defer cancel()
	}
	fails := func(a input.Args) *finding.Finding {
		got, execErr := p.Execute(ctx, a)
		var exit *executor.Exit
		if execErr != nil && ctx.Err() == nil && !errors.As(execErr, &exit) { // a process that something outside has ended proves nothing
			err = execErr
		}
		if same, _ := proof.Shows(first, got, proof.Same); !same {
			return nil
		}
		return got
	}
	best = first
	for _, a := range s.Others {
		if a.Size() >= first.Input.Size() || input.CheckKinds(a, kindsOf(first.Input)) != nil {
			continue
		}
		if got := fails(a); got != nil {
			best = got
			break
		}
	}
	last := best
	simplest, stats := minimize.Minimize(best.Input, minimize.Options{
		Check: func(a input.Args) bool {
			got := fails(a)
			if got != nil {
				last = got
			}
			return got != nil
		},
		MaxChecks: s.Execs, Deadline: func() bool { return err != nil || ctx.Err() != nil }, FixLengths: true,
	})
	last.Input = simplest
	return last, stats, err
}

// Matter tests which bytes of the input of a minimized finding matter, as a campaign does. It returns nil if nothing is known. The end of ctx
// ends the test.
func (p *Process) Matter(ctx context.Context, f *finding.Finding) []finding.Matter {
	return engine.MatterTest{Finding: f, Execute: func(ctx context.Context, a input.Args) (same, ended bool, err error) {
		got, err := p.Execute(ctx, a)
		same, _ = proof.Shows(f, got, proof.Same)
		return same, !p.Running(), err
	}}.Run(ctx)
}

// kindsOf returns the kinds of arguments.
func kindsOf(a input.Args) (kinds []input.Kind) {
	for _, v := range a {
		kinds = append(kinds, v.Kind)
	}
	return kinds
}
