package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// ciJSON is what `gnaw ci -json` prints.
type ciJSON struct {
	Base     string      `json:"base"` // as it was named
	Commit   string      `json:"commit"`
	Changed  int         `json:"changed_files"`
	Targets  []ciTarget  `json:"targets"`
	Findings []ciFinding `json:"findings"`
	Failing  []string    `json:"failing"` // output of plain go test that fails, and no seed is the reason
	Verdict  string      `json:"verdict"`
	Exit     int         `json:"exit_code"`
}

// ciTarget is a target with what became of it.
type ciTarget struct {
	Package string       `json:"package"`
	Target  string       `json:"target"`
	Fuzzed  bool         `json:"fuzzed"`
	Why     string       `json:"why"`              // it is fuzzed, or not
	Result  event.Result `json:"result,omitempty"` // of fuzzing
	Reason  string       `json:"reason,omitempty"` // of the result
	Execs   uint64       `json:"execs"`
}

// ciFinding is a finding with what the base says about it. Without the input it is what -private shows.
type ciFinding struct {
	ID      string       `json:"id"`
	New     bool         `json:"new"`
	Why     string       `json:"why"`
	Kind    finding.Kind `json:"kind"`
	Title   string       `json:"title"`
	Place   string       `json:"place"`
	Package string       `json:"package"`
	Target  string       `json:"target"`
	Hash    string       `json:"sha256"`          // of the file of the input, or of the name of the seed
	Input   string       `json:"input,omitempty"` // in the encoding of testdata/fuzz
	Path    string       `json:"path,omitempty"`
	Seed    string       `json:"seed,omitempty"`
}

// summary returns what -json prints.
func (c *change) summary(code int, verdict string) ciJSON {
	o := ciJSON{
		Base: c.base.Revision, Commit: c.base.Commit, Changed: len(c.files.Files), Targets: []ciTarget{}, Findings: []ciFinding{},
		Failing: append([]string{}, c.failing...), Verdict: verdict, Exit: code,
	}
	if c.private {
		for i := range o.Failing {
			o.Failing[i] = "plain go test fails"
		}
	}
	for _, t := range c.targets {
		if c.private { // it may quote the target
			t.reason = ""
		}
		o.Targets = append(o.Targets, ciTarget{t.Package, t.Func, t.chosen, t.why, t.result, t.reason, t.execs})
	}
	for _, j := range c.findings {
		one := ciFinding{
			ID: j.ID, New: !j.Old, Why: j.Verdict.Base, Kind: j.Kind, Title: j.Title(), Place: j.Place, Package: j.Package, Target: j.Target, Hash: hashOf(j.Record),
			Input: j.Input, Path: j.Path, Seed: j.Seed,
		}
		if c.private {
			one.Input = ""
		}
		o.Findings = append(o.Findings, one)
	}
	return o
}

// printChoice prints the change, and which targets it concerns.
func (c *change) printChoice() {
	fmt.Fprintf(c.env.Stdout, "comparing with %s (%s): %s\n", c.base.Revision, c.base.Short(), report.Plural(len(c.files.Files), "changed file"))
	for _, t := range c.targets {
		verb := "fuzz"
		if !t.chosen {
			verb = "seeds only"
		}
		fmt.Fprintf(c.env.Stdout, "  %-10s  %s %s: %s\n", verb, c.shown(t), t.Func, t.why)
	}
}

// shown returns the folder of a target as a person in the working directory types it.
func (c *change) shown(t checked) string { return c.module.FolderFrom(c.env.Dir, t.Dir) }

// finish prints the verdict, writes the files, and returns the exit code.
func (c *change) finish(ctx context.Context, code int, verdict string) (int, error) {
	var lines bytes.Buffer
	c.printVerdict(&lines, verdict)
	c.env.Stdout.Write(lines.Bytes()) // the output reports its errors itself
	if c.number > 0 {
		code = c.report(ctx, code)
	}
	if file := c.env.Getenv("GITHUB_STEP_SUMMARY"); c.env.actions != nil && file != "" {
		text := "```\n" + string(bytes.ReplaceAll(lines.Bytes(), []byte("```"), []byte("'''"))) + "```\n"
		if err := disk.Append(file, []byte(text)); err != nil {
			fmt.Fprintf(c.env.Stderr, "gnaw: the summary of the job is not written: %v\n", err)
		}
	}
	if c.json == nil {
		return code, nil
	}
	return code, writeJSON(c.json, c.summary(code, verdict))
}

// report writes the files about the campaign, and tells GitHub Actions about it. A finding that is not new is as one that is known.
func (c *change) report(ctx context.Context, code int) int {
	if len(c.ciFlags.files.list()) == 0 && (c.env.actions == nil || c.private) {
		return code
	}
	o, err := reportOf(context.WithoutCancel(ctx), c.env, strconv.FormatInt(c.number, 10))
	if err != nil {
		fmt.Fprintf(c.env.Stderr, "gnaw: there is no report about the campaign: %v\n", err)
		return orInternal(code)
	}
	for i, f := range o.Findings {
		for _, j := range c.findings {
			if j.ID == f.ID && j.Old {
				o.Findings[i].Known = &event.Known{Reason: j.Verdict.Base}
			}
		}
	}
	env := c.env
	if c.private {
		env.actions = nil
	}
	return c.deliver(env, o, code)
}

// printVerdict prints what ran, what did not, and the verdict.
func (c *change) printVerdict(out io.Writer, verdict string) {
	fmt.Fprintf(out, "\nchange since %s (%s)\n", c.base.Revision, c.base.Short())
	for _, t := range c.targets {
		switch {
		case t.chosen && t.result == "":
			fmt.Fprintf(out, "  not run   %s %s: the campaign did not get to it\n", c.shown(t), t.Func)
		case t.chosen:
			fmt.Fprintf(out, "  fuzzed    %s %s: %s, %s executions%s\n", c.shown(t), t.Func, t.result, strconv.FormatUint(t.execs, 10), because(t.reason, c.private))
		default:
			fmt.Fprintf(out, "  seeds     %s %s: %s\n", c.shown(t), t.Func, t.why)
		}
	}
	for _, b := range c.broken {
		if c.private {
			fmt.Fprintf(out, "  not run   %s: it does not build\n", b.Package)
			continue
		}
		fmt.Fprintf(out, "  not run   %s: %s\n", b.Package, b.Reason)
	}
	for _, text := range c.failing {
		if c.private {
			text = "plain go test of seeds fails"
		}
		fmt.Fprintf(out, "  fails     %s\n", text)
	}
	for _, j := range c.findings {
		what := "new"
		if j.Old {
			what = "old"
		}
		fmt.Fprintf(out, "  %s       %s %s  %s: %s\n", what, j.ID[:min(len(j.ID), 8)], j.Target, j.Title(), j.Verdict.Base)
		if !c.private {
			fmt.Fprintf(out, "            %s\n", inputOf(j))
		}
	}
	fmt.Fprintf(out, "verdict: %s\n", verdict)
}

// inputOf says where the input of a finding is.
func inputOf(j judged) string {
	if j.Path != "" {
		return "input " + j.Path
	}
	return "seed " + j.Seed + " of F.Add"
}

// because returns the reason of a result as the end of a line; empty: there is none, or it may quote the target.
func because(reason string, private bool) string {
	if reason == "" || private {
		return ""
	}
	return " (" + reason + ")"
}
