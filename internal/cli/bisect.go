package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/gnaw-fuzz/gnaw/internal/bisect"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// answerCommand is the hidden command by which `git bisect run` has gnaw test the commit that is checked out.
const answerCommand = "bisect-answer"

// bisectFlags are the flags of `gnaw bisect`.
type bisectFlags struct {
	json bool
	good string
}

func (f *bisectFlags) define() *flagSet {
	fs := newFlags("bisect")
	fs.describe("json", "", "print one object for each tested commit, and one for the answer: commit, subject, verdict")
	fs.BoolVar(&f.json, "json", false, "")
	fs.describe("good", "rev", "a commit that passes (default: gnaw goes back in steps that double until a commit passes)")
	fs.StringVar(&f.good, "good", "", "")
	return fs
}

// runBisect is `gnaw bisect`.
func runBisect(ctx context.Context, env Env, args []string) (int, error) {
	var f bisectFlags
	rest, err := parseMixed(f.define(), args)
	if err != nil {
		return 0, err
	}
	id, err := one("bisect", "ID", rest)
	if err != nil {
		return 0, err
	}
	s, r, err := picked(ctx, env, id)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(s.refuseMeasured(r, "bisect"), s.refuseDependency(r, "bisect")); err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("find the program of gnaw for git to start: %w", err)
	}
	found, err := bisect.Run(ctx, bisect.Options{
		Folder: s.module.Abs(r.Folder), Record: r, Good: f.good, Environ: env.Environ, Notices: env.Stderr,
		Answer: []string{self, answerCommand}, Tested: func(c bisect.Commit) { f.printTested(env, c) },
	})
	for _, c := range found {
		f.printFound(env, c)
	}
	return exitcode.OK, err
}

// printTested prints a commit that was tested.
func (f *bisectFlags) printTested(env Env, c bisect.Commit) {
	if f.json {
		_ = writeJSON(env.Stdout, c) // the output reports its errors itself
		return
	}
	fmt.Fprintf(env.Stdout, "%-16s %s\n", c.Verdict, c.Name)
}

// printFound prints a commit that has introduced the finding, or may have.
func (f *bisectFlags) printFound(env Env, c bisect.Commit) {
	if f.json {
		_ = writeJSON(env.Stdout, c)
		return
	}
	intro := "this commit introduced it:"
	if c.Verdict == bisect.MayIntroduced {
		intro = "this commit may have introduced it; the commits between cannot be tested:"
	}
	fmt.Fprintf(env.Stdout, "%s\n%s\n", intro, c.Stat)
}

// runAnswer is the hidden command.
func runAnswer(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) != 1 {
		return 0, usagef("gnaw bisect has git start gnaw %s; to look for a commit, run gnaw bisect", answerCommand)
	}
	code, err := bisect.Answer(ctx, env.Environ, args[0], env.Stdout)
	if err != nil {
		fmt.Fprintf(env.Stderr, "gnaw: %v\n", err)
	}
	return code, nil
}
