// Package report formats findings for a person: what happened, where, with which input, how often it repeats, and the command to
// run it again. It reads source files to print the lines of a failure, and executes nothing.
package report

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// Options says how a finding is shown.
type Options struct {
	Root string // absolute folder of the module
	Dir  string // absolute working directory, for paths and commands that can be copied
	ID   string // as much of the ID as is to be shown
	Note string // a remark, as on a known finding whose date is over; empty: none
	Full bool   // with all that is known: whole input, whole output, history

	// Actual returns the file that has what was in a source file when it was built; nil: the file itself.
	Actual func(file string) string
}

// explanations say what each kind of failure means, in words that follow "what".
var explanations = map[finding.Kind]string{
	finding.Unknown: "gnaw does not recognize this failure",
	finding.Panic:   "panic: the code panics with this input, which ends a program that does not recover",
	finding.Failure: "failure: the target called t.Error or t.Fatal: what it checks does not hold for this input",
	finding.Goexit:  "goexit: the code calls runtime.Goexit, which ends the goroutine of the test before its end",
	finding.Race:    "race: two goroutines use the same memory at once and one of them writes",
	finding.Fatal:   "fatal: the Go runtime ends the process: no recover, no deferred call and no later test runs",
	finding.Exit:    "exit: the code ends the process by itself, as with os.Exit",
	finding.Signal:  "signal: the process was ended by a signal",
	finding.Hang:    "hang: one execution takes longer than -timeout: an endless loop, a deadlock, or code that is much too slow",
	finding.Memory:  "memory: one execution needs more memory than -memlimit",
}

// Explanation says what a kind of finding means.
func Explanation(k finding.Kind) string {
	if _, o, ok := oracle.Named(k.String()); ok {
		return o.Name + ": " + o.Meaning
	}
	return explanations[k]
}

// Limits of what is shown of long things in a block.
const (
	maxTitle  = 160 // bytes of a message
	maxValue  = 64  // bytes of a string or []byte of the input
	maxValues = 12  // arguments
	maxLine   = 110 // bytes of a line of source
	maxOutput = 12  // lines of what the target printed
	maxLogged = 20  // the same of a failure, which assertion libraries describe in many lines
	maxVia    = 3   // callers
)

// Block writes a finding.
func Block(w io.Writer, r finding.Record, o Options) {
	word := "finding"
	switch {
	case r.Flaky:
		word = "flaky"
	case !r.Counts():
		word = "unproven"
	}
	fmt.Fprintf(w, "%s %s  %s  %s\n", word, o.ID, r.Target, Line(r.Title()))
	place(w, r, o, r.Calls)
	if len(r.Others) > 0 {
		fmt.Fprintln(w, "  and")
		place(w, r, o, r.Others)
	}
	if r.Unreadable != "" {
		field(w, "what", "another version of gnaw wrote this, and this one cannot read "+Line(r.Unreadable))
	} else {
		field(w, "what", Explanation(r.Kind))
	}
	if r.Dependency != nil {
		field(w, "module", required(r))
		policy(w, r.Dependency.Policy, o.Full)
	}
	if u := r.Upstream; u != nil && len(u.Debug) > 0 {
		field(w, "godebug", visible("with the go.mod of "+r.Dependency.Module+" the input passes; with "+strings.Join(u.Debug, ", ")+" of yours it fails"))
	}
	if o.Note != "" {
		field(w, "known", visible(o.Note))
	}
	if !o.Full && (r.Kind == finding.Failure || r.Flaky) {
		output(w, r)
	}
	if r.Kind == finding.Growth {
		growth(w, r, o.Full)
	}
	whole := o
	whole.Full = o.Full || r.Why != "" && r.Kept == "" // there may be no other copy
	inputs(w, r, whole)
	field(w, "proof", Proof(r))
	switch {
	case r.Path != "":
		field(w, "file", o.shown(r.Path))
	case r.Kept != "":
		field(w, "file", fmt.Sprintf("%s, which go test does not read; gnaw could not write it to testdata: %s", o.shown(r.Kept), visible(r.Why)))
	case r.Why != "":
		field(w, "file", "gnaw could not write a file: "+visible(r.Why))
	}
	field(w, "re-run", o.Rerun(r))
	if o.Full {
		more(w, r)
		full(w, r, o)
	}
}

