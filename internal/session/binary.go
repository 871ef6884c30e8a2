package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// DefaultTimeout is the limit for one execution: that of Go's native engine.
const DefaultTimeout = 10 * time.Second

// Spec says which target a command executes, and how.
type Spec struct {
	Dir      string // working directory
	Environ  []string
	Package  string    // folder or import path; empty: Dir
	Outside  bool      // Package is the import path of a package of a dependency
	Target   string    // name
	Flags    []string  // for the go command
	PlainStd bool      // without hooks in the standard library
	Notices  io.Writer // gets the messages of the build
	Args     []string  // for the test binary
	Timeout  time.Duration
	MemLimit uint64 // bytes of heap; 0: no limit
}

// NoTargetError says that a package does not have a target.
type NoTargetError struct{ Target, Place string }

// Error names both.
func (e *NoTargetError) Error() string {
	return fmt.Sprintf("there is no target %s in %s; `gnaw list` shows all targets", e.Target, e.Place)
}

// Binary is the test binary of a target, for commands that execute single inputs of it.
type Binary struct {
	Target  build.Target
	Process *Process
	// Plain builds the binary without instrumentation.
	Plain func(ctx context.Context) (path string, err error)

	builder *build.Builder
}

// where returns the folder from which the package is seen, and its pattern there.
func (s Spec) where() (dir, pattern string, err error) {
	dir, pattern = s.Dir, "."
	switch info, err := os.Stat(s.Package); {
	case err == nil && info.IsDir():
		if dir, err = filepath.Abs(s.Package); err != nil {
			return "", "", fmt.Errorf("find the folder %s: %w", s.Package, err)
		}
	case s.Package != "":
		pattern = s.Package
	}
	return dir, pattern, nil
}

// Find finds a target of a main module, and builds nothing. The error is a *NoTargetError if the package does not have the target.
func Find(ctx context.Context, s Spec) (tc gocommand.Toolchain, t build.Target, err error) {
	dir, pattern, err := s.where()
	if err != nil {
		return tc, t, err
	}
	if tc, err = gocommand.FindToolchain(ctx, dir, s.Environ); err != nil {
		return tc, t, err
	}
	t, err = FindTarget(ctx, tc, dir, pattern, s.Target, s.Flags)
	return tc, t, err
}

// Build finds a target and builds its test binary. The error is a *NoTargetError if the package does not have the target. The caller
// closes the Binary.
func Build(ctx context.Context, s Spec) (*Binary, error) {
	if s.Outside {
		return buildDependency(ctx, s)
	}
	dir, pattern, err := s.where()
	if err != nil {
		return nil, err
	}
	tc, err := gocommand.FindToolchain(ctx, dir, s.Environ)
	if err != nil {
		return nil, err
	}
	if err := gocommand.CheckExec(tc); err != nil {
		return nil, err
	}
	tc.Plain, tc.Notices = s.PlainStd, s.Notices
	t, err := FindTarget(ctx, tc, dir, pattern, s.Target, s.Flags)
	if err != nil {
		return nil, err
	}
	builder, err := build.NewBuilder(ctx, tc, dir, []string{t.Package}, s.Flags)
	if err != nil {
		return nil, err
	}
	return buildBinary(ctx, s, tc, t, builder)
}

// buildDependency does what Build does for a target of a dependency.
func buildDependency(ctx context.Context, s Spec) (*Binary, error) {
	tc, err := gocommand.FindToolchain(ctx, s.Dir, s.Environ)
	if err != nil {
		return nil, err
	}
	tc.Plain, tc.Notices = s.PlainStd, s.Notices
	d, err := OpenDependency(ctx, tc, s, "")
	if err != nil {
		return nil, err
	}
	return buildBinary(ctx, s, tc, d.Target, d.builder)
}

// buildBinary builds the test binary of a target. It closes the builder if that fails.
func buildBinary(ctx context.Context, s Spec, tc gocommand.Toolchain, t build.Target, builder *build.Builder) (*Binary, error) {
	if err := builder.Binary(ctx, t.Package, s.Flags, nil); err != nil {
		return nil, errors.Join(err, builder.Close())
	}
	cache := filepath.Join(tc.Cache, "fuzz", filepath.FromSlash(t.Package))
	return &Binary{
		Target: t, builder: builder,
		Process: &Process{
			Config: Config(s.Environ, t, builder.Path(t.Package, s.Flags), cache, s.Timeout, s.Args), Setup: wire.Setup{MemLimit: s.MemLimit},
		},
		Plain: func(ctx context.Context) (string, error) { return builder.Plain(ctx, t.Package, s.Flags) },
	}, nil
}

// GoTest runs inputs of the target as plain go test does.
func (b *Binary) GoTest() proof.GoTest {
	return proof.GoTest{Config: b.Process.Config, Target: b.Target.Func, Plain: b.Plain}
}

// Close ends the process and removes what was built.
func (b *Binary) Close() error { return errors.Join(b.Process.Close(), b.builder.Close()) }

// FindTarget finds one target of a package, as seen from the folder dir. The error is a *NoTargetError if the package does not have it.
func FindTarget(ctx context.Context, tc gocommand.Toolchain, dir, pattern, name string, flags []string) (build.Target, error) {
	targets, broken, err := build.List(ctx, tc, dir, []string{pattern}, flags)
	if err != nil {
		return build.Target{}, err
	}
	for _, b := range broken {
		return build.Target{}, b
	}
	for _, t := range targets {
		if t.Func == name {
			return t, nil
		}
	}
	place := pattern
	if pattern == "." {
		place = dir
	}
	return build.Target{}, &NoTargetError{name, place}
}
