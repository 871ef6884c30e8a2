package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/share"
)

// night is `gnaw ci -nightly`: each step is a command that a person could run. A step that fails does not keep the next from running.
func (f ciFlags) night(ctx context.Context, env Env) (int, error) {
	if err := f.check(env); err != nil {
		return 0, err
	}
	tc, all, broken, err := f.find(ctx, env)
	if err != nil {
		return 0, orInterruption(ctx, err)
	}
	targets := f.choose(all)
	if len(targets) == 0 {
		return 0, f.nothing(ctx, env, tc, all, broken)
	}
	n := &night{env: env, targets: targets}
	if f.corpus != "" {
		n.each(ctx, "pull", f.corpus)
	}
	n.run(ctx, "fuzz the targets", func() (int, error) {
		env, g := env, f.fuzzFlags
		env = g.logged(env)
		o, builder, end, err := g.open(ctx, env, tc, targets, nil)
		if err != nil {
			return 0, err
		}
		defer end()
		o.Broken, g.hidden = broken, f.private
		return g.run(ctx, env, o, builder, func(ctx context.Context, env Env, campaign int64, code int) int {
			if f.private { // the summary of the job and annotations have inputs
				env.actions = nil
			}
			return g.finish(ctx, env, campaign, code)
		})
	})
	n.each(ctx, "distill")
	n.command(ctx, "cover", runCover, append([]string{}, f.patterns...)...)
	n.command(ctx, "report", runReport, "-o", f.report)
	if f.corpus != "" {
		n.each(ctx, "push", f.corpus)
	}
	return n.code, nil
}

// night is a night of steps.
type night struct {
	env     Env
	targets []build.Target
	code    int // exit code: that of a bug, or else that of the first step that failed
}

// each runs `gnaw corpus` for each target.
func (n *night) each(ctx context.Context, action string, place ...string) {
	for _, t := range n.targets {
		n.command(ctx, "corpus "+action+" "+t.Func, runCorpus, append([]string{action, t.Package, t.Func}, place...)...)
	}
}

// command runs a command of gnaw.
func (n *night) command(ctx context.Context, what string, run func(context.Context, Env, []string) (int, error), args ...string) {
	env := n.env
	env.actions = nil // annotations are those of the campaign
	n.run(ctx, what, func() (int, error) { return run(ctx, env, args) })
}

// run runs a step. A step that fails is named.
func (n *night) run(ctx context.Context, what string, step func() (int, error)) {
	if ctx.Err() != nil {
		n.note(exitcode.Unreached)
		return
	}
	fmt.Fprintf(n.env.Stdout, "\n== %s\n", what)
	code, err := step()
	switch {
	case errors.Is(err, share.ErrNone): // the first night pushes it
		fmt.Fprintf(n.env.Stdout, "%v\n", err)
	case err != nil:
		fmt.Fprintf(n.env.Stderr, "gnaw: %s: %v\n", what, err)
		code = exitcode.Internal
	}
	n.note(code)
}

// note notes the exit code of a step.
func (n *night) note(code int) {
	if n.code == exitcode.OK || code == exitcode.Finding {
		n.code = code
	}
}
