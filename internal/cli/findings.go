package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// entryJSON is the JSON form of an entry of the list of known findings.
type entryJSON struct {
	ID   string `json:"id"`
	What string `json:"what,omitempty"`
	event.Known
}

// describe returns the JSON form of a finding.
func (s *stored) describe(r finding.Record, list known.List, o report.Options) event.Finding {
	return campaign.Describe(r, s.short(r), o, list)
}

// defineFindings returns the flags of `gnaw findings`.
func defineFindings(f *jsonFlag) *flagSet {
	return f.define("findings", "print one object per line, with all that gnaw show prints: id, short_id, kind, message, place, frames, "+
		"package, folder, target, input, literals, path, seed, size, original_size, minimize_seconds, output, replays, "+
		"repeats, flaky, not_run (why go test does not run the input), first_seen, last_seen, times_seen, go, commit, "+
		"changed (the commit had uncommitted changes), flags, count (of go test), args (of the test binary), environ, rerun, more (other "+
		"inputs: package, folder, target, input, size), matter (bytes of the input that matter, for each argument: bytes and untested, as ranges [from, to]), other_frames (of a race), dependency (of a target outside of the module: module, version, line of go.mod, folder), upstream (how the input of such a finding runs with the newest version of the module, or with its own go.mod: newest, result, reason, godebug), measure (of an oracle; its times are "+
		"in nanoseconds), known, unreadable (another version of gnaw wrote the finding and this version cannot read "+
		"it), kept and not_written (where the input is, and why it is not where go test reads it)")
}

// runFindings is `gnaw findings`.
func runFindings(ctx context.Context, env Env, args []string) (int, error) {
	var asJSON jsonFlag
	rest, err := parseMixed(defineFindings(&asJSON), args)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("findings takes no arguments; `gnaw show ID` prints one finding")
	}
	s, err := openFindings(ctx, env, env.Dir)
	if err != nil {
		return 0, err
	}
	defer s.close()
	list, err := known.Load(s.module.Root)
	if err != nil {
		return 0, err
	}
	o := report.Options{Root: s.module.Root, Dir: env.Dir}
	if asJSON {
		for _, r := range s.all {
			if err := writeJSON(env.Stdout, s.describe(r, list, o)); err != nil {
				return 0, err
			}
		}
		return exitcode.OK, nil
	}
	if len(s.all) == 0 {
		fmt.Fprintf(env.Stderr, "gnaw: no findings of %s in the history of this user; `gnaw fuzz` looks for some\n", s.module.Path)
	}
	for _, root := range slices.Sorted(maps.Keys(s.elsewhere)) {
		fmt.Fprintf(env.Stderr, "gnaw: the list leaves out %s of another folder with the same module path, %s\n", report.Plural(len(s.elsewhere[root]), "finding"), root)
	}
	table := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	for _, r := range s.all {
		fmt.Fprintln(table, strings.Join(s.row(r, list, o), "\t"))
	}
	if err := table.Flush(); err != nil {
		return 0, fmt.Errorf("print the findings: %w", err)
	}
	return exitcode.OK, nil
}

// row is a line of the list of findings.
func (s *stored) row(r finding.Record, list known.List, o report.Options) []string {
	state := r.Kind.String()
	if newest := report.Newest(r); newest != "" {
		state += ", " + newest
	}
	switch {
	case r.Unreadable != "":
		state = "unreadable: " + report.Line(r.Unreadable)
	case r.Flaky:
		state += fmt.Sprintf(", flaky %d/%d", r.Repeats, r.Replays)
	case !r.Counts():
		state += ", unproven"
	}
	if e, ok := campaign.KnownAs(list, r); ok && e.Expired(time.Now()) {
		state += ", known until " + e.Until.Format(time.DateOnly)
	} else if ok {
		state += ", known"
	}
	return []string{
		s.short(r), r.Last.Local().Format(time.DateOnly), state, r.Target, report.Line(o.Where(r)), report.Line(r.Title()),
	}
}

// defineShow returns the flags of `gnaw show`.
func defineShow(f *jsonFlag) *flagSet {
	return f.define("show", "print one object with the fields of gnaw findings -json")
}

// runShow is `gnaw show`.
func runShow(ctx context.Context, env Env, args []string) (int, error) {
	var asJSON jsonFlag
	rest, err := parseMixed(defineShow(&asJSON), args)
	if err != nil {
		return 0, err
	}
	id, err := one("show", "ID", rest)
	if err != nil {
		return 0, err
	}
	s, r, err := pick(ctx, env, id)
	if err != nil {
		return 0, err
	}
	defer s.close()
	list, err := known.Load(s.module.Root)
	if err != nil {
		return 0, err
	}
	o := report.Options{Root: s.module.Root, Dir: env.Dir, ID: s.short(r), Full: true}
	if asJSON {
		return exitcode.OK, writeJSON(env.Stdout, s.describe(r, list, o))
	}
	if e, ok := campaign.KnownAs(list, r); ok {
		o.Note = campaign.KnownOf(e).Remark()
	}
	report.Block(env.Stdout, r, o)
	return exitcode.OK, nil
}

