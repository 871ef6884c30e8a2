package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// report records a finding and prints it, unless it is a known one. It tells what that makes of the target.
func (c *console) report(ctx context.Context, t build.Target, f *finding.Finding) result {
	c.telling.Lock()
	defer c.telling.Unlock()
	r := recordOf(c.project, t, f)
	for _, flag := range c.flags.plain {
		r.Flags = append(r.Flags, c.anywhere(flag))
	}
	r = c.history.save(ctx, r)
	o := report.Options{
		Root: c.project.root, Dir: c.env.Dir, ID: c.history.short(ctx, r.ID), Full: c.flags.verbose,
	}
	if e, ok := c.known.Match(r.ID, time.Now()); ok && !e.Expired(time.Now()) {
		c.printf("known %s  %s  %s\n  %s\n", o.ID, r.Target, report.Line(r.Title()), report.Line(remark(e, time.Now())))
		c.forget(r)
		return familiar
	} else if ok {
		o.Note = remark(e, time.Now())
	}
	var block strings.Builder
	report.Block(&block, r, o)
	c.printf("%s", block.String())
	if r.Flaky {
		return flaky
	}
	return buggy
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
func (c *console) forget(r finding.Record) {
	path := c.project.abs(r.Path)
	info, err := os.Stat(path)
	if r.Seed != "" || r.Path == "" || err != nil || info.ModTime().Before(c.start) || !c.history.records() {
		return
	}
	if err := corpus.Remove(path); err != nil {
		fmt.Fprintf(c.env.Stderr, "gnaw: the input of a known finding stays: %v\n", err)
	}
}

// anywhere is a flag of the go command as it has to be in another working directory.
func (c *console) anywhere(flag string) string {
	name, file, _ := strings.Cut(flag, "=")
	if (name == "-overlay" || name == "-modfile") && file != "" && !filepath.IsAbs(file) {
		return name + "=" + filepath.Join(c.env.Dir, file)
	}
	return flag
}
