package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/known"
)

// statusInterval is the time between two status lines of a campaign.
const statusInterval = 5 * time.Second

// console runs a campaign and prints what happens, in lines that read well in the log of a CI job too.
type console struct {
	env       Env
	flags     fuzzFlags
	toolchain build.Toolchain
	members   []*member
	binaries  *binaries
	racer     *racer // nil: without -race
	cancel    func() // ends the campaign
	ctx       context.Context
	start     time.Time
	project   project
	known     known.List
	history   *history
	telling   sync.Mutex // one finding at a time

	mu    sync.Mutex // guards what follows and the output
	began time.Time  // when fuzzing did
	execs uint64     // at the last status line
	at    time.Time  // of the last status line
}

func newConsole(env Env, f fuzzFlags, tc build.Toolchain, targets []build.Target, cancel func()) *console {
	c := &console{env: env, flags: f, toolchain: tc, cancel: cancel, start: time.Now(), project: findProject(env.Dir)}
	c.binaries = &binaries{console: c, built: map[string]*built{}}
	for _, t := range targets {
		c.members = append(c.members, &member{console: c, target: t, result: clean})
	}
	if f.race {
		c.racer = newRacer(c)
	}
	return c
}

// run runs the campaign.
func (c *console) run(ctx context.Context) {
	c.ctx = ctx
	c.history = beginHistory(ctx, c.env, c.project, c.toolchain.Version, c.flags.patterns)
	defer c.history.end(ctx)
	o := campaign.Options{
		Parallel: c.flags.parallel, Time: c.flags.time, Each: c.flags.each, Quiet: c.flags.quiet, Seed: c.flags.seed,
		OnEvent: c.happened,
	}
	for _, m := range c.members {
		o.Targets = append(o.Targets, m)
	}
	done := make(chan struct{})
	var printing sync.WaitGroup
	printing.Add(1)
	go func() { defer printing.Done(); c.printStatus(done) }()
	go c.record(done)
	endRace := c.beginRace(ctx)
	r := campaign.Run(ctx, o)
	endRace()
	close(done)
	printing.Wait()
	for _, m := range c.members {
		m.judge()
		c.history.cover(ctx, m.target, m.snapshot())
	}
	c.status()
	c.summary(r)
	for _, m := range c.members {
		if err := m.close(); err != nil {
			c.printf("gnaw: %v\n", err)
		}
	}
}

// begin says what is about to happen, and for how long.
func (c *console) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.began = time.Now()
	c.at = c.began
	limit := "until ^C; -fuzztime and -each set a time"
	switch f := c.flags; {
	case f.time > 0:
		limit = fmt.Sprintf("for %v", f.time)
	case f.each > 0:
		limit = fmt.Sprintf("for %v each", f.each)
	case f.execs > 0:
		limit = fmt.Sprintf("%d executions each", f.execs)
	case f.quiet:
		limit = "until they are quiet"
	}
	fmt.Fprintf(c.env.Stdout, "fuzzing %s with %s: %s\n", plural(len(c.members), "target"), plural(c.flags.parallel, "worker"), limit)
}

// happened prints what happened to a target.
func (c *console) happened(e campaign.Event) {
	if e.What == campaign.Begun {
		c.begin()
		return
	}
	m := c.members[e.Target]
	switch e.What {
	case campaign.SetAside:
		m.mu.Lock()
		if m.result == clean {
			m.result = unusable
		}
		m.mu.Unlock()
		what := "cannot be fuzzed"
		if errors.Is(e.Err, errSkipped) {
			what = "is skipped"
		}
		c.printf("%s %s: %v\n", c.name(m.target), what, e.Err)
	case campaign.WentQuiet:
		c.printf("%s is quiet: the next new edge is expected in about %v\n", c.name(m.target), e.Expect.Round(time.Second))
	}
}

// event prints what the engine reports about a target.
func (c *console) event(m *member, e engine.Event) {
	switch e := e.(type) {
	case engine.Warning:
		c.printf("warning: %s: %s\n", c.name(m.target), e.Text)
	case engine.Restarted:
		c.printf("warning: %s: %s; starting it again\n", c.name(m.target), e.Reason)
	case engine.NewEntry:
		if c.flags.verbose {
			c.printf("%s: new entry %s: %d new buckets, %d new edges\n", c.name(m.target), filepath.Base(e.Path), e.Buckets, e.Edges)
		}
	case engine.Found:
		m.found(e.Finding)
	}
}

