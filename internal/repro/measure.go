package repro

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// process executes inputs of the target. It is a *session.Process.
type process interface {
	Execute(ctx context.Context, a input.Args) (*finding.Finding, error)
	RunOracles(ctx context.Context, m wire.Measure) (executor.OracleResult, error)
}

// measure builds the test binary of the target and runs the input in a process of it.
func (o Options) measure(ctx context.Context) (res Result, err error) {
	if len(o.Flags) > 0 {
		return Result{}, usage.Errorf("go test does not show the failure of %s, so gnaw runs the input itself, and there are no flags for that", o.ID)
	}
	r := o.Record
	if !r.HasMeasure() && r.NotRun == "" {
		return Result{}, fmt.Errorf("the history does not say what was measured for %s; find it again with `gnaw fuzz`", o.ID)
	}
	a, err := input.Unmarshal([]byte(r.Input))
	if err != nil {
		return Result{}, fmt.Errorf("read the input in the history: %w", err)
	}
	spec := session.Spec{
		Dir: o.Module.Root, Environ: o.Environ, Package: o.Module.Abs(r.Folder), Target: r.Target, Flags: r.Flags, Notices: o.Notices,
		Args: r.Args, Timeout: session.DefaultTimeout,
	}
	if r.Dependency != nil {
		spec.Package, spec.Outside = r.Package, true
	}
	if r.Kind == finding.Memory {
		spec.MemLimit = session.DefaultMemLimit(executor.MemoryRoom(), 1)
	}
	b, err := session.Build(ctx, spec)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return again(ctx, b.Process, r, a)
}

// again runs the input of a finding in a process, as it was run when the failure was found.
func again(ctx context.Context, p process, r finding.Record, a input.Args) (Result, error) {
	if r.NotRun != "" {
		f, err := p.Execute(ctx, a)
		if err != nil || f == nil {
			return Result{Method: Process}, err
		}
		return failed(Process, f.Output), nil
	}
	got, err := p.RunOracles(ctx, request(r, a))
	switch {
	case err != nil:
		return Result{}, err
	case len(got.Reports) > 0:
		return failed(Oracle, got.Reports[0].Message+"\n\n"+got.Reports[0].Detail), nil
	case got.Failed != nil:
		return failed(Oracle, got.Failed.Output), nil
	}
	return Result{Method: Oracle}, nil
}

func failed(m Method, output string) Result {
	return Result{Method: m, Failed: true, Output: finding.Clean(strings.TrimRight(output, "\n"))}
}

// request asks the oracle of a finding to measure the input as it did when it found it.
func request(r finding.Record, a input.Args) wire.Measure {
	m := wire.Measure{Input: input.Append(nil, a), Piece: oracle.Piece(r.Measure.Piece)}
	m.Limits.On, _, _ = oracle.Named(r.Kind.String())
	if m.Limits.On != 0 {
		m.Limits.Set(m.Limits.On, r.Measure.Limit)
	}
	return m
}
