package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/repro"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// depsFlag is the flag -deps of `gnaw fuzz`, and that of `gnaw list`, which takes std and all only.
type depsFlag struct {
	on    bool
	std   bool // the standard library in place of modules
	all   bool // packages of linked modules that the program does not contain too
	only  bool // no targets of the main modules
	fail  bool // a bug in a dependency counts for the exit code
	write bool // a folder that replaces a module keeps the failing inputs
}

// set reads the value of the flag, which is true if the flag has none.
func (f *depsFlag) set(value string) error {
	if f.on = value != "false"; !f.on || value == "true" {
		return nil
	}
	for word := range strings.SplitSeq(value, ",") {
		switch word {
		case "std":
			f.std = true
		case "all":
			f.all = true
		case "only":
			f.only = true
		case "fail":
			f.fail = true
		case "write":
			f.write = true
		default:
			return errors.New("it takes std, all, only, fail, write, or several of them with commas between them")
		}
	}
	if f.std && f.write {
		return errors.New("std and write cannot be used together: gnaw never writes to GOROOT")
	}
	return nil
}

// find finds the targets of dependencies, the one to fuzz first at the front. patterns are the packages that make the program, and flags
// are for the go command.
func (f depsFlag) find(ctx context.Context, env Env, tc gocommand.Toolchain, patterns, flags []string) (deps.List, error) {
	list, err := deps.Find(ctx, tc, deps.Options{
		Dir: env.Dir, Root: project.Find(env.Dir).Root, Patterns: patterns, Flags: flags, Std: f.std, All: f.all, Write: f.write,
	})
	if err != nil {
		return list, err
	}
	if list.Bare > 0 {
		fmt.Fprintf(env.Stderr, "gnaw: %s of dependencies read data and have no targets; gnaw init -deps writes targets for those with suitable functions\n",
			report.Plural(list.Bare, "linked package"))
	}
	list.Targets = deps.Rank(list.Targets, tc, fuzzedDeps(ctx, env.Stderr))
	return list, nil
}

// fuzzedDeps reads when targets of dependencies were fuzzed. Without a history, none was.
func fuzzedDeps(ctx context.Context, notices io.Writer) []store.Dependency {
	db, err := openStore(ctx)
	if err != nil {
		fmt.Fprintf(notices, "gnaw: %v; dependencies are fuzzed as if they never were\n", err)
		return nil
	}
	defer func() { _ = db.Close() }() // nothing was written
	fuzzed, err := db.Dependencies(ctx)
	if err != nil {
		fmt.Fprintf(notices, "gnaw: %v; dependencies are fuzzed as if they never were\n", err)
	}
	return fuzzed
}

// dependencies finds the targets of dependencies that are to be fuzzed, and prints what is left out. linked are the paths of the modules
// that the program contains.
func (f fuzzFlags) dependencies(ctx context.Context, env Env, tc gocommand.Toolchain) (targets []build.Target, linked []string, err error) {
	if !f.deps.on {
		return nil, nil, nil
	}
	given := f.instrument || slices.ContainsFunc(f.plain, func(flag string) bool { return strings.HasPrefix(flag, "-gcflags=") })
	if err := build.CheckOutside(tc, given); err != nil {
		return nil, nil, err
	}
	list, err := f.deps.find(ctx, env, tc, f.patterns, f.build)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range list.LeftOut {
		fmt.Fprintf(env.Stderr, "gnaw: dependency %s is left out: %s\n", b.Package, b.Reason)
	}
	for _, t := range list.Targets {
		if f.deps.all || t.Reach > deps.NotLinked {
			targets = append(targets, t.Target)
		}
	}
	if f.deps.write && !slices.ContainsFunc(targets, func(t build.Target) bool { return t.Outside.Version == build.LocalVersion }) {
		fmt.Fprintln(env.Stderr, "gnaw: -deps=write has no effect: go.mod replaces no module that has targets with a folder")
	}
	return targets, list.Linked, nil
}

// place gives the targets of dependencies folders in private copies of their modules, and tells the builder of them. linked has the packages
// that test binaries of the main module link.
func place(builder *build.Builder, tc gocommand.Toolchain, targets []build.Target, linked []string) (*deps.Copies, error) {
	copies := deps.NewCopies(builder.Site, tc)
	for i, t := range targets {
		if t.Outside == nil {
			continue
		}
		placed, err := copies.Place(t)
		if err != nil {
			return nil, err
		}
		targets[i] = placed
	}
	return copies, builder.AddOutside(targets, linked)
}

// upstream returns a function that runs the input of a finding of a dependency as the maintainers of the dependency would run it.
func (f fuzzFlags) upstream(env Env, m project.Module) func(ctx context.Context, r finding.Record) finding.Upstream {
	return func(ctx context.Context, r finding.Record) finding.Upstream {
		return repro.Options{Module: m, Record: r, Environ: env.Environ, Timeout: f.timeout}.Upstream(ctx)
	}
}

// dependencyJSON is the JSON form of a target of a dependency, or of a dependency whose targets cannot be found.
type dependencyJSON struct {
	Module  string     `json:"module,omitempty"`
	Version string     `json:"version,omitempty"`
	Package string     `json:"package"`
	Target  string     `json:"target,omitempty"`
	Reach   string     `json:"reach,omitempty"` // direct, linked, or no
	Score   int        `json:"score"`
	Last    *time.Time `json:"last_fuzzed,omitempty"`
	Error   string     `json:"error,omitempty"`
}

// listDeps is `gnaw list -deps`.
func listDeps(ctx context.Context, env Env, f listFlags, patterns, flags []string) error {
	tc, err := gocommand.FindToolchain(ctx, env.Dir, env.Environ)
	if err != nil {
		return err
	}
	list, err := f.deps.find(ctx, env, tc, patterns, flags)
	if err != nil {
		return err
	}
	if f.json {
		return listDepsJSON(env.Stdout, list)
	}
	table := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	if len(list.Targets) > 0 {
		fmt.Fprintln(table, "module\tversion\tpackage\ttarget\tlinked\tlast fuzzed")
	} else {
		fmt.Fprintf(env.Stderr, "gnaw: no dependency of %s has a fuzz target\n", strings.Join(patterns, " "))
	}
	for _, t := range list.Targets {
		last := "never"
		if !t.Last.IsZero() {
			last = t.Last.Local().Format(time.DateOnly)
		}
		if t.Fresh && !t.Last.IsZero() {
			last += ", with another version"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", t.Module, t.Outside.Version, t.Package, t.Func, t.Reach, last)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the targets of dependencies: %w", err)
	}
	for _, b := range list.LeftOut {
		fmt.Fprintf(env.Stderr, "gnaw: dependency %s is left out: %s\n", b.Package, report.Line(b.Reason))
	}
	return nil
}

func listDepsJSON(w io.Writer, list deps.List) error {
	for _, t := range list.Targets {
		line := dependencyJSON{
			Module: t.Module, Version: t.Outside.Version, Package: t.Package, Target: t.Func, Reach: t.Reach.String(), Score: t.Score(),
		}
		if !t.Last.IsZero() {
			line.Last = &t.Last
		}
		if err := writeJSON(w, line); err != nil {
			return err
		}
	}
	for _, b := range list.LeftOut {
		if err := writeJSON(w, dependencyJSON{Package: b.Package, Error: b.Reason}); err != nil {
			return err
		}
	}
	return nil
}