// knownFlags are the flags of `gnaw known`.
type knownFlags struct {
	json  bool
	entry known.Entry // of add
}

// define returns the flags; add has more.
func (f *knownFlags) define(add bool) *flagSet {
	fs := newFlags("known")
	fs.describe("json", "", "print one object for each: id, what, reason, until, expired; for a dependency: module, version")
	fs.BoolVar(&f.json, "json", false, "")
	if !add {
		return fs
	}
	fs.describe("reason", "text", "why the bug is not fixed yet")
	fs.StringVar(&f.entry.Reason, "reason", "", "")
	fs.describe("until", "date", "last day on which the finding is known, such as 2027-03-01 (default: no last day)")
	fs.Func("until", "", func(s string) (err error) {
		f.entry.Until, err = known.ParseDate(s)
		return err
	})
	return fs
}

// runKnown is `gnaw known`.
func runKnown(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) > 0 && args[0] == "add" {
		return addKnown(ctx, env, args[1:])
	}
	var f knownFlags
	rest, err := parseMixed(f.define(false), args)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("known takes nothing or add; `gnaw help known` explains it")
	}
	list, err := known.Load(project.Find(env.Dir).Root)
	if err != nil {
		return 0, err
	}
	for _, e := range list.Entries {
		if f.json {
			if err := writeJSON(env.Stdout, entryJSON{e.ID, e.What, campaign.KnownOf(e)}); err != nil {
				return 0, err
			}
			continue
		}
		fmt.Fprintf(env.Stdout, "%s  %s", report.Line(e.ID), report.Line(campaign.KnownOf(e).Remark()))
		switch {
		case e.Version != "":
			fmt.Fprintf(env.Stdout, "  in %s@%s", report.Line(e.Module), report.Line(e.Version))
		case e.Module != "":
			fmt.Fprintf(env.Stdout, "  in all versions of %s", report.Line(e.Module))
		}
		if e.What != "" {
			fmt.Fprintf(env.Stdout, "  (%s)", report.Line(e.What))
		}
		fmt.Fprintln(env.Stdout)
	}
	return exitcode.OK, nil
}

func addKnown(ctx context.Context, env Env, args []string) (int, error) {
	var f knownFlags
	rest, err := parseMixed(f.define(true), args)
	if err != nil {
		return 0, err
	}
	id, err := one("known", "ID behind add", rest)
	if err != nil {
		return 0, err
	}
	e := f.entry
	if e.Reason == "" {
		return 0, usagef("known add needs -reason: why the bug is not fixed yet")
	}
	if e.Expired(time.Now()) {
		return 0, usagef("-until %s is in the past; use a later date", e.Until.Format(time.DateOnly))
	}
	s, r, err := pick(ctx, env, id)
	if err != nil {
		return 0, err
	}
	defer s.close()
	list, err := known.Load(s.module.Root)
	if err != nil {
		return 0, err
	}
	if there, ok := campaign.KnownAs(list, r); ok && !there.Expired(time.Now()) {
		return 0, usagef("%s is in %s already: %s; change it there", id, known.File, campaign.KnownOf(there).Remark())
	}
	if d := r.Dependency; d != nil {
		e.Module, e.Version = d.Module, d.Version
	}
	e.ID, e.What = r.ID, fmt.Sprintf("%s: %s: %s", r.Target, r.Kind, r.Title())
	path, err := known.Add(s.module.Root, e)
	if err != nil {
		return 0, err
	}
	away, err := putAway(s.module, r)
	if err != nil {
		fmt.Fprintf(env.Stderr, "gnaw: gnaw cannot remove the input of the known finding: %v\n", err)
	}
	if f.json {
		return exitcode.OK, writeJSON(env.Stdout, entryJSON{e.ID, e.What, campaign.KnownOf(e)})
	}
	fmt.Fprintf(env.Stdout, "%s is in %s; commit that file\n", s.short(r), path)
	if away {
		where := r.Path
		if r.Measure == nil && !strings.HasPrefix(r.Path, deps.Folder+"/") {
			where += ", where it would make go test fail"
		}
		fmt.Fprintf(env.Stdout, "its input is in the history, and no longer in %s\n", where)
	}
	return exitcode.OK, nil
}

// putAway removes the file of a finding that is now known, and reports whether it did. A seed of the user stays, and so does a file that
// has another input by now.
func putAway(m project.Module, r finding.Record) (away bool, err error) {
	if r.Path == "" || r.Seed != "" {
		return false, nil
	}
	file := m.Abs(r.Path)
	text, err := disk.Read(file, disk.MaxInput)
	if errors.Is(err, fs.ErrNotExist) || err == nil && string(text) != r.Input {
		return false, nil
	}
	if err == nil {
		err = corpus.Discard(file)
	}
	return err == nil, err
}
