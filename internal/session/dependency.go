package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// Dependency is a target of a dependency, with a private copy of its module in which its test processes run.
type Dependency struct {
	Target  build.Target
	builder *build.Builder
	flags   []string // for the go command
}

// OpenDependency finds a target of a dependency of the module in s.Dir and copies its module. version is that of the dependency, such as
// "latest", which the go command may have to download; empty: the version that the main module has. The error is a *NoTargetError if the
// package does not have the target. The caller closes the Dependency.
func OpenDependency(ctx context.Context, tc gocommand.Toolchain, s Spec, version string) (*Dependency, error) {
	builder, err := build.NewBuilder(ctx, tc, s.Dir, []string{s.Package}, s.Flags)
	if err != nil {
		return nil, err
	}
	d := &Dependency{builder: builder, flags: s.Flags}
	if err := d.open(ctx, tc, s, version); err != nil {
		return nil, errors.Join(err, builder.Close())
	}
	return d, nil
}

// open finds the target and copies its module.
func (d *Dependency) open(ctx context.Context, tc gocommand.Toolchain, s Spec, version string) error {
	if version != "" {
		modfile, err := d.builder.ModfileWith(ctx, s.Package, version, s.Flags)
		if err != nil {
			return fmt.Errorf("use another version of %s: %w", s.Package, err)
		}
		d.flags = append(slices.Clone(s.Flags), "-modfile="+modfile)
	}
	t, linked, err := deps.Locate(ctx, tc, s.Dir, s.Package, s.Target, d.flags)
	if errors.Is(err, deps.ErrNoTarget) {
		return &NoTargetError{s.Target, s.Package}
	}
	if err != nil {
		return err
	}
	if version != "" && t.Outside.Replaced {
		return fmt.Errorf("use another version of %s: go.mod replaces its module with %s@%s", s.Package, t.Outside.Module, t.Outside.Version)
	}
	copies := deps.NewCopies(d.builder.Site, tc)
	if d.Target, err = copies.Place(t); err != nil {
		return err
	}
	if err := d.builder.AddOutside([]build.Target{d.Target}, linked); err != nil {
		return err
	}
	return copies.Make(ctx, d.Target)
}

// GoTestFlags returns the flags with which go test, in the folder of the main module, runs the tests of the package in the copy. It builds
// the test binary to see which ones are needed.
func (d *Dependency) GoTestFlags(ctx context.Context) ([]string, error) {
	flags, err := d.builder.PlainOutside(ctx, d.Target.Package, d.flags)
	if err != nil {
		return nil, err
	}
	// The go command splits the value at spaces, except in quotes.
	return append(flags, fmt.Sprintf(`-exec=sh -c 'cd "$0" && exec "$@"' "%s"`, d.Target.Work())), nil
}

// Fails runs a file of testdata/fuzz, or a seed, in the copy as plain go test does, and reports whether it shows a failure of the kind of f,
// with the Count of f. more are further flags for the go command that builds the test binary. The error says why the input did not run to its end, or why its run
// shows neither.
func (d *Dependency) Fails(ctx context.Context, s Spec, name string, f *finding.Finding, more ...string) (bool, error) {
	path, err := d.builder.Plain(ctx, d.Target.Package, slices.Concat(d.flags, more))
	if err != nil {
		return false, err
	}
	g := proof.GoTest{Config: Config(s.Environ, d.Target, path, "", s.Timeout, s.Args), Target: d.Target.Func}
	return g.Fails(ctx, proof.Execution{Args: f.Input, Name: name}, f)
}

// Debug returns a flag for the go command and the GODEBUG settings of the main module, as lines of a godebug block. With the flag, the test
// binary has the settings of the dependency's own go.mod, as in a clone. The flag is empty if both have the same settings.
func (d *Dependency) Debug(ctx context.Context) (flag string, ours []string, err error) {
	modfile, ours, err := d.builder.ModfileWithDebug(ctx, d.Target.Package, d.Target.Outside.Root, d.flags)
	if err != nil || modfile == "" {
		return "", nil, err
	}
	return "-modfile=" + modfile, ours, nil
}

// Close removes the copy and what was built.
func (d *Dependency) Close() error { return d.builder.Close() }
