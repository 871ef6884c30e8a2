package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
)

// Dependency is a target of a dependency, with a private copy of its module in which its test processes run.
type Dependency struct {
	Target  build.Target
	builder *build.Builder
}

// OpenDependency finds a target of a dependency of the module in s.Dir and copies its module. The error is a *NoTargetError if the package
// does not have the target. The caller closes the Dependency.
func OpenDependency(ctx context.Context, tc build.Toolchain, s Spec) (*Dependency, error) {
	t, linked, err := deps.Locate(ctx, tc, s.Dir, s.Package, s.Target, s.Flags)
	if errors.Is(err, deps.ErrNoTarget) {
		return nil, &NoTargetError{s.Target, s.Package}
	}
	if err != nil {
		return nil, err
	}
	builder, err := build.NewBuilder(ctx, tc, s.Dir, []string{t.Package}, s.Flags)
	if err != nil {
		return nil, err
	}
	builder.AddOutside([]build.Target{t}, linked)
	copies := &deps.Copies{Dir: filepath.Join(builder.Site.Dir, "deps")}
	if t, err = copies.Place(t); err == nil {
		err = copies.Make(t)
	}
	if err != nil {
		return nil, errors.Join(err, builder.Close())
	}
	return &Dependency{t, builder}, nil
}

// GoTestFlags returns the flags with which go test, in the folder of the main module, runs the tests of the package in the copy. It builds
// the test binary to see which ones are needed. flags are the flags of the user.
func (d *Dependency) GoTestFlags(ctx context.Context, flags []string) ([]string, error) {
	flags, err := d.builder.PlainOutside(ctx, d.Target.Package, flags)
	if err != nil {
		return nil, err
	}
	// The go command splits the value at spaces, except in quotes.
	return append(flags, fmt.Sprintf(`-exec=sh -c 'cd "$0" && exec "$@"' "%s"`, d.Target.Work())), nil
}

// Close removes the copy and what was built.
func (d *Dependency) Close() error { return d.builder.Close() }