// more writes the other inputs, with their numbers.
func more(w io.Writer, r finding.Record) {
	for i, s := range r.More {
		args, err := input.Unmarshal([]byte(s.Input))
		if err != nil {
			continue
		}
		name := fmt.Sprintf("input %d", i+2)
		for j, v := range args {
			text := value(v, true)
			if j == 0 {
				text += "   another one, of " + s.Target
			}
			if j == 0 && s.Size < r.Size && s.Target == r.Target && s.Package == r.Package && !r.Kind.Measured() {
				text += "; it is smaller, and gnaw minimize begins with it"
			}
			field(w, name, text)
			name = ""
		}
	}
}

// field writes a line with a name.
func field(w io.Writer, name, text string) {
	fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %-7s %s", name, text), " "))
}

// place writes where it happened, with the source code if that is there.
func place(w io.Writer, r finding.Record, o Options, calls []finding.Call) {
	c, ok := Main(calls)
	if !ok {
		if r.Place != "" {
			fmt.Fprintf(w, "  %s\n", visible(r.Place))
		}
		return
	}
	in := ""
	if c.Func != "" { // what package testing logs has none, and the file may not be there
		in = " in " + ShortFunc(c.Func)
	}
	fmt.Fprintf(w, "  %s%s\n", visible(o.at(c)), visible(in))
	text, first := o.Excerpt(r, c, snippet)
	for i, line := range text {
		mark := " "
		if first+i == c.Line {
			mark = ">"
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("   %s %4d | %s", mark, first+i, Clip(visible(line), maxLine)), " "))
	}
	if c.Module != "" && !isDependency(c.Module, r) {
		field(w, "module", visible(c.Module))
	}
	if top := calls[0]; top != c { // in the standard library
		field(w, "down to", visible(ShortFunc(top.Func))+" "+visible(o.at(top)))
	}
	for _, caller := range callers(calls[slices.Index(calls, c)+1:], c) {
		field(w, "via", visible(ShortFunc(caller.Func))+" "+visible(o.at(caller)))
	}
}

// callers chooses those that are shown of the calls that led to c: the next ones, and the first of the module's own code if c is not.
func callers(calls []finding.Call, c finding.Call) []finding.Call {
	own := slices.IndexFunc(calls, func(c finding.Call) bool { return !c.Foreign })
	if !c.Foreign || own < maxVia {
		return calls[:min(maxVia, len(calls))]
	}
	return append(slices.Clone(calls[:maxVia-1]), calls[own])
}

// at is the place of a call as an editor understands it.
func (o Options) at(c finding.Call) string { return fmt.Sprintf("%s:%d", o.shown(c.File), c.Line) }

// versionElement is an element of an import path that says nothing without the one before it, also of an external test package.
var versionElement = regexp.MustCompile(`^v[0-9]+(_test)?\.`)

// ShortFunc returns the name of a function with only the last element of its import path, in which the linker writes a dot as %2e. If that
// is a version, it has the last two.
func ShortFunc(name string) string {
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	// Type arguments have slashes too.
	head, _, _ := strings.Cut(name, "[")
	last := strings.LastIndexByte(head, '/') + 1
	if last > 0 && versionElement.MatchString(head[last:]) {
		last = strings.LastIndexByte(head[:last-1], '/') + 1
	}
	return name[last:]
}

