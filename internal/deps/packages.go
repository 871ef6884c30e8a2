package deps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// Package is a linked package of a dependency.
type Package struct {
	build.Target // without a name and a file; Outside.Written are the files with targets that gnaw init has written
	Reach        Reach
	Kind         Kind
	Shipped      bool // the module has targets of it
}

// Packages is what [FindPackages] finds.
type Packages struct {
	List    []Package
	Linked  []string             // paths of the modules of List
	LeftOut []build.PackageError // packages and modules that cannot be found
}

// FindPackages finds the linked packages of dependencies, in the order in which gnaw init looks at them. It downloads nothing.
func FindPackages(ctx context.Context, tc gocommand.Toolchain, o Options) (found Packages, err error) {
	f, packages, err := newFinder(ctx, tc, o)
	if err != nil {
		return found, err
	}
	for _, u := range f.units(packages) {
		if u.root == "" {
			f.leaveOut(u.module, notInCache)
			continue
		}
		files := map[string][]string{}
		for _, w := range findWritten(f.Root, u.module, u.version) {
			files[w.rel] = w.files
		}
		for _, path := range u.linked {
			dir := f.linked[path].Dir
			if dir == "" {
				continue // it cannot be loaded; the error is that of the package that imports it
			}
			rel, err := filepath.Rel(u.root, dir)
			if err != nil {
				return found, fmt.Errorf("find the folder of %s in its module: %w", path, err)
			}
			rel = filepath.ToSlash(rel)
			p := Package{Reach: f.reach[path], Kind: kindOf(dir, f.linked[path].Imports), Shipped: mayHaveTargets(dir)}
			p.Target = f.target(u, build.Target{Name: fuzz.Name{Package: path}, Dir: dir}, rel, files[rel])
			found.List = append(found.List, p)
		}
	}
	slices.SortStableFunc(found.List, func(a, b Package) int {
		return cmp.Or(cmp.Compare(b.Reach, a.Reach), cmp.Compare(b.Kind, a.Kind), compareWords(a.Package, b.Package), cmp.Compare(a.Package, b.Package))
	})
	found.Linked, found.LeftOut = f.list.Linked, f.list.LeftOut
	return found, nil
}

// HasTargets reports whether the package has targets, in its module or written by gnaw init.
func (p Package) HasTargets() bool { return p.Shipped || len(p.Outside.Written) > 0 }

// Open makes a copy of the module of a package in which its tests may run, with a go.mod and the files with targets that gnaw init has
// written for the package, and returns the folder of the copy.
func (c *Copies) Open(ctx context.Context, p Package) (folder string, err error) {
	outside := *p.Outside
	t := p.Target
	t.Outside, outside.Written = &outside, nil
	if t, err = c.Place(t); err != nil {
		return "", err
	}
	if err := c.Make(ctx, t); err != nil {
		return "", err
	}
	folder = c.root(t)
	if err := addModfile(folder, t.ModulePath()); err != nil {
		return "", err
	}
	for _, name := range p.Outside.Written {
		text, err := disk.Read(name, disk.MaxSource)
		if err == nil {
			err = disk.Write(filepath.Join(t.Work(), filepath.Base(name)), text)
		}
		if err != nil {
			return "", err
		}
	}
	return folder, nil
}

// addModfile gives the copy of a module a go.mod, unless it has one.
func addModfile(folder, module string) error {
	name := filepath.Join(folder, "go.mod")
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	err := disk.Create(name, []byte("module "+module+"\n"))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