// name is what a person calls a target: its package below the working directory and its name.
func (c *console) name(t build.Target) string {
	dir := c.relative(t.Dir)
	if !filepath.IsAbs(dir) && dir != "." {
		dir = "." + string(filepath.Separator) + dir
	}
	return dir + " " + t.Name
}

func (c *console) printf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(c.env.Stdout, format, args...)
}

func (c *console) printStatus(done <-chan struct{}) {
	tick := time.NewTicker(statusInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.status()
		case <-done:
			return
		}
	}
}

// record records what is reached from time to time until done is closed.
func (c *console) record(done <-chan struct{}) {
	tick := time.NewTicker(coverInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			for _, m := range c.members {
				if s := m.snapshot(); s.Execs > 0 {
					c.history.cover(c.ctx, m.target, s)
				}
			}
		case <-done:
			return
		}
	}
}

// status prints one line about all targets together.
func (c *console) status() {
	var execs uint64
	var edges, entries, bugs, active int
	for _, m := range c.members {
		s := m.snapshot()
		execs += s.Execs
		edges += s.Edges
		entries += s.Entries
		m.mu.Lock()
		bugs += m.bugs
		if m.session != nil {
			active++
		}
		m.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.began.IsZero() {
		return // still building
	}
	now := time.Now()
	rate := float64(execs-c.execs) / max(now.Sub(c.at).Seconds(), 1e-3)
	c.execs, c.at = execs, now
	elapsed := now.Sub(c.began)
	line := fmt.Sprintf("%v: %d of %d targets begun, %s execs (%s/s), %d edges, %d entries, %s",
		elapsed.Round(time.Second), active, len(c.members), amount(float64(execs)), amount(rate), edges, entries,
		plural(bugs, "finding"))
	if left := c.flags.time - elapsed; c.flags.time > 0 && left > 0 {
		line += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	fmt.Fprintln(c.env.Stdout, line)
}

// amount writes a number with three digits or so.
func amount(n float64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1fG", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1fM", n/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.0fk", n/1e3)
	}
	return fmt.Sprintf("%.0f", n)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// relative shortens a path to what a person in the working directory would type.
func (c *console) relative(path string) string {
	if rel, err := filepath.Rel(c.env.Dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}

// count returns the number of targets with a result.
func (c *console) count(want result) (n int) {
	for _, m := range c.members {
		if m.result == want {
			n++
		}
	}
	return n
}

// summary prints what came of all targets.
func (c *console) summary(r campaign.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	const row = "%6v %7s %7v %7v %6v %10s  %s\n"
	fmt.Fprintf(c.env.Stdout, row, "time", "execs", "edges", "entries", "bugs", "next edge", "target")
	for i, m := range c.members {
		s, share := m.snapshot(), r.Targets[i]
		next := "-"
		if share.Expect > 0 && m.result != unusable && m.result != skipped {
			next = "~" + share.Expect.Round(time.Second).String()
		}
		name := c.name(m.target)
		switch {
		case m.result == skipped:
			name += " (skipped)"
		case m.result == unusable:
			name += " (could not be fuzzed)"
		case share.Turns == 0:
			name += " (had no turn)"
		}
		fmt.Fprintf(c.env.Stdout, row, share.Time.Round(time.Second), amount(float64(s.Execs)), s.Edges, s.Entries, m.bugs, next, name)
	}
	fmt.Fprintf(c.env.Stdout, "%s: %d with a bug, %d with a failure that did not repeat, %d without, %d skipped, %d could not be fuzzed; workers busy %.0f %%\n",
		plural(len(c.members), "target"), c.count(buggy), c.count(flaky), c.count(clean), c.count(skipped), c.count(unusable), 100*r.Busy)
	if n := c.count(familiar); n > 0 {
		fmt.Fprintf(c.env.Stdout, "%d with a bug that is in %s\n", n, known.File)
	}
}
