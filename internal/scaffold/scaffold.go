// Package scaffold writes fuzz targets for packages: it surveys a package, plans targets, tries them with the texts of the package's own
// tests, and writes what holds there into a test file that belongs to the user from then on.
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

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/check"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/write"
)

// Names of the files that targets are written to: the second if the first is there.
const (
	FileName  = "fuzz_test.go"
	OtherName = "gnaw_fuzz_test.go"
)

// seedLimit is how long the seeds of one target may take, twice.
const seedLimit = 30 * time.Second

// Options says which packages get targets.
type Options struct {
	Go       string   // the go command
	Environ  []string // of it
	Flags    []string // build flags, such as -tags
	Dir      string   // where patterns are resolved
	Patterns []string
	Only     *regexp.Regexp // functions by their names, methods as Type.Name; nil: all
	Dry      bool           // write nothing
	Update   bool           // add targets to a file of targets that is there
	Scratch  string         // folder for temporary files

	// OnPackage is called with each package before its targets are tried; nil: it is not.
	OnPackage func(path string, targets int)
}

// Package is what became of one package.
type Package struct {
	Path      string // import path
	Dir       string // absolute
	File      string // base name of the file with the targets; empty: there are none
	Source    []byte // of that file
	Targets   []*plan.Target
	Skipped   []plan.Skipped
	Notes     []check.Note
	Unchecked string // why the tests of the package could not be executed
	Problem   string // why no target can be written; one line
	Broken    bool   // the problem is an error: the package does not compile, or a file cannot be read or written
}

// Plan surveys packages and returns the targets that they would get, untried, and nothing about files.
func Plan(ctx context.Context, o Options) (list []Package, err error) {
	err = o.each(ctx, func(p *survey.Package, targets []*plan.Target, skipped []plan.Skipped) error {
		list = append(list, Package{Path: p.Path, Dir: p.Dir, Targets: targets, Skipped: skipped, Problem: p.Problem, Broken: p.Broken})
		return nil
	})
	return list, err
}

// Run gives packages their targets. The error says that the packages could not be read, or is that of ctx; what stands against one
// package is its Problem.
func Run(ctx context.Context, o Options) (list []Package, err error) {
	err = o.each(ctx, func(p *survey.Package, targets []*plan.Target, skipped []plan.Skipped) error {
		result := Package{Path: p.Path, Dir: p.Dir, Skipped: skipped, Problem: p.Problem, Broken: p.Broken}
		if len(targets) > 0 {
			if o.OnPackage != nil {
				o.OnPackage(p.Path, len(targets))
			}
			if err := o.give(ctx, p, targets, &result); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				result.Problem, result.Broken, result.Targets, result.Source, result.File = err.Error(), true, nil, nil, ""
			}
		}
		list = append(list, result)
		return nil
	})
	return list, err
}

// each surveys packages and plans their targets.
func (o Options) each(ctx context.Context, do func(p *survey.Package, targets []*plan.Target, skipped []plan.Skipped) error) error {
	packages, err := survey.Load(ctx, survey.Options{Dir: o.Dir, Environ: o.Environ, Flags: o.Flags, Patterns: o.Patterns})
	if err != nil {
		return err
	}
	for _, p := range packages {
		var targets []*plan.Target
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

// give tries the targets of a package and writes the file.
func (o Options) give(ctx context.Context, p *survey.Package, targets []*plan.Target, result *Package) error {
	name, old, err := o.file(p)
	if err != nil {
		return err
	}
	render := func(targets []*plan.Target) ([]byte, error) {
		if old != nil {
			return write.Update(old, targets)
		}
		return write.File(p.Header, p.Name, targets)
	}
	if targets, err = o.importable(p, targets, result); err != nil || len(targets) == 0 {
		return err
	}
	scratch, err := os.MkdirTemp(o.Scratch, "gnaw-init-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	tried, err := check.Run(ctx, check.Options{
		Go: o.Go, Environ: o.Environ, Flags: o.Flags, Root: o.Dir, Package: p.Path, Dir: p.Dir, File: name, Scratch: scratch, Limit: seedLimit,
		Render: render,
	}, targets)
	if err != nil {
		return err
	}
	result.Targets, result.Source, result.Notes, result.Unchecked = tried.Targets, tried.Source, tried.Notes, tried.Unchecked
	if len(tried.Targets) == 0 {
		return nil
	}
	result.File = name
	if o.Dry {
		return nil
	}
	path := filepath.Join(p.Dir, name)
	if old == nil {
		return disk.Create(path, tried.Source)
	}
	return disk.Write(path, tried.Source)
}

// importable returns targets without those that need a package whose name the package under test has given to something else. A weaker
// target may do without.
func (o Options) importable(p *survey.Package, targets []*plan.Target, result *Package) (list []*plan.Target, err error) {
	for _, t := range targets {
		name := ""
		for w := t; w != nil; w = w.Weaker {
			text, err := write.Target(w)
			if err != nil {
				return nil, err
			}
			taken := taken(p, write.Imports(text, []*plan.Target{w}))
			if taken == "" {
				list, name = append(list, w), ""
				break
			}
			name = taken
		}
		if name != "" {
			result.Skipped = append(result.Skipped, plan.Skipped{Key: t.Covers[0], Reason: "the target needs package " + name + ", and this package declares " + name})
		}
	}
	return list, nil
}

// taken returns the first name of an imported package that the package declares; empty: there is none.
func taken(p *survey.Package, imports []string) string {
	for _, i := range imports {
		if name := path.Base(i); p.Taken[name] {
			return name
		}
	}
	return ""
}

// file returns the name of the file for new targets, and what is in it if they are added to it.
func (o Options) file(p *survey.Package) (name string, old []byte, err error) {
	for _, name := range []string{FileName, OtherName} {
		path := filepath.Join(p.Dir, name)
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
			continue // it may lead to a file elsewhere, or to none
		}
		old, err := disk.Read(path, disk.MaxSource)
		if errors.Is(err, os.ErrNotExist) {
			return name, nil, nil
		}
		if err != nil {
			return "", nil, err
		}
		if o.Update && packageOf(old) == p.Name {
			return name, old, nil
		}
	}
	return "", nil, fmt.Errorf("%s and %s exist; -update adds targets to one of them, if it is a file of the package and no link", FileName, OtherName)
}

// packageOf returns the package clause of a file; empty: it cannot be read.
func packageOf(src []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return file.Name.Name
}
