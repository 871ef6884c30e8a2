package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/frontier"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

const helpFrontier = `usage: gnaw frontier [flags] [target|file|func] [packages] [-args ...]

Shows where fuzzing is stuck: the branches whose condition was evaluated and of which no input takes one side. The inputs are the seeds and
the corpus of each target of the packages (default ./...). With the name of a target only its inputs count; with that of a file (parse.go) or
of a function (Parse, Reader.Read) only its branches are shown.

For each branch there are its condition, the statements that are executed only behind the side that is missing, how many inputs get to the
condition, what was compared there with the values that came nearest, where the value is in the input, and what would help. The branch with
the most statements times inputs comes first. Branches on which no input has an influence are at the end. See docs/frontier.md.

{flags}

gnaw frontier exits with 3 if a package does not build or the inputs of a target cannot be executed.
`

// defaultRows is how many rows are printed without -n.
const defaultRows = 20

// frontierFlags are the flags of `gnaw frontier`.
type frontierFlags struct {
	coverFlags
	apply bool
	rows  int    // to print; 0: all
	name  string // of a target, a file or a function; empty: all
}

func (f *frontierFlags) define() *flagSet {
	fs := newFlags("frontier")
	fs.describe("apply", "", "write the words that would help to testdata/fuzz/<Target>.dict, which gnaw fuzz and gnaw test read")
	fs.BoolVar(&f.apply, "apply", false, "")
	f.defineCovered(fs)
	fs.describe("json", "", "print one object for each branch: package, file, function, line, column, condition, missing, behind, inputs, targets, "+
		"compared (seen, wanted, last, target, entry, size, place (argument, from, to, form)), help, text, word")
	fs.BoolVar(&f.json, "json", false, "")
	fs.describe("n", "rows", fmt.Sprintf("print so many branches of each list; 0: all (default %d; with -json all)", defaultRows))
	fs.IntVar(&f.rows, "n", -1, "")
	f.defineRun(fs)
	return fs
}

// name is an argument that is no pattern of packages.
var name = regexp.MustCompile(`^(\(?\*?[\pL_][\pL\pN_.]*\)?[\pL\pN_.]*|.*\.go)$`)

// parseFrontierFlags reads the arguments of `gnaw frontier`.
func parseFrontierFlags(args []string) (f frontierFlags, err error) {
	f.timeout, f.memLimit = session.DefaultTimeout, session.DefaultMemLimit(executor.MemoryRoom(), 1)
	args, f.args = cutArgs(args)
	if f.patterns, err = parseMixed(f.define(), args); err != nil {
		return f, err
	}
	if len(f.patterns) > 0 && name.MatchString(f.patterns[0]) && f.patterns[0] != "all" && f.patterns[0] != "std" {
		f.name, f.patterns = f.patterns[0], f.patterns[1:]
	}
	if len(f.patterns) == 0 {
		f.patterns = []string{"./..."}
	}
	if f.rows < -1 {
		return f, usagef("-n is %d; it must be 0 or more", f.rows)
	}
	return f, errors.Join(checkPatterns(f.patterns), checkTimeout(f.timeout))
}

// runFrontier is `gnaw frontier`.
func runFrontier(ctx context.Context, env Env, args []string) (int, error) {
	f, err := parseFrontierFlags(args)
	if err != nil {
		return 0, err
	}
	tc, targets, broken, err := f.find(ctx, env)
	if err != nil {
		return 0, err
	}
	x := &stuck{env: env, flags: &f, tc: tc, targets: f.named(targets)}
	code, err := x.find(ctx, broken)
	if err != nil || x.found == nil {
		return code, err
	}
	return code, x.report()
}

