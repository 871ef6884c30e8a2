package minimizer

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/repro"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Stored is a finding in the history.
type Stored struct {
	Module project.Module
	Record finding.Record
	ID     string // for messages
	// Update writes the finding with its new input to the history.
	Update func(ctx context.Context, r finding.Record) error
}

// Finding minimizes the input of a finding. A smaller input replaces the one in the history, and its file replaces the file of the finding.
// If the finding has no file, it gets none. The end of ctx ends the search, and what it has found counts. The error is a *usage.Error if
// the input cannot be minimized. If Result.Failure is set beside an error, the result counts.
func Finding(ctx context.Context, o Options, f Stored) (Result, error) {
	f.Record = repro.WithFile(f.Record)
	r := f.Record
	if r.Path == "" || r.Seed != "" {
		return Result{}, usage.Errorf("the input of %s is a seed of yours, which gnaw does not change; copy it to a file of testdata/fuzz/%s first", f.ID, r.Target)
	}
	if r.Count > 0 {
		return Result{}, usage.Errorf("the process fails some time after the input of %s was executed, so gnaw cannot tell which smaller input it fails by", f.ID)
	}
	_, err := os.Stat(f.Module.Abs(r.Path))
	fileless := errors.Is(err, os.ErrNotExist)
	remove, err := repro.PutInput(f.Module, r, o.Spec.Notices)
	if err != nil {
		return Result{}, err
	}
	defer remove()
	o.Spec.Target, o.Spec.Package, o.Spec.Flags = r.Target, f.Module.Abs(r.Folder), slices.Concat(r.Flags, o.Spec.Flags)
	o.Spec.Environ = repro.WithVariables(o.Spec.Environ, r.Environ)
	if o.Spec.Args == nil {
		o.Spec.Args = r.Args
	}
	return o.build(ctx, func(s *subject) (Result, error) {
		s.fileless, s.others = fileless, f.others()
		return s.finding(ctx, f)
	})
}

// others returns the other inputs of the target that show the finding, the smallest first.
func (f Stored) others() (list []input.Args) {
	for _, sample := range f.Record.More {
		if a, err := input.Unmarshal([]byte(sample.Input)); err == nil && sample.Package == f.Record.Package && sample.Target == f.Record.Target {
			list = append(list, a)
		}
	}
	return list
}

// finding minimizes the file of a finding and stores the result.
func (s *subject) finding(ctx context.Context, f Stored) (Result, error) {
	r, old := f.Record, f.Module.Abs(f.Record.Path)
	res, err := s.minimize(ctx, old)
	path := res.Path
	if s.fileless {
		res.Path = ""
	}
	if err != nil || !res.Smaller() {
		return res, err
	}
	r.Path = f.Module.Source(r.Package, s.Spec.Package).Relative(path)
	r.Size, r.Minimize, r.Output = res.Failure.Input.Size(), r.Minimize+res.Took.Seconds(), res.Failure.Output
	r.Input, r.Matter = string(input.Marshal(res.Failure.Input)), s.process.Matter(ctx, res.Failure)
	r = r.AddSamples() // without this one
	if err := f.Update(context.WithoutCancel(ctx), r); err != nil {
		return res, err
	}
	if s.fileless {
		return res, nil
	}
	if err := corpus.Discard(old); err != nil {
		return res, err
	}
	res.Replaced = old
	return res, nil
}
