// Package minimizer makes the failing input of a file or of a finding smaller, writes the result to testdata/fuzz of its package, and
// replays it.
package minimizer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Options says how to minimize. The zero value has no limits.
type Options struct {
	// Spec says how to build and execute the target. [File] finds the target and its package by the path of the file if they are empty;
	// [Finding] takes them from the finding, and its arguments if there are none.
	Spec  session.Spec
	Time  time.Duration // for the search; 0: no limit
	Execs int           // executions of the search; 0: no limit
	// Refuse says that smaller inputs do nothing outside of their process that the input does not do. One that fails after a refusal does not count.
	Refuse bool
}

// Result is what the search has found.
type Result struct {
	Target   string
	Original input.Args
	Failure  *finding.Finding // how the smallest input fails, with this input
	Path     string           // absolute path of its file: a new one, or the old one if nothing is smaller; empty: in the history only
	Replaced string           // absolute path of the file that Path replaces and that was removed; empty: none
	Took     time.Duration
	Stats    minimize.Stats
}

// Smaller reports whether the search has found a smaller input.
func (r Result) Smaller() bool { return !r.Failure.Input.Equal(r.Original) }

// File minimizes the input in a file, which stays as it is. The error is a *usage.Error if the input cannot be minimized as it is. If
// Result.Failure is set beside an error, the result counts.
func File(ctx context.Context, o Options, path string) (Result, error) {
	dir := filepath.Dir(path) // testdata/fuzz/<Target>
	usual := filepath.Base(filepath.Dir(dir)) == "fuzz" && filepath.Base(filepath.Dir(filepath.Dir(dir))) == "testdata"
	if !usual && o.Spec.Target == "" {
		return Result{}, usage.Errorf("%s is not in testdata/fuzz/<Target> of a package; name its target with -target and its package with -package", path)
	}
	if o.Spec.Target == "" {
		o.Spec.Target = filepath.Base(dir)
	}
	if o.Spec.Package == "" && usual {
		o.Spec.Package = filepath.Dir(filepath.Dir(filepath.Dir(dir)))
	}
	return o.build(ctx, func(s *subject) (Result, error) { return s.minimize(ctx, path) })
}

// subject is a target that can be executed, and how to minimize an input of it.
type subject struct {
	Options
	process process
	dir     string // folder of the target in testdata/fuzz
	// replay runs a file of dir as plain go test does.
	replay   func(ctx context.Context, x proof.Execution, f *finding.Finding) (proof.Verdict, error)
	fileless bool         // a smaller input gets no file
	others   []input.Args // other inputs that fail, the smallest first
}

// process executes inputs of the target. It is a *session.Process.
type process interface {
	Start(ctx context.Context) error
	Kinds() []input.Kind
	Execute(ctx context.Context, a input.Args) (*finding.Finding, error)
	ExecuteSeed(ctx context.Context, a input.Args) (f *finding.Finding, actions [][]byte, err error)
	Minimize(ctx context.Context, first *finding.Finding, s session.Search) (*finding.Finding, minimize.Stats, error)
	Matter(ctx context.Context, f *finding.Finding) []finding.Matter
	End()
}

// build builds the target for the time of a call of run.
func (o Options) build(ctx context.Context, run func(*subject) (Result, error)) (res Result, err error) {
	b, err := session.Build(ctx, o.Spec)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	dir := filepath.Join(b.Target.Dir, "testdata", "fuzz", b.Target.Func)
	b.Process.Refuse = o.Refuse
	r := b.GoTest()
	r.Policy = func(string) ([][]byte, bool) { return b.Process.Allowed, o.Refuse }
	return run(&subject{Options: o, process: b.Process, dir: dir, replay: r.Prove})
}

// minimize minimizes the input in a file and writes the result to another one.
func (s *subject) minimize(ctx context.Context, path string) (Result, error) {
	if err := s.process.Start(ctx); err != nil {
		return Result{}, err
	}
	a, err := corpus.Read(path, corpus.GoTest(s.process.Kinds()))
	if err != nil {
		return Result{}, err
	}
	first, _, err := s.process.ExecuteSeed(ctx, a)
	if err != nil {
		return Result{}, err
	}
	if first == nil {
		return Result{}, usage.Errorf("%s does not fail with %s; only an input that fails can be minimized", s.Spec.Target, path)
	}
	start := time.Now()
	best, stats, searchErr := s.process.Minimize(ctx, first, session.Search{Time: s.Time, Execs: s.Execs, Others: s.others})
	res := Result{Target: s.Spec.Target, Original: a, Failure: best, Path: path, Took: time.Since(start), Stats: stats}
	if res.Smaller() {
		if res.Path, err = s.write(ctx, best); err != nil {
			return Result{}, fmt.Errorf("%w, so %s stays as it is", err, path)
		}
	}
	return res, searchErr
}

// write writes a smaller input and replays it. The file stays if the input fails, or if ctx ends. An input without a file has one for the
// time of the replay.
func (s *subject) write(ctx context.Context, f *finding.Finding) (path string, err error) {
	store := corpus.Open(s.dir, corpus.GoTest(s.process.Kinds()))
	var h *corpus.Hold
	own := false
	if s.fileless {
		h, err = store.TakeTemporary(f.Input)
	} else {
		h, own, err = store.Take(f.Input)
	}
	if err != nil {
		return "", err
	}
	passes := s.passes(ctx, filepath.Base(h.Path()), f)
	end := h.Keep
	switch {
	case s.fileless:
		end = h.Release
	case passes && own:
		end = h.Discard
	}
	err = end()
	if passes && (own || s.fileless) {
		return "", errors.Join(errors.New("the smaller input does not fail in a fresh process"), err)
	}
	return h.Path(), err
}

// passes reports whether an input that failed passes in a fresh process: in plain go test or, if that does not run the input, in a
// fuzzing process. It is false if an error, or the end of ctx, leaves that open.
func (s *subject) passes(ctx context.Context, name string, f *finding.Finding) bool {
	v, err := proof.Again(ctx, proof.Execution{Args: f.Input, Name: name}, f, s.replay, s.failsApart)
	if _, refused := errors.AsType[*proof.RefusedError](err); refused {
		return true
	}
	return err == nil && v != proof.Fails
}

// failsApart executes the input of a failure in another fuzzing process and reports whether it fails in the same way.
func (s *subject) failsApart(ctx context.Context, f *finding.Finding) (bool, error) {
	s.process.End()
	got, err := s.process.Execute(ctx, f.Input)
	if err != nil {
		return false, err
	}
	return proof.Shows(f, got, proof.Same)
}
