package deps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// Options says whose dependencies [Find] looks at.
type Options struct {
	Dir      string   // working directory
	Root     string   // absolute folder of the main module
	Patterns []string // packages that make the program
	Flags    []string // for the go command
	Std      bool     // the standard library in place of modules
	All      bool     // also list targets of the standard library that are not linked, and name packages that are not linked and cannot be loaded
	Write    bool     // a folder that a replace directive names keeps the failing inputs of its module
}

// Find finds the fuzz targets of the modules that the packages of the program import, or of the packages of the standard library. It
// downloads nothing.
func Find(ctx context.Context, tc gocommand.Toolchain, o Options) (List, error) {
	f, packages, err := newFinder(ctx, tc, o)
	if err != nil {
		return List{}, err
	}
	units := f.units(packages)
	for _, u := range units {
		if err := f.find(ctx, u); err != nil {
			return List{}, err
		}
	}
	if !o.Std && !slices.ContainsFunc(f.list.Targets, func(t Candidate) bool { return len(t.Outside.Written) > 0 }) {
		f.list.Bare = f.bare(units)
	}
	return f.list, nil
}

// bare returns the number of linked packages that read data and have no targets.
func (f *finder) bare(units []*unit) (n int) {
	for _, u := range units {
		for _, path := range u.linked {
			p := f.linked[path]
			if p.Dir != "" && kindOf(p.Dir, p.Imports) == Input && !mayHaveTargets(p.Dir) {
				n++
			}
		}
	}
	return n
}

// newFinder lists the packages of the program and all that they import.
func newFinder(ctx context.Context, tc gocommand.Toolchain, o Options) (*finder, []gocommand.LinkedPackage, error) {
	tc = tc.Offline()
	o.Flags = gocommand.OutsideFlags(o.Flags)
	packages, err := gocommand.Linked(ctx, tc, o.Dir, o.Patterns, o.Flags)
	if err != nil {
		return nil, nil, err
	}
	f := &finder{tc: tc, Options: o, linked: map[string]gocommand.LinkedPackage{}, reach: reach(packages)}
	for _, p := range packages {
		f.linked[p.ImportPath] = p
		if len(p.Errors) > 0 && !p.Standard && (p.Module == nil || p.Module.Main) {
			f.leaveOut("of "+p.ImportPath, missing(p.Errors[0]))
		}
	}
	return f, packages, nil
}

// missing adds what helps to the reason why a package cannot be loaded, if its module is not in the module cache.
func missing(reason string) string {
	if strings.Contains(reason, "GOPROXY=off") {
		return reason + ": its module is not in the module cache; `go mod download` puts it there"
	}
	return reason
}

// finder is the state of one Find.
type finder struct {
	Options
	tc     gocommand.Toolchain
	linked map[string]gocommand.LinkedPackage // by import path
	reach  map[string]Reach                   // by import path
	list   List
}

// unit is a module, or the standard library.
type unit struct {
	module, version string
	path, root      string // import path and absolute folder of its root
	replaced        bool   // module and version are of what a replace directive names
	line            int    // of go.mod
	linked          []string
	policies        func() []string // the places of its security policy
}

func (f *finder) leaveOut(pkg, reason string) {
	f.list.LeftOut = append(f.list.LeftOut, build.PackageError{Package: pkg, Reason: reason})
}

