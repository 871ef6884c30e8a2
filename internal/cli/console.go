package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/known"
)

// statusInterval is the time between two status lines of a campaign at first. It grows with the time that is behind, of which
// it is one part in statusPart at most, so that the log of a night stays short enough to read.
const (
	statusInterval = 5 * time.Second
	statusPart     = 12
	statusLongest  = time.Minute
)

// console runs a campaign and prints what happens, in lines that read well in the log of a CI job too.
type console struct {
	env       Env
	flags     fuzzFlags
	toolchain build.Toolchain
	members   []*member
	builder   *build.Builder
	binaries  *binaries
	racer     *racer // nil: without -race
	cancel    func() // ends the campaign
	ctx       context.Context
	project   project
	known     known.List
	history   *history
	spent     time.Duration // before the campaign was killed
	telling   sync.Mutex    // one finding at a time

	warnScarce sync.Once // that the system has no more to give

	told     map[string]finding.Record   // findings that were told, by ID; guarded by telling, as the next two are
	own      map[string]bool             // those of which gnaw has made the file
	reported map[*finding.Finding]string // IDs of all
	printing sync.Mutex                  // one line at a time
	mu       sync.Mutex                  // guards what follows
	bugs     map[string]bool             // IDs of findings that count
	began    time.Time                   // when fuzzing did
	ran      uint64                      // executions of this process at the last status line
	at       time.Time                   // of the last status line
}

func newConsole(env Env, f fuzzFlags, tc build.Toolchain, targets []build.Target, cancel func()) *console {
	c := &console{
		bugs: map[string]bool{}, told: map[string]finding.Record{}, own: map[string]bool{}, reported: map[*finding.Finding]string{},
		env: env, flags: f, toolchain: tc, cancel: cancel, project: findProject(env.Dir),
	}
	c.binaries = &binaries{console: c, built: map[string]*built{}}
	for _, t := range targets {
		c.members = append(c.members, &member{console: c, target: t, result: clean, told: map[string]result{}})
	}
	if f.race {
		c.racer = newRacer(c)
	}
	return c
}

// run runs the campaign and returns the exit code. broken are packages that cannot be loaded.
func (c *console) run(ctx context.Context, broken []build.PackageError) int {
	c.ctx = ctx
	c.history = openHistory(ctx, c.env, c.project, c.toolchain)
	defer c.history.end(ctx)
	c.resume(ctx)
	for _, b := range broken {
		if c.flags.json {
			c.say(&noticeLine{Package: b.Package, Text: b.Reason, what: "aside"})
		} else {
			fmt.Fprintf(c.env.Stderr, "gnaw: %v\n", b)
		}
	}
	o := campaign.Options{
		Parallel: c.flags.parallel, Time: c.flags.time, Each: c.flags.each, Quiet: c.flags.quiet, Seed: c.flags.seed, Spent: c.spent,
		OnEvent: c.happened, Overtime: c.flags.timeout + executor.GraceToDump,
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
	code := c.exit(len(broken))
	c.summary(r, code)
	for _, m := range c.members {
		if err := m.close(); err != nil {
			fmt.Fprintf(c.env.Stderr, "gnaw: %v\n", err)
		}
	}
	return code
}

// begin says what is about to happen, and for how long.
func (c *console) begin() {
	c.mu.Lock()
	c.began = time.Now()
	c.at = c.began
	c.mu.Unlock()
	f := c.flags
	c.say(&startLine{
		Module: c.project.module, Targets: len(c.members), Workers: f.parallel,
		Seconds: max(0, f.time-c.spent).Seconds(), Each: f.each.Seconds(), Execs: f.execs, Quiet: f.quiet,
	})
}

// happened says what happened to a target.
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
		m.err = e.Err
		m.mu.Unlock()
		if errors.Is(e.Err, errSkipped) {
			c.notice(m, "skipped", fmt.Sprintf("%s is skipped: %v", c.name(m.target), e.Err), e.Err.Error())
			return
		}
		c.notice(m, "aside", fmt.Sprintf("%s cannot be fuzzed: %v", c.name(m.target), e.Err), e.Err.Error())
	case campaign.Booked:
		m.booked(e.Past)
	case campaign.WentQuiet:
		text := fmt.Sprintf("the next new edge is expected in about %v", e.Expect.Round(time.Second))
		c.notice(m, "quiet", fmt.Sprintf("%s is quiet: %s", c.name(m.target), text), text)
	}
}

// notice says a sentence about a target: shown to a person, text to a program.
func (c *console) notice(m *member, what, shown, text string) {
	first, more, _ := strings.Cut(shown, "\n")
	if more != "" { // what a process has printed
		first += "\n" + lastLines(more, maxSaid)
	}
	c.say(&noticeLine{Package: m.target.Package, Target: m.target.Name, Text: text, what: what, shown: first + "\n"})
}

