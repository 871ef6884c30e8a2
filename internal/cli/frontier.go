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
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

const helpFrontier = `usage: gnaw frontier [flags] [target|file|func] [packages] [-args ...]

Shows where fuzzing is stuck: the branches whose condition an input evaluates, but with a side that no input takes. The inputs are the seeds
and the corpus of each target of the packages (default ./...). The name of a target selects the inputs of this target. The name of a file
(parse.go) or of a function (Parse, Reader.Read) selects the branches in it.

For each branch, gnaw frontier prints the condition, the number of statements behind the missing side, the number of inputs that reach the
condition and how often, the calls from the target to the function, the comparison that comes nearest, the place of the compared value in the
input, what would help, and the command that fuzzes towards the branch. An operand of && or || that always has the same value is a branch, too.

Rows for which you can do something come first; then gnaw sorts by the number of statements times the number of inputs. Branches that do not
depend on the input, and operands without statements behind them, are at the end. See docs/frontier.md.

{flags}

gnaw frontier exits with 3 if a package does not build or the inputs of a target cannot be executed.
`

// defaultRows is how many rows are printed without -n.
const defaultRows = 20

// frontierFlags are the flags of `gnaw frontier`.
type frontierFlags struct {
	coverFlags
	apply bool
	rows  int    // how many rows of each list to print; 0: all
	name  string // name of a target, a file or a function; empty: all branches
}

func (f *frontierFlags) define() *flagSet {
	fs := newFlags("frontier")
	fs.describe("apply", "", "add the dictionary words that would help to testdata/fuzz/<Target>.dict, which gnaw fuzz and gnaw test read")
	fs.BoolVar(&f.apply, "apply", false, "")
	f.defineCovered(fs)
	fs.describe("json", "", "print one object for each branch: package, file, function, line, column, condition, missing, behind, inputs, targets, of, times, calls, command, "+
		"compared (seen, wanted, last, target, entry, size, place (argument, from, to, form)), help, text, words")
	fs.BoolVar(&f.json, "json", false, "")
	fs.describe("n", "rows", fmt.Sprintf("number of branches to print of each list; 0: all (default %d; -json prints all)", defaultRows))
	fs.IntVar(&f.rows, "n", defaultRows, "")
	f.defineRun(fs)
	return fs
}

// name matches an argument that is the name of a target, a file or a function, and not a pattern of packages.
var name = regexp.MustCompile(`^(\(?\*?[\pL_][\pL\pN_.]*\)?[\pL\pN_.]*|.*\.go)$`)

// parseFrontierFlags reads the arguments of `gnaw frontier`.
func parseFrontierFlags(args []string) (f frontierFlags, err error) {
	f.refuse = true
	f.typed, f.timeout, f.memLimit = true, session.DefaultTimeout, session.DefaultMemLimit(executor.MemoryRoom(), 1)
	args, f.args = cutArgs(args)
	if f.patterns, err = parseMixed(f.define(), args); err != nil {
		return f, err
	}
	if len(f.patterns) > 0 && name.MatchString(f.patterns[0]) && f.patterns[0] != "all" && f.patterns[0] != "std" {
		f.name, f.patterns = f.patterns[0], f.patterns[1:]
	}
	if f.patterns, err = packagesOf(f.patterns); err != nil {
		return f, err
	}
	if f.rows < 0 {
		return f, usagef("-n is %d; it must be 0 or more", f.rows)
	}
	return f, checkTimeout(f.timeout)
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
	x := &stuck{env: env, flags: &f.coverFlags, tc: tc, targets: f.named(targets)}
	code, err := x.find(ctx, broken, f.name)
	if err != nil || x.found == nil {
		return code, err
	}
	return code, x.report(&f)
}

// named returns the targets with the name in the arguments. If there are none, the name is one of a file or a function, and named returns all
// targets.
func (f *frontierFlags) named(targets []build.Target) (list []build.Target) {
	for _, t := range targets {
		if t.Func == f.name {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return targets
	}
	f.name = ""
	return list
}

// stuck finds the branches with a side that no input takes.
type stuck struct {
	env      Env
	flags    *coverFlags
	tc       gocommand.Toolchain
	targets  []build.Target
	builder  *build.Builder
	observed map[string][]byte // sources that show the values of operands, by the path of the source that they replace
	binaries map[string]string // test binaries that record comparisons, by package
	found    *frontier.Frontier
	allowed  map[fuzz.Name][][]byte // what the seeds of a target do outside of their processes
}

// find executes the inputs and sets found. found stays nil if there are no inputs. name is the name of a file or a function; empty: all branches.
// broken reports whether a package does not build.
func (x *stuck) find(ctx context.Context, broken bool, name string) (code int, err error) {
	x.builder, err = build.NewBuilder(ctx, x.tc, x.env.Dir, build.Packages(x.targets), x.flags.build)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, x.builder.Close()) }()
	kept := &keptReplays{env: x.env, began: time.Now()}
	defer kept.close()
	list, failed, err := coverage.RunWith(ctx, x.tc, x.builder, x.targets, x.flags.options(x.env, kept))
	if err != nil {
		return 0, err
	}
	kept.saveSources(ctx, list)
	code, err = x.flags.notes(x.env, list, failed, broken)
	if err != nil || (coverReport{list: list}).empty() {
		return code, err
	}
	if err := x.explain(ctx, list, name); err != nil {
		return code, err
	}
	if name == "" {
		kept.saveFrontier(ctx, x.found)
	}
	return code, nil
}

