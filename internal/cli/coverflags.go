package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// coverFlags are the flags of `gnaw cover`.
type coverFlags struct {
	match           *regexp.Regexp
	covered         []string // patterns of packages
	profile, html   string   // files to write; empty: none
	by              coverage.By
	since           string  // value of -since; empty: there is no comparison
	earlier         earlier // the campaign or revision that since names
	functions, json bool
	typed           bool // the command type-checks packages
	timeout         time.Duration
	memLimit        uint64
	refuse          bool
	build           []string // flags for the go command
	args            []string // for test binaries
	patterns        []string
}

func (f *coverFlags) define() *flagSet {
	fs := newFlags("cover")
	fs.describe("by", "seeds|corpus|all", "count the inputs of F.Add and testdata/fuzz only, or those of the corpus only (default all)")
	fs.Func("by", "", parseBy(&f.by))
	f.defineCovered(fs)
	fs.describe("func", "", "also print the numbers of each function")
	fs.BoolVar(&f.functions, "func", false, "")
	fs.describe("fuzz", "regexp", "only the targets whose names match")
	fs.Func("fuzz", "", pattern(&f.match))
	fs.describe("html", "file", "write the sources with what is covered, the smallest input that reaches each line, and the branches of gnaw frontier, as one HTML file")
	fs.StringVar(&f.html, "html", "", "")
	fs.describe("json", "", "print one object for each target: package, target, inputs, seeds, executed, statements, covered, failing (name, "+
		"kind, lost); then one for each package: package, statements, covered, by_seeds, functions (name, file, line, statements, covered)")
	fs.BoolVar(&f.json, "json", false, "")
	fs.describe("o", "file", "write a profile as go test -coverprofile does; go tool cover and coverage services read it; the count of a block is "+
		"the number of inputs that reach it")
	fs.StringVar(&f.profile, "o", "", "")
	fs.describe("since", "what", "print which statements came and went, in place of the tables; what is "+lastCampaign+" for the last campaign, the "+
		"number of a campaign, or a git revision")
	fs.Func("since", "", func(s string) error {
		if f.since = s; s == "" {
			return errors.New("it takes " + lastCampaign + ", the number of a campaign or a git revision")
		}
		return nil
	})
	f.defineRun(fs)
	return fs
}

// parseBy returns a function that reads the value of -by.
func parseBy(by *coverage.By) func(string) error {
	return func(s string) (err error) {
		var ok bool
		if *by, ok = map[string]coverage.By{"seeds": coverage.Seeds, "corpus": coverage.Corpus, "all": coverage.All}[s]; !ok {
			err = errors.New("it takes seeds, corpus or all")
		}
		return err
	}
}

// defineCovered defines the flag that chooses packages.
func (f *coverFlags) defineCovered(fs *flagSet) {
	fs.describe("coverpkg", "pats", "packages to cover, with commas between them (default: the packages of the main module that the test binary "+
		"contains)")
	fs.Func("coverpkg", "", func(s string) error {
		for p := range strings.SplitSeq(s, ",") {
			if p = strings.TrimSpace(p); p == "" || strings.HasPrefix(p, "-") {
				return errors.New("it takes package patterns with commas between them, such as ./...,example.com/dep")
			}
			f.covered = append(f.covered, p)
		}
		return nil
	})
}

// defineRun defines the flags for test binaries and their executions.
func (f *coverFlags) defineRun(fs *flagSet) {
	fs.describe("memlimit", "size", "limit for the heap of a test process, such as 512MiB; off: no limit (default: as gnaw fuzz with one worker)")
	fs.Func("memlimit", "", func(s string) error {
		n, err := gocommand.ParseMemLimit(s)
		f.memLimit = uint64(n)
		return err
	})
	fs.defineRefuse(&f.refuse)
	fs.describe("tags mod modfile gcflags ldflags trimpath", "", "as in go build")
	for _, name := range []string{"tags", "mod", "modfile", "gcflags", "ldflags"} {
		fs.Func(name, "", f.forGo(name))
	}
	fs.BoolFunc("trimpath", "", f.forGo("trimpath"))
	fs.describe("timeout", "d", "limit for one execution (default 10s)")
	fs.DurationVar(&f.timeout, "timeout", f.timeout, "")
	fs.describe("args", "...", "pass the remaining arguments to the test binaries, as in go test")
}

// forGo returns a function that passes a flag on to the go command.
func (f *coverFlags) forGo(name string) func(string) error {
	return func(s string) error {
		f.build = append(f.build, "-"+name+"="+s)
		return nil
	}
}

