package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// runRepro is `gnaw repro`: plain go test with the input of a finding.
func runRepro(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) > 0 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		return runHelp(ctx, env, []string{"repro"})
	}
	if len(args) == 0 || args[0] == "" || args[0][0] == '-' {
		return 0, usagef("repro takes an ID and then flags of go test; `gnaw help repro` explains it")
	}
	id, number, err := numbered(args[0])
	if err != nil {
		return 0, err
	}
	s, r, err := picked(ctx, env, id)
	if err != nil {
		return 0, err
	}
	if number > 1 {
		if number-2 >= len(r.More) {
			return 0, usagef("%s has %s; `gnaw show %s` prints them", id, report.Plural(1+len(r.More), "input"), id)
		}
		r = r.Of(r.More[number-2])
	}
	if r.Kind.Measured() || r.NotRun != "" {
		return s.measure(ctx, env, r, args[1:])
	}
	tc, err := build.FindToolchain(ctx, s.module.Abs(r.Folder), env.Environ)
	if err != nil {
		return 0, err
	}
	r = withFile(r)
	forget, err := putInput(s.module, r)
	if err != nil {
		return 0, err
	}
	defer forget(env)
	goTest := func(more ...string) *exec.Cmd {
		cmd := exec.Command(tc.Go, replayArgs(r, append(args[1:len(args):len(args)], more...)...)...)
		cmd.Dir, cmd.Env = s.module.Abs(r.Folder), tc.Environ()
		return cmd
	}
	group.LeaveTerminal() // a test that reads its standard input gets an error; it would be stopped
	cmd := goTest()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = env.Stdin, direct(env.Stdout), direct(env.Stderr)
	err = group.Run(ctx, cmd)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return 0, fmt.Errorf("run go test: %w", err)
	}
	// A test that passes may not have run the input, which would prove nothing.
	var said bytes.Buffer
	again := goTest("-v")
	again.Stdout = &said
	short := finding.Short(r.ID, store.IDs(s.all))
	if err := group.Run(ctx, again); err == nil && !ranInput(said.String(), r.Target) {
		return 0, fmt.Errorf("go test does not run the input of %s, so that it passes proves nothing: the target may be skipped, or the test "+
			"process may run in another folder", short)
	}
	fmt.Fprintf(env.Stderr, "gnaw: go test passes with the input of %s: it is fixed, flaky, or needs the flags it was found with\n", short)
	return exitcode.OK, nil
}

// ranInput reports whether what go test prints with -v says that an input of a target was run. One that the target skips was: many
// targets do that with what is no valid input.
func ranInput(said, target string) bool { return strings.Contains(said, "=== RUN   "+target+"/") }

// numbered splits what says which input of a finding is meant, as in 5870 or 5870#2.
func numbered(arg string) (id string, number int, err error) {
	id, text, ok := strings.Cut(arg, "#")
	if !ok {
		return id, 1, nil
	}
	if number, err = strconv.Atoi(text); err != nil || number < 1 {
		return "", 0, usagef("%q does not say which input of a finding is meant; write as in 5870#2", arg)
	}
	return id, number, nil
}

// withFile gives a finding that has none a path for a file with its input, as go test names it. To run a seed of F.Add by its
// number would say nothing about another version of the target: it may have other seeds, or fewer.
func withFile(r finding.Record) finding.Record {
	if r.Path == "" && r.Input != "" {
		r.Path = path.Join(r.Folder, "testdata", "fuzz", r.Target, corpus.Name([]byte(r.Input)))
	}
	return r
}

// replayArgs are the arguments of the go command that run a finding, in the folder of its package, with more flags. What GOFLAGS
// says about the form of the output does not count: a person or gnaw reads it.
func replayArgs(r finding.Record, more ...string) []string {
	name := r.Seed
	if r.Path != "" {
		name = filepath.Base(filepath.FromSlash(r.Path))
	}
	args := slices.Concat([]string{"test", "-json=false", "-run=" + report.RunPattern(r.Target, name)}, r.Flags, []string{"."}, more)
	if len(r.Args) > 0 && !slices.Contains(more, "-args") {
		args = append(append(args, "-args"), r.Args...)
	}
	return args
}

// putInput makes sure that the file with the input of a finding is there until forget, which removes it if it was not there before and
// no other gnaw needs it.
func putInput(m project.Module, r finding.Record) (forget func(Env), err error) {
	if r.Path == "" {
		return func(Env) {}, nil
	}
	path := m.Abs(r.Path)
	if text, err := disk.Read(path, disk.MaxInput); err == nil && string(text) != r.Input { // the user has changed it
		return func(Env) {}, nil
	}
	missing := disk.Missing(filepath.Dir(path))
	h, err := corpus.TakeTemporaryFile(path, []byte(r.Input))
	if err != nil {
		for _, dir := range missing {
			_ = os.Remove(dir) // those that were made
		}
		return nil, fmt.Errorf("put the input where go test looks for it: %w; in a copy of the module that can be written go test runs it", err)
	}
	return func(env Env) {
		if err := h.Release(); err != nil {
			fmt.Fprintf(env.Stderr, "gnaw: the input stays: %v\n", err)
		}
		for _, dir := range missing {
			_ = os.Remove(dir) // another process may have put something there
		}
	}, nil
}
