// Package outside writes fuzz tests for packages of dependencies: it finds the packages that may get some, and tries the targets in private
// copies of their modules, because the module cache must not be written to.
package outside

import (
	"context"
	"errors"
	"fmt"
	gobuild "go/build"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// maxPackages is the largest number of packages that get targets in one run of gnaw init -deps, so that people can read the targets.
const maxPackages = 20

// batch is the number of packages that are surveyed together. The go command compiles all packages that they and their tests
// import, so a batch should not be much larger than needed.
const batch = 40

// Options are the options of [Run]. Patterns that are paths in the file system name packages of the program; the others name packages of
// dependencies.
type Options struct {
	scaffold.Options
	Root    string    // of the main module
	Notices io.Writer // gets a line for each dependency that is left out, and for what is not looked at
}

// run writes targets for packages of dependencies.
type run struct {
	Options
	tc       gocommand.Toolchain
	draft    scaffold.Options // for a package: nothing is written, and nothing is downloaded
	modfiles gocommand.Modfiles
	copies   *deps.Copies
	linked   []string // paths of the modules that the program contains
}

// Run writes targets for packages of dependencies, and returns the packages that it has looked at, also with an error. The error is a
// *usage.Error if a pattern matches nothing.
func Run(ctx context.Context, tc gocommand.Toolchain, o Options) (list []scaffold.Package, err error) {
	site, err := cache.OpenSite()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	r := &run{
		Options: o, tc: tc, draft: o.Options, modfiles: gocommand.NewModfiles(site, tc, o.Dir), copies: deps.NewCopies(site, tc),
	}
	r.draft.Dry, r.draft.Environ, r.draft.Flags = true, tc.Offline().Environ(), gocommand.OutsideFlags(o.Flags)
	packages, err := r.find(ctx)
	if err != nil {
		return nil, err
	}
	return r.giveAll(ctx, packages)
}

// find returns the packages that may get targets. Those that should get them first come first.
func (r *run) find(ctx context.Context) ([]deps.Package, error) {
	o := deps.Options{Dir: r.Dir, Root: r.Root, Flags: r.draft.Flags}
	var named []string
	for _, p := range r.Patterns {
		if gobuild.IsLocalImport(p) || filepath.IsAbs(p) {
			o.Patterns = append(o.Patterns, p)
		} else {
			named = append(named, p)
		}
	}
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	if _, _, err := build.List(ctx, r.tc.Offline(), o.Dir, o.Patterns, o.Flags); err != nil { // List reports wrong patterns
		return nil, err
	}
	found, err := deps.FindPackages(ctx, r.tc, o)
	if err != nil {
		return nil, err
	}
	for _, b := range found.LeftOut {
		fmt.Fprintf(r.Notices, "gnaw: dependency %s is left out: %s\n", b.Package, report.Line(b.Reason))
	}
	r.linked = found.Linked
	if len(named) == 0 {
		return slices.DeleteFunc(found.List, func(p deps.Package) bool { return !r.wants(p) }), nil
	}
	list, unmatched := choose(found.List, named)
	if unmatched != "" {
		return nil, usage.Errorf("%s contains no package of a dependency that matches %s; a package of your own module is a path such as ./cmd",
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
func (r *run) wants(p deps.Package) bool {
	if p.Shipped || p.Kind != deps.Input {
		return false
	}
	return r.Update || !p.HasTargets()
}

// giveAll writes targets for at most [maxPackages] of the packages, and prints how many it has not looked at. If it returns an error, list has
// the packages that it has looked at before.
func (r *run) giveAll(ctx context.Context, packages []deps.Package) (list []scaffold.Package, err error) {
	if len(packages) == 0 {
		fmt.Fprintln(r.Notices, "no dependency reads data and has no targets; gnaw init -deps with an import path chooses any package of a dependency")
		return nil, nil
	}
	fmt.Fprintf(r.Notices, "looking at %s of dependencies\n", report.Plural(len(packages), "package"))
	gave, seen := 0, 0
	for some := range slices.Chunk(packages, batch) {
		if gave == maxPackages {
			break
		}
		plans, err := r.plan(ctx, some)
		if err != nil {
			return list, err
		}
		for _, p := range some {
			if gave == maxPackages {
				break
			}
			seen++
			one, ok := plans[p.Package]
			if !ok {
				continue
			}
			one.Dir = p.Outside.Home
			if len(one.Targets) > 0 || gocommand.LacksModule(one.Problem) {
				if one, err = r.give(ctx, p); err != nil {
					return list, err
				}
			}
			if one.File != "" {
				gave++
			}
			list = append(list, one)
		}
	}
	if gave == maxPackages && seen < len(packages) {
		fmt.Fprintf(r.Notices, "gnaw: one run gives targets to at most %d packages, and did not look at %d; run it again, or name packages by their import paths\n",
			maxPackages, len(packages)-seen)
	}
	return list, nil
}

// plan returns the packages with the targets that they would get, by their import paths.
func (r *run) plan(ctx context.Context, packages []deps.Package) (map[string]scaffold.Package, error) {
	o := r.draft
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
func (r *run) give(ctx context.Context, p deps.Package) (one scaffold.Package, err error) {
	folder, err := r.copies.Open(ctx, p)
	if err != nil {
		return one, err
	}
	one, err = r.try(ctx, p, folder, r.draft.Flags)
	if err == nil && gocommand.LacksModule(one.Problem) && !p.Outside.Replaced {
		modfile, why := r.modfiles.Complete(ctx, p.Package, p.Outside.Version, r.linked, r.draft.Flags)
		if why != nil {
			one.Problem = fmt.Sprintf("its tests need a module that go.sum does not have, and %v", why)
		} else {
			one, err = r.try(ctx, p, folder, append(slices.Clone(r.draft.Flags), "-modfile="+modfile))
		}
	}
	if err != nil {
		return one, err
	}
	one.Dir, one.Problem = p.Outside.Home, inOriginals(one.Problem, folder, p)
	if one.File == "" || r.Dry {
		return one, nil
	}
	if err := r.carry(p, one.File); err != nil {
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
func (r *run) carry(p deps.Package, except string) error {
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
func (r *run) try(ctx context.Context, p deps.Package, folder string, flags []string) (one scaffold.Package, err error) {
	modfile, err := r.modfiles.Replace(ctx, p.ModulePath(), folder, flags)
	if err != nil {
		return one, fmt.Errorf("write targets for dependencies: %w", err)
	}
	defer os.RemoveAll(filepath.Dir(modfile))
	o := r.draft
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
