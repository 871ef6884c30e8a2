package cli

import (
	"context"
	"errors"
	"fmt"
	gobuild "go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold"
)

// maxInitDeps is the largest number of packages that get targets in one run of gnaw init -deps, so that people can read the targets.
const maxInitDeps = 20

// initDepsBatch is the number of packages that are surveyed together. The go command compiles all packages that they and their tests
// import, so a batch should not be much larger than needed.
const initDepsBatch = 40

// depsInit writes targets for packages of dependencies.
type depsInit struct {
	env      Env
	tc       gocommand.Toolchain
	root     string // of the main module
	options  scaffold.Options
	write    bool
	modfiles gocommand.Modfiles
	copies   *deps.Copies
	linked   []string // paths of the modules that the program contains
}

// initDeps writes targets for packages of dependencies. Patterns in o.Patterns that are paths in the file system name packages of the
// program; the others name packages of dependencies.
func initDeps(ctx context.Context, env Env, tc gocommand.Toolchain, o scaffold.Options) (list []scaffold.Package, err error) {
	site, err := cache.OpenSite()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	d := &depsInit{
		env: env, tc: tc, root: project.Find(env.Dir).Root, options: o, write: !o.Dry,
		modfiles: gocommand.NewModfiles(site, tc, env.Dir), copies: deps.NewCopies(site, tc),
	}
	d.options.Dry, d.options.Environ, d.options.Flags = true, tc.Offline().Environ(), gocommand.OutsideFlags(o.Flags)
	packages, err := d.find(ctx)
	if err != nil {
		return nil, err
	}
	return d.giveAll(ctx, packages)
}

// find returns the packages that may get targets. Those that should get them first come first.
func (d *depsInit) find(ctx context.Context) ([]deps.Package, error) {
	o := deps.Options{Dir: d.env.Dir, Root: d.root, Flags: d.options.Flags}
	var named []string
	for _, p := range d.options.Patterns {
		if gobuild.IsLocalImport(p) || filepath.IsAbs(p) {
			o.Patterns = append(o.Patterns, p)
		} else {
			named = append(named, p)
		}
	}
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	if _, _, err := build.List(ctx, d.tc.Offline(), o.Dir, o.Patterns, o.Flags); err != nil { // List reports wrong patterns
		return nil, err
	}
	found, err := deps.FindPackages(ctx, d.tc, o)
	if err != nil {
		return nil, err
	}
	for _, b := range found.LeftOut {
		fmt.Fprintf(d.env.Stderr, "gnaw: dependency %s is left out: %s\n", b.Package, report.Line(b.Reason))
	}
	d.linked = found.Linked
	if len(named) == 0 {
		return slices.DeleteFunc(found.List, func(p deps.Package) bool { return !d.wants(p) }), nil
	}
	list, unmatched := choose(found.List, named)
	if unmatched != "" {
		return nil, usagef("%s contains no package of a dependency that matches %s; a package of your own module is a path such as ./cmd",
			strings.Join(o.Patterns, " "), unmatched)
	}
	return list, nil
}

// choose returns the packages that match at least one of the patterns, each once, in the order of the patterns. unmatched is the first
// pattern that matches no package; empty: each matches one.
func choose(packages []deps.Package, patterns []string) (list []deps.Package, unmatched string) {
	chosen := map[string]bool{}
	for _, pattern := range patterns {
		found := false
		for _, p := range packages {
			if !matches(pattern, p.Package) {
				continue
			}
			found = true
			if !chosen[p.Package] {
				chosen[p.Package] = true
				list = append(list, p)
			}
		}
		if !found {
			return nil, pattern
		}
	}
	return list, ""
}

// matches reports whether an import path matches a pattern, which may end in "/...".
func matches(pattern, pkg string) bool {
	if root, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == root || strings.HasPrefix(pkg, root+"/")
	}
	return pkg == pattern
}

// wants reports whether a package that was not named should get targets.
func (d *depsInit) wants(p deps.Package) bool {
	if p.Shipped || p.Kind != deps.Input {
		return false
	}
	return d.options.Update || !p.HasTargets()
}

