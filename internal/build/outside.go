package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
)

// outsidePackage is a package whose test binary is built although it is not in a main module.
type outsidePackage struct {
	path, version string
	linked        []string // paths of the modules whose versions must stay as they are
	complete      bool     // if its tests need modules that go.mod does not have, it is built with a copy of go.mod that has them

	module string // path of its module
	copy   string // folder that replaces the module; empty: the module is not replaced
}

// AddOutside has the builder build the test binaries of targets outside of the main modules too. linked are the paths of the modules
// whose code the program contains. It is called before anything is built.
func (b *Builder) AddOutside(targets []Target, linked []string) error {
	for _, t := range targets {
		o := t.Outside
		if _, added := b.outside[t.Package]; added || o == nil {
			continue
		}
		b.outside[t.Package] = outsidePackage{
			path: t.Package, version: o.Version, linked: linked, complete: o.Module != StdModule && !o.Replaced, module: t.ModulePath(), copy: o.Copy,
		}
		if err := b.addWritten(t); err != nil {
			return fmt.Errorf("copy the targets of %s that gnaw init has written: %w", t.Package, err)
		}
	}
	return nil
}

// addWritten copies the files with targets that gnaw init has written, and puts the copies into the overlay.
func (b *Builder) addWritten(t Target) error {
	if len(t.Outside.Written) == 0 {
		return nil
	}
	dir := filepath.Join(b.Site.Dir, "written", cache.Digest(t.Package))
	if err := os.MkdirAll(dir, disk.PrivateDir); err != nil {
		return err
	}
	for _, name := range t.Outside.Written {
		text, err := disk.Read(name, disk.MaxSource)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(file, text, disk.PrivateFile); err != nil {
			return err
		}
		b.sources.replaced[filepath.Join(t.built(), filepath.Base(name))] = file
	}
	return nil
}

// PlainOutside builds the test binary of a package outside of the main modules as go test does, and returns the flags that it was built
// with.
func (b *Builder) PlainOutside(ctx context.Context, pkg string, flags []string) (used []string, err error) {
	file := b.path(pkg, append([]string{"without instrumentation"}, flags...))
	err = b.build(flags, func(flags []string) error {
		return b.buildOutside(ctx, b.outside[pkg], flags, func(flags []string) error {
			used = flags
			return Plain(ctx, b.tc, pkg, b.dir, flags, file)
		})
	})
	return used, err
}

// ErrOutsideGcflags says that there are -gcflags, or -instrument, beside -deps.
var ErrOutsideGcflags = errors.New("-deps cannot be used together with -gcflags or -instrument: gnaw instruments dependencies with -gcflags; " +
	"remove one of them")

// CheckOutside returns [ErrOutsideGcflags] if -gcflags are given on the command line, or in GOFLAGS.
func CheckOutside(tc gocommand.Toolchain, given bool) error {
	if errors.Is(gocommand.CheckInstrument(tc, given), gocommand.ErrGcflags) {
		return ErrOutsideGcflags
	}
	return nil
}

// buildOutside builds something of a package outside of the main modules. If a module is missing that only its tests need, it builds with
// a copy of go.mod that has the module.
func (b *Builder) buildOutside(ctx context.Context, o outsidePackage, flags []string, compile func(flags []string) error) error {
	flags = gocommand.OutsideFlags(flags)
	err := b.buildReplaced(ctx, o, flags, compile)
	var failed *BuildError
	if !errors.As(err, &failed) || !gocommand.LacksModule(failed.Error()) || !o.complete {
		return err
	}
	modfile, why := b.Complete(ctx, o.path, o.version, o.linked, flags)
	if why != nil {
		return &BuildError{Package: o.path, Err: fmt.Errorf("its tests need a module that go.sum does not have, and %w", why)}
	}
	return b.buildReplaced(ctx, o, append(flags, "-modfile="+modfile), compile)
}

// buildReplaced builds something of a package outside of the main modules. If there is a copy of its module, it is built from the copy.
func (b *Builder) buildReplaced(ctx context.Context, o outsidePackage, flags []string, compile func(flags []string) error) error {
	if o.copy == "" {
		return compile(flags)
	}
	modfile, err := b.Replace(ctx, o.module, o.copy, flags)
	if err != nil {
		return &BuildError{Package: o.path, Err: fmt.Errorf("targets that gnaw init has written need a copy of go.mod, and %w", err)}
	}
	return compile(append(slices.Clone(flags), "-modfile="+modfile))
}

// notInstrumented are the packages that go test -fuzz leaves out: they run beside the target.
var notInstrumented = []string{
	"context", "internal/fuzz", "internal/godebug", "internal/runtime/maps", "internal/sync", "reflect", "runtime", "sync", "sync/atomic", "syscall",
	"testing", "time", "unsafe",
}

// instrumentOutside builds the instrumented test binary of a package outside of the main modules, for which the go command refuses -fuzz:
// the compiler gets the flag for each package that -fuzz would instrument.
func (b *Builder) instrumentOutside(ctx context.Context, tc gocommand.Toolchain, pkg string, flags []string, out string) error {
	packages, err := testPackages(ctx, tc, b.dir, pkg, flags)
	if err != nil {
		return &BuildError{Package: pkg, Err: err}
	}
	var instrument []string
	for _, p := range packages {
		if !slices.Contains(notInstrumented, p) {
			instrument = append(instrument, "-gcflags="+p+"=-d=libfuzzer")
		}
	}
	o, err := overlay.Inject(tc)
	if err != nil {
		return err
	}
	return instrumented(ctx, tc, o, pkg, b.dir, flags, instrument, out)
}

// testPackages returns the import paths of a package and of all that it and its tests import. What only the generated main package
// imports is not among them, as it is not with -fuzz.
func testPackages(ctx context.Context, tc gocommand.Toolchain, dir, pkg string, flags []string) (paths []string, err error) {
	list, err := code.List[struct {
		ImportPath string
		Imports    []string
		ImportMap  map[string]string
	}](ctx, tc.Source(dir, flags), code.Query{Deps: true, Test: true, Patterns: []string{pkg}})
	if err != nil {
		return nil, fmt.Errorf("list what the tests of %s import: %w", pkg, err)
	}
	imports := map[string][]string{}
	var next []string
	for _, p := range list {
		for _, path := range p.Imports {
			imports[p.ImportPath] = append(imports[p.ImportPath], cmp.Or(p.ImportMap[path], path))
		}
		if path := withoutVariant(p.ImportPath); path == pkg || path == pkg+"_test" && path != p.ImportPath {
			next = append(next, p.ImportPath)
		}
	}
	seen := map[string]bool{}
	for len(next) > 0 {
		path := next[0]
		next = next[1:]
		if !seen[path] && path != "C" {
			seen[path] = true
			paths = append(paths, withoutVariant(path))
			next = append(next, imports[path]...)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}
