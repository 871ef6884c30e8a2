package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/bisect"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/ci"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/focus"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// runCI is `gnaw ci`.
func runCI(ctx context.Context, env Env, args []string) (int, error) {
	f, err := parseCIFlags(args)
	switch {
	case err != nil:
		return 0, err
	case f.workflow != "":
		return f.writeWorkflow(ctx, env)
	case f.nightly:
		return f.night(ctx, env)
	}
	var out io.Writer
	if f.object { // all else goes to the other output
		out, env.Stdout = env.Stdout, env.Stderr
	}
	env = f.logged(env)
	if err := f.check(env); err != nil {
		return 0, err
	}
	c := &change{ciFlags: f, env: env, module: project.Find(env.Dir), json: out}
	if err := c.look(ctx); err != nil {
		return 0, orInterruption(ctx, err)
	}
	c.printChoice()
	if err := c.runSeeds(ctx); err != nil {
		return 0, orInterruption(ctx, err)
	}
	if err := c.fuzz(ctx); err != nil {
		return 0, err
	}
	if err := c.judge(ctx); err != nil {
		return 0, orInterruption(ctx, err)
	}
	code, verdict := c.exitCode(ctx)
	return c.finish(ctx, code, verdict)
}

// change is a change that is checked.
type change struct {
	ciFlags
	env      Env
	json     io.Writer // gets the JSON; nil: none
	module   project.Module
	base     ci.Base
	files    ci.Changes
	tc       gocommand.Toolchain
	broken   []build.PackageError
	known    known.List
	targets  []checked
	plan     *focus.Plan // what the change edits; nil: the call graph says nothing about a chosen target
	failing  []string    // why plain go test of seeds fails without a seed that fails
	findings []judged
	end      event.End // of the campaign
	number   int64     // of the campaign in the history; 0: there is none
	code     int       // exit code of the campaign
}

// checked is a target with what becomes of it.
type checked struct {
	build.Target
	chosen bool
	why    string // why it is chosen or not
	result event.Result
	reason string // of the result
	execs  uint64
}

// judged is a finding with what the base says about it.
type judged struct {
	finding.Record
	ci.Verdict
	folder string // absolute, of its package
	seed   bool   // plain go test of the seeds has shown it
}

// look finds the change, and the targets that it touches.
func (c *change) look(ctx context.Context) (err error) {
	if c.base, err = ci.FindBase(ctx, c.env.Environ, c.env.Dir, c.ciFlags.base, c.env.Getenv); err != nil {
		return err
	}
	if c.files, err = ci.FindChanges(ctx, c.env.Environ, c.env.Dir, c.base); err != nil {
		return err
	}
	tc, all, broken, err := c.find(ctx, c.env)
	if err != nil {
		return err
	}
	c.tc, c.broken = tc, broken
	if c.known, err = known.Load(c.module.Root); err != nil {
		return err
	}
	targets := c.choose(all)
	if len(targets) == 0 {
		return c.nothing(ctx, c.env, tc, all, broken)
	}
	src := tc.Source(c.env.Dir, c.build)
	tests, err := ci.FindTests(ctx, src, c.module.Root, build.Packages(targets), c.files)
	if err != nil {
		return err
	}
	reached, err := c.reached(ctx, targets, tests)
	if err != nil {
		return err
	}
	for _, t := range targets {
		c.targets = append(c.targets, c.consider(t, tests[t.Package], reached))
	}
	return nil
}

// consider says whether a target is fuzzed.
func (c *change) consider(t build.Target, test ci.Test, reached func(build.Target) bool) checked {
	one := checked{Target: t}
	switch file := project.Relative(c.module.Root, test.Changed); {
	case test.Changed == "":
		one.why = "its test binary is as in the base"
	case !test.Code:
		one.chosen, one.why = true, "the change touches "+file
	case reached(t):
		one.chosen, one.why = true, "it may execute what changed in "+file
	default:
		one.why = "it does not execute what changed"
	}
	return one
}

// reached returns a function that reports whether a target may execute code that the change edits.
func (c *change) reached(ctx context.Context, targets []build.Target, tests map[string]ci.Test) (func(build.Target) bool, error) {
	byCode := slices.DeleteFunc(slices.Clone(targets), func(t build.Target) bool { return !tests[t.Package].Code })
	if len(byCode) == 0 {
		return nil, nil
	}
	f := c.fuzzFlags
	f.focus = []string{c.base.Commit + ".."}
	plan, err := f.plan(ctx, c.env, c.tc, byCode)
	if refused := (*usage.Error)(nil); errors.As(err, &refused) { // the range has no code that a target can reach
		return func(build.Target) bool { return false }, nil
	} else if err != nil {
		return nil, err
	}
	if len(byCode) == len(targets) || !slices.ContainsFunc(targets, func(t build.Target) bool { return tests[t.Package].Changed != "" && !tests[t.Package].Code }) {
		c.plan = plan
	}
	return func(t build.Target) bool {
		return plan.Reaches(focus.Root{Name: t.Name, Dir: t.Dir})
	}, nil
}

// chosen returns the targets that are fuzzed.
func (c *change) chosen() (list []build.Target) {
	for _, t := range c.targets {
		if t.chosen {
			list = append(list, t.Target)
		}
	}
	return list
}

