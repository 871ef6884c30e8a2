package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/known"
)

// line is something that a campaign says: text for a person, or one JSON object on a line for a program. The fields of
// those that have `json` tags are part of the interface: docs/campaigns.md describes them.
type line interface {
	text() string // whole lines; empty: a person does not need it
	stamp(event string, at time.Time)
	event() string // name of the kind
}

// head is what every object begins with.
type head struct {
	Event string    `json:"event"`
	At    time.Time `json:"at"`
}

func (h *head) stamp(event string, at time.Time) { h.Event, h.At = event, at }

// say prints a line. Lines of several goroutines do not mix.
func (c *console) say(l line) {
	c.printing.Lock()
	defer c.printing.Unlock()
	if c.flags.json {
		l.stamp(l.event(), time.Now().UTC())
		_ = writeJSON(c.env.Stdout, l) // who has closed the output does not want to hear of it
		return
	}
	fmt.Fprint(c.env.Stdout, l.text())
}

// buildLine says that a test binary is being built.
type buildLine struct {
	head
	Package string `json:"package"`
	Race    bool   `json:"race,omitempty"` // with the race detector
}

func (*buildLine) event() string { return "build" }

func (l *buildLine) text() string {
	with := ""
	if l.Race {
		with = " with the race detector"
	}
	return "building the test binary of " + l.Package + with + "\n"
}

// startLine says that fuzzing begins.
type startLine struct {
	head
	Module  string  `json:"module"`
	Targets int     `json:"targets"`
	Workers int     `json:"workers"`
	Seconds float64 `json:"seconds,omitempty"`      // for all targets together, after what was spent before; 0: no limit
	Each    float64 `json:"each_seconds,omitempty"` // for each target
	Execs   uint64  `json:"each_execs,omitempty"`
	Quiet   bool    `json:"until_quiet,omitempty"`
}

func (*startLine) event() string { return "start" }

func (l *startLine) text() string {
	limit := "until ^C; -fuzztime and -each set a time"
	switch {
	case l.Seconds > 0:
		limit = fmt.Sprintf("for %v", duration(l.Seconds))
	case l.Each > 0:
		limit = fmt.Sprintf("for %v each", duration(l.Each))
	case l.Execs > 0:
		limit = fmt.Sprintf("%d executions each", l.Execs)
	case l.Quiet:
		limit = "until they are quiet"
	}
	return fmt.Sprintf("fuzzing %s with %s: %s\n", plural(l.Targets, "target"), plural(l.Workers, "worker"), limit)
}

// duration is a number of seconds, exact to the millisecond.
func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
}

// noticeLine is a sentence about a target, a package or the campaign, as the kind of event says: "warning"; "aside", a
// target or package that cannot be fuzzed; "skipped"; "quiet", nothing new is to be expected; "smaller", a finding has another input now; "resume".
type noticeLine struct {
	head
	Package string `json:"package,omitempty"`
	Target  string `json:"target,omitempty"`
	Text    string `json:"text"`
	what    string // kind of event
	shown   string // to a person; empty: nothing
}

func (l *noticeLine) event() string { return l.what }
func (l *noticeLine) text() string  { return l.shown }

// entryLine is a new entry of the corpus; only with -v.
type entryLine struct {
	head
	Package string `json:"package"`
	Target  string `json:"target"`
	Path    string `json:"path"`
	Buckets int    `json:"buckets"` // new hit-count buckets
	Edges   int    `json:"edges"`   // new ones
	name    string
}

func (*entryLine) event() string { return "entry" }

func (l *entryLine) text() string {
	return fmt.Sprintf("%s: new entry %s: %d new buckets, %d new edges\n", l.name, filepath.Base(l.Path), l.Buckets, l.Edges)
}

// statusLine is the state of the campaign.
type statusLine struct {
	head
	Seconds  float64 `json:"seconds"` // since fuzzing began
	Begun    int     `json:"targets_begun"`
	Targets  int     `json:"targets"`
	Execs    uint64  `json:"execs"`
	Rate     float64 `json:"execs_per_second"` // since the last status
	Edges    int     `json:"edges"`
	Entries  int     `json:"entries"`
	Findings int     `json:"findings"`
	Left     float64 `json:"seconds_left,omitempty"` // 0: there is no limit, or it is over
}

