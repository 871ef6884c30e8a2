package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// bisection looks for the commit that introduced a finding, in a work tree of its own.
type bisection struct {
	trial
	env  Env
	json bool
	temp string // folder with the work tree
}

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
	if err := refuseMeasured(r, "bisect"); err != nil {
		return 0, err
	}
	folder := s.module.Abs(r.Folder)
	b := &bisection{env: env, trial: trial{Record: withFile(r), run: group.Run}, json: f.json}
	if err := b.inspect(ctx, folder); err != nil {
		return 0, err
	}
	if b.temp, err = os.MkdirTemp("", "gnaw-bisect-"); err != nil {
		return 0, fmt.Errorf("make a folder for a work tree: %w", err)
	}
	b.Tree = filepath.Join(b.temp, "tree")
	made := false
	defer func() {
		// An interrupt must not leave the work tree behind, which git would remember. One that git had no time to complete is locked,
		// which takes the second --force.
		_, gitErr := project.Git(context.WithoutCancel(ctx), env.Environ, folder, "worktree", "remove", "--force", "--force", b.Tree)
		if !made {
			gitErr = nil // there may be nothing to remove, and the first error says why
		}
		if left := errors.Join(gitErr, os.RemoveAll(b.temp)); left != nil {
			fmt.Fprintf(env.Stderr, "gnaw: the work tree for bisect stays in %s: %v\n", b.temp, left)
		}
	}()
	if _, err := project.Git(ctx, env.Environ, folder, "worktree", "add", "--quiet", "--detach", b.Tree, "HEAD"); err != nil {
		return 0, err
	}
	made = true
	return exitcode.OK, b.search(ctx, f.good)
}

// inspect finds out what is needed of the user's work tree, and whether it can be done.
func (b *bisection) inspect(ctx context.Context, folder string) (err error) {
	if b.Folder, err = project.Git(ctx, b.env.Environ, folder, "rev-parse", "--show-prefix"); err != nil {
		return usagef("%s is not in a git work tree, so there are no commits to look at (%w)", folder, err)
	}
	if _, err := project.Git(ctx, b.env.Environ, folder, "rev-parse", "--verify", "--quiet", "HEAD"); ctx.Err() != nil {
		return err
	} else if err != nil {
		return usagef("the git work tree of %s has no commit yet, so there is none to look at", folder)
	}
	changed, err := project.Git(ctx, b.env.Environ, folder, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return err
	}
	if changed != "" {
		return usagef("the work tree has changes that are not committed, and bisect looks at commits only; commit or stash them:\n%s", changed)
	}
	tool, err := build.FindToolchain(ctx, folder, b.env.Environ)
	if err != nil {
		return err
	}
	b.Go, b.GoEnv = tool.Go, tool.Env
	t, err := session.FindTarget(ctx, tool, folder, ".", b.Record.Target, b.Record.Flags)
	if err != nil {
		return asUsage(err)
	}
	b.TestFile = filepath.Base(t.File)
	if b.Test, err = disk.Read(t.File, disk.MaxSource); err != nil {
		return fmt.Errorf("read the test file of %s: %w", t.Name, err)
	}
	return nil
}

// search looks for the commit. good is one that passes; empty: it is looked for.
func (b *bisection) search(ctx context.Context, good string) error {
	head, err := project.Git(ctx, b.env.Environ, b.Tree, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if good != "" { // before another commit is checked out: HEAD~3 would be another one then
		named := good
		if good, err = project.Git(ctx, b.env.Environ, b.Tree, "rev-parse", "--verify", "--quiet", named+"^{commit}"); ctx.Err() != nil {
			return err
		} else if err != nil {
			return usagef("there is no commit %s; write one that passes", named)
		}
	}
	v, said, err := b.at(ctx, head)
	if err != nil {
		return err
	}
	switch v {
	case passes:
		return usagef("%s passes in HEAD with plain go test, so there is nothing to look for; `gnaw repro` shows what it does", b.Record.ID)
	case untested:
		return usagef("%s cannot be tested in HEAD, in a work tree with nothing but what is committed there:\n%s",
			b.Record.ID, report.LastLines(said, maxSaid))
	}
	bad := head
	if good == "" {
		if good, bad, err = b.findGood(ctx, head); err != nil {
			return err
		}
	} else if v, _, err = b.at(ctx, good); err != nil || v != passes {
		return errors.Join(err, usagef("%s %s at %s, so that is no start; write a commit that passes", b.Record.ID, v, good))
	}
	if _, err := project.Git(ctx, b.env.Environ, b.Tree, "bisect", "start", bad, good); err != nil {
		return err
	}
	found, err := b.candidates(ctx)
	if err != nil {
		return err
	}
	_, aside := project.Git(ctx, b.env.Environ, b.Tree, "merge-base", "--is-ancestor", good, bad)
	if aside != nil || len(found) > 1 { // of a commit on another branch git wants to know whether the common ancestor passes
		if err := b.narrow(ctx); err != nil {
			return err
		}
		if found, err = b.candidates(ctx); err != nil {
			return err
		}
	}
	for _, hash := range found {
		b.show(ctx, len(found) == 1, hash)
	}
	return nil
}

// candidates returns the commits that may have introduced the finding, by the verdicts that git has.
func (b *bisection) candidates(ctx context.Context) ([]string, error) {
	text, err := project.Git(ctx, b.env.Environ, b.Tree, "rev-list", "refs/bisect/bad", "--not", "--glob=refs/bisect/good-*")
	return strings.Fields(text), err
}

// onlySkipped is the exit code of git bisect run if there is no other commit left than those that cannot be tested.
const onlySkipped = 2

// narrow has git choose commits and start gnaw to test them, until one candidate is left or none of those left can be tested.
func (b *bisection) narrow(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program of gnaw for git to start: %w", err)
	}
	job, err := json.Marshal(b.trial)
	if err != nil {
		return fmt.Errorf("write down how to test a commit: %w", err)
	}
	file := filepath.Join(b.temp, "trial.json")
	if err := disk.Write(file, job); err != nil {
		return fmt.Errorf("write down how to test a commit: %w", err)
	}
	lines := &verdictLines{each: func(c commitJSON) { b.report(ctx, c.Commit, c.Verdict) }}
	err = project.GitTo(ctx, b.env.Environ, b.Tree, lines, "bisect", "run", self, verdictCommand, file)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == onlySkipped {
		return nil
	}
	return err
}

