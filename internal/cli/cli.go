// Package cli implements the command line of gnaw: it parses arguments, calls the packages that do the work, prints results and chooses
// the exit code.
//
// A command uses the files, streams and variables of an [Env] only, so that tests can run it. cmd/gnaw makes the Env of the process.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Main runs the command that env asks for and returns the exit code.
func Main(ctx context.Context, env Env) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	env.webhook, env.Environ = takeSecret(env.Environ, notifyVariable)
	env.token, env.Environ = takeSecret(env.Environ, tokenVariable)
	env.screen = newScreen(env)
	notices := &output{to: env.Stderr}
	if env.screen != nil && terminalOf(env, env.Stderr) != nil {
		notices.screen = env.screen
	}
	out := &output{to: env.Stdout, screen: env.screen, notices: notices, closed: func() { cancel(&interruption{syscall.SIGPIPE}) }}
	env.actions = newActions(env)
	defer env.actions.end() // after the last error
	abort, screen := env.Abort, env.screen
	env.Stdout, env.Stderr = out, notices
	env.Abort = func(code int) {
		screen.abandon()
		abort(code)
	}
	code, err := dispatch(ctx, env)
	var interrupted *interruption
	if errors.As(err, &interrupted) {
		return interrupted.exit() // the user sent the signal and needs no message
	}
	lost := out.failure()
	switch {
	case lost != nil && (err == nil && code == exitcode.OK || errors.Is(err, lost)): // output has reported it
		return exitcode.Internal
	case err == nil:
		return code
	}
	fmt.Fprintf(env.actions.errors(env.Stderr), "gnaw: %v\n", err)
	if isUsage(err) {
		return exitcode.Usage
	}
	return exitcode.Internal
}

// isUsage reports whether an error is about what the user asked for.
func isUsage(err error) bool {
	var request *usage.Error
	var none *session.NoTargetError
	var pattern *gocommand.PatternError
	var outside *gocommand.NoModuleError
	var test *gocommand.UsageError
	return errors.As(err, &request) || errors.As(err, &none) || errors.As(err, &pattern) ||
		errors.As(err, &outside) || errors.As(err, &test) || errors.Is(err, gocommand.ErrGcflags) || errors.Is(err, gocommand.ErrExec)
}

func dispatch(ctx context.Context, env Env) (int, error) {
	if code, found, err := runBundle(ctx, env); found || err != nil {
		return code, err
	}
	name, args := named(env.Args)
	if slices.Equal(env.Args, []string{"-v"}) {
		return 0, usagef("-v alone can mean two things: `gnaw version` prints the version, and `gnaw fuzz -v` fuzzes and prints a line for each new " +
			"corpus entry")
	}
	if name == HostCommand {
		return runCoordinate(ctx, env)
	}
	if name == guardCommand {
		return runGuard(env)
	}
	if name == wordsCommand {
		return runWords(env, commands(), args)
	}
	if name == answerCommand {
		ctx, end := listen(ctx, env, true)
		defer end()
		return runAnswer(ctx, env, args)
	}
	for _, c := range commands() {
		if c.name == name {
			if usesCache(name, args) {
				noteCache(env)
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
	return 0, usagef("%q is not a command of gnaw%s; `gnaw help` lists them", name, meantCommand(env, name))
}

// meantCommand returns a hint with what may be meant by a word that is not a command.
func meantCommand(env Env, word string) string {
	if info, err := os.Stat(env.Abs(word)); err == nil && info.IsDir() {
		return fmt.Sprintf("; write gnaw fuzz ./%s for the folder of that name", word)
	}
	if gocommand.IsTargetName(word) {
		return fmt.Sprintf("; write gnaw fuzz -fuzz='^%s$' for a target of that name", word)
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	if best := nearest(word, names); best != "" {
		return fmt.Sprintf("; %s may be meant", best)
	}
	return ""
}

// noteCache prints where the cache is, if it is not in the user cache directory.
func noteCache(env Env) {
	if text := cache.Notice(); text != "" {
		fmt.Fprintf(env.Stderr, "gnaw: %s\n", text)
	}
}

// usesCache reports whether a command always uses gnaw's cache. Whether gnaw test does depends on its flags.
func usesCache(name string, args []string) bool {
	switch name {
	case "fuzz", "build", "findings", "show", "repro", "minimize", "regress", "bisect", "clean", "cover", "report", "ui":
		return !slices.ContainsFunc(args, isHelp)
	case "known":
		return len(args) > 0 && args[0] == "add"
	case "corpus":
		return len(args) > 0 && args[0] == "distill" && !slices.ContainsFunc(args, isHelp)
	}
	return false
}