func (*statusLine) event() string { return "status" }

func (l *statusLine) text() string {
	text := fmt.Sprintf("%v: %d of %d targets begun, %s execs (%s/s), %s, %s, %s",
		duration(l.Seconds).Round(time.Second), l.Begun, l.Targets, amount(float64(l.Execs)), amount(l.Rate),
		plural(l.Edges, "edge"), plural(l.Entries, "entry"), plural(l.Findings, "finding"))
	if l.Left > 0 {
		text += fmt.Sprintf(", %v left", duration(l.Left).Round(time.Second))
	}
	return text + "\n"
}

// findingLine is a finding, its record and the proof of it; one that is known has the remark of the list.
type findingLine struct {
	head
	findingJSON
	block string
}

func (*findingLine) event() string  { return "finding" }
func (l *findingLine) text() string { return l.block }

// targetLine is what came of a target.
type targetLine struct {
	head
	Package string  `json:"package"`
	Target  string  `json:"target"`
	Result  string  `json:"result"`           // clean, bug, flaky, skipped, unusable, known or unreached
	Reason  string  `json:"reason,omitempty"` // why it could not be fuzzed, was skipped or was not reached
	Seconds float64 `json:"seconds"`          // of its turns
	Turns   int     `json:"turns"`
	Execs   uint64  `json:"execs"`
	Edges   int     `json:"edges"`
	Entries int     `json:"entries"`
	New     int     `json:"new_entries"` // those of them that this campaign found
	Bugs    int     `json:"bugs"`
	Next    float64 `json:"next_edge_seconds,omitempty"` // expected time of one worker to the next new edge; 0: unknown
	Quiet   bool    `json:"quiet,omitempty"`             // nothing new is to be expected
	name    string
}

func (*targetLine) event() string { return "target" }

// row is the form of the table at the end.
const row = "%6v %7s %7v %7v %7v %6v %10s  %s\n"

func (l *targetLine) text() string {
	next, name := "-", l.name
	switch d := duration(l.Next).Round(time.Second); {
	case d > 0:
		next = "~" + d.String()
	case l.Next > 0:
		next = "<1s"
	}
	switch {
	case l.Result == skipped.String():
		name += " (skipped)"
	case l.Result == unusable.String():
		name += " (could not be fuzzed)"
	case l.Result == unreached.String():
		name += " (not reached: " + l.Reason + ")"
	}
	return fmt.Sprintf(row, duration(l.Seconds).Round(time.Second), amount(float64(l.Execs)), l.Edges, l.Entries, l.New, l.Bugs, next, name)
}

// tableLine is the head of the table, which only a person needs.
type tableLine struct{ head }

func (*tableLine) event() string { return "table" }

func (*tableLine) text() string {
	return fmt.Sprintf(row, "time", "execs", "edges", "entries", "new", "bugs", "next edge", "target")
}

// endLine is the last one.
type endLine struct {
	head
	Seconds   float64 `json:"seconds"`
	Targets   int     `json:"targets"`
	Buggy     int     `json:"with_bug"` // targets
	Flaky     int     `json:"with_flaky"`
	Clean     int     `json:"clean"`
	Skipped   int     `json:"skipped"`
	Unusable  int     `json:"unusable"`
	Known     int     `json:"with_known_only"`
	Unreached int     `json:"unreached"`
	Findings  int     `json:"findings"` // different ones that count
	Busy      float64 `json:"busy"`     // part of the workers' time that was used, from 0 to 1
	Exit      int     `json:"exit_code"`
}

func (*endLine) event() string { return "end" }

func (l *endLine) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d with a bug, %d with a failure that did not repeat, %d without, %d skipped, %d could not be fuzzed; workers busy %.0f %%\n",
		plural(l.Targets, "target"), l.Buggy, l.Flaky, l.Clean, l.Skipped, l.Unusable, 100*l.Busy)
	if l.Unreached > 0 {
		fmt.Fprintf(&b, "%d not reached: nothing is known about them; give more -fuzztime, or fuzz fewer targets\n", l.Unreached)
	}
	if l.Known > 0 {
		fmt.Fprintf(&b, "%d with a bug that is in %s\n", l.Known, known.File)
	}
	return b.String()
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
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		what = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, what)
}