// runSeeds runs the seeds of all targets in plain go test.
func (c *change) runSeeds(ctx context.Context) error {
	environ, _ := session.ReadableEnviron(c.tc.Environ())
	for i := 0; i < len(c.targets); {
		t := c.targets[i]
		s := ci.Seeds{Go: c.tc.Go, Environ: environ, Package: t.Package, Dir: t.Dir, Flags: c.plain}
		first := i
		for ; i < len(c.targets) && c.targets[i].Package == t.Package; i++ {
			s.Targets = append(s.Targets, c.targets[i].Func)
		}
		failing, err := s.Run(ctx)
		if err != nil {
			return err
		}
		for _, f := range failing.Findings {
			of := first + slices.Index(s.Targets, f.Target)
			c.addSeed(campaign.RecordOf(c.module, c.targets[of].Target, f), t.Dir)
		}
		if failing.Output != "" {
			c.failing = append(c.failing, fmt.Sprintf("plain go test of the seeds of %s fails:\n%s", t.Package, failing.Output))
		}
	}
	return nil
}

// addSeed adds a seed that fails in plain go test, unless it is a known finding. folder is the absolute folder of its package.
func (c *change) addSeed(r finding.Record, folder string) {
	if entry, ok := c.known.Match(r.ID, "", "", time.Now()); ok && !entry.Expired(time.Now()) {
		fmt.Fprintf(c.env.Stdout, "  known       %s: a seed fails as %s, which is not to be reported\n", r.Target, r.ID[:min(len(r.ID), 8)])
		return
	}
	c.findings = append(c.findings, judged{Record: r, folder: folder, seed: true})
}

// fuzz runs a campaign over the chosen targets.
func (c *change) fuzz(ctx context.Context) error {
	targets := c.chosen()
	if len(targets) == 0 {
		return nil
	}
	o, builder, end, err := c.open(ctx, c.env, c.tc, targets, nil)
	if err != nil {
		return err
	}
	defer end()
	o.Focus, o.Broken = c.plan, c.broken
	if c.execs > 0 {
		if o.Corpus, err = os.MkdirTemp("", "gnaw-ci-"); err != nil {
			return fmt.Errorf("make a folder for the corpora: %w", err)
		}
		defer os.RemoveAll(o.Corpus)
	}
	o.Events.Subscribe(c.note)
	f := c.fuzzFlags
	f.files, f.hidden = resultFiles{}, c.private
	c.code, err = f.run(ctx, c.env, o, builder, func(_ context.Context, _ Env, number int64, code int) int {
		c.number = number
		return code
	})
	return err
}

// note notes an event of the campaign.
func (c *change) note(s event.Stamped) {
	switch e := s.Event.(type) {
	case event.Finding:
		c.findings = slices.DeleteFunc(c.findings, func(j judged) bool { return j.ID == e.ID || j.seed && sameInput(j.Record, e.Record) })
		if e.IsBug() { // the replays, and the list of known findings, decide about a seed that failed before
			c.findings = append(c.findings, judged{Record: e.Record, folder: c.module.Abs(e.Folder)})
		}
	case event.TargetEnd:
		for i, t := range c.targets {
			if t.Name == e.Subject.Target() {
				c.targets[i].result, c.targets[i].reason, c.targets[i].execs = e.Result, e.Reason, e.Execs
			}
		}
	case event.End:
		c.end = e
	}
}

// sameInput reports whether two findings have the same seed or file.
func sameInput(a, b finding.Record) bool {
	return a.Package == b.Package && a.Target == b.Target && a.Seed == b.Seed && filepath.ToSlash(a.Path) == filepath.ToSlash(b.Path)
}

// judge asks the base about each finding.
func (c *change) judge(ctx context.Context) (err error) {
	if len(c.findings) == 0 {
		return nil
	}
	past, err := bisect.OpenPast(ctx, c.env.Environ, c.module.Root, c.base.Commit)
	if err != nil {
		return err
	}
	defer func() {
		if err := past.Close(ctx); err != nil {
			fmt.Fprintf(c.env.Stderr, "gnaw: %v\n", err)
		}
	}()
	for i, j := range c.findings {
		v, err := c.base.Judge(ctx, past, j.folder, j.Record)
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			v.Base = fmt.Sprintf("the base %s could not be asked: %v", c.base.Short(), err)
		}
		c.findings[i].Verdict = v
	}
	return nil
}

// exitCode returns the exit code, and what it says in one sentence.
func (c *change) exitCode(ctx context.Context) (code int, verdict string) {
	fresh := 0
	for _, j := range c.findings {
		if !j.Old {
			fresh++
		}
	}
	left := 0
	for _, t := range c.targets {
		if t.chosen && t.result == event.Unreached {
			left++
		}
	}
	switch i := interruptionOf(ctx); {
	case fresh > 0:
		return exitcode.Finding, report.Plural(fresh, "new finding")
	case len(c.failing) > 0 || c.end.Fails > 0 || c.end.Vet > 0:
		return exitcode.Finding, "plain go test fails"
	case c.end.Unusable > 0 || len(c.broken) > 0:
		return exitcode.Internal, "a target or a package could not be checked"
	case left > 0:
		return exitcode.Unreached, report.Plural(left, "target") + " could not be fuzzed as long as asked"
	case i != nil:
		return i.ExitCode(), "interrupted"
	case c.code != exitcode.Finding && c.code != exitcode.OK:
		return c.code, "the campaign did not end as it should"
	}
	return exitcode.OK, "nothing new fails"
}

// writeWorkflow is `gnaw ci -init`.
func (f ciFlags) writeWorkflow(ctx context.Context, env Env) (int, error) {
	root, err := project.Git(ctx, env.Environ, env.Dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return 0, usagef("-init writes a workflow into the root of a git work tree, and %s is in none", env.Dir)
	}
	path, err := ci.WriteWorkflow(f.workflow, filepath.FromSlash(root))
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(env.Stdout, "wrote %s\n", project.Relative(env.Dir, path))
	if f.workflow == ci.GitLab {
		fmt.Fprintln(env.Stdout, "add it to .gitlab-ci.yml with include: [{local: .gitlab/gnaw.yml}], and a schedule for the nights")
	}
	return exitcode.OK, nil
}