// giveAll writes targets for at most [maxInitDeps] of the packages, and prints how many it has not looked at. If it returns an error, list has
// the packages that it has looked at before.
func (d *depsInit) giveAll(ctx context.Context, packages []deps.Package) (list []scaffold.Package, err error) {
	if len(packages) == 0 {
		fmt.Fprintln(d.env.Stderr, "no dependency reads data and has no targets; gnaw init -deps with an import path chooses any package of a dependency")
		return nil, nil
	}
	fmt.Fprintf(d.env.Stderr, "looking at %s of dependencies\n", plural(len(packages), "package"))
	gave, seen := 0, 0
	for some := range slices.Chunk(packages, initDepsBatch) {
		if gave == maxInitDeps {
			break
		}
		plans, err := d.plan(ctx, some)
		if err != nil {
			return list, err
		}
		for _, p := range some {
			if gave == maxInitDeps {
				break
			}
			seen++
			one, ok := plans[p.Package]
			if !ok {
				continue
			}
			one.Dir = p.Outside.Home
			if len(one.Targets) > 0 || gocommand.LacksModule(one.Problem) {
				if one, err = d.give(ctx, p); err != nil {
					return list, err
				}
			}
			if one.File != "" {
				gave++
			}
			list = append(list, one)
		}
	}
	if gave == maxInitDeps && seen < len(packages) {
		fmt.Fprintf(d.env.Stderr, "gnaw: one run gives targets to at most %d packages, and did not look at %d; run it again, or name packages by their import paths\n",
			maxInitDeps, len(packages)-seen)
	}
	return list, nil
}

// plan returns the packages with the targets that they would get, by their import paths.
func (d *depsInit) plan(ctx context.Context, packages []deps.Package) (map[string]scaffold.Package, error) {
	o := d.options
	o.Patterns = nil
	for _, p := range packages {
		o.Patterns = append(o.Patterns, p.Package)
	}
	list, err := scaffold.Plan(ctx, o)
	if err != nil {
		return nil, err
	}
	plans := map[string]scaffold.Package{}
	for _, p := range list {
		plans[p.Path] = p
	}
	return plans, nil
}

// give writes targets for one package. It tries them in a private copy of the module, which replaces the module in a private copy of go.mod.
func (d *depsInit) give(ctx context.Context, p deps.Package) (one scaffold.Package, err error) {
	folder, err := d.copies.Open(ctx, p)
	if err != nil {
		return one, err
	}
	one, err = d.try(ctx, p, folder, d.options.Flags)
	if err == nil && gocommand.LacksModule(one.Problem) && !p.Outside.Replaced {
		modfile, why := d.modfiles.Complete(ctx, p.Package, p.Outside.Version, d.linked, d.options.Flags)
		if why != nil {
			one.Problem = fmt.Sprintf("its tests need a module that go.sum does not have, and %v", why)
		} else {
			one, err = d.try(ctx, p, folder, append(slices.Clone(d.options.Flags), "-modfile="+modfile))
		}
	}
	if err != nil {
		return one, err
	}
	one.Dir, one.Problem = p.Outside.Home, inOriginals(one.Problem, folder, p)
	if one.File == "" || !d.write {
		return one, nil
	}
	if err := d.carry(p, one.File); err != nil {
		return one, err
	}
	return one, deps.Keep(*p.Outside, filepath.Join(one.Dir, one.File), one.Source)
}

// inOriginals returns text with the names of files in the copy of a module replaced by the names of the originals. folder is the copy.
func inOriginals(text, folder string, p deps.Package) string {
	rel, err := filepath.Rel(p.Outside.Root, p.Target.Dir)
	if err != nil {
		return text
	}
	for _, name := range p.Outside.Written {
		text = strings.ReplaceAll(text, filepath.Join(folder, rel, filepath.Base(name)), name)
	}
	return strings.ReplaceAll(text, folder, p.Outside.Root)
}

// carry copies files with targets that were written for another version of a module to the folder of this version, because gnaw uses the
// files of one version only. It does not copy the file except, which is written now.
func (d *depsInit) carry(p deps.Package, except string) error {
	for _, name := range p.Outside.Written {
		base := filepath.Base(name)
		if base == except || filepath.Dir(name) == p.Outside.Home {
			continue
		}
		text, err := disk.Read(name, disk.MaxSource)
		if err == nil {
			err = deps.Keep(*p.Outside, filepath.Join(p.Outside.Home, base), text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// try plans and tries the targets of a package in a copy of its module. folder is the copy, and flags are for the go command.
func (d *depsInit) try(ctx context.Context, p deps.Package, folder string, flags []string) (one scaffold.Package, err error) {
	modfile, err := d.modfiles.Replace(ctx, p.ModulePath(), folder, flags)
	if err != nil {
		return one, fmt.Errorf("write targets for dependencies: %w", err)
	}
	defer os.RemoveAll(filepath.Dir(modfile))
	o := d.options
	o.Patterns, o.Flags = []string{p.Package}, append(slices.Clone(flags), "-modfile="+modfile)
	list, err := scaffold.Run(ctx, o)
	if err != nil {
		return one, err
	}
	if len(list) != 1 {
		return scaffold.Package{Path: p.Package, Problem: "the go command does not find it", Broken: true}, nil
	}
	return list[0], nil
}