// units returns the modules of the linked packages, or the standard library.
func (f *finder) units(packages []gocommand.LinkedPackage) (units []*unit) {
	lines := requireLines(filepath.Join(f.Root, "go.mod"))
	std := &unit{module: build.StdModule, version: f.tc.Version, root: filepath.Join(f.tc.Root, "src")}
	modules := map[string]*unit{}
	for _, p := range packages {
		if p.Standard {
			std.linked = append(std.linked, p.ImportPath)
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		u := modules[p.Module.Path]
		if u == nil {
			u = newUnit(*p.Module, lines)
			modules[u.path] = u
			units = append(units, u)
			f.list.Linked = append(f.list.Linked, u.path)
		}
		u.linked = append(u.linked, p.ImportPath)
	}
	if f.Std {
		units = []*unit{std}
	}
	for _, u := range units {
		u.policies = sync.OnceValue(func() []string { return u.policy(f.tc.ModCache) })
	}
	return units
}

func newUnit(m gocommand.LinkedModule, lines map[string]int) *unit {
	u := &unit{module: m.Path, version: m.Version, path: m.Path, root: m.Dir, line: lines[m.Path]}
	if r := m.Replace; r != nil {
		u.version, u.root, u.replaced = r.Version, r.Dir, true
		if r.Version != "" {
			u.module = r.Path
		}
	}
	if u.version == "" {
		u.version = build.LocalVersion
	}
	return u
}

// requireLines returns the line of go.mod that requires a module, by the path of the module. It is empty if the file cannot be read.
func requireLines(name string) map[string]int {
	lines := map[string]int{}
	text, err := disk.Read(name, disk.MaxList)
	if err != nil {
		return lines
	}
	file, err := modfile.ParseLax(name, text, nil)
	if err != nil {
		return lines
	}
	for _, r := range file.Require {
		lines[r.Mod.Path] = r.Syntax.Start.Line
	}
	return lines
}

// notInCache is the reason for which a module without a folder is left out.
const notInCache = "its sources are not in the module cache; `go mod download` puts them there"

// find adds the targets of a unit to the list.
func (f *finder) find(ctx context.Context, u *unit) error {
	if u.root == "" {
		f.leaveOut(u.module, notInCache)
		return nil
	}
	if err := f.addShipped(ctx, u); err != nil {
		return err
	}
	f.addWritten(u)
	return nil
}

// addShipped adds the targets that a unit contains.
func (f *finder) addShipped(ctx context.Context, u *unit) error {
	candidates := u.candidates(f.All)
	if len(candidates) == 0 {
		return nil
	}
	targets, broken, err := build.List(ctx, f.tc, f.Dir, candidates, f.Flags)
	var pattern *gocommand.PatternError
	switch {
	case errors.As(err, &pattern):
		f.leaveOut(u.module, err.Error())
		return nil
	case err != nil:
		return err
	}
	for _, b := range broken {
		if f.All || f.reach[b.Package] > NotLinked {
			f.list.LeftOut = append(f.list.LeftOut, b)
		}
	}
	for _, t := range targets {
		rel, err := filepath.Rel(u.root, t.Dir)
		if err != nil {
			return fmt.Errorf("find the folder of %s in its module: %w", t.Package, err)
		}
		f.add(u, t, filepath.ToSlash(rel), nil)
	}
	return nil
}

// add adds a target of a package, whose folder in the module is rel. written are the files with targets that gnaw init has written for it.
func (f *finder) add(u *unit, t build.Target, rel string, written []string) {
	f.list.Targets = append(f.list.Targets, Candidate{Target: f.target(u, t, rel, written), Reach: f.reach[t.Package], Kind: kindOf(t.Dir, f.linked[t.Package].Imports)})
}

// target returns a target of a package with all that is known of its module.
func (f *finder) target(u *unit, t build.Target, rel string, written []string) build.Target {
	t.Module = u.module
	t.Outside = &build.Outside{
		Module: u.module, Version: u.version, Line: u.line, Root: u.root, Replaced: u.replaced, Written: written,
		Policy: u.policies(), Keeper: f.Root, Home: home(f.Root, u.module, u.version, rel),
	}
	if f.Write && u.version == build.LocalVersion {
		t.Outside.Keeper, t.Outside.Home = u.root, t.Dir
	}
	return t
}

// candidates returns the import paths of the packages that may have targets: all of a module, and of the standard library all or the
// linked ones.
func (u *unit) candidates(all bool) (paths []string) {
	if u.module == build.StdModule && !all {
		for _, pkg := range u.linked {
			if mayHaveTargets(filepath.Join(u.root, filepath.FromSlash(pkg))) {
				paths = append(paths, pkg)
			}
		}
		return paths
	}
	_ = filepath.WalkDir(u.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil //nolint:nilerr // what cannot be read has no targets
		}
		rel, err := filepath.Rel(u.root, name)
		if err != nil || rel != "." && isIgnored(name) {
			return fs.SkipDir
		}
		if pkg := path.Join(u.path, filepath.ToSlash(rel)); isPackage(pkg) && mayHaveTargets(name) {
			paths = append(paths, pkg)
		}
		return nil
	})
	return paths
}

// isPackage reports whether the go command takes an argument for the import path of one package: the name of a folder in a module may have
// a space or an @ in it, or the dots of a pattern.
func isPackage(pkg string) bool {
	return module.CheckImportPath(pkg) == nil && !strings.Contains(pkg, "...")
}

// isIgnored reports whether a folder below the root of a module is no part of it, by the rules of the go command.
func isIgnored(dir string) bool {
	base := filepath.Base(dir)
	if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// mayHaveTargets reports whether a test file in a folder mentions what every target has as its argument.
func mayHaveTargets(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	return err == nil && slices.ContainsFunc(files, func(name string) bool {
		text, err := disk.Read(name, disk.MaxSource)
		return err == nil && bytes.Contains(text, []byte("func Fuzz"))
	})
}
