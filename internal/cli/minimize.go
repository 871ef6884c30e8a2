package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/minimizer"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// minimizeFlags are the flags of `gnaw minimize`.
type minimizeFlags struct {
	budget budget
	spec   session.Spec // target and package by flags; empty: those of the file or finding
	refuse bool
	json   bool
}

// define returns the flags.
func (f *minimizeFlags) define() *flagSet {
	fs := newFlags("minimize")
	fs.describe("fuzzminimizetime", "d", "time or executions; 0s: no limit (default 60s)")
	fs.Var(&f.budget, "fuzzminimizetime", "")
	fs.describe("timeout", "d", "limit for one execution (default 10s)")
	fs.DurationVar(&f.spec.Timeout, "timeout", f.spec.Timeout, "")
	fs.describe("target", "name", "the target of FILE (default: the name of its folder)")
	fs.StringVar(&f.spec.Target, "target", "", "")
	fs.describe("package", "p", "folder or import path of the package (default: the package whose testdata/fuzz contains FILE, or else the "+
		"package in the working directory)")
	fs.StringVar(&f.spec.Package, "package", "", "")
	fs.describe("memlimit", "size", "limit for the heap, such as 512MiB (default: as gnaw fuzz with one worker)")
	fs.Func("memlimit", "", func(s string) error {
		n, err := gocommand.ParseMemLimit(s)
		f.spec.MemLimit = uint64(n)
		return err
	})
	fs.describe("std", "hooks|plain", "as in gnaw test")
	fs.Func("std", "", func(s string) (err error) {
		f.spec.PlainStd, err = gocommand.ParseStd(s)
		return err
	})
	fs.describe("tags", "t", "as in go build (default with an ID: the tags of the finding)")
	fs.Func("tags", "", func(s string) error { f.spec.Flags = append(f.spec.Flags, "-tags="+s); return nil })
	fs.defineRefuse(&f.refuse)
	fs.describe("json", "", "print one object: target, path (empty if there is no file), original_size, size, smaller, literals, seconds, "+
		"candidates")
	fs.BoolVar(&f.json, "json", false, "")
	fs.describe("args", "...", "pass the remaining arguments to the test binary (default with an ID: the arguments of the finding)")
	return fs
}

// runMinimize is `gnaw minimize`.
func runMinimize(ctx context.Context, env Env, args []string) (int, error) {
	f := &minimizeFlags{budget: budget{time: time.Minute}, refuse: true, spec: session.Spec{
		Dir: env.Dir, Environ: env.Environ, Notices: env.Stderr,
		Timeout: session.DefaultTimeout, MemLimit: session.DefaultMemLimit(executor.MemoryRoom(), 1),
	}}
	args, f.spec.Args = cutArgs(args)
	rest, err := parseMixed(f.define(), args)
	if err != nil {
		return 0, err
	}
	what, err := one("minimize", "file or ID", rest)
	if err == nil {
		err = checkTimeout(f.spec.Timeout)
	}
	if err != nil {
		return 0, err
	}
	o := minimizer.Options{Spec: f.spec, Time: f.budget.time, Execs: int(f.budget.execs), Refuse: f.refuse}
	res, err := minimizeInput(ctx, env, o, what)
	if res.Failure == nil {
		return exitcode.OK, err
	}
	if f.json {
		return exitcode.OK, errors.Join(err, writeJSON(env.Stdout, minimizedJSONOf(res)))
	}
	printMinimized(env, res)
	return exitcode.OK, err
}

// minimizeInput minimizes the input in a file, or that of the finding with an ID.
func minimizeInput(ctx context.Context, env Env, o minimizer.Options, what string) (res minimizer.Result, err error) {
	path := env.Abs(what)
	if _, err := os.Stat(path); err == nil {
		return minimizer.File(ctx, o, path)
	}
	if strings.ContainsAny(what, `/\.`) {
		return res, usagef("there is no file %s; write the path of an input, or the ID of a finding", what)
	}
	s, r, err := pick(ctx, env, what)
	if err != nil {
		return res, err
	}
	defer s.close()
	if err := s.understood(r); err != nil {
		return res, err
	}
	if err := errors.Join(s.refuseMeasured(r, "minimize"), s.refuseDependency(r, "minimize")); err != nil {
		return res, err
	}
	return minimizer.Finding(ctx, o, minimizer.Stored{
		Module: s.module, Record: r, ID: s.short(r),
		Update: func(ctx context.Context, r finding.Record) error { return s.store.Update(ctx, s.module.Path, r) },
	})
}

// minimizedJSON is the JSON form of the result.
type minimizedJSON struct {
	Target   string   `json:"target"`
	Path     string   `json:"path"`          // absolute; of the file that was given if nothing smaller was found; empty: in the history only
	From     int      `json:"original_size"` // bytes
	Size     int      `json:"size"`          // bytes
	Smaller  bool     `json:"smaller"`
	Literals []string `json:"literals"` // the arguments as Go expressions
	Seconds  float64  `json:"seconds"`
	Checks   int      `json:"candidates"`
}

func minimizedJSONOf(r minimizer.Result) minimizedJSON {
	smallest := r.Failure.Input
	return minimizedJSON{
		r.Target, r.Path, r.Original.Size(), smallest.Size(), r.Smaller(), report.Literals(string(input.Marshal(smallest))),
		r.Took.Seconds(), r.Stats.Checks,
	}
}

// printMinimized prints the result for a person.
func printMinimized(env Env, r minimizer.Result) {
	smallest := r.Failure.Input
	if !r.Smaller() {
		fmt.Fprintf(env.Stdout, "nothing smaller fails in the same way (%d candidates in %.1f s)\n", r.Stats.Checks, r.Took.Seconds())
		return
	}
	fmt.Fprintf(env.Stdout, "minimized from %d to %d bytes in %.1f s, %d candidates\n",
		r.Original.Size(), smallest.Size(), r.Took.Seconds(), r.Stats.Checks)
	for _, line := range report.Literals(string(input.Marshal(smallest))) {
		fmt.Fprintf(env.Stdout, "  %s\n", report.Line(line))
	}
	if r.Path == "" {
		fmt.Fprintln(env.Stdout, "kept in the history; the finding has no file")
		return
	}
	fmt.Fprintf(env.Stdout, "written to %s\n", project.Relative(env.Dir, r.Path))
	if r.Replaced != "" {
		fmt.Fprintf(env.Stdout, "removed the file that it replaces, %s\n", project.Relative(env.Dir, r.Replaced))
	}
}
