package cli

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/repro"
)

// runRepro is `gnaw repro`: plain go test with the input of a finding.
func runRepro(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) > 0 && isHelp(args[0]) {
		return 0, flag.ErrHelp
	}
	if len(args) == 0 || args[0] == "" || args[0][0] == '-' {
		return 0, usagef("repro takes an ID or a corpus file and then flags of go test; `gnaw help repro` explains it")
	}
	m, r, short, version, err := reproduced(ctx, env, args[0])
	if err != nil {
		return 0, err
	}
	got, err := repro.Run(ctx, repro.Options{
		Module: m, Record: r, ID: short, Version: version, Environ: env.Environ, Flags: args[1:],
		Stdin: env.Stdin, Stdout: direct(env.Stdout), Stderr: direct(env.Stderr), Notices: env.Stderr,
	})
	switch {
	case err != nil:
		return 0, err
	case got.Failed && got.Method == repro.GoTest:
		return got.Code, nil
	case got.Failed:
		fmt.Fprintln(env.Stdout, got.Output)
		return exitcode.Finding, nil
	}
	passes := map[repro.Method]string{
		repro.GoTest:  "go test passes with the input of %s: it may be fixed or flaky, or need the flags with which gnaw found it",
		repro.Process: "the input of %s passes in a fuzzing process: it may be fixed or flaky, or need the flags with which gnaw found it",
		repro.Oracle:  "the measurement shows nothing for the input of %s: it may be fixed, or need the flags with which gnaw found it",
	}
	fmt.Fprintf(env.Stderr, "gnaw: "+passes[got.Method]+"\n", short)
	return exitcode.OK, nil
}

// reproduced returns the finding that the argument of gnaw repro names, with the input to run, its short ID, and the version of the
// dependency. The input in a corpus file of which there is no finding has the path in place of the ID.
func reproduced(ctx context.Context, env Env, arg string) (m project.Module, r finding.Record, short, version string, err error) {
	if file := inputFile(env, arg); file != "" {
		m = project.Find(filepath.Dir(file))
		if r, err = readInput(m, file); err != nil {
			return m, r, "", "", err
		}
		short = project.Relative(env.Dir, file)
		if s, known, err := pickInput(ctx, env, file); err == nil {
			s.close()
			if known.Path == r.Path && s.understood(known) == nil {
				r, short = known, s.short(known)
			}
		}
		return m, r, short, "", nil
	}
	arg, version, _ = strings.Cut(arg, "@")
	id, number, err := numbered(arg)
	if err != nil {
		return m, r, "", "", err
	}
	s, r, err := picked(ctx, env, id)
	if err != nil {
		return m, r, "", "", err
	}
	if number > 1 {
		if number-2 >= len(r.More) {
			return m, r, "", "", usagef("%s has %s; `gnaw show %s` prints them", id, report.Plural(1+len(r.More), "input"), id)
		}
		r = r.Of(r.More[number-2])
	}
	short = s.short(r)
	return s.module, r, short, version, checkVersion(r, short, version)
}

// checkVersion returns an error if the input of a finding cannot be run with another version. Empty: that of the main module.
func checkVersion(r finding.Record, id, version string) error {
	d := r.Dependency
	switch {
	case version == "":
		return nil
	case d == nil || d.Module == build.StdModule || d.Version == build.LocalVersion:
		return usagef("%s is no finding of a module that has versions; write gnaw repro %[1]s", id)
	case r.Kind.Measured() || r.NotRun != "":
		return usagef("go test does not show the failure of %s, so gnaw runs it with the version of the main module only", id)
	}
	return nil
}

// numbered splits an argument such as 5870 or 5870#2 into the ID of a finding and the number of its input.
func numbered(arg string) (id string, number int, err error) {
	id, text, ok := strings.Cut(arg, "#")
	if !ok {
		return id, 1, nil
	}
	if number, err = strconv.Atoi(text); err != nil || number < 1 {
		return "", 0, usagef("%q is not the number of an input; write ID#n, such as 89a4#2", arg)
	}
	return id, number, nil
}
