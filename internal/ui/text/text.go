// Package text writes the events of a campaign for a person, as lines that are fit for the log of a CI job too.
package text

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// The time between two status lines grows with the time of the campaign, so that the log of a night is short enough to read. It is the
// time of the campaign divided by statusPart, and at least statusLeast and at most statusLongest.
const (
	statusLeast   = 5 * time.Second
	statusPart    = 12
	statusLongest = time.Minute
)

// Options says what a Renderer writes, and where.
type Options struct {
	Out     Output
	Errors  Output         // for errors of packages, and warnings about the campaign
	Dir     string         // working directory: paths are relative to it
	Module  project.Module // of the targets
	Verbose bool           // also write new entries, and all details of findings
	// Actual returns a file with the content that a source file had when it was built; nil: the file itself.
	Actual func(file string) string
	// Progress shows a line about the builds in progress. The next line replaces it; an empty line, and all other output, removes it. If
	// Progress is nil, the renderer writes a line for each build.
	Progress func(line string)
}

// Renderer writes events. What it writes depends on the events and the sources only. Its methods are called by one goroutine at a time.
type Renderer struct {
	Options
	limited bool          // the campaign has a limit of time
	next    time.Duration // time of fuzzing at which the next status line is due
	cover   bool          // statements are counted
	table   bool          // the head of the table is written
	ran     uint64        // executions at the last status line
	late    int           // targets of dependencies that had no turn, which the table leaves out
	built   time.Time     // of the last line about builds
	seeds   seedsWithout
	hit     int // reached spots in the table at the end
	missed  int // other spots in the table
}

// New returns a Renderer.
func New(o Options) *Renderer { return &Renderer{Options: o, next: statusLeast} }

// Event writes an event.
func (r *Renderer) Event(s event.Stamped) {
	switch e := s.Event.(type) {
	case event.Build:
		r.build(e, s.At)
	case event.Building:
		r.building(e, s.At)
	case event.Start:
		r.limited, r.cover = e.Seconds > 0, e.Cover
		r.Out.print(bold, start(e))
	case event.Notice:
		r.notice(e)
	case event.SpotReached:
		r.reached(e)
	case event.SpotEnd:
		r.spot(e)
	case event.SeedFailed:
		r.seeds.fails(e)
	case event.Entry:
		if r.Verbose {
			r.Out.printf(plain, "%s: new entry %s: %d new buckets, %d new edges\n", r.name(e.Subject), filepath.Base(e.Path), e.Buckets, e.Edges)
		}
	case event.Status:
		if r.due(e) {
			if e.Ran > r.ran {
				e.Checking = 0 // the rate says enough
			}
			r.ran = e.Ran
			r.Out.print(plain, status(e))
		}
	case event.Finding:
		r.seeds.found(e)
		r.finding(e)
	case event.TargetEnd:
		if !r.Verbose && isLate(e) {
			r.late++
			return
		}
		if !r.table {
			r.table = true
			r.Out.print(bold, r.row("time", "execs", "edges", "statements", "entries", "new", "bugs", "next edge", "target"))
		}
		r.Out.print(plain, r.targetRow(e))
	case event.End:
		r.hidden()
		r.Out.print(bold, end(e))
		r.seedsWithout()
		if r.late > 0 {
			r.Out.printf(plain, "%s of dependencies had no turn; -v lists them, and the next run begins them earlier\n", report.Plural(r.late, "target"))
		}
	}
}

// isLate reports whether a target is one of a dependency and had no turn. There may be hundreds.
func isLate(e event.TargetEnd) bool {
	return e.Result == event.Unreached && e.Turns == 0 && strings.HasPrefix(e.Folder, deps.Folder+"/")
}

// name returns a target as a person would type it.
func (r *Renderer) name(t event.Subject) string { return Name(t, r.Dir, r.Module) }

func start(e event.Start) string {
	var limits []string
	if e.Seconds > 0 {
		limits = append(limits, fmt.Sprintf("for %v", duration(e.Seconds)))
	}
	if e.Each > 0 {
		limits = append(limits, fmt.Sprintf("for %v each", duration(e.Each)))
	}
	if e.Execs > 0 {
		limits = append(limits, fmt.Sprintf("%d executions each", e.Execs))
	}
	if e.Quiet {
		limits = append(limits, "until they are quiet")
	}
	if e.Until {
		limits = append(limits, "until "+report.Plural(e.Spots, "spot")+" of -focus "+are(e.Spots)+" reached")
	}
	if limits == nil {
		limits = []string{"until ^C (set a time with -fuzztime or -each)"}
	}
	return fmt.Sprintf("fuzzing %s with %s: %s\n", report.Plural(e.Targets, "target"), report.Plural(e.Workers, "worker"), strings.Join(limits, " or "))
}

// maxOutputLines is how many lines of the output of a process are shown. They are the last ones, which have the reason.
const maxOutputLines = 20

