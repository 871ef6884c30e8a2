package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
)

// BuildError is a test binary that does not build, with what the go command said about it.
type BuildError struct {
	Package string
	Output  string // of the compiler, many lines; empty when it was not the compiler
	Err     error
}

// Unwrap returns the cause.
func (e *BuildError) Unwrap() error { return e.Err }

// Error has what the compiler said, if it was the compiler.
func (e *BuildError) Error() string {
	if e.Output == "" {
		return fmt.Sprintf("build the test binary of %s: %v", e.Package, e.Err)
	}
	return fmt.Sprintf("build the test binary of %s:\n%s", e.Package, e.Output)
}

// Binary builds the test binary of the package pkg, an import path as seen from dir, into the file out. It is
// instrumented for coverage and has the probe in it. flags are build flags such as -tags, and those of
// [gocommand.InstrumentFlags]; an -overlay among them or in GOFLAGS is merged.
//
// The file appears at once and complete: several processes may build the same one. What the compiler says is in the
// [BuildError].
func Binary(ctx context.Context, tc gocommand.Toolchain, pkg, dir string, flags []string, out string) error {
	o, err := overlay.Inject(tc)
	if err != nil {
		return err
	}
	return instrumented(ctx, tc, o, pkg, dir, flags, []string{"-fuzz=."}, out)
}

// instrumented builds a test binary with the overlay. instrument are the flags that instrument packages.
func instrumented(ctx context.Context, tc gocommand.Toolchain, o overlay.Overlay, pkg, dir string, flags, instrument []string, out string) error {
	theirs, err := gocommand.UserOverlay(tc, flags)
	if err != nil {
		return err
	}
	if o, err = o.Merge(theirs, dir); err != nil {
		return err
	}
	o.Announce(tc, flags)
	return compile(ctx, tc, pkg, dir, slices.Concat(instrument, gocommand.ByImportPath(flags, dir), []string{"-overlay=" + o.File}), out)
}

// compile builds a test binary into the file out. It links one again only if the one of the last build is not current.
func compile(ctx context.Context, tc gocommand.Toolchain, pkg, dir string, flags []string, out string) error {
	fail := func(err error) error { return &BuildError{Package: pkg, Err: err} }
	out, err := filepath.Abs(out)
	if err != nil {
		return fail(err)
	}
	if err := os.MkdirAll(filepath.Dir(out), disk.PrivateDir); err != nil {
		return fail(err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(out), ".tmp-*")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(tmp)
	fresh := filepath.Join(tmp, filepath.Base(out))
	kept, keeps := keptBinary(tc, pkg, dir, flags)
	var before offered
	if keeps {
		before = kept.offer(fresh)
	}
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-json=false"}, flags, []string{"-o", fresh, pkg})
	if err := runGo(ctx, tc, pkg, dir, args); err != nil {
		return err
	}
	if _, err := os.Stat(fresh); errors.Is(err, os.ErrNotExist) {
		return fail(errors.New("it has no test files"))
	}
	if keeps {
		kept.keep(fresh, before)
	}
	if err := os.Rename(fresh, out); err != nil {
		return fail(err)
	}
	return nil
}

// runGo runs the go command to compile a test binary. If the go command fails while tc.trace gets its commands, runGo runs it again to get the
// errors without the commands. Packages without errors are in its cache.
func runGo(ctx context.Context, tc gocommand.Toolchain, pkg, dir string, args []string) error {
	if tc.Trace != nil {
		if err := tc.Traced(ctx, dir, args, tc.Trace); err == nil || ctx.Err() != nil {
			return err
		}
	}
	said, err := tc.Said(ctx, dir, args...)
	if err != nil {
		return &BuildError{pkg, said, err}
	}
	return nil
}
