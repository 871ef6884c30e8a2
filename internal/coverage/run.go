package coverage

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Options says how to execute the inputs of targets.
type Options struct {
	Dir      string // working directory of the go command
	Environ  []string
	Packages []string      // patterns of the packages that are covered; none: see [build.Covered]
	Flags    []string      // for the go command
	Args     []string      // for test binaries
	Timeout  time.Duration // limit for one execution
	MemLimit uint64        // limit in bytes for the heap of a process; 0: none
	Refuse   bool          // inputs do nothing outside of their process that no seed does
	Store    Store         // nil: all inputs are executed, and no result is saved
	// Progress is called before the build of a test binary, with total 0, and before each execution. It may be nil.
	Progress func(t build.Target, done, total int)
}

// Failed is a target whose inputs cannot be executed.
type Failed struct {
	Target build.Target
	Err    error
}

// ErrNothing is the error if the test binary of a package contains no package that is covered. Errors that wrap it append to its text.
var ErrNothing = errors.New("its test binary contains no package")

// Packages returns the packages that are covered in the test binary of pkg, an import path or a folder; see [build.Covered]. The error
// wraps [ErrNothing] if there is none.
func Packages(ctx context.Context, tc gocommand.Toolchain, dir, pkg string, o build.CoverOptions) ([]string, error) {
	list, err := build.Covered(ctx, tc, dir, pkg, o)
	switch {
	case err != nil || len(list) > 0:
		return list, err
	case len(o.Patterns) > 0:
		return nil, fmt.Errorf("%s: %w that matches -coverpkg=%s", pkg, ErrNothing, strings.Join(o.Patterns, ","))
	}
	return nil, fmt.Errorf("%s: %w that can be covered", pkg, ErrNothing)
}

// Run builds the test binaries of targets with counters, one for each package, and executes the inputs of the targets, one after the other.
// A target that cannot be built or started is in failed, and Run continues with the others. Run returns an error if ctx ends or if it cannot
// build anything. If no test binary contains a package that matches Options.Packages, the error is a *usage.Error, and Run builds nothing.
func Run(ctx context.Context, tc gocommand.Toolchain, targets []build.Target, o Options) (list []*Replayed, failed []Failed, err error) {
	builder, err := build.NewBuilder(ctx, tc, o.Dir, build.Packages(targets), o.Flags)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, builder.Close()) }()
	return RunWith(ctx, tc, builder, targets, o)
}

// RunWith is like Run, with a builder for the packages of the targets. The caller closes the builder.
func RunWith(ctx context.Context, tc gocommand.Toolchain, builder *build.Builder, targets []build.Target, o Options) (list []*Replayed, failed []Failed, err error) {
	r := runner{Options: o, tc: tc, builder: builder, binaries: map[string]*testBinary{}}
	if err := r.choose(ctx, targets); err != nil {
		return nil, nil, err
	}
	for _, t := range targets {
		got, err := r.target(ctx, t)
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if err != nil {
			failed = append(failed, Failed{t, err})
			continue
		}
		list = append(list, got)
	}
	return list, failed, nil
}

// runner is a call of Run.
type runner struct {
	Options
	tc       gocommand.Toolchain
	builder  *build.Builder
	binaries map[string]*testBinary // by package
}

// testBinary is the test binary of a package. It is built when the first target of the package is executed.
type testBinary struct {
	covered []string // packages
	file    string   // empty: it is not built
	err     error    // why it cannot be built
}

// choose finds the packages that are covered in each test binary. It returns a *usage.Error if patterns match no package of any binary.
func (r *runner) choose(ctx context.Context, targets []build.Target) error {
	nothing := 0
	for _, pkg := range build.Packages(targets) {
		b := &testBinary{}
		b.covered, b.err = Packages(ctx, r.tc, r.Dir, pkg, build.CoverOptions{Patterns: r.Packages, Flags: r.Flags})
		r.binaries[pkg] = b
		if errors.Is(b.err, ErrNothing) {
			nothing++
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case len(r.Packages) == 0 || nothing < len(r.binaries):
		return nil
	case nothing == 1:
		return usage.Errorf("%w", r.binaries[targets[0].Package].err)
	}
	return usage.Errorf("none of the %d test binaries contains a package that matches -coverpkg=%s", nothing, strings.Join(r.Packages, ","))
}

// target executes the inputs of a target.
func (r *runner) target(ctx context.Context, t build.Target) (got *Replayed, err error) {
	b := r.binaries[t.Package]
	if b.err == nil && b.file == "" {
		r.progress(t, 0, 0)
		b.file, b.err = r.builder.Cover(ctx, t.Package, b.covered, r.Flags, nil)
	}
	if b.err != nil {
		return nil, b.err
	}
	cache := filepath.Join(r.tc.Cache, "fuzz", filepath.FromSlash(t.Package))
	p := &session.Process{
		Config: session.Config(r.Environ, t, b.file, cache, r.Timeout, r.Args), Setup: wire.Setup{MemLimit: r.MemLimit},
		Refuse: r.Refuse,
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	target := Task{
		Name: t.Name, Folders: FoldersOf(t.Home(), cache, t.Func),
		Conditions: fmt.Sprintf("%v %d %q %v", r.Timeout, r.MemLimit, r.Args, r.Refuse),
	}
	return Replay(ctx, p, target, r.Store, func(done, total int) { r.progress(t, done, total) })
}

func (r *runner) progress(t build.Target, done, total int) {
	if r.Progress != nil {
		r.Progress(t, done, total)
	}
}
