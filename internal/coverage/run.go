package coverage

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/session"
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
	Store    Store         // nil: nothing is kept
	// Progress is called before each execution; nil: it is not. total is 0 while the binary of the target is built.
	Progress func(t build.Target, done, total int)
}

// Failed is a target whose inputs cannot be executed.
type Failed struct {
	Target build.Target
	Err    error
}

// ErrNothing says that the test binary of a package contains no package that is covered.
var ErrNothing = errors.New("has no package that can be covered")

// Run builds the test binaries of targets with counters, one for each package, and executes the inputs of the targets, one after the other.
// A target that cannot be built or started does not stop the others. The error is that of ctx, or says that nothing can be built.
func Run(ctx context.Context, tc build.Toolchain, targets []build.Target, o Options) (list []*Replayed, failed []Failed, err error) {
	builder, err := build.NewBuilder(ctx, tc, o.Dir, build.Packages(targets), o.Flags)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, builder.Close()) }()
	return RunWith(ctx, tc, builder, targets, o)
}

// RunWith is Run with a builder that the caller has made for the packages of the targets, and closes.
func RunWith(ctx context.Context, tc build.Toolchain, builder *build.Builder, targets []build.Target, o Options) (list []*Replayed, failed []Failed, err error) {
	r := runner{Options: o, tc: tc, builder: builder, built: map[string]built{}}
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
	tc      build.Toolchain
	builder *build.Builder
	built   map[string]built // by package
}

// built is a test binary, or why there is none.
type built struct {
	file string
	err  error
}

// target executes the inputs of a target.
func (r *runner) target(ctx context.Context, t build.Target) (got *Replayed, err error) {
	b, ok := r.built[t.Package]
	if !ok {
		r.progress(t, 0, 0)
		b.file, b.err = r.build(ctx, t)
		r.built[t.Package] = b
	}
	if b.err != nil {
		return nil, b.err
	}
	cache := filepath.Join(r.tc.Cache, "fuzz", filepath.FromSlash(t.Package))
	p := &session.Process{
		Config: session.Config(r.Environ, t, b.file, cache, r.Timeout, r.Args), Setup: wire.Setup{MemLimit: r.MemLimit},
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	target := Target{Package: t.Package, Name: t.Name, Folders: FoldersOf(t.Home(), cache, t.Name)}
	return Replay(ctx, p, target, r.Store, func(done, total int) { r.progress(t, done, total) })
}

// build builds the test binary of the package of a target.
func (r *runner) build(ctx context.Context, t build.Target) (file string, err error) {
	covered, err := build.Covered(ctx, r.tc, r.Dir, t.Package, build.CoverOptions{Patterns: r.Packages, Flags: r.Flags})
	if err != nil {
		return "", err
	}
	if len(covered) == 0 {
		return "", fmt.Errorf("%s %w%s", t.Package, ErrNothing, r.ofPatterns())
	}
	return r.builder.Cover(ctx, t.Package, covered, r.Flags)
}

// ofPatterns is the end of a message that names the patterns, if there are any.
func (r *runner) ofPatterns() string {
	if len(r.Packages) == 0 {
		return ""
	}
	return " in " + strings.Join(r.Packages, " ")
}

func (r *runner) progress(t build.Target, done, total int) {
	if r.Progress != nil {
		r.Progress(t, done, total)
	}
}