// explain sets found to the branches with a side that no input of list takes.
func (x *stuck) explain(ctx context.Context, list []*coverage.Replayed, name string) error {
	loaded, err := frontier.Load(ctx, x.tc.Source(x.env.Dir, x.flags.build), list)
	if err != nil {
		return err
	}
	found := frontier.Find(list, loaded)
	if name != "" && !found.Only(name) {
		return usagef("no target, covered file or covered function has the name %s; write a package as a path, such as ./%[1]s", name)
	}
	facts := frontier.Facts{}
	x.observed, x.binaries, x.allowed = found.Observe(), map[string]string{}, map[fuzz.Name][][]byte{}
	for _, r := range list {
		x.allowed[r.Target] = r.Allowed()
	}
	for _, t := range found.Targets() {
		if err := x.record(ctx, found, t, facts); err != nil {
			return err
		}
	}
	found.Explain(facts)
	for _, r := range found.Rows {
		if r.Help.Kind != frontier.Nothing {
			r.Focus = x.focus(r)
		}
	}
	x.found = found
	return nil
}

// placed builds the test binary of a package that records comparisons, once. If the sources that show the values of operands do not compile, it
// uses the sources as they are.
func (x *stuck) placed(ctx context.Context, pkg string) (file string, err error) {
	if file = x.binaries[pkg]; file != "" {
		return file, nil
	}
	file, err = x.builder.Placed(ctx, pkg, x.flags.build, x.observed)
	var broken *build.BuildError
	if errors.As(err, &broken) && len(x.observed) > 0 {
		if file, err = x.builder.Placed(ctx, pkg, x.flags.build, nil); err != nil {
			return "", err
		}
		fmt.Fprintf(x.env.Stderr, "%s: gnaw cannot compile the sources in which it observes operands of && and ||, so there are no rows for operands\n", pkg)
	}
	if err == nil {
		x.binaries[pkg] = file
	}
	return file, err
}

// record executes inputs of a target in a test binary that records comparisons, and adds the comparisons to facts.
func (x *stuck) record(ctx context.Context, found *frontier.Frontier, t fuzz.Name, facts frontier.Facts) (err error) {
	var target build.Target
	for _, target = range x.targets {
		if target.Package == t.Package && target.Func == t.Func {
			break
		}
	}
	fmt.Fprintf(x.env.Stderr, "%s: recording comparisons\n", t.Func)
	file, err := x.placed(ctx, t.Package)
	if err != nil {
		return err
	}
	cache := filepath.Join(x.tc.Cache, "fuzz", filepath.FromSlash(t.Package))
	p := &session.Process{
		Config: session.Config(x.env.Environ, target, file, cache, x.flags.timeout, x.flags.args), Setup: wire.Setup{MemLimit: x.flags.memLimit},
		Refuse: x.flags.refuse, Allowed: x.allowed[t],
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	printed := time.Now()
	return found.Record(ctx, p, t, facts, func(done, total int) {
		if time.Since(printed) >= sayEvery {
			printed = time.Now()
			fmt.Fprintf(x.env.Stderr, "%s: recorded the comparisons of %d of %s\n", t.Func, done, report.Plural(total, "input"))
		}
	})
}

// report prints the rows, and with -apply adds the words to the dictionaries.
func (x *stuck) report(f *frontierFlags) error {
	if x.flags.json {
		if err := x.printJSON(); err != nil {
			return err
		}
	} else {
		x.print(f.rows)
	}
	if !f.apply {
		return nil
	}
	for _, t := range x.targets {
		words := x.found.Words(t.Package, t.Func)
		if len(words) == 0 {
			continue
		}
		file := filepath.Join(t.Home(), "testdata", "fuzz", t.Func+".dict")
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
			fmt.Fprintf(out, "%s already has the words\n", file)
			continue
		}
		fmt.Fprintf(out, "%s: added %s\n", file, strings.Join(list, ", "))
	}
	return nil
}
