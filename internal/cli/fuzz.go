package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/ui/jsonl"
	"github.com/gnaw-fuzz/gnaw/internal/ui/text"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// fuzzFlags are the flags of `gnaw fuzz`.
type fuzzFlags struct {
	match, skip *regexp.Regexp
	time        time.Duration // of the campaign
	execs       uint64        // of each target
	each        time.Duration // of each target
	quiet       bool          // -until=quiet
	failFast    bool
	minimize    budget
	parallel    int
	timeout     time.Duration
	memLimit    uint64
	seed        uint64
	repeatable  bool // a seed was given
	without     technique.Set
	oracles     oracle.Limits
	dicts       []string // dictionary files
	words       [][]byte // of these: a pipe can be read only once
	race        bool     // one more worker replays the corpus with the race detector
	instrument  bool
	build       []string // flags for the go command
	plainStd    bool     // -std=plain
	plain       []string // those of the build flags that plain go test needs too
	verbose     bool
	json        bool
	fresh       bool
	same        string   // the arguments by which a campaign that was killed is recognized
	args        []string // for the test binaries
	patterns    []string
}

// parseFuzzFlags reads the arguments of `gnaw fuzz`.
func parseFuzzFlags(args []string) (f fuzzFlags, err error) {
	f = fuzzFlags{
		minimize: budget{time: time.Minute}, parallel: runtime.GOMAXPROCS(0), timeout: defaultTimeout,
		seed: uint64(time.Now().UnixNano()), oracles: oracle.Defaults(),
	}
	fs := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	fs.Func("fuzz", "", pattern(&f.match))
	fs.Func("skip", "", pattern(&f.skip))
	var whole budget
	fs.Func("fuzztime", "", whole.limit)
	fs.Func("each", "", positive(&f.each))
	fs.Func("until", "", func(s string) error {
		if f.quiet = s == "quiet"; !f.quiet {
			return errors.New("it takes quiet")
		}
		return nil
	})
	fs.BoolVar(&f.failFast, "failfast", false, "")
	fs.Var(&f.minimize, "fuzzminimizetime", "")
	fs.IntVar(&f.parallel, "parallel", f.parallel, "")
	fs.DurationVar(&f.timeout, "timeout", f.timeout, "")
	limited := false
	fs.Func("memlimit", "", func(s string) error {
		n, err := build.ParseSize(s)
		f.memLimit, limited = uint64(n), true
		return err
	})
	fs.Func("seed", "", func(s string) (err error) {
		if f.seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return errors.New("want a whole number, such as 1")
		}
		f.repeatable = true
		return nil
	})
	fs.Func("without", "", func(s string) (err error) {
		f.without, err = technique.Parse(s)
		return err
	})
	fs.Func("oracles", "", func(s string) (err error) {
		f.oracles, err = parseOracles(s)
		return err
	})
	fs.Func("dict", "", func(path string) error { f.dicts = append(f.dicts, path); return nil })
	fs.Func("instrument", "", func(s string) error {
		flags, err := build.InstrumentFlags(s)
		f.instrument, f.build = true, append(f.build, flags...)
		return err
	})
	fs.Func("std", "", func(s string) (err error) {
		f.plainStd, err = build.ParseStd(s)
		return err
	})
	fs.BoolVar(&f.verbose, "v", false, "")
	fs.BoolVar(&f.json, "json", false, "")
	fs.BoolVar(&f.fresh, "fresh", false, "")
	for _, name := range []string{"tags", "mod", "modfile", "gcflags", "ldflags", "asmflags", "overlay"} {
		fs.Func(name, "", f.forGo(name))
	}
	fs.BoolVar(&f.race, "race", false, "")
	for _, name := range []string{"msan", "asan", "trimpath"} {
		fs.BoolFunc(name, "", f.forGo(name))
	}
	args, f.args = cutArgs(args)
	if f.patterns, err = parseMixed(fs, args); err != nil {
		return f, err
	}
	if !limited {
		f.memLimit = session.DefaultMemLimit(executor.MemoryRoom(), f.parallel)
	}
	f.time, f.execs, f.same = whole.time, whole.execs, sameArgs(args)
	if len(f.args) > 0 {
		f.same += fmt.Sprintf(" -args %q", f.args)
	}
	if len(f.patterns) == 0 {
		f.patterns = []string{"./..."}
	}
	return f, f.validate()
}

