package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/landlock"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/check"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/outside"
)

const helpInit = `usage: gnaw init [flags] [packages]

Writes fuzz targets for functions that parse, print, encode, compare or normalize text. Without packages it takes ./... .

The targets are ordinary Go in the package: go test runs them, and gnaw is not needed for that. gnaw writes one file for each
package, fuzz_test.go, or gnaw_fuzz_test.go if that exists. The file is yours from then on: edit it, and delete the targets that
you do not want. gnaw does not change a file that exists, except to add targets with -update, and writes no target for a
function that a target of the package already calls.

gnaw uses the constants in the package's tests as seeds. It checks each property with them first, for example that what a
function parses and prints is parsed again. If the property does not hold for one of them, gnaw writes a target that only
checks that the function does not panic. If a function panics with one of them, gnaw writes the target and says so.

gnaw writes no target for a function that removes or writes files, starts processes or uses the network. It follows calls through
all packages that have sources. If a function may do so, because it calls an interface, a function value or code that is not Go,
gnaw writes the target, says why, and does not try the constants with it unless you set -run-effects. On Linux the constants are
tried in processes that can write to a temporary folder only, and that cannot connect on TCP.

{flags}

gnaw init exits with 1 if a function panics with a text of the package's tests, but not with -deps.
`

// initFlags are the flags of gnaw init.
type initFlags struct {
	dry, update, verbose, json, deps, runEffects bool

	only  *regexp.Regexp
	tags  string
	trial time.Duration
}

func (f *initFlags) define() *flagSet {
	fs := newFlags("init")
	fs.describe("deps", "", "write targets below .gnaw/deps for packages of dependencies that the packages import, read data and have no "+
		"targets; an import path of a dependency restricts them, and a path such as ./cmd names the packages that import them")
	fs.BoolVar(&f.deps, "deps", false, "")
	fs.describe("func", "regexp", "write targets only for functions whose names match; the name of a method is Type.Method")
	fs.Func("func", "", func(s string) (err error) {
		f.only, err = regexp.Compile(s)
		return err
	})
	fs.describe("json", "", "print one object for each package: package, folder, file, source, targets (name, kind, functions), skipped "+
		"(function, reason), notes (target, verdict, seed, reason), problem")
	fs.BoolVar(&f.json, "json", false, "")
	fs.describe("n", "", "print the files that gnaw init would write before it tries the targets; write nothing, and execute nothing of the "+
		"packages")
	fs.BoolVar(&f.dry, "n", false, "")
	fs.describe("run-effects", "", "also try targets that may remove or write files, start processes or use the network")
	fs.BoolVar(&f.runEffects, "run-effects", false, "")
	fs.describe("tags", "t", "as in go build")
	fs.StringVar(&f.tags, "tags", "", "")
	fs.describe("trial", "d", "then fuzz each new target for this time, as gnaw fuzz -each does")
	fs.DurationVar(&f.trial, "trial", 0, "")
	fs.describe("update", "", "add new targets to the file of targets that exists")
	fs.BoolVar(&f.update, "update", false, "")
	fs.describe("v", "", "also print why functions get no target")
	fs.BoolVar(&f.verbose, "v", false, "")
	return fs
}

// options returns the options of package scaffold without Scratch and OnPackage.
func (f *initFlags) options(env Env, tc gocommand.Toolchain, patterns []string) scaffold.Options {
	o := scaffold.Options{Source: tc.Source(env.Dir, nil), Patterns: patterns, Only: f.only, Dry: f.dry, Compile: f.dry, RunAll: f.runEffects, Update: f.update}
	if f.tags != "" {
		o.Flags = []string{"-tags=" + f.tags}
	}
	return o
}

