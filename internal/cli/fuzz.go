package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/ui/gotest"
)

// fuzzFlags are the flags of `gnaw fuzz`.
type fuzzFlags struct {
	match, skip *regexp.Regexp
	time        budget
	minimize    budget
	parallel    int
	timeout     time.Duration
	memLimit    uint64
	seed        uint64
	repeatable  bool // a seed was given
	without     technique.Set
	build       []string // flags for the go command
	plain       []string // those of them that plain go test needs too
	verbose     bool
	patterns    []string
}

// parseFuzzFlags reads the arguments of `gnaw fuzz`.
func parseFuzzFlags(args []string) (f fuzzFlags, err error) {
	f = fuzzFlags{
		minimize: budget{time: time.Minute}, parallel: runtime.GOMAXPROCS(0), timeout: defaultTimeout, memLimit: defaultMemLimit,
		seed: uint64(time.Now().UnixNano()),
	}
	fs := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Func("fuzz", "", pattern(&f.match))
	fs.Func("skip", "", pattern(&f.skip))
	fs.Var(&f.time, "fuzztime", "")
	fs.Var(&f.minimize, "fuzzminimizetime", "")
	fs.IntVar(&f.parallel, "parallel", f.parallel, "")
	fs.DurationVar(&f.timeout, "timeout", f.timeout, "")
	fs.Func("memlimit", "", func(s string) error {
		n, err := build.ParseSize(s)
		f.memLimit = uint64(n)
		return err
	})
	fs.Func("seed", "", func(s string) (err error) {
		f.seed, err = strconv.ParseUint(s, 10, 64)
		f.repeatable = true
		return err
	})
	fs.Func("without", "", func(s string) (err error) {
		f.without, err = technique.Parse(s)
		return err
	})
	fs.Func("instrument", "", func(s string) error {
		flags, err := build.InstrumentFlags(s)
		f.build = append(f.build, flags...)
		return err
	})
	fs.BoolVar(&f.verbose, "v", false, "")
	for _, name := range []string{"tags", "mod", "modfile", "gcflags", "ldflags", "asmflags", "overlay"} {
		fs.Func(name, "", f.forGo(name))
	}
	for _, name := range []string{"race", "msan", "asan", "trimpath"} {
		fs.BoolFunc(name, "", f.forGo(name))
	}
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return f, err
		}
		return f, usagef("%v; `gnaw help fuzz` lists the flags", err)
	}
	if f.patterns = fs.Args(); len(f.patterns) == 0 {
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
	if f.timeout <= 0 {
		errs = append(errs, usagef("-timeout is %v; it must be more than 0", f.timeout))
	}
	return errors.Join(errs...)
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

// runFuzz is `gnaw fuzz`: every target of the packages, one after the other.
func runFuzz(ctx context.Context, env Env, args []string) (int, error) {
	f, err := parseFuzzFlags(args)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	defer close(done)
	go interruptible(env, cancel, done)
	tc, err := build.FindToolchain(ctx, env.Dir, env.Environ)
	if err != nil {
		return 0, err
	}
	targets, broken, err := build.List(ctx, tc, env.Dir, f.patterns, f.build)
	if err != nil {
		return 0, err
	}
	for _, b := range broken {
		fmt.Fprintf(env.Stderr, "gnaw: %v\n", b)
	}
	c := &fuzzing{
		env: env, flags: f, toolchain: tc, built: map[string]error{}, results: map[build.Target]result{}, project: findProject(env.Dir),
	}
	if c.known, err = known.Load(c.project.root); err != nil {
		return 0, err
	}
	if targets = c.choose(targets); len(targets) == 0 {
		return 0, usagef("no fuzz target in %s; a target is a function FuzzXxx(f *testing.F) in a file that ends in _test.go", strings.Join(f.patterns, " "))
	}
	c.history = beginHistory(ctx, env, c.project, tc.Version, f.patterns)
	defer c.history.end(ctx)
	c.targets(ctx, targets)
	c.summary()
	switch {
	case c.count(buggy) > 0:
		return ExitFinding, nil
	case c.count(unusable) > 0 || len(broken) > 0:
		return ExitInternal, nil
	}
	return ExitOK, nil
}

// turn is the time that each of several targets gets in turn when no -fuzztime is given.
const turn = time.Minute

// targets fuzzes the targets one after the other. Without a budget, several of them take turns until the user has
// enough or there is a bug in each.
func (c *fuzzing) targets(ctx context.Context, targets []build.Target) {
	again := c.flags.time == budget{} && len(targets) > 1
	if again {
		c.flags.time.time = turn
		fmt.Fprintf(c.env.Stdout, "%d targets take turns of %v until ^C; -fuzztime sets a time for each\n", len(targets), turn)
	}
	for {
		left := targets[:0:0]
		for _, t := range targets {
			if ctx.Err() != nil {
				return
			}
			if c.results[t] = c.target(ctx, t); c.results[t] == clean {
				left = append(left, t)
			}
		}
		if targets = left; !again || len(targets) == 0 {
			return
		}
	}
}

// interruptible ends the run with the first interrupt and the process with the second. It returns when done is closed.
func interruptible(env Env, cancel func(), done <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-env.Interrupts:
			if n > 0 {
				env.Abort(ExitFinding)
			}
			fmt.Fprintln(env.Stderr, "gnaw: stopping; again to stop at once")
			cancel()
		case <-done:
			return
		}
	}
}

