package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// verdict is what a commit is found to be.
type verdict string

const (
	passes   verdict = "passes"
	fails    verdict = "fails"
	untested verdict = "cannot be tested"
)

// bisection looks for the commit that brought a finding, in a work tree of its own.
type bisection struct {
	env      Env
	tool     build.Toolchain
	record   finding.Record
	json     bool
	tree     string // folder of the work tree, temporary
	folder   string // of the package, relative to the tree
	testFile string // name of the file with the target
	test     []byte // its content in HEAD, for commits that do not have the target yet
	said     string // why the last commit could not be tested, or what go test has said
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
	s, r, err := pick(ctx, env, id)
	if err != nil {
		return 0, err
	}
	s.close()
	if err := understood(r, s.all); err != nil {
		return 0, err
	}
	if err := refuseMeasured(r, "bisect"); err != nil {
		return 0, err
	}
	folder := s.module.Abs(r.Folder)
	b := &bisection{env: env, record: withFile(r), json: f.json}
	if err := b.inspect(ctx, folder); err != nil {
		return 0, err
	}
	temp, err := os.MkdirTemp("", "gnaw-bisect-")
	if err != nil {
		return 0, fmt.Errorf("make a folder for a work tree: %w", err)
	}
	b.tree = filepath.Join(temp, "tree")
	made := false
	defer func() {
		// An interrupt must not leave the work tree behind, which git would remember. One that git had no time to complete is locked,
		// which takes the second --force.
		_, gitErr := project.Git(context.WithoutCancel(ctx), env.Environ, folder, "worktree", "remove", "--force", "--force", b.tree)
		if !made {
			gitErr = nil // there may be nothing to remove, and the first error says why
		}
		if left := errors.Join(gitErr, os.RemoveAll(temp)); left != nil {
			fmt.Fprintf(env.Stderr, "gnaw: the work tree for bisect stays in %s: %v\n", temp, left)
		}
	}()
	if _, err := project.Git(ctx, env.Environ, folder, "worktree", "add", "--quiet", "--detach", b.tree, "HEAD"); err != nil {
		return 0, err
	}
	made = true
	return exitcode.OK, b.run(ctx, f.good)
}