// named returns the target whose name the arguments have, or all targets if it is no name of a target.
func (f *frontierFlags) named(targets []build.Target) (list []build.Target) {
	for _, t := range targets {
		if t.Name == f.name {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return targets
	}
	f.name = ""
	return list
}

// stuck is a call of gnaw frontier.
type stuck struct {
	env     Env
	flags   *frontierFlags
	tc      build.Toolchain
	targets []build.Target
	builder *build.Builder
	found   *frontier.Frontier
}

// find executes the inputs and finds the rows. found stays nil if there are no inputs.
func (x *stuck) find(ctx context.Context, broken bool) (code int, err error) {
	x.builder, err = build.NewBuilder(ctx, x.tc, x.env.Dir, build.Packages(x.targets), x.flags.build)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, x.builder.Close()) }()
	kept := &keptReplays{env: x.env}
	defer kept.close()
	list, failed, err := coverage.RunWith(ctx, x.tc, x.builder, x.targets, x.flags.options(x.env, kept))
	if err != nil {
		return 0, err
	}
	code, err = x.flags.notes(x.env, list, failed, broken)
	if err != nil || (coverReport{list: list}).empty() {
		return code, err
	}
	var paths []string
	for _, p := range coverage.Summarize(coverage.Merge(list, coverage.All)) {
		paths = append(paths, p.Path)
	}
	folders, err := build.PackageFolders(ctx, x.tc, x.env.Dir, paths, x.flags.build)
	if err != nil {
		return 0, err
	}
	found := frontier.Find(list, folders)
	if x.flags.name != "" && !found.Only(x.flags.name) {
		return 0, usagef("no target, file or function that is covered has the name %s; write a package as a path, such as ./%[1]s", x.flags.name)
	}
	facts := frontier.Facts{}
	for _, t := range found.Targets() {
		if err := x.record(ctx, found, t, facts); err != nil {
			return 0, err
		}
	}
	found.Explain(facts)
	x.found = found
	return code, nil
}

// record executes inputs of a target with comparisons recorded. A binary that does not build leaves the rows without operands.
func (x *stuck) record(ctx context.Context, found *frontier.Frontier, t coverage.Target, facts frontier.Facts) (err error) {
	var target build.Target
	for _, target = range x.targets {
		if target.Package == t.Package && target.Name == t.Name {
			break
		}
	}
	fmt.Fprintf(x.env.Stderr, "%s: recording what is compared\n", t.Name)
	file, err := x.builder.Placed(ctx, t.Package, x.flags.build)
	if err != nil {
		return err
	}
	cache := filepath.Join(x.tc.Cache, "fuzz", filepath.FromSlash(t.Package))
	p := &session.Process{
		Config: session.Config(x.env.Environ, target, file, cache, x.flags.timeout, x.flags.args), Setup: wire.Setup{MemLimit: x.flags.memLimit},
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	said := time.Now()
	return found.Record(ctx, p, t, facts, func(done, total int) {
		if time.Since(said) >= sayEvery {
			said = time.Now()
			fmt.Fprintf(x.env.Stderr, "%s: %d of %s recorded\n", t.Name, done, plural(total, "input"))
		}
	})
}

// report prints the rows and writes the words.
func (x *stuck) report() error {
	if x.flags.json {
		if err := printFrontierJSON(x.env.Stdout, x.found.Rows); err != nil {
			return err
		}
	} else {
		rows := x.flags.rows
		if rows < 0 {
			rows = defaultRows
		}
		printFrontier(x.env.Stdout, x.found.Rows, rows)
	}
	if !x.flags.apply {
		return nil
	}
	for _, t := range x.targets {
		words := x.found.Words(t.Package, t.Name)
		if len(words) == 0 {
			continue
		}
		file := filepath.Join(t.Home(), "testdata", "fuzz", t.Name+".dict")
		added, err := frontier.AddWords(file, words)
		if err != nil {
			return err
		}
		var list []string
		for _, w := range added {
			list = append(list, fmt.Sprintf("%q", w))
		}
		out := x.env.Stdout
		if x.flags.json {
			out = x.env.Stderr
		}
		if len(added) == 0 {
			fmt.Fprintf(out, "%s has the words already\n", file)
			continue
		}
		fmt.Fprintf(out, "%s: added %s\n", file, strings.Join(list, ", "))
	}
	return nil
}
