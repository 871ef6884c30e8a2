package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/focus"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/ui/jsonl"
	"github.com/gnaw-fuzz/gnaw/internal/ui/text"
)

// runFuzz is `gnaw fuzz`: a campaign over all targets of the packages.
func runFuzz(ctx context.Context, env Env, args []string) (int, error) {
	return watchFuzz(ctx, env, args, nil)
}

// watchFuzz is runFuzz that also calls watch with each event of the campaign. watch may be nil.
func watchFuzz(ctx context.Context, env Env, args []string, watch func(event.Stamped)) (int, error) {
	f, err := parseFuzzFlags(args)
	if err != nil {
		return 0, err
	}
	f.json = f.json || f.ui == uiJSON
	env = f.logged(env)
	if err := f.check(env); err != nil {
		return 0, err
	}
	if f.notify.test {
		return f.notify.sendTest(ctx, env)
	}
	loaded := f.showLoading(env)
	defer loaded()
	tc, targets, broken, err := f.find(ctx, env)
	if err != nil {
		return 0, orInterruption(ctx, err)
	}
	outside, linked, err := f.dependencies(ctx, env, tc)
	if err != nil {
		return 0, orInterruption(ctx, err)
	}
	all := slices.Concat(targets, outside)
	if targets = f.choose(all); len(targets) == 0 {
		f.finishBroken(ctx, env, broken)
		return 0, f.nothing(ctx, env, tc, all, broken)
	}
	plan, err := f.plan(ctx, env, tc, targets)
	if err != nil {
		return 0, orInterruption(ctx, err)
	}
	o, builder, end, err := f.open(ctx, env, tc, targets, linked)
	if err != nil {
		return 0, err
	}
	defer end()
	o.Focus, o.Broken = plan, broken
	if watch != nil {
		o.Events.Subscribe(watch)
	}
	loaded()
	return f.run(ctx, env, o, builder, f.finish)
}

// open returns the options of a campaign, and its builder. The caller calls end when the campaign is over. linked has the packages that test
// binaries of the main module link.
func (f fuzzFlags) open(ctx context.Context, env Env, tc gocommand.Toolchain, targets []build.Target, linked []string) (
	o campaign.Options, builder *build.Builder, end func(), err error,
) {
	if builder, err = build.NewBuilder(ctx, tc, env.Dir, build.Packages(targets), f.build); err != nil {
		return o, nil, nil, orInterruption(ctx, err)
	}
	end = func() {
		if err := builder.Close(); err != nil {
			fmt.Fprintf(env.Stderr, "gnaw: the test binaries cannot be removed: %v\n", err)
		}
	}
	copies, err := place(builder, tc, targets, linked)
	if err != nil {
		end()
		return o, nil, nil, err
	}
	o = f.options(env, tc, targets)
	o.Copies, o.Upstream = copies, f.upstream(env, o.Module)
	o.Builder = campaign.Compiled{Compiler: builder, Flags: f.build, Plain: f.plain, Cover: f.coverBuild(env, tc, builder)}
	o.Identity.Process = builder.Site.Name()
	if o.Known, err = known.Load(o.Module.Root); err != nil {
		end()
	}
	return o, builder, end, err
}

// check reads what the flags name, before something is built.
func (f *fuzzFlags) check(env Env) error {
	if err := f.notify.read(env); err != nil || f.notify.test {
		return err
	}
	if err := errors.Join(f.web.check(env), f.files.check(env)); err != nil {
		return err
	}
	return f.readDictionaries(env)
}

// readDictionaries reads the files of -dict, and makes their paths absolute.
func (f *fuzzFlags) readDictionaries(env Env) (err error) {
	for i, path := range f.dicts {
		f.dicts[i] = env.Abs(path)
	}
	if f.words, err = session.ReadDictionaries(f.dicts); err != nil {
		return usagef("-dict: %v", err)
	}
	return nil
}

// showLoading shows on a terminal that gnaw loads the packages, until the caller calls end.
func (f fuzzFlags) showLoading(env Env) (end func()) {
	if f.json {
		return func() {}
	}
	return env.screen.busy("loading the packages")
}

