// Package cli is the command line of gnaw: what the arguments mean, what is printed, which exit code is given.
//
// Everything that it takes from outside is in an [Env], so that a command can be run in a test; only cmd/gnaw reads the
// process's own arguments, environment and streams.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// Env is the world of a command.
type Env struct {
	Args           []string // after the name of the command
	Environ        []string // as os.Environ
	Dir            string   // working directory
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Result         *os.File                                      // pipe of `gnaw coordinate`; nil otherwise
	Interrupts     <-chan os.Signal                              // signals by which the user or the system ends it
	Exec           func(path string, argv, environ []string) int // replaces the process, or runs and waits
	Abort          func(code int)                                // ends the process at once
}

// Getenv returns the value of a variable, "" if it is not set.
func (e Env) Getenv(name string) string { return session.Getenv(e.Environ, name) }

// command is one of gnaw's commands.
type command struct {
	name  string
	short string
	long  string
	run   func(ctx context.Context, env Env, args []string) (int, error)
	stops bool            // it ends with its context: it starts processes, or makes files that shall not stay
	flags func() *flagSet // nil: it has none of its own
}

// page is the page of help about a command. The descriptions of its flags take the place of "{flags}", and the names of the
// oracles that make reports that of "{oracles}".
func (c command) page() string {
	long := strings.Replace(c.long, "{oracles}", strings.Join(oracle.All.Reporting().Names(), ", "), 1)
	if c.flags == nil {
		return long
	}
	return strings.Replace(long, "{flags}\n", c.flags().String(), 1)
}

// commands in the order in which help shows them. It is a function because help refers to it.
func commands() []command {
	return []command{
		{"fuzz", "fuzz every target of some packages", helpFuzz, runFuzz, true, func() *flagSet { return new(fuzzFlags).define(new(budget), new(bool)) }},
		{"test", "run go test with gnaw's engine behind -fuzz", helpTest, runTest, true, nil},
		{"list", "list the fuzz targets of some packages", helpList, runList, true, new(listFlags).define},
		{"findings", "list the findings", helpFindings, runFindings, false, func() *flagSet { return defineFindings(new(jsonFlag)) }},
		{"show", "print all details of a finding", helpShow, runShow, false, func() *flagSet { return defineShow(new(jsonFlag)) }},
		{"repro", "run a finding in plain go test", helpRepro, runRepro, true, nil},
		{"minimize", "make a failing input smaller", helpMinimize, runMinimize, true, new(minimizing).define},
		{"regress", "write an ordinary Go test of a finding", helpRegress, runRegress, true, func() *flagSet { return defineRegress(new(jsonFlag)) }},
		{"bisect", "find the commit that introduced a finding", helpBisect, runBisect, true, new(bisectFlags).define},
		{"known", "list or add known findings", helpKnown, runKnown, false, func() *flagSet { return new(knownFlags).define(true) }},
		{"clean", "remove what gnaw has built", helpClean, runClean, false, new(cleanFlags).define},
		{"version", "print the version of gnaw", helpVersion, runVersion, false, func() *flagSet { return defineVersion(new(jsonFlag)) }},
		{"help", "explain a command", helpHelp, runHelp, false, nil},
	}
}

// usageError is a mistake in the arguments.
type usageError struct{ error }

// Unwrap returns the cause.
func (e *usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// Main runs the command that env asks for and returns the exit code.
func Main(ctx context.Context, env Env) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	notices := &output{to: env.Stderr}
	out := &output{to: env.Stdout, notices: notices, closed: func() { cancel(&interruption{syscall.SIGPIPE}) }}
	env.Stdout, env.Stderr = out, notices
	code, err := dispatch(ctx, env)
	var interrupted *interruption
	if errors.As(err, &interrupted) {
		return interrupted.exit() // which the user knows
	}
	lost := out.failure()
	switch {
	case lost != nil && (err == nil && code == exitcode.OK || errors.Is(err, lost)): // output has reported it
		return exitcode.Internal
	case err == nil:
		return code
	}
	fmt.Fprintf(env.Stderr, "gnaw: %v\n", err)
	var usage *usageError
	if errors.As(err, &usage) {
		return exitcode.Usage
	}
	return exitcode.Internal
}

// named returns the command that the arguments ask for, and its arguments: fuzz, if the first one is a flag or names packages.
func named(args []string) (name string, rest []string) {
	switch {
	case len(args) == 0:
		return "fuzz", []string{"./..."}
	case isHelp(args[0]):
		return "help", nil
	case args[0] == "-version" || args[0] == "--version":
		return "version", args[1:]
	case strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], ".") || strings.Contains(args[0], "/") || filepath.IsAbs(args[0]):
		return "fuzz", args
	}
	return args[0], args[1:]
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func dispatch(ctx context.Context, env Env) (int, error) {
	name, args := named(env.Args)
	if name == HostCommand {
		return runCoordinate(ctx, env)
	}
	if name == verdictCommand {
		ctx, end := listen(ctx, env, true)
		defer end()
		return runVerdict(ctx, env, args)
	}
	for _, c := range commands() {
		if c.name == name {
			if usesCache(name, args) {
				tellCache(env)
			}
			ctx, end := listen(ctx, env, c.stops)
			defer end()
			code, err := c.run(ctx, env, args)
			if errors.Is(err, flag.ErrHelp) {
				return runHelp(ctx, env, []string{name})
			}
			if i := interruptionOf(ctx); i != nil && errors.Is(err, context.Canceled) {
				err = i
			}
			return code, err
		}
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	if best := nearest(name, names); best != "" {
		return 0, usagef("%q is not a command of gnaw; %s may be meant; `gnaw help` lists them", name, best)
	}
	return 0, usagef("%q is not a command of gnaw; `gnaw help` lists them", name)
}

// tellCache says where the cache is, if it is not where it is expected.
func tellCache(env Env) {
	if text := build.CacheNotice(); text != "" {
		fmt.Fprintf(env.Stderr, "gnaw: %s\n", text)
	}
}

// usesCache reports whether a command reads or writes the folder that gnaw has for itself in any case. Of gnaw test the flags
// decide.
func usesCache(name string, args []string) bool {
	switch name {
	case "fuzz", "findings", "show", "repro", "minimize", "regress", "bisect", "clean":
		return !slices.ContainsFunc(args, isHelp)
	case "known":
		return len(args) > 0 && args[0] == "add"
	}
	return false
}

// defineVersion returns the flags of `gnaw version`.
func defineVersion(f *jsonFlag) *flagSet {
	return f.define("version", "print one object: version, go")
}

func runVersion(_ context.Context, env Env, args []string) (int, error) {
	var asJSON jsonFlag
	rest, err := parseMixed(defineVersion(&asJSON), args)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("version takes no arguments")
	}
	info, ok := debug.ReadBuildInfo()
	version, goVersion := "unknown", ""
	if ok {
		version, goVersion = info.Main.Version, info.GoVersion
	}
	if asJSON {
		return exitcode.OK, writeJSON(env.Stdout, struct {
			Version string `json:"version"`
			Go      string `json:"go"` // that it was built with
		}{version, goVersion})
	}
	fmt.Fprintf(env.Stdout, "gnaw %s (built with %s)\n", version, goVersion)
	return exitcode.OK, nil
}
