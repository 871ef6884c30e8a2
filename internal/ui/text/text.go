// Package text writes the events of a campaign for a person, in lines that read well in the log of a CI job too.
package text

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// The time between two status lines grows with the time that is behind, of which it is one part in statusPart at most, so that the log
// of a night stays short enough to read.
const (
	statusLeast   = 5 * time.Second
	statusPart    = 12
	statusLongest = time.Minute
)

// Options says what a person sees.
type Options struct {
	Out     io.Writer
	Errors  io.Writer      // gets what is wrong with packages
	Dir     string         // working directory: paths are relative to it
	Module  project.Module // that is fuzzed
	Verbose bool           // new entries, and all that is known about a finding
	// Actual returns the file that has what was in a source file when it was built; nil: the file itself.
	Actual func(file string) string
}

// Renderer writes events. It is a function of these: it knows nothing else about the campaign. Its methods are called by one goroutine
// at a time.
type Renderer struct {
	Options
	limited bool          // the campaign has a time
	next    time.Duration // of fuzzing, from which on a status line is due
	table   bool          // the head of the table is written
	ran     uint64        // executions at the last status line
	at      time.Time     // of it, or of the start
}

// New returns a Renderer.
func New(o Options) *Renderer { return &Renderer{Options: o, next: statusLeast} }

// Event writes an event.
func (r *Renderer) Event(s event.Stamped) {
	switch e := s.Event.(type) {
	case event.Build:
		r.build(e)
	case event.Start:
		r.limited, r.at = e.Seconds > 0, s.At
		fmt.Fprint(r.Out, start(e))
	case event.Notice:
		r.notice(e)
	case event.Entry:
		if r.Verbose {
			fmt.Fprintf(r.Out, "%s: new entry %s: %d new buckets, %d new edges\n", r.name(e.Target), filepath.Base(e.Path), e.Buckets, e.Edges)
		}
	case event.Status:
		if r.due(e) {
			e.Rate = float64(e.Ran-r.ran) / max(s.At.Sub(r.at).Seconds(), 1e-3) // since the last line
			r.ran, r.at = e.Ran, s.At
			fmt.Fprint(r.Out, status(e))
		}
	case event.Finding:
		r.finding(e)
	case event.TargetEnd:
		if !r.table {
			r.table = true
			fmt.Fprintf(r.Out, row, "time", "execs", "edges", "entries", "new", "bugs", "next edge", "target")
		}
		fmt.Fprint(r.Out, r.targetRow(e))
	case event.End:
		fmt.Fprint(r.Out, end(e))
	}
}

// name is what a person calls a target: its package below the working directory and its name.
func (r *Renderer) name(t event.Target) string {
	dir := project.Relative(r.Dir, r.Module.Abs(t.Folder))
	if !filepath.IsAbs(dir) && dir != "." {
		dir = "." + string(filepath.Separator) + dir
	}
	return dir + " " + t.Target
}

func (r *Renderer) build(e event.Build) {
	with := ""
	if e.Race {
		with = " with the race detector"
	}
	fmt.Fprintf(r.Out, "building the test binary of %s%s\n", e.Package, with)
}

func start(e event.Start) string {
	limit := "until ^C; -fuzztime and -each set a time"
	switch {
	case e.Seconds > 0:
		limit = fmt.Sprintf("for %v", duration(e.Seconds))
	case e.Each > 0:
		limit = fmt.Sprintf("for %v each", duration(e.Each))
	case e.Execs > 0:
		limit = fmt.Sprintf("%d executions each", e.Execs)
	case e.Quiet:
		limit = "until they are quiet"
	}
	return fmt.Sprintf("fuzzing %s with %s: %s\n", report.Plural(e.Targets, "target"), report.Plural(e.Workers, "worker"), limit)
}

// maxSaid is how many lines of what a process has printed are shown: the reason stands at the end.
const maxSaid = 20