func (r *Renderer) notice(e event.Notice) {
	text := e.Text
	if first, more, ok := strings.Cut(text, "\n"); ok { // the output of a process
		text = first + "\n" + report.LastLines(more, maxOutputLines)
	}
	if e.Subject.Func == "" { // about a package, or the campaign
		switch e.What {
		case event.Aside:
			r.Errors.printf(yellow, "gnaw: load package %s: %s\n", e.Package, e.Text)
		case event.Failing:
			r.Errors.printf(yellow, "gnaw: package %s: %s\n", e.Package, text)
		case event.Warning:
			r.Errors.printf(yellow, "gnaw: %s\n", text)
		default:
			r.Out.print(plain, text+"\n")
		}
		return
	}
	name := r.name(e.Subject)
	switch e.What {
	case event.Warning, event.Refused:
		r.Out.printf(yellow, "warning: %s: %s\n", name, text)
	case event.Aside:
		r.Out.printf(yellow, "%s cannot be fuzzed: %s\n", name, text)
	case event.Skipped:
		r.Out.printf(yellow, "%s is skipped: %s\n", name, text)
	case event.Quiet:
		r.Out.printf(plain, "%s is quiet: %s\n", name, text)
	default:
		r.Out.printf(plain, "%s: %s\n", name, text)
	}
}

// due reports whether a status becomes a line. In the last second of the campaign only the last status does.
func (r *Renderer) due(s event.Status) bool {
	elapsed := duration(s.Seconds)
	switch {
	case s.Last:
		return true
	case elapsed < r.next-statusLeast/10, r.limited && s.Left < 1: // a status may be a little early or late
		return false
	}
	r.next = elapsed + pause(elapsed)
	return true
}

// pause returns the time to the next status line.
func pause(elapsed time.Duration) time.Duration {
	return min(max((elapsed/statusPart).Round(statusLeast), statusLeast), statusLongest)
}

func status(s event.Status) string {
	text := fmt.Sprintf("%v: %d of %d targets started, %s execs (%s/s), %s, %s, %s",
		duration(s.Seconds).Round(time.Second), s.Begun, s.Targets, report.Amount(float64(s.Execs)), report.Amount(s.Rate),
		report.Plural(s.Edges, "edge"), report.Plural(s.Entries, "entry"), report.Plural(s.Findings, "finding"))
	if s.Statements > 0 {
		text += fmt.Sprintf(", %d of %s reached", s.Covered, report.Plural(s.Statements, "statement"))
	}
	if s.Checking > 0 {
		text += fmt.Sprintf(", %s checking what was found", report.Plural(s.Checking, "worker"))
	}
	if s.Left > 0 {
		text += fmt.Sprintf(", %v left", duration(s.Left).Round(time.Second))
	}
	return text + "\n"
}

// finding writes a finding: a known finding as one line, others as a block.
func (r *Renderer) finding(e event.Finding) {
	if e.IsKnown() {
		r.Out.printf(plain, "known %s  %s  %s\n  %s\n", e.Short, e.Target, report.Line(e.Title()), report.Line(e.Known.Remark()))
		return
	}
	r.Out.block(Block(e, r.Options))
}

// row returns a line of the table at the end. Without -cover it has no statements.
func (r *Renderer) row(time, execs, edges, statements, entries, more, bugs, next, target any) string {
	if r.cover {
		edges = fmt.Sprintf("%7v %12v", edges, statements)
	}
	return fmt.Sprintf("%6v %7v %7v %7v %7v %6v %10v  %v\n", time, execs, edges, entries, more, bugs, next, target)
}

func (r *Renderer) targetRow(e event.TargetEnd) string {
	next, name := "-", r.name(e.Subject)
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
	case event.Fails:
		name += " (fails in go test)"
	case event.Unreached:
		name += " (not reached: " + e.Reason + ")"
	}
	statements := "-"
	if e.Statements > 0 {
		statements = fmt.Sprintf("%d/%d", e.Covered, e.Statements)
	}
	return r.row(duration(e.Seconds).Round(time.Second), report.Amount(float64(e.Execs)), e.Edges, statements, e.Entries, e.New, e.Bugs, next, name)
}

func end(e event.End) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d with a bug, %d with a flaky failure, %d without a failure, %d skipped, %d could not be fuzzed; workers busy %.0f %%\n",
		report.Plural(e.Targets, "target"), e.Buggy, e.Flaky, e.Clean, e.Skipped, e.Unusable, 100*e.Busy)
	if e.Fails > 0 {
		fmt.Fprintf(&b, "%d with a failure in plain go test that is not one of a single input\n", e.Fails)
	}
	if e.Vet > 0 {
		fmt.Fprintf(&b, "%s with an error of vet, for which go test fails\n", report.Plural(e.Vet, "package"))
	}
	if e.Unreached > 0 {
		fmt.Fprintf(&b, "%d not reached: gnaw did not execute all of their seeds, or does not know whether an execution fails; use a longer -fuzztime, or fuzz fewer targets\n", e.Unreached)
	}
	if e.Outside > 0 {
		fmt.Fprintf(&b, "%d with a bug in a dependency, which changes the exit code only with -deps=fail\n", e.Outside)
	}
	if e.Known > 0 {
		fmt.Fprintf(&b, "%d with only known bugs (%s)\n", e.Known, known.File)
	}
	return b.String()
}

// duration returns a number of seconds as a duration, rounded to milliseconds.
func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
}