// commitJSON is a commit as machines read it: one that was tested, or the answer.
type commitJSON struct {
	Commit  string  `json:"commit"`            // full hash
	Subject string  `json:"subject,omitempty"` // first line of its message
	Verdict verdict `json:"verdict"`           // passes, fails, cannot be tested; of the answer: introduced it, may have introduced it
}

// report prints what came of a commit.
func (b *bisection) report(ctx context.Context, hash string, v verdict) {
	if b.json {
		b.say(ctx, hash, v)
		return
	}
	name, err := project.Git(ctx, b.env.Environ, b.Tree, "show", "--no-patch", "--format=%h %s", hash)
	if err != nil {
		name = hash
	}
	fmt.Fprintf(b.env.Stdout, "%-16s %s\n", v, name)
}

// say prints a commit as machines read it.
func (b *bisection) say(ctx context.Context, hash string, v verdict) {
	subject, _ := project.Git(ctx, b.env.Environ, b.Tree, "show", "--no-patch", "--format=%s", hash)
	_ = writeJSON(b.env.Stdout, commitJSON{hash, subject, v}) // who has closed the output does not want to hear of it
}

// show prints a commit that introduced the finding, or may have if those between cannot be tested.
func (b *bisection) show(ctx context.Context, sure bool, hash string) {
	intro, v := "this commit introduced it:", verdict("introduced it")
	if !sure {
		intro, v = "this commit may have introduced it; the commits between cannot be tested:", "may have introduced it"
	}
	if b.json {
		b.say(ctx, hash, v)
		return
	}
	text, err := project.Git(ctx, b.env.Environ, b.Tree, "show", "--stat", "--format=%h %s%n  %an, %ad", "--date=short", hash)
	if err != nil {
		text = hash
	}
	fmt.Fprintf(b.env.Stdout, "%s\n%s\n", intro, text)
}

// findGood goes back in steps that double until the input passes. It returns that commit, and the oldest one on the way
// in which it fails.
func (b *bisection) findGood(ctx context.Context, head string) (good, bad string, err error) {
	text, err := project.Git(ctx, b.env.Environ, b.Tree, "rev-list", "--first-parent", head)
	if err != nil {
		return "", "", err
	}
	commits := strings.Fields(text)
	last := len(commits) - 1
	bad = head
	for back := 1; last > 0; back *= 2 {
		hash := commits[min(back, last)]
		v, _, err := b.at(ctx, hash)
		if err != nil {
			return "", "", err
		}
		switch v {
		case passes:
			return hash, bad, nil
		case fails:
			bad = hash
		}
		if back >= last {
			break
		}
	}
	return "", "", usagef("no commit was found in which it passes: it fails in %s already, and what is older fails too or cannot be tested; "+
		"name one with -good", bad[:12])
}

// at tests a commit and prints what came of it.
func (b *bisection) at(ctx context.Context, rev string) (v verdict, said string, err error) {
	if _, err := project.Git(ctx, b.env.Environ, b.Tree, "checkout", "--quiet", "--detach", rev); err != nil {
		return untested, "", usagef("%w", err)
	}
	v, said, err = b.here(ctx, b.env)
	if err == nil {
		b.report(ctx, rev, v)
	}
	return v, said, err
}

// maxSaid is how many lines of what go test has said are shown: the reason stands at the end.
const maxSaid = 20