// parseCoverFlags reads the arguments of `gnaw cover`.
func parseCoverFlags(env Env, args []string) (f coverFlags, err error) {
	f = coverFlags{timeout: session.DefaultTimeout, memLimit: session.DefaultMemLimit(executor.MemoryRoom(), 1), refuse: true}
	args, f.args = cutArgs(args)
	if f.patterns, err = parsePackages(f.define(), args); err != nil {
		return f, err
	}
	for _, file := range []*string{&f.profile, &f.html} {
		if *file != "" {
			*file = env.Abs(*file)
		}
	}
	return f, checkTimeout(f.timeout)
}

// options returns the options for coverage.Run. kept is the store for results; nil: all inputs are executed and no result is saved.
func (f *coverFlags) options(env Env, kept coverage.Store) coverage.Options {
	return coverage.Options{
		Dir: env.Dir, Environ: env.Environ, Packages: f.covered, Flags: f.build, Args: f.args, Timeout: f.timeout, MemLimit: f.memLimit,
		Refuse: f.refuse,
		Store:  kept, Progress: (&coverProgress{env: env}).show,
	}
}

// find returns the toolchain and the targets that the flags select, of which there is at least one. It prints which packages do not build;
// broken reports whether there are any.
func (f *coverFlags) find(ctx context.Context, env Env) (tc gocommand.Toolchain, targets []build.Target, broken bool, err error) {
	if tc, err = gocommand.FindToolchain(ctx, env.Dir, env.Environ); err == nil && f.typed {
		err = tc.Readable()
	}
	if err != nil {
		return tc, nil, false, err
	}
	tc.Notices = env.Stderr
	if err := gocommand.CheckExec(tc); err != nil {
		return tc, nil, false, err
	}
	targets, list, err := f.targets(ctx, env, tc)
	if err != nil {
		return tc, nil, false, err
	}
	for _, b := range list {
		fmt.Fprintf(env.Stderr, "gnaw: %v\n", b)
	}
	if len(targets) == 0 {
		return tc, nil, true, errors.New("no package is left: see above")
	}
	return tc, targets, len(list) > 0, nil
}

// targets finds the targets that the flags select.
func (f *coverFlags) targets(ctx context.Context, env Env, tc gocommand.Toolchain) (targets []build.Target, broken []build.PackageError, err error) {
	if err := build.CheckCovered(ctx, tc, env.Dir, build.CoverOptions{Patterns: f.covered, Flags: f.build}); err != nil {
		return nil, nil, err
	}
	all, broken, err := build.List(ctx, tc, env.Dir, f.patterns, f.build)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range all {
		if f.match == nil || f.match.MatchString(t.Func) {
			targets = append(targets, t)
		}
	}
	if len(targets) > 0 || len(broken) > 0 {
		return targets, broken, nil
	}
	where, without := strings.Join(f.patterns, " "), excluded(ctx, env, tc, f.patterns, f.build, f.match)
	if len(all) > 0 {
		return nil, nil, usagef("no target in %s matches -fuzz; for example, there is %s; `gnaw list` shows all%s", where, all[0].Func, without)
	}
	return nil, nil, usagef(noTarget+"%s", where, without)
}

// notes prints which targets and files are left out, and returns the exit code. It returns a *usage.Error if no target has an input.
func (f *coverFlags) notes(env Env, list []*coverage.Replayed, failed []coverage.Failed, broken bool) (int, error) {
	code := exitcode.OK
	if broken || len(failed) > 0 {
		code = exitcode.Internal
	}
	said := map[string]bool{}
	for _, x := range failed {
		if text := x.Err.Error(); !said[text] { // of one package, once
			said[text] = true
			fmt.Fprintf(env.Stderr, "gnaw: %s of %s is left out: %s\n", x.Target.Func, x.Target.Package, text)
		}
	}
	inputs := 0
	for _, r := range list {
		inputs += len(r.Entries)
		for _, p := range r.Problems {
			fmt.Fprintf(env.Stderr, "gnaw: %v; the file is left out\n", p)
		}
		if action := r.Refused(); action != "" {
			fmt.Fprintf(env.Stderr, "gnaw: %s\n", refusedText(r.Target.Func, action))
		}
		if len(r.Entries) == 0 {
			fmt.Fprintf(env.Stderr, "gnaw: %s of %s has no input: no F.Add, and no file in testdata/fuzz/%[1]s or in the corpus; fuzz it first\n",
				r.Target.Func, r.Target.Package)
		}
	}
	if inputs == 0 && code == exitcode.OK {
		return 0, usagef("there is no input to execute: see above")
	}
	return code, nil
}
