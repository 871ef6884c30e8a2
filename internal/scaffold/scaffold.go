// Package scaffold writes fuzz targets for packages. It surveys a package, plans targets, tries them with the texts of the package's tests,
// and writes those that pass into a test file, which belongs to the user from then on.
package scaffold

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/check"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/write"
)

// Names of the files for targets. The second is used if the first exists.
const (
	FileName  = "fuzz_test.go"
	OtherName = "gnaw_fuzz_test.go"
)

// seedLimit is how long the seeds of one target may take. They are executed twice in this time.
const seedLimit = 30 * time.Second

// Options says which packages get targets.
type Options struct {
	code.Source
	Patterns []string
	Only     *regexp.Regexp // matches the keys of the functions that get targets: Name or Type.Name; nil: all
	Dry      bool           // write nothing
	Compile  bool           // execute nothing of the packages: compile the targets, and do not try them
	RunAll   bool           // try targets too that may act outside of their process
	Update   bool           // add targets to a file of targets that exists
	Scratch  string         // folder for temporary files

	// Ignores, if not nil, reports whether git ignores a file. gnaw writes no targets into such a file.
	Ignores func(file string) bool
	// OnPackage, if not nil, is called for each package before its targets are tried.
	OnPackage func(path string, targets int)
}

// Package is the result for one package.
type Package struct {
	Path      string // import path
	Dir       string // absolute
	File      string // base name of the file with the targets; empty: there are none
	Source    []byte // content of that file
	Targets   []*plan.FuzzFunc
	Skipped   []plan.Skipped
	Notes     []check.Note
	Unchecked string // why the tests of the package could not be executed; empty: they were, or there was no target to try
	Problem   string // why no target can be written, on one line; empty: targets can be written
	Broken    bool   // Problem is an error: the package does not compile, or a file cannot be read or written
	Ignored   bool   // Problem is that git ignores the file
}

// Plan surveys packages and returns them with the targets that they would get. It does not try the targets, and writes nothing.
func Plan(ctx context.Context, o Options) (list []Package, err error) {
	err = o.each(ctx, func(p *survey.Package, targets []*plan.FuzzFunc, skipped []plan.Skipped) error {
		list = append(list, Package{Path: p.Path, Dir: p.Dir, Targets: targets, Skipped: skipped, Problem: p.Problem, Broken: p.Broken})
		return nil
	})
	return list, err
}

// Run writes targets for packages. It returns an error if the packages cannot be read or ctx ends; an error of one package is its Problem.
// With an error, list has the packages whose targets are already written.
func Run(ctx context.Context, o Options) (list []Package, err error) {
	var drafts []*draft
	err = o.each(ctx, func(p *survey.Package, targets []*plan.FuzzFunc, skipped []plan.Skipped) error {
		d := &draft{p: p, result: Package{Path: p.Path, Dir: p.Dir, Skipped: skipped, Problem: p.Problem, Broken: p.Broken}}
		drafts = append(drafts, d)
		if len(targets) > 0 {
			d.fail(o.draw(d, targets))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := o.judge(ctx, drafts); err != nil {
		return nil, err
	}
	for _, d := range drafts {
		if len(d.targets) > 0 {
			if o.OnPackage != nil {
				o.OnPackage(d.p.Path, len(d.targets))
			}
			err := o.give(ctx, d)
			if ctx.Err() != nil {
				return list, ctx.Err()
			}
			d.fail(err)
		}
		list = append(list, d.result)
	}
	return list, nil
}

// each surveys packages, plans their targets, and calls do for each package in the order of their import paths.
func (o Options) each(ctx context.Context, do func(p *survey.Package, targets []*plan.FuzzFunc, skipped []plan.Skipped) error) error {
	packages, err := survey.Load(ctx, o.Source, o.Patterns)
	if err != nil {
		return err
	}
	for _, p := range packages {
		var targets []*plan.FuzzFunc
		var skipped []plan.Skipped
		if p.Problem == "" {
			targets, skipped = plan.Plan(p, o.Only)
		}
		if err := do(p, targets, skipped); err != nil {
			return err
		}
	}
	return nil
}

// give tries the targets of a package, writes the file, and fills in the result.
func (o Options) give(ctx context.Context, d *draft) error {
	scratch, err := os.MkdirTemp(o.Scratch, "gnaw-init-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	p, result := d.p, &d.result
	tried, err := check.Run(ctx, check.Options{
		Go: o.Go, Environ: o.Environ, Flags: o.Flags, Root: o.Dir, Package: p.Path, Dir: p.Dir, File: d.file, Scratch: scratch, Limit: seedLimit,
		Compile: o.Compile, Untried: func(t *plan.FuzzFunc) string { return d.undecided[t] }, Render: d.render,
	}, d.targets)
	if err != nil {
		return err
	}
	result.Targets, result.Source, result.Notes, result.Unchecked = tried.Targets, tried.Source, tried.Notes, tried.Unchecked
	if len(tried.Targets) == 0 {
		return nil
	}
	result.File = d.file
	if o.Dry {
		return nil
	}
	path := filepath.Join(p.Dir, d.file)
	if d.old == nil {
		return disk.Create(path, tried.Source)
	}
	return disk.Write(path, tried.Source)
}

// importable returns the targets that can import the packages that they use. If the package under test declares the name of such a package,
// importable takes the weaker target, or adds the function to the skipped ones.
func importable(p *survey.Package, targets []*plan.FuzzFunc, result *Package) (list []*plan.FuzzFunc, err error) {
	for _, t := range targets {
		name := ""
		for w := t; w != nil; w = w.Weaker {
			text, err := write.Target(w)
			if err != nil {
				return nil, err
			}
			if name = taken(p, write.Imports(text, []*plan.FuzzFunc{w})); name == "" {
				list = append(list, w)
				break
			}
		}
		if name != "" {
			result.Skipped = append(result.Skipped, plan.Skipped{Key: t.Covers[0], Reason: "the target needs package " + name + ", and this package declares " + name})
		}
	}
	return list, nil
}

// taken returns the first name of an imported package that p declares itself; empty: there is none.
func taken(p *survey.Package, imports []string) string {
	for _, i := range imports {
		if name := path.Base(i); p.Taken[name] {
			return name
		}
	}
	return ""
}

// file returns the name of the file for new targets, and its content if targets are added to it.
func (o Options) file(p *survey.Package) (name string, old []byte, err error) {
	for _, name := range []string{FileName, OtherName} {
		path := filepath.Join(p.Dir, name)
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
			continue // the link may lead to a file elsewhere, or to none
		}
		old, err := disk.Read(path, disk.MaxSource)
		if errors.Is(err, os.ErrNotExist) {
			return name, nil, nil
		}
		if err != nil {
			return "", nil, err
		}
		if o.Update && packageOf(old) == p.Name {
			if !p.Files[name] { // it may declare the targets already
				return "", nil, fmt.Errorf("the build constraint of %s leaves it out; -update needs the -tags with which it is built", name)
			}
			return name, old, nil
		}
	}
	return "", nil, fmt.Errorf("%s and %s exist; -update adds targets to one of them, if it is a file of the package and no link", FileName, OtherName)
}

// packageOf returns the name in the package clause of a file; empty: the file is not Go.
func packageOf(src []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return file.Name.Name
}