// options returns the options of the campaign that the flags ask for.
func (f fuzzFlags) options(env Env, tc gocommand.Toolchain, targets []build.Target) campaign.Options {
	return campaign.Options{
		Dir: env.Dir, Environ: env.Environ, Module: project.Find(env.Dir), Toolchain: tc, Targets: targets,
		Sources: campaign.Folders{Environ: env.Environ}, History: campaign.NewHistory(openStore), Events: &event.Bus{},
		Limits: campaign.Limits{Time: f.time, Each: f.each, MaxExecs: f.execs, Quiet: f.quiet, Reached: f.reached, FailFast: f.failFast, Outside: f.deps.fail},
		Fuzzing: campaign.Fuzzing{
			Settings: engine.Settings{
				Minimize: engine.Budget{Time: f.minimize.time, Execs: int(f.minimize.execs)}, MemLimit: f.memLimit, Seed: f.seed,
				Repeatable: f.repeatable, Without: f.without, Oracles: f.oracles, Refuse: f.refuse,
			},
			Parallel: f.parallel, Timeout: f.timeout, MaxCorpus: f.maxCorpus, Words: f.words, Race: f.race, Cover: f.cover,
			PlainFlags: f.plain, Args: f.args,
		},
		Identity: campaign.Identity{Packages: strings.Join(f.patterns, " "), Args: f.same, Fresh: f.fresh},
	}
}

// plan finds the spots that -focus names. Without -focus it returns nil.
func (f fuzzFlags) plan(ctx context.Context, env Env, tc gocommand.Toolchain, targets []build.Target) (*focus.Plan, error) {
	if len(f.focus) == 0 {
		return nil, nil
	}
	own := slices.DeleteFunc(slices.Clone(targets), func(t build.Target) bool { return t.Outside != nil })
	list := make([]focus.Root, len(own))
	for i, t := range own {
		list[i] = focus.Root{Name: t.Name, Dir: t.Dir}
	}
	root := project.Find(env.Dir).Root
	src := focus.Source{Source: tc.Source(env.Dir, f.build), Root: root, Packages: build.Packages(own)}
	git := func(ctx context.Context, args ...string) (string, error) {
		return project.Git(ctx, env.Environ, root, args...)
	}
	return focus.New(ctx, src, list, f.focus, git)
}

// coverBuild returns a function that builds test binaries with counters for statements.
func (f fuzzFlags) coverBuild(env Env, tc gocommand.Toolchain, builder *build.Builder) campaign.CoverBuild {
	return func(ctx context.Context, t build.Target, show func(ready, needed int)) (string, error) {
		covered, err := coverage.Packages(ctx, tc, env.Dir, t.Package, build.CoverOptions{Flags: f.plain})
		if err != nil {
			return "", err
		}
		return builder.Cover(ctx, t.Package, covered, f.plain, show)
	}
}

// finisher does what is left at the end of a campaign, which has a number in the history, or 0 if the history does not have it. It returns the exit
// code of gnaw, which code is without it.
type finisher func(ctx context.Context, env Env, campaign int64, code int) int

// run runs a campaign, prints its events, and returns the exit code. finish is called when the campaign is over; the dashboard is still open then.
func (f fuzzFlags) run(ctx context.Context, env Env, o campaign.Options, builder *build.Builder, finish finisher) (int, error) {
	c := campaign.New(o)
	dashboard, closed, err := f.web.serve(ctx, env, c, builder.Site.Dir)
	if err != nil {
		return 0, err
	}
	defer closed()
	lines := text.Options{
		Out: env.text(env.Stdout), Errors: env.text(env.Stderr), Dir: env.Dir, Module: o.Module, Verbose: f.verbose, Actual: builder.Actual,
		Progress: env.screen.progress(),
	}
	defer f.notify.start(env, o)() // ends after the interface
	switch {
	case f.hidden:
		o.Events.Subscribe(privateLines{env.text(env.Stdout)}.event)
	case f.json:
		r := &jsonl.Renderer{Out: env.Stdout, Verbose: f.verbose}
		o.Events.Subscribe(r.Event)
	case f.ui.isTUI(env):
		ui, end := startTUI(env, lines)
		defer end()
		defer context.AfterFunc(ctx, ui.Stopping)()
		o.Events.Subscribe(ui.Event)
	default:
		if f.ui == uiTUI {
			fmt.Fprintln(env.Stderr, "gnaw: -ui=tui works only in the foreground of a terminal; the output is plain")
		}
		o.Events.Subscribe(text.New(lines).Event)
	}
	fmt.Fprint(env.Stderr, dashboard) // not earlier, because the log of the terminal interface has only what follows its start
	defer o.Events.Close()            // waits until all events are printed
	s, err := c.Run(ctx)
	if err != nil {
		fmt.Fprintf(env.Stderr, "gnaw: %v\n", err) // the results count
	}
	return finish(ctx, env, c.Snapshot().Number, s.ExitCode()), nil
}