// fuzzing is one run of `gnaw fuzz`.
type fuzzing struct {
	env       Env
	flags     fuzzFlags
	toolchain build.Toolchain
	built     map[string]error // by package
	results   map[build.Target]result
	project   project
	known     known.List
	history   *history
}

// result is what came of a target.
type result uint8

const (
	clean    result = iota + 1 // no failure
	buggy                      // a failure that repeats
	flaky                      // a failure that did not
	skipped                    // it calls f.Skip
	unusable                   // it could not be fuzzed
	familiar                   // a failure that is in the list of known ones
)

// count returns the number of targets with a result.
func (c *fuzzing) count(want result) (n int) {
	for _, r := range c.results {
		if r == want {
			n++
		}
	}
	return n
}

// choose keeps the targets that -fuzz and -skip ask for.
func (c *fuzzing) choose(targets []build.Target) (chosen []build.Target) {
	for _, t := range targets {
		if m := c.flags.match; m != nil && !m.MatchString(t.Name) {
			continue
		}
		if m := c.flags.skip; m != nil && m.MatchString(t.Name) {
			continue
		}
		chosen = append(chosen, t)
	}
	return chosen
}

// target fuzzes one target and prints what came of it.
func (c *fuzzing) target(ctx context.Context, t build.Target) result {
	fmt.Fprintf(c.env.Stdout, "=== %s %s\n", t.Package, t.Name)
	var w witness
	begin := time.Now()
	out, err := c.fuzz(ctx, t, &w)
	var start *executor.StartError
	switch {
	case errors.As(err, &start) && start.Code == 0:
		fmt.Fprintln(c.env.Stdout, "skipped: the target ended in good order without calling F.Fuzz, as with f.Skip")
		return skipped
	case err != nil && ctx.Err() != nil && out.Finding == nil:
		return clean // interrupted
	case err != nil:
		fmt.Fprintf(c.env.Stdout, "gnaw: %v\n", err)
		return unusable
	case out.Finding == nil:
		return clean
	}
	return c.report(ctx, t, out.Finding, &w, begin)
}

// fuzz builds the test binary of the target and runs the engine on it.
func (c *fuzzing) fuzz(ctx context.Context, t build.Target, w *witness) (out engine.Outcome, err error) {
	binary, err := build.BinaryPath(c.toolchain, t.Package, c.env.Dir, c.flags.build)
	if err != nil {
		return out, err
	}
	err, done := c.built[t.Package]
	if !done {
		fmt.Fprintf(c.env.Stdout, "building the test binary of %s\n", t.Package)
		err = build.Binary(ctx, c.toolchain, t.Package, c.env.Dir, c.flags.build, binary)
		c.built[t.Package] = err
	}
	if err != nil {
		return out, err
	}
	cache := filepath.Join(c.toolchain.Cache, "fuzz", filepath.FromSlash(t.Package))
	seeds := filepath.Join(t.Dir, "testdata", "fuzz", t.Name)
	o := targetOptions{
		Options: engine.Options{
			Target:        t.Name,
			SeedDir:       seeds,
			CorpusDir:     c.relative(seeds),
			WriteDir:      seeds,
			CacheDir:      filepath.Join(cache, t.Name),
			FuzzTime:      c.flags.time.time,
			FuzzLimit:     c.flags.time.execs,
			MinimizeTime:  c.flags.minimize.time,
			MinimizeLimit: int(c.flags.minimize.execs),
			Workers:       c.flags.parallel,
			MemLimit:      c.flags.memLimit,
			RandSeed:      c.flags.seed,
			Repeatable:    c.flags.repeatable,
			Without:       c.flags.without,
			Restart:       true,
		},
		config: workerConfig(c.env, t, binary, cache, c.flags.timeout),
		watch:  w,
	}
	ended := make(chan struct{})
	defer close(ended)
	w.started = func(snapshot func() engine.Snapshot) { go c.history.follow(ctx, t, snapshot, ended) }
	printer := gotest.New(c.env.Stdout, t.Name, c.flags.verbose || debugs(c.env))
	if out, err = fuzzTarget(ctx, o, printer); err == nil {
		c.history.cover(ctx, t, out.Final)
	}
	if out.Finding != nil {
		// Not within the time of the campaign, and not without proof because of ^C.
		w.prove(context.WithoutCancel(ctx), out.Finding, func(ctx context.Context, name string) (bool, error) {
			return replay(ctx, o.config, t.Name, name)
		})
	}
	return out, err
}

// relative shortens a path to what a person in the working directory would type.
func (c *fuzzing) relative(path string) string {
	if rel, err := filepath.Rel(c.env.Dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}

// summary prints what came of all targets.
func (c *fuzzing) summary() {
	s := "s"
	if len(c.results) == 1 {
		s = ""
	}
	fmt.Fprintf(c.env.Stdout, "%d target%s: %d with a bug, %d with a failure that did not repeat, %d without, %d skipped, %d could not be fuzzed\n",
		len(c.results), s, c.count(buggy), c.count(flaky), c.count(clean), c.count(skipped), c.count(unusable))
	if n := c.count(familiar); n > 0 {
		fmt.Fprintf(c.env.Stdout, "%d with a bug that is in %s\n", n, known.File)
	}
}