// inspect finds out what is needed of the user's work tree, and whether it can be done.
func (b *bisection) inspect(ctx context.Context, folder string) (err error) {
	if b.folder, err = project.Git(ctx, b.env.Environ, folder, "rev-parse", "--show-prefix"); err != nil {
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
	if b.tool, err = build.FindToolchain(ctx, folder, b.env.Environ); err != nil {
		return err
	}
	t, err := session.FindTarget(ctx, b.tool, folder, ".", b.record.Target, b.record.Flags)
	if err != nil {
		return asUsage(err)
	}
	b.testFile = filepath.Base(t.File)
	if b.test, err = disk.Read(t.File, disk.MaxSource); err != nil {
		return fmt.Errorf("read the test file of %s: %w", t.Name, err)
	}
	return nil
}

// run looks for the commit. good is one that passes; empty: it is looked for.
func (b *bisection) run(ctx context.Context, good string) error {
	head, err := project.Git(ctx, b.env.Environ, b.tree, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if good != "" { // before another commit is checked out: HEAD~3 would be another one then
		named := good
		if good, err = project.Git(ctx, b.env.Environ, b.tree, "rev-parse", "--verify", "--quiet", named+"^{commit}"); ctx.Err() != nil {
			return err
		} else if err != nil {
			return usagef("there is no commit %s; write one that passes", named)
		}
	}
	v, err := b.at(ctx, head)
	if err != nil {
		return err
	}
	switch v {
	case passes:
		return usagef("%s passes in HEAD with plain go test, so there is nothing to look for; `gnaw repro` shows what it does", b.record.ID)
	case untested:
		return usagef("%s cannot be tested in HEAD, in a work tree with nothing but what is committed there:\n%s",
			b.record.ID, report.LastLines(b.said, maxSaid))
	}
	bad := head
	if good == "" {
		if good, bad, err = b.findGood(ctx, head); err != nil {
			return err
		}
	} else if v, err = b.at(ctx, good); err != nil || v != passes {
		return errors.Join(err, usagef("%s %s at %s, so that is no start; write a commit that passes", b.record.ID, v, good))
	}
	said, err := project.Git(ctx, b.env.Environ, b.tree, "bisect", "start", bad, good)
	for {
		if err != nil {
			return err
		}
		if done := b.told(ctx, said); done {
			return nil
		}
		if said, err = b.step(ctx); err != nil {
			return err
		}
	}
}

// step tests the commit that git has chosen and tells git.
func (b *bisection) step(ctx context.Context) (said string, err error) {
	v, err := b.here(ctx)
	if err != nil {
		return "", err
	}
	word := map[verdict]string{passes: "good", fails: "bad", untested: "skip"}[v]
	said, err = project.Git(ctx, b.env.Environ, b.tree, "bisect", word)
	if err != nil && strings.Contains(said, "first bad commit could be any of") {
		err = nil // that is an answer too, although git calls it a failure
	}
	return said, err
}

// told prints the answer, if git has one.
func (b *bisection) told(ctx context.Context, said string) (done bool) {
	for line := range strings.Lines(said) {
		if hash, ok := strings.CutSuffix(strings.TrimSpace(line), " is the first bad commit"); ok {
			b.show(ctx, true, strings.TrimPrefix(hash, "commit "))
			return true
		}
	}
	_, rest, ok := strings.Cut(said, "first bad commit could be any of:")
	if !ok {
		return false
	}
	for _, hash := range strings.Fields(rest) {
		if len(hash) >= 40 && strings.Trim(hash, "0123456789abcdef") == "" {
			b.show(ctx, false, hash)
		}
	}
	return true
}

// commitJSON is a commit as machines read it: one that was tested, or the answer.
type commitJSON struct {
	Commit  string  `json:"commit"`            // full hash
	Subject string  `json:"subject,omitempty"` // first line of its message
	Verdict verdict `json:"verdict"`           // passes, fails, cannot be tested; of the answer: brought it, may have brought it
}

// say prints a commit as machines read it.
func (b *bisection) say(ctx context.Context, rev string, v verdict) {
	text, err := project.Git(ctx, b.env.Environ, b.tree, "show", "--no-patch", "--format=%H %s", rev)
	hash, subject, _ := strings.Cut(text, " ")
	if err != nil {
		hash, subject = rev, ""
	}
	_ = writeJSON(b.env.Stdout, commitJSON{hash, subject, v}) // who has closed the output does not want to hear of it
}

// show prints a commit that brought the finding, or may have if those between cannot be tested.
func (b *bisection) show(ctx context.Context, sure bool, hash string) {
	intro, v := "this commit brought it:", verdict("brought it")
	if !sure {
		intro, v = "this commit may have brought it; those between cannot be tested:", "may have brought it"
	}
	if b.json {
		b.say(ctx, hash, v)
		return
	}
	text, err := project.Git(ctx, b.env.Environ, b.tree, "show", "--stat", "--format=%h %s%n  %an, %ad", "--date=short", hash)
	if err != nil {
		text = hash
	}
	fmt.Fprintf(b.env.Stdout, "%s\n%s\n", intro, text)
}

// findGood goes back in steps that double until the input passes. It returns that commit, and the oldest one on the way
// in which it fails.
func (b *bisection) findGood(ctx context.Context, head string) (good, bad string, err error) {
	text, err := project.Git(ctx, b.env.Environ, b.tree, "rev-list", "--first-parent", head)
	if err != nil {
		return "", "", err
	}
	commits := strings.Fields(text)
	last := len(commits) - 1
	bad = head
	for back := 1; last > 0; back *= 2 {
		hash := commits[min(back, last)]
		v, err := b.at(ctx, hash)
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

// at tests a commit.
func (b *bisection) at(ctx context.Context, rev string) (verdict, error) {
	if _, err := project.Git(ctx, b.env.Environ, b.tree, "checkout", "--quiet", "--detach", rev); err != nil {
		return untested, usagef("%w", err)
	}
	return b.here(ctx)
}

// here tests the commit that is checked out, says what came of it, and leaves the work tree clean.
func (b *bisection) here(ctx context.Context) (v verdict, err error) {
	if v, err = b.try(ctx, false); err == nil && v == untested {
		v, err = b.try(ctx, true)
	}
	if ctx.Err() != nil {
		return v, fmt.Errorf("look for the commit: %w", ctx.Err())
	}
	if err != nil {
		return v, err
	}
	if b.json {
		b.say(ctx, "HEAD", v)
	}
	name, err := project.Git(ctx, b.env.Environ, b.tree, "show", "--no-patch", "--format=%h %s")
	if err == nil {
		_, err = project.Git(ctx, b.env.Environ, b.tree, "reset", "--quiet", "--hard")
	}
	if err == nil {
		_, err = project.Git(ctx, b.env.Environ, b.tree, "clean", "-fdxq") // the work tree is ours
	}
	if !b.json {
		fmt.Fprintf(b.env.Stdout, "%-16s %s\n", v, name)
	}
	return v, err
}

// try runs the input in plain go test. transplant puts the test file of HEAD into the package before: the target may be
// younger than the bug.
func (b *bisection) try(ctx context.Context, transplant bool) (verdict, error) {
	dir := filepath.Join(b.tree, filepath.FromSlash(b.folder))
	if _, err := os.Stat(dir); err != nil {
		b.said = "there is no folder " + b.folder
		return untested, nil
	}
	r := b.record
	if transplant {
		if err := disk.Write(filepath.Join(dir, b.testFile), b.test); err != nil {
			return untested, fmt.Errorf("put the test file into the work tree: %w", err)
		}
	}
	if r.Path != "" {
		file := filepath.Join(dir, "testdata", "fuzz", r.Target, filepath.Base(filepath.FromSlash(r.Path)))
		h, err := corpus.LendFile(file, []byte(r.Input))
		if err != nil {
			return untested, err
		}
		defer func() { _ = h.Release() }() // the work tree is ours, and cleaned
	}
	more := []string{"-v", "-timeout=" + bisectTimeout}
	if r.Kind == finding.Race {
		more = append(more, "-race")
	}
	cmd := exec.Command(b.tool.Go, replayArgs(r, more...)...)
	cmd.Dir = dir
	cmd.Env, _ = session.ReadableEnviron(b.tool.Environ())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := group.Run(ctx, cmd)
	var exit *exec.ExitError
	b.said = out.String()
	switch said := b.said; {
	case err == nil && !ranInput(said, r.Target):
		return untested, nil
	case err == nil:
		return passes, nil
	case !errors.As(err, &exit):
		return untested, fmt.Errorf("run go test: %w", err)
	case b.isThis(said):
		return fails, nil
	}
	return untested, nil
}

// bisectTimeout is when a test counts as one that hangs. Compiling does not count.
const bisectTimeout = "30s"

// maxSaid is how many lines of what go test has said are shown: the reason stands at the end.
const maxSaid = 20

// maxSame is how much of the words of two messages is compared: what comes before the message differs in length.
const maxSame = 80

// isThis reports whether the output of go test shows the finding, and not another failure: by the words of its message
// if there is one, or else by the function to blame.
func (b *bisection) isThis(output string) bool {
	if strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]") {
		return false
	}
	r := b.record
	if r.Kind == finding.Hang {
		return strings.Contains(output, "panic: test timed out")
	}
	if r.Kind == finding.Exit { // of which go test tells the code only if the target has printed nothing
		sig, _ := finding.OfProcess(output, finding.Unknown)
		return sig.Kind == finding.Unknown && !strings.Contains(output, "--- FAIL: ")
	}
	if r.Kind == finding.Failure && r.Message == "" { // a t.Fatal() that says nothing
		return strings.Contains(output, "--- FAIL: ") && !strings.Contains(output, "panic: ")
	}
	words := finding.Words(r.Message)
	words = words[:min(maxSame, len(words))]
	for line := range strings.Lines(output) {
		if words != "" && strings.Contains(finding.Words(line), words) {
			return true
		}
	}
	if words != "" || len(r.Calls) == 0 {
		return words == "" && strings.Contains(output, "FAIL")
	}
	return strings.Contains(output, r.Calls[0].Func+"(")
}