func (r *Renderer) notice(e event.Notice) {
	text := e.Text
	if first, more, ok := strings.Cut(text, "\n"); ok { // what a process has printed
		text = first + "\n" + report.LastLines(more, maxSaid)
	}
	if e.Target.Target == "" { // of a package, or of the campaign
		switch e.What {
		case event.Aside:
			fmt.Fprintf(r.Errors, "gnaw: load package %s: %s\n", e.Package, e.Text)
		case event.Warning:
			fmt.Fprintf(r.Errors, "gnaw: %s\n", text)
		default:
			fmt.Fprintln(r.Out, text)
		}
		return
	}
	name := r.name(e.Target)
	switch e.What {
	case event.Warning:
		fmt.Fprintf(r.Out, "warning: %s: %s\n", name, text)
	case event.Aside:
		fmt.Fprintf(r.Out, "%s cannot be fuzzed: %s\n", name, text)
	case event.Skipped:
		fmt.Fprintf(r.Out, "%s is skipped: %s\n", name, text)
	case event.Quiet:
		fmt.Fprintf(r.Out, "%s is quiet: %s\n", name, text)
	default:
		fmt.Fprintf(r.Out, "%s: %s\n", name, text)
	}
}

// due reports whether a status is worth a line. Two lines within a second of the end say nothing new.
func (r *Renderer) due(s event.Status) bool {
	elapsed := duration(s.Seconds)
	switch {
	case s.Last:
		return true
	case elapsed < r.next-statusLeast/10, r.limited && s.Left < 1: // a tick comes a little early, or late
		return false
	}
	r.next = elapsed + pause(elapsed)
	return true
}

// pause is the time to the next status line after so much time.
func pause(elapsed time.Duration) time.Duration {
	return min(max((elapsed/statusPart).Round(statusLeast), statusLeast), statusLongest)
}

func status(s event.Status) string {
	text := fmt.Sprintf("%v: %d of %d targets begun, %s execs (%s/s), %s, %s, %s",
		duration(s.Seconds).Round(time.Second), s.Begun, s.Targets, report.Amount(float64(s.Execs)), report.Amount(s.Rate),
		report.Plural(s.Edges, "edge"), report.Plural(s.Entries, "entry"), report.Plural(s.Findings, "finding"))
	if s.Left > 0 {
		text += fmt.Sprintf(", %v left", duration(s.Left).Round(time.Second))
	}
	return text + "\n"
}

// finding writes a finding, in one line if it is a known one. It reads the sources.
func (r *Renderer) finding(e event.Finding) {
	if e.Known != nil && !e.Known.Expired {
		fmt.Fprintf(r.Out, "known %s  %s  %s\n  %s\n", e.Short, e.Target, report.Line(e.Title()), report.Line(e.Known.Remark()))
		return
	}
	o := report.Options{Root: r.Module.Root, Dir: r.Dir, ID: e.Short, Full: r.Verbose, Actual: r.Actual}
	if e.Known != nil {
		o.Note = e.Known.Remark()
	}
	var block strings.Builder
	report.Block(&block, e.Record, o)
	fmt.Fprint(r.Out, block.String())
}

// row is the form of the table at the end.
const row = "%6v %7s %7v %7v %7v %6v %10s  %s\n"

func (r *Renderer) targetRow(e event.TargetEnd) string {
	next, name := "-", r.name(e.Target)
	switch d := duration(e.Next).Round(time.Second); {
	case d > 0:
		next = "~" + d.String()
	case e.Next > 0:
		next = "<1s"
	}
	switch e.Result {
	case event.Skip:
		name += " (skipped)"
	case event.Unusable:
		name += " (could not be fuzzed)"
	case event.Unreached:
		name += " (not reached: " + e.Reason + ")"
	}
	return fmt.Sprintf(row, duration(e.Seconds).Round(time.Second), report.Amount(float64(e.Execs)), e.Edges, e.Entries, e.New, e.Bugs, next, name)
}

func end(e event.End) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d with a bug, %d with a failure that did not repeat, %d without, %d skipped, %d could not be fuzzed; workers busy %.0f %%\n",
		report.Plural(e.Targets, "target"), e.Buggy, e.Flaky, e.Clean, e.Skipped, e.Unusable, 100*e.Busy)
	if e.Unreached > 0 {
		fmt.Fprintf(&b, "%d not reached: nothing is known about them; give more -fuzztime, or fuzz fewer targets\n", e.Unreached)
	}
	if e.Known > 0 {
		fmt.Fprintf(&b, "%d with a bug that is in %s\n", e.Known, known.File)
	}
	return b.String()
}

// duration is a number of seconds, exact to the millisecond.
func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
}