// forGo takes a flag that is handed to the go command.
func (f *fuzzFlags) forGo(name string) func(string) error {
	return func(s string) error {
		f.build = append(f.build, "-"+name+"="+s)
		f.plain = append(f.plain, "-"+name+"="+s)
		return nil
	}
}

func (f fuzzFlags) validate() error {
	var errs []error
	if f.parallel < 1 {
		errs = append(errs, usagef("-parallel is %d; it must be at least 1", f.parallel))
	}
	return errors.Join(append(errs, checkTimeout(f.timeout))...)
}

// checkTimeout refuses a limit for one execution that none could keep.
func checkTimeout(d time.Duration) error {
	if d <= 0 {
		return usagef("-timeout is %v; it must be more than 0", d)
	}
	return nil
}

// positive parses a duration above zero.
func positive(d *time.Duration) func(string) error {
	return func(s string) (err error) {
		if *d, err = time.ParseDuration(s); err == nil && *d <= 0 {
			err = errors.New("it must be more than 0")
		}
		return err
	}
}

func pattern(re **regexp.Regexp) func(string) error {
	return func(s string) (err error) {
		*re, err = regexp.Compile(s)
		return err
	}
}

// budget is a time, or a number of executions written as in "1000x".
type budget struct {
	time  time.Duration
	execs uint64
}

// String implements flag.Value.
func (b *budget) String() string {
	if b.execs > 0 {
		return fmt.Sprintf("%dx", b.execs)
	}
	return b.time.String()
}

// Set implements flag.Value.
func (b *budget) Set(s string) error {
	*b = budget{}
	if n, ok := strings.CutSuffix(s, "x"); ok {
		if _, err := fmt.Sscanf(n+"\n", "%d\n", &b.execs); err != nil {
			return errors.New("want a number of executions such as 1000x")
		}
		return nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return errors.New("want a duration such as 30s, or a number of executions such as 1000x")
	}
	b.time = d
	return nil
}

// limit is Set for a budget that must not be zero: go test refuses that too.
func (b *budget) limit(s string) error {
	err := b.Set(s)
	if err == nil && *b == (budget{}) {
		err = errors.New("it must be more than 0; leave -fuzztime out to fuzz until ^C")
	}
	return err
}

// runFuzz is `gnaw fuzz`: a campaign over all targets of the packages.
func runFuzz(ctx context.Context, env Env, args []string) (int, error) {
	f, err := parseFuzzFlags(args)
	if err != nil {
		return 0, err
	}
	for i, path := range f.dicts {
		if !filepath.IsAbs(path) {
			f.dicts[i] = filepath.Join(env.Dir, path)
		}
	}
	if f.words, err = session.ReadDictionaries(f.dicts); err != nil { // before something is built
		return 0, usagef("-dict: %v", err)
	}
	tc, targets, broken, err := f.find(ctx, env)
	switch {
	case err != nil && ctx.Err() != nil:
		return exitcode.OK, nil // as with an interrupt a moment later: nothing was found
	case err != nil:
		return 0, err
	}
	all := targets
	if targets = f.choose(all); len(targets) == 0 {
		for _, b := range broken {
			fmt.Fprintf(env.Stderr, "gnaw: %v\n", b)
		}
		if len(broken) > 0 {
			return 0, errors.New("no package is left to fuzz: see above")
		}
		return 0, f.nothing(all)
	}
	builder, err := build.NewBuilder(ctx, tc, env.Dir, packagesOf(targets), f.build)
	switch {
	case err != nil && ctx.Err() != nil:
		return exitcode.OK, nil
	case err != nil:
		return 0, err
	}
	defer func() {
		if err := builder.Close(); err != nil {
			fmt.Fprintf(env.Stderr, "gnaw: what was built stays: %v\n", err)
		}
	}()
	o := f.options(env, tc, targets)
	o.Builder, o.Broken, o.Identity.Process = builder, broken, builder.Site.Name()
	if o.Known, err = known.Load(o.Module.Root); err != nil {
		return 0, err
	}
	return f.run(ctx, env, o, builder.Actual)
}