// runInit is `gnaw init`.
func runInit(ctx context.Context, env Env, args []string) (int, error) {
	var f initFlags
	patterns, err := parsePackages(f.define(), args)
	if err != nil {
		return 0, err
	}
	if f.deps && f.trial > 0 {
		return 0, usagef("-trial and -deps cannot be used together; gnaw fuzz -deps=only fuzzes the targets afterwards")
	}
	tc, err := gocommand.FindToolchain(ctx, env.Dir, env.Environ)
	if err == nil {
		err = tc.Readable()
	}
	if err != nil {
		return 0, err
	}
	o := f.options(env, tc, patterns)
	if o.Scratch, err = os.MkdirTemp("", "gnaw-init-"); err != nil {
		return 0, fmt.Errorf("make a folder for test binaries: %w", err)
	}
	defer os.RemoveAll(o.Scratch)
	o.OnPackage = f.announce(env)
	var list []scaffold.Package
	if f.deps {
		list, err = outside.Run(ctx, tc, outside.Options{Options: o, Root: project.Find(env.Dir).Root, Notices: env.Stderr})
	} else {
		o.Ignores = func(file string) bool { return project.Ignores(ctx, env.Environ, file) }
		list, err = initOwn(ctx, tc, o)
	}
	if err != nil && !slices.ContainsFunc(list, func(p scaffold.Package) bool { return p.File != "" }) {
		return 0, err
	}
	r := initReport{env: env, flags: f}
	if bad := r.print(list); err != nil || bad != nil { // after an error list has the packages whose targets are written already
		return 0, cmp.Or(err, bad)
	}
	code := r.exit(list)
	if f.trial > 0 && !f.dry {
		return r.tryOut(ctx, code)
	}
	return code, nil
}

// announce returns a function that prints what gnaw does with the targets of a package. Before the first ones it says so if the processes that
// try them are not confined.
func (f *initFlags) announce(env Env) func(path string, targets int) {
	if f.dry {
		return func(path string, targets int) {
			fmt.Fprintf(env.Stderr, "%s: compiling %s\n", path, report.Plural(targets, "target"))
		}
	}
	warn := sync.OnceFunc(func() {
		if _, err := landlock.ABI(); err != nil {
			fmt.Fprintf(env.Stderr, "gnaw: nothing keeps the code that gnaw init executes from acting outside of temporary folders: %v\n", err)
		}
	})
	return func(path string, targets int) {
		warn()
		fmt.Fprintf(env.Stderr, "%s: trying %s with the texts of its tests\n", path, report.Plural(targets, "target"))
	}
}

// initOwn writes targets for packages of the main module.
func initOwn(ctx context.Context, tc gocommand.Toolchain, o scaffold.Options) ([]scaffold.Package, error) {
	if _, _, err := build.List(ctx, tc, o.Dir, o.Patterns, o.Flags); err != nil { // List reports wrong patterns
		return nil, err
	}
	return scaffold.Run(ctx, o)
}

// initReport prints the results for packages.
type initReport struct {
	env     Env
	flags   initFlags
	folders []string  // patterns of the packages with new targets
	targets []written // the new targets
}

// print prints the results for all packages, and sets r.folders and r.targets.
func (r *initReport) print(list []scaffold.Package) error {
	if !r.flags.json {
		r.panics(list)
	}
	for _, p := range list {
		if len(p.Targets) > 0 {
			r.folders = append(r.folders, r.pattern(p.Dir))
			for _, t := range p.Targets {
				isUntried := func(n check.Note) bool { return n.Verdict == check.Untried && n.Target == t.Name }
				r.targets = append(r.targets, written{p.Path, r.pattern(p.Dir), filepath.Join(p.Dir, p.File), slices.ContainsFunc(p.Notes, isUntried), t})
			}
		}
		if r.flags.json {
			if err := writeJSON(r.env.Stdout, initJSONOf(p)); err != nil {
				return err
			}
			continue
		}
		r.text(p)
	}
	if !r.flags.json {
		r.summary(list)
	}
	return nil
}

// panics prints the functions that panic with a text of the tests. They come first, because go test fails in their packages from now on.
func (r *initReport) panics(list []scaffold.Package) {
	for _, p := range list {
		for _, n := range p.Notes {
			if n.Verdict == check.Panics {
				fmt.Fprintf(r.env.Stdout, "%s: %s fails with a text of %s: %s\n    %s\n", p.Path, n.Covers, r.tests(), n.Seed, n.Why)
			}
		}
	}
}

// pattern returns the name of a folder on the command line.
func (r *initReport) pattern(dir string) string {
	rel, err := filepath.Rel(r.env.Dir, dir)
	if err != nil || strings.HasPrefix(rel, "..") {
		return dir
	}
	if rel == "." {
		return rel
	}
	return "./" + filepath.ToSlash(rel)
}