// event says what the engine reports about a target.
func (c *console) event(m *member, e engine.Event) {
	warn := func(text string) {
		c.notice(m, "warning", fmt.Sprintf("warning: %s: %s", c.name(m.target), text), text)
	}
	switch e := e.(type) {
	case engine.Warning:
		warn(e.Text)
	case engine.Restarted:
		warn(e.Reason + "; starting it again")
	case engine.NewEntry:
		if c.flags.verbose {
			c.say(&entryLine{
				Package: m.target.Package, Target: m.target.Name, Path: e.Path, Buckets: e.Buckets, Edges: e.Edges, name: c.name(m.target),
			})
		}
	case engine.Found:
		m.found(e.Finding)
	case engine.Smaller:
		c.renew(m, e.Finding)
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

func (c *console) printStatus(done <-chan struct{}) {
	next := time.NewTimer(statusInterval)
	defer next.Stop()
	for {
		select {
		case <-next.C:
			if c.flags.json || !c.ended() { // the last line comes when all have ended
				c.status()
			}
			next.Reset(c.statusPause(c.elapsed()))
		case <-done:
			return
		}
	}
}

// ended reports whether the time of the campaign is up, or nearly: two lines within a second say nothing new.
func (c *console) ended() bool { return c.flags.time > 0 && c.elapsed() > c.flags.time-time.Second }

// statusPause is the time to the next status line after so much time. Programs get one at regular intervals.
func (c *console) statusPause(elapsed time.Duration) time.Duration {
	if c.flags.json {
		return statusInterval
	}
	return min(max((elapsed/statusPart).Round(statusInterval), statusInterval), statusLongest)
}

// record records what is reached from time to time until done is closed.
func (c *console) record(done <-chan struct{}) {
	tick, booking := time.NewTicker(coverInterval), time.NewTicker(bookInterval)
	defer tick.Stop()
	defer booking.Stop()
	for {
		select {
		case <-booking.C:
			c.book()
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

// status says what all targets together have reached.
func (c *console) status() {
	l := &statusLine{Targets: len(c.members)}
	var ran uint64
	for _, m := range c.members {
		ran += m.ran()
		s := m.snapshot()
		l.Execs += s.Execs
		l.Edges += s.Edges
		l.Entries += s.Entries
		m.mu.Lock()
		if m.session != nil {
			l.Begun++
		}
		m.mu.Unlock()
	}
	c.mu.Lock()
	if c.began.IsZero() {
		c.mu.Unlock()
		return // still building
	}
	now := time.Now()
	l.Rate = float64(ran-c.ran) / max(now.Sub(c.at).Seconds(), 1e-3)
	c.ran, c.at = ran, now
	elapsed := c.spent + now.Sub(c.began)
	l.Findings = len(c.bugs)
	c.mu.Unlock()
	l.Seconds = elapsed.Seconds()
	l.Left = max(0, (c.flags.time - elapsed).Seconds())
	c.say(l)
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

// elapsed returns for how long the campaign has been fuzzing, 0 before it does.
func (c *console) elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.began.IsZero() {
		return 0
	}
	return c.spent + time.Since(c.began)
}

// summary says what came of all targets.
func (c *console) summary(r campaign.Result, code int) {
	c.mu.Lock()
	findings := len(c.bugs)
	c.mu.Unlock()
	if !c.flags.json {
		c.say(&tableLine{})
	}
	for i, m := range c.members {
		s, share := m.snapshot(), r.Targets[i]
		l := &targetLine{
			Package: m.target.Package, Target: m.target.Name, Result: m.result.String(), Seconds: share.Time.Seconds(), Turns: share.Turns,
			Execs: s.Execs, Edges: s.Edges, Entries: s.Entries, New: s.Interesting, Bugs: m.countOf(buggy), Quiet: share.Quiet,
			name: c.name(m.target),
		}
		if m.result != unusable && m.result != skipped && m.result != unreached {
			l.Next = share.Expect.Seconds()
		}
		if m.err != nil {
			l.Reason = m.err.Error()
		}
		c.say(l)
	}
	c.say(&endLine{
		Seconds: r.Elapsed.Seconds(), Targets: len(c.members), Buggy: c.count(buggy), Flaky: c.count(flaky), Clean: c.count(clean),
		Skipped: c.count(skipped), Unusable: c.count(unusable), Known: c.count(familiar), Unreached: c.count(unreached), Findings: findings, Busy: r.Busy, Exit: code,
	})
}

// exit is the exit code that the results make. broken is the number of packages without targets because they do not build.
func (c *console) exit(broken int) int {
	switch {
	case c.count(buggy) > 0:
		return ExitFinding
	case c.count(unusable) > 0 || broken > 0:
		return ExitInternal
	case c.count(unreached) > 0:
		return ExitUnreached
	}
	return ExitOK
}