// options says how to run the campaign that the flags ask for.
func (f fuzzFlags) options(env Env, tc build.Toolchain, targets []build.Target) campaign.Options {
	return campaign.Options{
		Dir: env.Dir, Environ: env.Environ, Module: project.Find(env.Dir), Toolchain: tc, Targets: targets, Store: openStore, Events: &event.Bus{},
		Limits: campaign.Limits{Time: f.time, Each: f.each, Execs: f.execs, Quiet: f.quiet, FailFast: f.failFast},
		Fuzzing: campaign.Fuzzing{
			Parallel: f.parallel, Timeout: f.timeout, MemLimit: f.memLimit, MinimizeTime: f.minimize.time, MinimizeExecs: f.minimize.execs,
			Seed: f.seed, Repeatable: f.repeatable, Without: f.without, Oracles: f.oracles, Words: f.words, Race: f.race,
			Flags: f.build, PlainFlags: f.plain, Args: f.args,
		},
		Identity: campaign.Identity{Packages: strings.Join(f.patterns, " "), Args: f.same, Fresh: f.fresh},
	}
}

// run runs a campaign, prints what happens, and returns the exit code. actual returns the file that has what was in a source file when
// it was built.
func (f fuzzFlags) run(ctx context.Context, env Env, o campaign.Options, actual func(string) string) (int, error) {
	if f.json {
		r := &jsonl.Renderer{Out: env.Stdout, Verbose: f.verbose}
		o.Events.Subscribe(r.Event)
	} else {
		r := text.New(text.Options{
			Out: env.Stdout, Errors: env.Stderr, Dir: env.Dir, Module: o.Module, Verbose: f.verbose, Actual: actual,
		})
		o.Events.Subscribe(r.Event)
	}
	defer o.Events.Close() // all is printed then
	s, err := campaign.Run(ctx, o)
	if err != nil {
		fmt.Fprintf(env.Stderr, "gnaw: %v\n", err) // the targets are fuzzed, and the results count
	}
	return s.ExitCode(), nil
}

// packagesOf returns the packages of targets, each once.
func packagesOf(targets []build.Target) (packages []string) {
	for _, t := range targets {
		if !slices.Contains(packages, t.Package) {
			packages = append(packages, t.Package)
		}
	}
	return packages
}

// find finds the toolchain, and the targets of the packages.
func (f fuzzFlags) find(ctx context.Context, env Env) (tc build.Toolchain, targets []build.Target, broken []build.PackageError, err error) {
	if err = checkPatterns(f.patterns); err != nil {
		return tc, nil, nil, err
	}
	if tc, err = build.FindToolchain(ctx, env.Dir, env.Environ); err != nil {
		return tc, nil, nil, err
	}
	tc.Plain, tc.Notices = f.plainStd, env.Stderr
	if err = f.checkInstrument(tc); err != nil {
		return tc, nil, nil, err
	}
	targets, broken, err = build.List(ctx, tc, env.Dir, f.patterns, f.build)
	return tc, targets, broken, asUsage(err)
}

// checkPatterns refuses files.
func checkPatterns(patterns []string) error {
	for _, p := range patterns {
		if strings.HasSuffix(p, ".go") {
			return usagef("%s is a file; write the folder of its package", p)
		}
	}
	return nil
}

// checkInstrument refuses -gcflags beside -instrument.
func (f fuzzFlags) checkInstrument(tc build.Toolchain) error {
	if !f.instrument {
		return nil
	}
	err := build.CheckInstrument(tc, slices.ContainsFunc(f.plain, func(flag string) bool { return strings.HasPrefix(flag, "-gcflags=") }))
	if errors.Is(err, build.ErrGcflags) {
		return usagef("%v", err)
	}
	return err
}

// noTarget is for the patterns of packages without one.
const noTarget = "no fuzz target in %s; a target is a function FuzzXxx(f *testing.F) in a file that ends in _test.go"

// nothing says why there is no target to fuzz. all are those of the packages.
func (f fuzzFlags) nothing(all []build.Target) error {
	where := strings.Join(f.patterns, " ")
	if len(all) == 0 {
		return usagef(noTarget, where)
	}
	return usagef("-fuzz and -skip leave nothing to fuzz in %s; without them there is %s; `gnaw list` shows all", where, all[0].Name)
}

// choose keeps the targets that -fuzz and -skip ask for.
func (f fuzzFlags) choose(targets []build.Target) (chosen []build.Target) {
	for _, t := range targets {
		if m := f.match; m != nil && !m.MatchString(t.Name) {
			continue
		}
		if m := f.skip; m != nil && m.MatchString(t.Name) {
			continue
		}
		chosen = append(chosen, t)
	}
	return chosen
}

// sameArgs are the arguments by which a campaign is recognized: all but the flags that change the output only.
func sameArgs(args []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(args), func(a string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		return strings.HasPrefix(a, "-") && slices.Contains([]string{"json", "v", "fresh"}, name)
	}), " ")
}
