package build

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// outsidePackage is a package whose test binary is built although it is not in a main module.
type outsidePackage struct {
	path, module, version string
	replaced              bool
	linked                []string // paths of the modules whose versions must stay as they are
}

// AddOutside has the builder build the test binaries of targets outside of the main modules too. linked are the paths of the modules
// whose code the program contains. It is called before anything is built.
func (b *Builder) AddOutside(targets []Target, linked []string) {
	for _, t := range targets {
		b.outside[t.Package] = outsidePackage{t.Package, t.Outside.Module, t.Outside.Version, t.Outside.Replaced, linked}
	}
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

// readonlyFlag keeps the go command from changing go.mod and go.sum, and from using a vendor folder, which has no tests.
const readonlyFlag = "-mod=readonly"

// OutsideFlags returns build flags for packages outside of the main modules.
func OutsideFlags(flags []string) []string { return append(slices.Clone(flags), readonlyFlag) }

// Offline returns a toolchain whose go command does not download modules.
func (tc Toolchain) Offline() Toolchain {
	tc.Env = append(slices.Clone(tc.Env), "GOPROXY=off")
	return tc
}

// ErrOutsideGcflags says that there are -gcflags, or -instrument, beside -deps.
var ErrOutsideGcflags = errors.New("-deps cannot be used together with -gcflags or -instrument: gnaw instruments dependencies with -gcflags; " +
	"remove one of them")

// CheckOutside returns [ErrOutsideGcflags] if -gcflags are given on the command line, or in GOFLAGS.
func CheckOutside(tc Toolchain, given bool) error {
	if errors.Is(CheckInstrument(tc, given), ErrGcflags) {
		return ErrOutsideGcflags
	}
	return nil
}

// buildOutside builds something of a package outside of the main modules. If a module is missing that only its tests need, it builds with
// a copy of go.mod that has the module.
func (b *Builder) buildOutside(ctx context.Context, o outsidePackage, flags []string, compile func(flags []string) error) error {
	flags = OutsideFlags(flags)
	err := compile(flags)
	var failed *BuildError
	if !errors.As(err, &failed) || !lacksModule(failed.Error()) || o.module == StdModule || o.replaced {
		return err
	}
	modfile, why := b.completeModfile(ctx, o, flags)
	if why != nil {
		return &BuildError{Package: o.path, Err: fmt.Errorf("its tests need a module that go.sum does not have, and %w", why)}
	}
	return compile(append(flags, "-modfile="+modfile))
}

// lacksModule reports whether the go command says that a module is missing in go.mod or go.sum.
func lacksModule(output string) bool {
	return slices.ContainsFunc([]string{
		"missing go.sum entry", "no required module provides package", "cannot find module providing package", "updates to go.mod needed",
	}, func(text string) bool { return strings.Contains(output, text) })
}

// notInstrumented are the packages that go test -fuzz leaves out: they run beside the target.
var notInstrumented = []string{
	"context", "internal/fuzz", "internal/godebug", "internal/runtime/maps", "internal/sync", "reflect", "runtime", "sync", "sync/atomic", "syscall",
	"testing", "time", "unsafe",
}

// instrumentOutside builds the instrumented test binary of a package outside of the main modules, for which the go command refuses -fuzz:
// the compiler gets the flag for each package that -fuzz would instrument.
func (b *Builder) instrumentOutside(ctx context.Context, pkg string, flags []string, out string) error {
	packages, err := b.tc.testPackages(ctx, b.dir, pkg, flags)
	if err != nil {
		return &BuildError{Package: pkg, Err: err}
	}
	var instrument []string
	for _, p := range packages {
		if !slices.Contains(notInstrumented, p) {
			instrument = append(instrument, "-gcflags="+p+"=-d=libfuzzer")
		}
	}
	o, err := Inject(b.tc)
	if err != nil {
		return err
	}
	return o.instrumented(ctx, b.tc, pkg, b.dir, flags, instrument, out)
}

// testPackages returns the import paths of a package and of all that it and its tests import. What only the generated main package
// imports is not among them, as it is not with -fuzz.
func (tc *Toolchain) testPackages(ctx context.Context, dir, pkg string, flags []string) (paths []string, err error) {
	args := slices.Concat([]string{"list", "-e", "-deps", "-test", "-json=ImportPath,Imports,ImportMap"}, flags, []string{"--", pkg})
	out, err := tc.output(ctx, dir, args...)
	if err != nil {
		return nil, fmt.Errorf("list what the tests of %s import: %w", pkg, err)
	}
	list, err := decodeList[struct {
		ImportPath string
		Imports    []string
		ImportMap  map[string]string
	}](out)
	if err != nil {
		return nil, err
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

// withoutVariant returns the import path of a package that is compiled for a test, as in "example.com/m [example.com/m.test]".
func withoutVariant(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}

// completeModfile makes a copy of go.mod that has the modules that the tests of a package need, and returns its path. The program must
// not have another version of any module by that. The error is the rest of a sentence.
func (b *Builder) completeModfile(ctx context.Context, o outsidePackage, flags []string) (modfile string, err error) {
	if modfile, err = b.ModfileWith(ctx, o.path, o.version, flags); err != nil {
		return "", err
	}
	raised, err := b.raised(ctx, filepath.Join(filepath.Dir(modfile), beforeName, "go.mod"), modfile, o.linked)
	if err != nil {
		return "", err
	}
	if raised != "" {
		return "", fmt.Errorf("with it the program would have %s", raised)
	}
	return modfile, nil
}

// beforeName is the name of the folder beside a changed copy of go.mod that has a copy of it as it was.
const beforeName = "before"

// ModfileWith makes a copy of go.mod, with its go.sum, that has a version of a package, with all that its tests need, and returns its
// path. The go command may download modules. The error is the rest of a sentence.
func (b *Builder) ModfileWith(ctx context.Context, pkg, version string, flags []string) (modfile string, err error) {
	gomod, err := b.gomod(ctx, flags)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(b.Site.Dir, "mod", digest(pkg, version))
	for _, to := range []string{filepath.Join(dir, beforeName), dir} {
		if err := copyModule(gomod, to); err != nil {
			return "", fmt.Errorf("go.mod cannot be copied: %w", err)
		}
	}
	modfile = filepath.Join(dir, "go.mod")
	if _, err := b.tc.output(ctx, b.dir, "get", "-modfile="+modfile, "-t", pkg+"@"+version); err != nil {
		return "", fmt.Errorf("it cannot be added to a copy of go.mod: %w", err)
	}
	return modfile, nil
}

// gomod returns the path of the go.mod of the main module. The error is the rest of a sentence that says why there is no copy of it.
func (b *Builder) gomod(ctx context.Context, flags []string) (string, error) {
	goflags, err := splitGoflags(b.tc.Flags)
	if err != nil {
		return "", err
	}
	if _, given := goflag(slices.Concat(goflags, flags), "modfile"); given {
		return "", errors.New("gnaw does not change a copy of the file of -modfile")
	}
	out, err := b.tc.output(ctx, b.dir, "env", "-json", "GOMOD", "GOWORK")
	if err != nil {
		return "", err
	}
	var env struct{ GOMOD, GOWORK string }
	if err := json.Unmarshal(out, &env); err != nil {
		return "", fmt.Errorf("the output of %s env cannot be read: %w", b.tc.Go, err)
	}
	if env.GOWORK != "" && env.GOWORK != "off" {
		return "", errors.New("a workspace cannot have a copy of go.mod")
	}
	return env.GOMOD, nil
}

// copyModule copies a go.mod, and the go.sum beside it, to a folder.
func copyModule(gomod, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(gomod), name))
		if errors.Is(err, os.ErrNotExist) && name == "go.sum" {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// raised returns the first of the linked modules that has another version with the file after than with the file before, as in
// "example.com/m v1.2.0 in place of v1.1.0"; empty: none has.
func (b *Builder) raised(ctx context.Context, before, after string, linked []string) (string, error) {
	old, err := b.versions(ctx, before)
	if err != nil {
		return "", err
	}
	now, err := b.versions(ctx, after)
	if err != nil {
		return "", err
	}
	for _, module := range linked {
		if old[module] != now[module] {
			return fmt.Sprintf("%s %s in place of %s", module, now[module], old[module]), nil
		}
	}
	return "", nil
}

// versions returns the version of each module of the build list that a private go.mod has, by path.
func (b *Builder) versions(ctx context.Context, modfile string) (map[string]string, error) {
	out, err := b.tc.output(ctx, b.dir, "list", "-m", "-mod=mod", "-modfile="+modfile, "-json=Path,Version", "all")
	if err != nil {
		return nil, fmt.Errorf("the build list is not known: %w", err)
	}
	list, err := decodeList[struct{ Path, Version string }](out)
	if err != nil {
		return nil, fmt.Errorf("the build list is not known: %w", err)
	}
	versions := map[string]string{}
	for _, m := range list {
		versions[m.Path] = m.Version
	}
	return versions, nil
}
