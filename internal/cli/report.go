package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/frontier"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
	"github.com/gnaw-fuzz/gnaw/internal/summary"
)

const helpReport = `usage: gnaw report [-md] [-o file] [-sarif file] [-junit file] [-codequality file] [campaign]

Writes a report about a campaign of the history: its findings, plots of what it reached over time, where it is stuck, its targets,
and the commands that run it again. campaign is its number, or last (default). The campaign may have ended, may have been killed,
or may still run.
The report of -o is one HTML file without scripts and without references to other files. -sarif, -junit and -codequality write the
results for other programs, and need no -o. See docs/report.md.

{flags}

The report shows a finding as the history has it now: a later campaign may have changed its input. .gnaw/known.toml says which
findings are known.
`

// reportFlags are the flags of `gnaw report`.
type reportFlags struct {
	out      string // file; "-": the standard output
	markdown bool
	files    resultFiles
}

func (f *reportFlags) define() *flagSet {
	fs := newFlags("report")
	fs.describe("md", "", "write short Markdown for a ticket or the summary of a CI job, to the standard output unless there is -o")
	fs.BoolVar(&f.markdown, "md", false, "")
	fs.describe("o", "file", "write the report to this file, and replace an existing one; -: write to the standard output")
	fs.StringVar(&f.out, "o", "", "")
	f.files.define(fs)
	return fs
}

// runReport is `gnaw report`.
func runReport(ctx context.Context, env Env, args []string) (int, error) {
	var f reportFlags
	rest, err := parseMixed(f.define(), args)
	switch {
	case err != nil:
		return 0, err
	case len(rest) > 1:
		return 0, usagef("report takes one campaign; `gnaw help report` explains it")
	case f.out == "" && !f.markdown && len(f.files.list()) == 0:
		return 0, usagef("report needs a file, such as -o report.html")
	}
	if err := f.files.check(env); err != nil {
		return 0, err
	}
	name := lastCampaign
	if len(rest) == 1 {
		name = rest[0]
	}
	o, err := reportOf(ctx, env, name)
	if err != nil {
		return 0, err
	}
	if err := f.files.write(env, o); err != nil || f.out == "" && !f.markdown {
		return exitcode.OK, err
	}
	var text bytes.Buffer
	if f.markdown {
		err = summary.Markdown(&text, o)
	} else {
		err = summary.HTML(&text, o)
	}
	if err != nil {
		return 0, err
	}
	if f.out == "" || f.out == "-" {
		_, err = env.Stdout.Write(text.Bytes())
		return exitcode.OK, err
	}
	if err := disk.Write(env.Abs(f.out), text.Bytes()); err != nil {
		return 0, fmt.Errorf("the report is not written: %w", err)
	}
	return exitcode.OK, nil
}

// maxPoints is the approximate number of points of a target in a report. The history has thousands for a campaign of a day.
const maxPoints = 240

// reportOf reads the data of a report about a campaign from the history.
func reportOf(ctx context.Context, env Env, name string) (o summary.Options, err error) {
	s, err := openFindings(ctx, env, env.Dir)
	if err != nil {
		return o, err
	}
	defer s.close()
	c, err := pickCampaign(ctx, env, s.store, s.module, name)
	if err != nil {
		return o, err
	}
	o = summary.Options{Campaign: c, State: stateOf(c), At: time.Now(), Root: s.module.Root, Prefix: prefixOf(ctx, env, s.module)}
	o.Version, _ = versionOf()
	end := o.At
	if o.State != summary.Running {
		end = slices.MaxFunc([]time.Time{c.Start, c.Ended, c.Seen}, time.Time.Compare)
	}
	if o.Points, err = s.store.Reader().Points(ctx, c.ID, end.Sub(c.Start)/maxPoints); err != nil {
		return o, err
	}
	if o.Frontier, o.Changed, err = s.stuckIn(ctx, c); err != nil {
		return o, err
	}
	if o.Progress, err = s.store.Progress(ctx, c.ID); err != nil {
		return o, err
	}
	if o.Results, err = s.store.Reader().Results(ctx, c.ID); err != nil {
		return o, err
	}
	o.Findings, err = s.seenBy(ctx, c.ID)
	return o, err
}

// stuckIn returns the branches with a side that no input takes, and the names of files without branches because they were changed. The
// statements are those that the campaign counted; if it counted none, those of the last gnaw cover or gnaw frontier. The result is nil if there are none either.
func (s *stored) stuckIn(ctx context.Context, c store.Summary) (f *frontier.Frontier, changed []string, err error) {
	h, err := frontier.ReadStored(ctx, s.store.Reader(), c.ID, c.Module, fuzz.Name{})
	if err != nil || len(h.Targets) == 0 {
		return nil, nil, err
	}
	f, changed = frontier.FindStored(h, s.module.ReadSource)
	return f, changed, nil
}

// seenBy returns the findings that a campaign has seen and that the history still has.
func (s *stored) seenBy(ctx context.Context, campaign int64) (list []event.Finding, err error) {
	ids, err := s.store.Sightings(ctx, campaign)
	if err != nil {
		return nil, err
	}
	known, err := known.Load(s.module.Root)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		for _, r := range s.all {
			if r.ID == id {
				o := report.Options{Root: s.module.Root, Dir: s.module.Root, ID: s.short(r)}
				list = append(list, s.describe(r, known, o))
			}
		}
	}
	return list, nil
}

// stateOf returns the state of a campaign.
func stateOf(c store.Summary) summary.State {
	switch {
	case !c.Ended.IsZero():
		return summary.Ended
	case c.Run != "" && cache.SiteInUse(c.Run):
		return summary.Running
	}
	return summary.Killed
}
