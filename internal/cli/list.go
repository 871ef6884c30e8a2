package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// targetJSON is the JSON form of a target, or of a package that cannot be loaded or built.
type targetJSON struct {
	Package string `json:"package"`
	Target  string `json:"target,omitempty"`
	Folder  string `json:"folder,omitempty"` // absolute
	File    string `json:"file,omitempty"`   // absolute
	Line    int    `json:"line,omitempty"`
	Error   string `json:"error,omitempty"` // why there is no target; one line
}

// listFlags are the flags of `gnaw list`.
type listFlags struct {
	check, json bool
	tags        string
	deps        depsFlag
}

func (f *listFlags) define() *flagSet {
	fs := newFlags("list")
	fs.describe("check", "", "also compile the packages and their tests, and name those that do not build; with a cold build cache this "+
		"takes as long as a build")
	fs.BoolVar(&f.check, "check", false, "")
	fs.describe("deps", "[=list]", "list the targets of the modules that the packages import, in the order in which gnaw fuzz -deps fuzzes them; "+
		"those that are not linked are fuzzed with -deps=all only; std: those of the standard library in place of modules; all: also report "+
		"packages that are not linked and cannot be loaded, and with std list targets that are not linked")
	fs.lists["deps"] = []string{"std", "all"}
	fs.BoolFunc("deps", "", func(s string) error {
		if err := f.deps.set(s); err != nil || f.deps.only || f.deps.fail || f.deps.write {
			return errors.New("it takes std, all, or both with a comma between them")
		}
		return nil
	})
	fs.describe("json", "", "print one object per line: package, target, folder, file, line; or package and error; with -deps: module, version, "+
		"package, target, reach, score, last_fuzzed; or package and error")
	fs.BoolVar(&f.json, "json", false, "")
	fs.describe("tags", "t", "as in go build")
	fs.StringVar(&f.tags, "tags", "", "")
	return fs
}

// runList is `gnaw list`.
func runList(ctx context.Context, env Env, args []string) (int, error) {
	var f listFlags
	patterns, err := parsePackages(f.define(), args)
	if err != nil {
		return 0, err
	}
	var flags []string
	if f.tags != "" {
		flags = []string{"-tags=" + f.tags}
	}
	if f.deps.on {
		if f.check {
			return 0, usagef("-check and -deps cannot be used together")
		}
		return exitcode.OK, listDeps(ctx, env, f, patterns, flags)
	}
	tc, err := gocommand.FindToolchain(ctx, env.Dir, env.Environ)
	if err != nil {
		return 0, err
	}
	targets, broken, err := build.List(ctx, tc, env.Dir, patterns, flags)
	if err != nil {
		return 0, err
	}
	if f.check {
		more, err := build.Uncompiled(ctx, tc, env.Dir, targets, flags)
		if err != nil {
			return 0, err
		}
		broken = append(broken, more...)
	}
	if f.json {
		err = listJSON(env.Stdout, targets, broken)
	} else {
		listText(env, targets, broken)
		if len(targets)+len(broken) == 0 {
			without := excluded(ctx, env, tc, patterns, flags, nil)
			fmt.Fprintf(env.Stderr, "gnaw: "+noTarget+"%s\n", strings.Join(patterns, " "), without)
		}
	}
	if len(broken) > 0 {
		return exitcode.Internal, err
	}
	return exitcode.OK, err
}

func listJSON(w io.Writer, targets []build.Target, broken []build.PackageError) error {
	for _, t := range targets {
		if err := writeJSON(w, targetJSON{Package: t.Package, Target: t.Func, Folder: t.Dir, File: t.File, Line: t.Line}); err != nil {
			return err
		}
	}
	for _, b := range broken {
		if err := writeJSON(w, targetJSON{Package: b.Package, Error: b.Reason}); err != nil {
			return err
		}
	}
	return nil
}

func listText(env Env, targets []build.Target, broken []build.PackageError) {
	for _, t := range targets {
		fmt.Fprintf(env.Stdout, "%s %s\n", t.Package, t.Func)
	}
	for _, b := range broken {
		fmt.Fprintf(env.Stderr, "gnaw: %s does not build: %s\n", b.Package, b.Reason)
	}
}
