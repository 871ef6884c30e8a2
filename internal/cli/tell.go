package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// report records a finding and prints it, unless it is a known one. It tells its ID, and what that makes of the target.
func (c *console) report(ctx context.Context, t build.Target, f *finding.Finding) (id string, what result) {
	c.telling.Lock()
	defer c.telling.Unlock()
	r := recordOf(c.project, t, f)
	c.reported[f] = r.ID
	if first, ok := c.told[r.ID]; ok && (first.Counts() || !r.Counts()) {
		return r.ID, c.again(first, r, f)
	}
	r = c.rerun(r)
	r = c.history.save(ctx, r)
	c.told[r.ID], c.own[r.ID] = r, f.Own
	if what = c.tell(ctx, r); what == familiar {
		c.forget(r, f)
	}
	return r.ID, what
}

// tell prints a finding, in one line if it is a known one, and says what it makes of its target.
func (c *console) tell(ctx context.Context, r finding.Record) (what result) {
	o := report.Options{
		Root: c.project.root, Dir: c.env.Dir, ID: c.history.short(ctx, r.ID), Full: c.flags.verbose,
		Actual: c.builder.Actual,
	}
	l := &findingLine{findingJSON: jsonOf(r, o.ID, c.known, o)}
	if e, ok := c.known.Match(r.ID, time.Now()); ok && !e.Expired(time.Now()) {
		l.block = fmt.Sprintf("known %s  %s  %s\n  %s\n", o.ID, r.Target, report.Line(r.Title()), report.Line(remark(e, time.Now())))
		c.say(l)
		return familiar
	} else if ok {
		o.Note = remark(e, time.Now())
	}
	var block strings.Builder
	report.Block(&block, r, o)
	l.block = block.String()
	what = flaky
	if r.Counts() {
		what = buggy
	}
	c.counted(r.ID, what)
	c.say(l)
	return what
}

// counted notes a finding that may count.
func (c *console) counted(id string, what result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if what == buggy {
		c.bugs[id] = true
	}
}

// again deals with a failure that turns out to be one that this campaign has told: another target has met it, or it became
// the same by minimizing. Its input is kept with the others of the finding.
func (c *console) again(first, r finding.Record, f *finding.Finding) result {
	c.history.add(r.ID, sampleOf(r))
	if r.Path != first.Path {
		c.forget(r, f)
	}
	if e, ok := c.known.Match(r.ID, time.Now()); ok && !e.Expired(time.Now()) {
		return familiar
	}
	if !first.Counts() {
		return flaky
	}
	return buggy
}

func sampleOf(r finding.Record) finding.Sample {
	return finding.Sample{Package: r.Package, Folder: r.Folder, Target: r.Target, Input: r.Input, Size: r.Size}
}

// keep keeps other inputs of a finding.
func (c *console) keep(t build.Target, f *finding.Finding, others []input.Args) {
	c.telling.Lock()
	defer c.telling.Unlock()
	id, ok := c.reported[f]
	if !ok {
		return
	}
	var samples []finding.Sample
	for _, a := range others {
		samples = append(samples, finding.Sample{
			Package: t.Package, Folder: c.project.source(t.Package, t.Dir).Relative(t.Dir), Target: t.Name,
			Input: string(input.Marshal(a)), Size: a.Size(),
		})
	}
	c.history.add(id, samples...)
}

// remark says what the list of known findings has to say about one.
func remark(e known.Entry, now time.Time) string {
	day := e.Until.Format(time.DateOnly)
	switch {
	case e.Until.IsZero():
		return "not to be reported: " + e.Reason
	case e.Expired(now):
		return fmt.Sprintf("was not to be reported until %s: %s", day, e.Reason)
	}
	return fmt.Sprintf("not to be reported until %s: %s", day, e.Reason)
}

// forget removes the file of a known finding if this run has made it: go test would fail by it, and the next run would
// stop at it. The input is in the history.
func (c *console) forget(r finding.Record, f *finding.Finding) {
	file := f.Kept
	if r.Path != "" {
		file = c.project.abs(r.Path)
	}
	if !f.Own || file == "" || !c.history.records() {
		return
	}
	if err := corpus.Discard(file); err != nil {
		fmt.Fprintf(c.env.Stderr, "gnaw: the input of a known finding stays: %v\n", err)
	}
}

// renew gives a finding that was told a smaller input, which is proved too. One that turns out to be another finding by the source code, or
// whose first input is the user's, only gets another input.
func (c *console) renew(m *member, f *finding.Finding) {
	c.telling.Lock()
	defer c.telling.Unlock()
	r := recordOf(c.project, m.target, f)
	first, ok := c.told[r.ID]
	if !ok || first.Seed != "" || !first.Counts() || !r.Counts() || r.Size >= first.Size || r.Package != first.Package || r.Target != first.Target {
		c.history.add(r.ID, sampleOf(r))
		c.forget(r, f)
		return
	}
	r = c.rerun(r)
	c.history.renew(r)
	if c.own[r.ID] {
		c.forget(first, &finding.Finding{Own: true})
	}
	c.told[r.ID], c.own[r.ID] = r, f.Own
	if e, ok := c.known.Match(r.ID, time.Now()); ok && !e.Expired(time.Now()) {
		c.forget(r, f)
		return
	}
	text := fmt.Sprintf("a smaller input of %s was found, of %d bytes instead of %d: %s",
		c.history.short(c.ctx, r.ID), r.Size, first.Size, relativeTo(c.env.Dir, c.project.abs(r.Path)))
	c.notice(m, "smaller", c.name(m.target)+": "+text, text)
}

// restore writes the files of a target's bugs again that go test does not read: the target may remove its corpus each time it starts.
func (c *console) restore(m *member) {
	m.mu.Lock()
	told := maps.Clone(m.told)
	m.mu.Unlock()
	c.telling.Lock()
	defer c.telling.Unlock()
	for id, what := range told {
		r := c.told[id]
		if what != buggy || r.NotRun == "" || r.Path == "" || r.Seed != "" || r.Package != m.target.Package || r.Target != m.target.Name {
			continue
		}
		path := c.project.abs(r.Path)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := disk.Write(path, []byte(r.Input)); err != nil {
			text := fmt.Sprintf("the file of a failing input is gone and cannot be written again: %v", err)
			c.notice(m, "warning", "warning: "+c.name(m.target)+": "+text, text)
		}
	}
}

// rerun adds to a record what it takes for go test to show the finding, wherever it runs: flags of the go command, and variables.
func (c *console) rerun(r finding.Record) finding.Record {
	for _, flag := range c.flags.plain {
		r.Flags = append(r.Flags, c.anywhere(flag))
	}
	r.Args = c.flags.args
	_, r.Environ = readableEnviron(c.env.Environ)
	return r
}

// anywhere is a flag of the go command as it has to be in another working directory.
func (c *console) anywhere(flag string) string {
	name, file, _ := strings.Cut(flag, "=")
	if (name == "-overlay" || name == "-modfile") && file != "" && !filepath.IsAbs(file) {
		return name + "=" + filepath.Join(c.env.Dir, file)
	}
	return flag
}