// text prints the result for one package.
func (r *initReport) text(p scaffold.Package) {
	out := r.env.Stdout
	name := r.pattern(p.Dir)
	switch {
	case p.Broken:
		fmt.Fprintf(r.env.Stderr, "gnaw: %s gets no targets: %s\n", p.Path, p.Problem)
	case p.Problem != "" && (r.flags.verbose || p.Ignored):
		fmt.Fprintf(out, "no targets for %s: %s\n", p.Path, p.Problem)
	case r.flags.dry && p.File != "":
		fmt.Fprintf(out, "-- %s --\n%s", path.Join(name, p.File), p.Source)
	case p.File != "":
		fmt.Fprintf(out, "%s: %s\n", path.Join(name, p.File), report.Plural(len(p.Targets), "target"))
		for _, t := range p.Targets {
			fmt.Fprintf(out, "    %-32s %s\n", t.Name, kindText[t.Kind])
		}
	}
	if p.Unchecked != "" {
		fmt.Fprintf(out, "  The tests of the package cannot be run (%s), so the targets only check that nothing panics.\n", p.Unchecked)
	}
	for _, n := range p.Notes {
		switch n.Verdict {
		case check.Weakened:
			fmt.Fprintf(out, "  %s checks only that nothing panics, because of a text of %s:\n", n.Target, r.tests())
			if strings.HasPrefix(n.Why, "panic: ") {
				fmt.Fprintf(out, "      %s\n", n.Seed)
			}
			fmt.Fprintf(out, "      %s\n", n.Why)
		case check.Dropped:
			if n.Seed != "" {
				fmt.Fprintf(out, "  %s is not written, because of a text of %s: %s\n      %s\n", n.Target, r.tests(), n.Seed, n.Why)
			} else if r.flags.verbose {
				fmt.Fprintf(out, "  no target for %s: %s\n", n.Covers, n.Why)
			}
		case check.Untried:
			fmt.Fprintf(out, "  %s checks only that nothing panics, and gnaw has not executed it: %s (-run-effects executes it)\n", n.Target, n.Why)
		}
	}
	if r.flags.verbose && len(p.Skipped) > 0 {
		if p.File == "" {
			fmt.Fprintf(out, "no targets for %s:\n", p.Path)
		}
		for _, s := range p.Skipped {
			fmt.Fprintf(out, "  no target for %s: %s\n", s.Key, s.Reason)
		}
	}
}

// tests names the tests that contain the seeds in messages.
func (r *initReport) tests() string {
	if r.flags.deps {
		return "its own tests"
	}
	return "your own tests"
}

// summary prints the number of targets and what the user can do next.
func (r *initReport) summary(list []scaffold.Package) {
	if len(r.targets) == 0 {
		hint := ""
		if !r.flags.verbose && slices.ContainsFunc(list, hasReasons) {
			hint = "; -v says why"
		}
		fmt.Fprintln(r.env.Stdout, "no function gets a new target"+hint)
		return
	}
	verb := "wrote"
	if r.flags.dry {
		verb = "would write"
	}
	fmt.Fprintf(r.env.Stdout, "%s %s in %s\n", verb, report.Plural(len(r.targets), "target"), report.Plural(len(r.folders), "package"))
	switch {
	case r.flags.dry:
		fmt.Fprintln(r.env.Stdout, "gnaw init leaves out what the texts of the tests refute; -n does not try them")
	case r.flags.trial > 0:
	case r.flags.deps:
		fmt.Fprintln(r.env.Stdout, "to fuzz them with the other targets of dependencies: gnaw fuzz -deps=only -fuzztime=1m")
	default:
		fmt.Fprintf(r.env.Stdout, "to fuzz each of them for five seconds: gnaw fuzz -each=5s %s\n", strings.Join(r.folders, " "))
	}
}

// hasReasons reports whether -v prints reasons for a package that are not printed without it.
func hasReasons(p scaffold.Package) bool {
	unsaid := func(n check.Note) bool { return n.Verdict == check.Dropped && n.Seed == "" }
	return p.Problem != "" && !p.Broken && !p.Ignored || len(p.Skipped) > 0 || slices.ContainsFunc(p.Notes, unsaid)
}

// exit returns the exit code.
func (r *initReport) exit(list []scaffold.Package) int {
	code := exitcode.OK
	if r.flags.deps { // the user cannot fix packages of other modules
		return code
	}
	for _, p := range list {
		for _, n := range p.Notes {
			if n.Verdict == check.Panics {
				return exitcode.Finding
			}
		}
		if p.Broken {
			code = exitcode.Internal
		}
	}
	return code
}