// logged returns the environment of a command in GitHub Actions, where commands in the log do not hold from now on. The log gets both outputs, so
// plain lines all go to one of them, in their order. JSON has the standard output for itself.
func (f fuzzFlags) logged(env Env) Env {
	switch {
	case env.actions == nil, f.ui.isTUI(env):
		env.actions = nil
	case f.json:
		env.actions.begin(env.Stderr)
	default:
		env.Stderr = env.Stdout
		env.actions.begin(env.Stdout)
	}
	return env
}

// find finds the toolchain, and the targets of the packages.
func (f fuzzFlags) find(ctx context.Context, env Env) (tc gocommand.Toolchain, targets []build.Target, broken []build.PackageError, err error) {
	if tc, err = gocommand.FindToolchain(ctx, env.Dir, env.Environ); err != nil {
		return tc, nil, nil, err
	}
	tc.Plain, tc.Notices = f.plainStd, env.Stderr
	if err = errors.Join(f.checkInstrument(tc), gocommand.CheckExec(tc)); err == nil && len(f.focus) > 0 {
		err = tc.Readable()
	}
	if err != nil {
		return tc, nil, nil, err
	}
	if f.deps.only {
		return tc, nil, nil, nil
	}
	targets, broken, err = build.List(ctx, tc, env.Dir, f.patterns, f.build)
	return tc, targets, broken, err
}

// checkInstrument returns an error if there are -gcflags beside -instrument.
func (f fuzzFlags) checkInstrument(tc gocommand.Toolchain) error {
	if !f.instrument {
		return nil
	}
	return gocommand.CheckInstrument(tc, slices.ContainsFunc(f.plain, func(flag string) bool { return strings.HasPrefix(flag, "-gcflags=") }))
}

// nothing returns an error that says why there is no target to fuzz. all are the targets of the packages.
func (f fuzzFlags) nothing(ctx context.Context, env Env, tc gocommand.Toolchain, all []build.Target, broken []build.PackageError) error {
	for _, b := range broken {
		fmt.Fprintf(env.Stderr, "gnaw: %v\n", b)
	}
	where := strings.Join(f.patterns, " ")
	without := ""
	if !f.deps.on {
		without = excluded(ctx, env, tc, f.patterns, f.build, f.match)
	}
	switch {
	case len(broken) > 0:
		return errors.New("no package is left to fuzz: see above" + without)
	case len(all) == 0 && f.deps.on:
		return usagef("no linked package of the dependencies of %s has a fuzz target; `gnaw list -deps` lists all", where)
	case len(all) == 0:
		return usagef(noTarget+"%s", where, cmp.Or(without, f.offer(ctx, env, tc)))
	}
	return usagef("no target in %s matches -fuzz and -skip; for example, there is %s; `gnaw list` shows all%s", where, all[0].Func, without)
}

// offer returns the part of a message that says how many targets gnaw init would write; empty: none, or it cannot be known.
func (f fuzzFlags) offer(ctx context.Context, env Env, tc gocommand.Toolchain) string {
	list, err := scaffold.Plan(ctx, scaffold.Options{Source: tc.Source(env.Dir, f.build), Patterns: f.patterns})
	if err != nil {
		return ""
	}
	targets, packages := 0, 0
	for _, p := range list {
		if len(p.Targets) > 0 {
			targets, packages = targets+len(p.Targets), packages+1
		}
	}
	if targets == 0 {
		return ""
	}
	return fmt.Sprintf("; gnaw init would write %s in %s", report.Plural(targets, "target"), report.Plural(packages, "package"))
}

// choose returns the targets that -fuzz and -skip select.
func (f fuzzFlags) choose(targets []build.Target) (chosen []build.Target) {
	for _, t := range targets {
		if m := f.match; m != nil && !m.MatchString(t.Func) {
			continue
		}
		if m := f.skip; m != nil && m.MatchString(t.Func) {
			continue
		}
		chosen = append(chosen, t)
	}
	return chosen
}
