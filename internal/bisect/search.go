package bisect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// search looks for the commits.
func (b *bisection) search(ctx context.Context) ([]Commit, error) {
	good, bad, err := b.ends(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := b.git(ctx, "bisect", "start", bad, good); err != nil {
		return nil, err
	}
	hashes, err := b.candidates(ctx)
	if err != nil {
		return nil, err
	}
	_, aside := b.git(ctx, "merge-base", "--is-ancestor", good, bad)
	if aside != nil || len(hashes) > 1 { // for a commit on another branch git has to test the common ancestor
		if err := b.narrow(ctx); err != nil {
			return nil, err
		}
		if hashes, err = b.candidates(ctx); err != nil {
			return nil, err
		}
	}
	verdict := Introduced
	if len(hashes) > 1 {
		verdict = MayIntroduced
	}
	var found []Commit
	for _, hash := range hashes {
		c := b.describe(ctx, hash, verdict)
		if c.Stat, err = b.git(ctx, "show", "-O"+os.DevNull, "--stat", "--format=%h %s%n  %an, %ad", "--date=short", hash); err != nil {
			c.Stat = hash
		}
		found = append(found, c)
	}
	return found, nil
}

// ends returns a commit that passes, and a later one that fails.
func (b *bisection) ends(ctx context.Context) (good, bad string, err error) {
	head, err := b.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return "", "", err
	}
	if b.Good != "" { // before another commit is checked out, which would change the meaning of HEAD~3
		if good, err = b.git(ctx, "rev-parse", "--verify", "--quiet", b.Good+"^{commit}"); ctx.Err() != nil {
			return "", "", err
		} else if err != nil {
			return "", "", usage.Errorf("there is no commit %s; write one that passes%s", b.Good, b.shallow(ctx))
		}
	}
	v, output, err := b.at(ctx, head)
	if err != nil {
		return "", "", err
	}
	switch v {
	case Passes:
		return "", "", usage.Errorf("%s passes in HEAD with plain go test, so there is nothing to look for; `gnaw repro` shows what it does", b.Record.ID)
	case Untested:
		return "", "", usage.Errorf("gnaw cannot test %s in HEAD, in a work tree of committed files only:\n%s",
			b.Record.ID, report.LastLines(output, maxOutput))
	}
	if good == "" {
		return b.findGood(ctx, head)
	}
	if v, _, err = b.at(ctx, good); err != nil {
		return "", "", err
	}
	if v != Passes {
		return "", "", usage.Errorf("-good %s is not a passing commit: there %s %s", b.Good, b.Record.ID, v)
	}
	return good, head, nil
}

// findGood goes back in steps that double until the input passes. It returns that commit, and the oldest one on the way
// in which it fails.
func (b *bisection) findGood(ctx context.Context, head string) (good, bad string, err error) {
	text, err := b.git(ctx, "rev-list", "--first-parent", head)
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
		case Passes:
			return hash, bad, nil
		case Fails:
			bad = hash
		}
		if back >= last {
			break
		}
	}
	if last == 0 {
		return "", "", usage.Errorf("gnaw found no commit in which the input passes: it fails in %s, and git has no older commit%s", bad[:12], b.shallow(ctx))
	}
	return "", "", usage.Errorf("gnaw found no commit in which the input passes: it fails in %s, and the older commits that it tested fail or cannot be tested; "+
		"name a passing commit with -good%s", bad[:12], b.shallow(ctx))
}

// shallow is the part of a message about missing commits that names a shallow clone.
func (b *bisection) shallow(ctx context.Context) string {
	if hint := project.ShallowHint(ctx, b.Environ, b.Folder); hint != "" {
		return "; " + hint
	}
	return ""
}

// at tests a commit. output is what go test printed, or why it was not run.
func (b *bisection) at(ctx context.Context, rev string) (v Verdict, output string, err error) {
	if _, err := b.git(ctx, "checkout", "--quiet", "--detach", rev); err != nil {
		return Untested, "", usage.Errorf("%w", err)
	}
	v, output, err = b.trial.here(ctx, b.Environ)
	if err == nil {
		b.Tested(b.describe(ctx, rev, v))
	}
	return v, output, err
}

// maxOutput is how many lines of the output of go test a message has: the reason is at the end.
const maxOutput = 20

// candidates returns the commits that may have introduced the finding, by the verdicts that git has.
func (b *bisection) candidates(ctx context.Context) ([]string, error) {
	text, err := b.git(ctx, "rev-list", "refs/bisect/bad", "--not", "--glob=refs/bisect/good-*")
	return strings.Fields(text), err
}

// onlySkipped is the exit code of git bisect run if only commits are left that cannot be tested.
const onlySkipped = 2

// narrow has git choose commits and start the command that tests them, until one candidate is left or none of those left can be tested.
func (b *bisection) narrow(ctx context.Context) error {
	job, err := json.Marshal(b.trial)
	if err != nil {
		return fmt.Errorf("write down how to test a commit: %w", err)
	}
	file := filepath.Join(b.temp, "trial.json")
	if err := disk.Write(file, job); err != nil {
		return fmt.Errorf("write down how to test a commit: %w", err)
	}
	lines := &answers{each: func(c Commit) { b.Tested(b.describe(ctx, c.Hash, c.Verdict)) }}
	err = project.GitTo(ctx, b.Environ, b.trial.Tree, lines, slices.Concat([]string{"bisect", "run"}, b.Answer, []string{file})...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == onlySkipped {
		return nil
	}
	return err
}

// describe returns a commit with its name. If git cannot read the commit, the name is the hash.
func (b *bisection) describe(ctx context.Context, hash string, v Verdict) Commit {
	c := Commit{Hash: hash, Verdict: v, Name: hash}
	if name, err := b.git(ctx, "show", "--no-patch", "--format=%h %s", hash); err == nil {
		c.Name = name
		_, c.Subject, _ = strings.Cut(name, " ")
	}
	return c
}

// git runs git in the work tree of the search.
func (b *bisection) git(ctx context.Context, args ...string) (string, error) {
	return project.Git(ctx, b.Environ, b.trial.Tree, args...)
}