// shown is a path of a record as one would type it in the working directory.
func (o Options) shown(name string) string {
	file := filepath.FromSlash(name)
	if !filepath.IsAbs(file) {
		file = filepath.Join(o.Root, file)
	}
	if rel, err := filepath.Rel(o.Dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// output writes the first lines that the target printed; of a process that ended, those that say how.
func output(w io.Writer, r finding.Record) {
	text := withoutTraces(strings.Split(strings.TrimRight(r.Output, "\n \t"), "\n"))
	if !r.Flaky && (len(text) < 2 || len(text) == 2 && r.Message != "") { // what package testing says, and the message that is the title
		return
	}
	limit := maxOutput
	if r.Kind == finding.Failure {
		limit = maxLogged
	}
	if before, last := finding.SplitReport(r.Output, r.Kind); last != "" && strings.Count(before, "\n") > maxOutput/2 {
		text = append([]string{text[0], "…"}, strings.Split(strings.TrimRight(last, "\n"), "\n")...)
	}
	for i, line := range text {
		if i == limit {
			field(w, "", fmt.Sprintf("… %d lines more; gnaw show prints them", len(text)-i))
			break
		}
		name := ""
		if i == 0 {
			name = "output"
		}
		field(w, name, visible(line))
	}
}

// withoutTraces returns lines of output without the traces of assertion libraries, which the place and the callers in the block repeat: behind
// "Error Trace:" one place in each line, and below "stack:" all that is indented deeper.
func withoutTraces(lines []string) (kept []string) {
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		depth := len(lines[i]) - len(strings.TrimLeft(lines[i], " \t"))
		switch {
		case strings.HasPrefix(line, "Error Trace:"):
			for i+1 < len(lines) && tracePlace.MatchString(lines[i+1]) {
				i++
			}
		case line == "stack:":
			for i+1 < len(lines) && len(lines[i+1])-len(strings.TrimLeft(lines[i+1], " \t")) > depth {
				i++
			}
		default:
			kept = append(kept, lines[i])
		}
	}
	return kept
}

// tracePlace is a line of a trace: the place of a frame.
var tracePlace = regexp.MustCompile(`^\s+\S+\.go:[0-9]+$`)

// Proof describes the replays of a finding.
func Proof(r finding.Record) string {
	text := fmt.Sprintf("%d of %d replays in a fresh process", r.Repeats, r.Replays)
	switch {
	case r.Kind.Measured() && r.Dependency != nil:
		text = fmt.Sprintf("%d of %d measurements in a fresh process; go test passes", r.Repeats, r.Replays)
	case r.Kind.Measured():
		text = fmt.Sprintf("%d of %d measurements in a fresh process; plain go test passes (gnaw regress writes a test that measures)",
			r.Repeats, r.Replays)
	case r.NotRun != "" && !r.Flaky:
		text = fmt.Sprintf("%d of %d executions in a fresh fuzzing process; go test does not run this input: %s", r.Repeats, r.Replays, Line(r.NotRun))
	case r.Replays == 0:
		text = "not replayed, so it does not count as a bug"
	case r.Flaky:
		text += "; it depends on chance or on what ran before, so it does not count as a bug"
	case r.Count > 0:
		text += " with -count: the process fails some time after the target has returned"
	case r.Kind == finding.Exit && r.Message == "exit status 0":
		text += "; go test reports ok, because the exit code is 0"
	case r.Kind == finding.Memory && strings.Contains(r.Message, "memory limit"): // of gnaw, not of the system
		text = fmt.Sprintf("%d of %d executions in a fresh process are over -memlimit; go test has no limit and may pass", r.Repeats, r.Replays)
	case r.Why != "" && r.Dependency == nil:
		text = fmt.Sprintf("%d of %d executions in a fresh fuzzing process; go test needs a file", r.Repeats, r.Replays)
	}
	return text
}

// full writes what only those want to know who have chosen this finding.
func full(w io.Writer, r finding.Record, o Options) {
	if r.Dependency != nil {
		upstream(w, r, o)
	}
	field(w, "id", r.ID)
	field(w, "package", r.Package)
	field(w, "seen", fmt.Sprintf("first %s, last %s, in %s", stamp(r.First), stamp(r.Last), Plural(r.Times, "campaign")))
	field(w, "go", r.Go)
	switch {
	case r.Commit != "" && r.Changed:
		field(w, "commit", r.Commit+", with changes that were not committed")
	case r.Commit != "":
		field(w, "commit", r.Commit)
	}
	if r.Dependency != nil && r.Dependency.File != "" {
		targetOf(w, r, o)
	}
	fmt.Fprintln(w, "  output")
	for line := range strings.SplitSeq(strings.TrimRight(r.Output, "\n"), "\n") {
		fmt.Fprintln(w, strings.TrimRight("    "+visible(line), " "))
	}
}

func stamp(t time.Time) string { return t.Local().Format(time.DateTime) }

// Seconds is a time with one digit after the point, or in milliseconds if that would be none.
func Seconds(s float64) string {
	if s < 0.1 {
		return fmt.Sprintf("%.0f ms", s*1000)
	}
	return fmt.Sprintf("%.1f s", s)
}

// Where is the place of a finding as an editor understands it, "-" if it is not known.
func (o Options) Where(r finding.Record) string {
	if c, ok := Main(r.Calls); ok {
		return o.at(c)
	}
	return "-"
}
