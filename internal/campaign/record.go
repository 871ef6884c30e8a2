package campaign

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// RecordOf makes a record of a finding of a target. It reads the sources of the package.
func RecordOf(m project.Module, t build.Target, f *finding.Finding) finding.Record {
	source := sourceOf(m, t)
	calls := source.Locate(f.Calls())
	message := f.Message
	if first, _, _ := strings.Cut(f.Output, "\n"); message == "" && !strings.HasPrefix(first, "--- FAIL: ") {
		message = first[strings.LastIndex(first, ": ")+1:] // the process printed nothing before it ended
	}
	message = strings.TrimSpace(message)
	keyed := calls
	var others []finding.Call
	if f.Kind == finding.Race {
		if race, ok := finding.RaceIn(f.Output); ok {
			others, keyed = source.Locate(race.Sides[1]), source.Locate(race.Tops())
		}
	}
	path := f.Path
	if f.Seed != "" && filepath.Base(f.Seed) != f.Seed { // a seed of F.Add has no folder
		path = f.Seed
	}
	r := finding.Record{
		ID:   finding.ID(finding.Key(f.Kind, t.Name.String(), keyed, neutral(source, f, message, calls))),
		Kind: f.Kind, Message: message, Place: f.Place, Calls: calls, Others: others, Flags: slices.Clone(f.Flags), Count: f.Count,
		Package: t.Package, Folder: source.Relative(t.Home()), Target: t.Func, Dependency: dependencyOf(m, t),
		Size: f.Input.Size(), Original: f.Original.Size(), Minimize: f.Minimize.Seconds(),
		Output: f.Output, Replays: f.Replays, Repeats: f.Failures, Flaky: f.Flaky, NotRun: f.NotRun, Measure: f.Measure,
		Kept: f.Kept, Why: report.Line(f.Why),
		First: time.Now(), Last: time.Now(), Times: 1,
	}
	if !f.Flaky && f.Count == 0 { // otherwise an execution may have passed by chance, or before its process failed
		r.Matter = f.Matter
	}
	if f.Input != nil {
		r.Input = string(input.Marshal(f.Input))
	}
	if f.Seed != "" {
		r.Seed = filepath.Base(f.Seed)
	}
	if path != "" {
		r.Path = source.Relative(filepath.Join(t.Home(), "testdata", "fuzz", t.Func, filepath.Base(path)))
	}
	return r
}

// sourceOf returns the sources of the package of a target.
func sourceOf(m project.Module, t build.Target) report.Source {
	source := m.Source(t.Package, t.Dir)
	source.Original = t.Original
	return source
}

// formatsAt returns the messages that the source code makes at the place of a call, which is as a process has printed it.
func formatsAt(source report.Source, c finding.Call) []finding.Format {
	return source.Formats(source.Locate([]finding.Call{c})[0])
}

// neutral returns the message of a finding without what it has from the input, by the source code of its place.
func neutral(source report.Source, f *finding.Finding, message string, calls []finding.Call) string {
	var formats []finding.Format
	if len(calls) > 0 {
		formats = source.Formats(calls[0])
	}
	return finding.Neutral(f.Kind, cmp.Or(f.Message, message), f.Input, formats)
}

// dependencyOf returns the dependency that a target belongs to; nil: it is in a main module.
func dependencyOf(m project.Module, t build.Target) *finding.Dependency {
	o := t.Outside
	if o == nil {
		return nil
	}
	folder, err := filepath.Rel(o.Root, t.Dir)
	if err != nil {
		folder = t.Dir
	}
	d := &finding.Dependency{Module: o.Module, Version: o.Version, Line: o.Line, Folder: filepath.ToSlash(folder), Policy: o.Policy}
	if slices.Contains(o.Written, t.File) {
		d.File = m.Source(t.Package, t.Dir).Relative(t.File)
	}
	return d
}

// Describe makes an event of a record. short is the short form of its ID. The command that repeats the finding depends on o.
func Describe(r finding.Record, short string, o report.Options, list known.List) event.Finding {
	e := event.Finding{Record: r, Short: short, Rerun: o.Rerun(r), Literals: []string{}, Unreadable: r.Unreadable}
	if r.Input != "" {
		e.Literals = report.Literals(r.Input)
	}
	if entry, ok := KnownAs(list, r); ok {
		k := KnownOf(entry)
		e.Known = &k
	}
	return e
}

// KnownAs returns the entry of the list of known findings for a finding.
func KnownAs(list known.List, r finding.Record) (known.Entry, bool) {
	module, version := "", ""
	if d := r.Dependency; d != nil {
		module, version = d.Module, d.Version
	}
	return list.Match(r.ID, module, version, time.Now())
}

// KnownOf makes a part of an event of an entry of the list of known findings.
func KnownOf(e known.Entry) event.Known {
	k := event.Known{Reason: e.Reason, Module: e.Module, Version: e.Version, Expired: e.Expired(time.Now())}
	if !e.Until.IsZero() {
		k.Until = e.Until.Format(time.DateOnly)
	}
	return k
}
