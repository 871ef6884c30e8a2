package summary

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Limits of a report in Markdown. The summary of a job of GitHub Actions has at most 1 MiB, and a comment at most 64 KiB.
const (
	maxTextFindings = 20
	maxTextTargets  = 50
	maxTextInput    = 1000 // bytes
	maxTextReason   = 200  // bytes

	maxText            = 60 << 10 // bytes of the report, without the last sentences
	maxTextForFindings = 44 << 10 // bytes of the report before the table of targets
)

// Markdown writes a short report: the findings first, then where the campaign is stuck, and then the targets.
func Markdown(w io.Writer, o Options) error {
	s := newSummary(o)
	var b strings.Builder
	fmt.Fprintf(&b, "## gnaw: %s\n\n", s.headline(code(s.Campaign.Module)))
	fmt.Fprintf(&b, "Campaign %d, %s: %s.\n", s.Campaign.ID, s.ended(), s.totals())
	if s.Campaign.Go != "" {
		fmt.Fprintf(&b, "Go: %s.", code(s.Campaign.Go))
	}
	if s.Campaign.Commit != "" {
		fmt.Fprintf(&b, " Commit: %s.", code(s.Campaign.Commit))
	}
	command, _ := s.command()
	fmt.Fprintf(&b, " Command: %s.\n", code(command))
	for i, f := range s.findings {
		text := s.textFinding(f)
		if i == maxTextFindings || b.Len()+len(text) > maxTextForFindings {
			fmt.Fprintf(&b, "\n%s more: `gnaw findings` lists them.\n", report.Plural(len(s.findings)-i, "finding"))
			break
		}
		b.WriteString(text)
	}
	s.textStuck(&b)
	s.textTargets(&b)
	textMissed(&b, "Fails in go test", s.failing)
	textMissed(&b, "Not fuzzed", s.missed)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// textFinding returns the text about a finding.
func (s *summary) textFinding(f event.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s %s: %s, %s\n\n", strings.ToUpper(status(f)[:1])+status(f)[1:], code(f.Short), f.Kind, code(f.Title()))
	fmt.Fprintf(&b, "%s of %s", code(f.Target), code(f.Package))
	if where := s.where(f); where != "" {
		fmt.Fprintf(&b, ", at %s", code(where))
	}
	fmt.Fprintf(&b, ". Proof: %s.", code(report.Proof(f.Record)))
	if f.IsKnown() {
		fmt.Fprintf(&b, " Known: %s.", code(f.Known.Reason))
	}
	if d := f.Dependency; d != nil {
		fmt.Fprintf(&b, " It is a finding of the dependency %s.", code(d.Module+"@"+d.Version))
	}
	b.WriteString("\n\n")
	if len(f.Literals) > 0 {
		var list []string
		for _, l := range f.Literals {
			list = append(list, report.Shorten(l, maxTextInput))
		}
		fmt.Fprintf(&b, "%s\n", fence(report.Shorten(strings.Join(list, "\n"), 2*maxTextInput)))
	}
	b.WriteString(fence(f.Rerun))
	return b.String()
}

// textTargets writes the table of targets.
func (s *summary) textTargets(b *strings.Builder) {
	if len(s.targets) == 0 {
		return
	}
	b.WriteString("\n<details><summary>Targets</summary>\n\n| target | package | executions | edges | entries | statements | stability | bugs |\n" +
		"| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for i, t := range s.targets {
		statements := "-"
		if r := t.Reached; r.Statements > 0 {
			statements = fmt.Sprintf("%d/%d", r.Covered, r.Statements)
		}
		row := fmt.Sprintf("| %s | %s | %s | %d | %d | %s | %s | %d |\n", cell(t.name()), cell(t.Package), report.Amount(float64(t.Run.Execs)), t.Run.Edges, t.Run.Entries, statements, t.stability(), t.Bugs)
		if i == maxTextTargets || b.Len()+len(row) > maxText {
			fmt.Fprintf(b, "\n%s more.\n", report.Plural(len(s.targets)-i, "target"))
			break
		}
		b.WriteString(row)
	}
	b.WriteString("\n</details>\n")
}

// textMissed writes a table of targets with reasons.
func textMissed(b *strings.Builder, title string, list []missed) {
	if len(list) == 0 {
		return
	}
	open := ""
	if slices.ContainsFunc(list, func(m missed) bool { return m.result != event.Skip }) {
		open = " open"
	}
	fmt.Fprintf(b, "\n<details%s><summary>%s: %s</summary>\n\n| target | package | result | reason |\n| --- | --- | --- | --- |\n", open, title, report.Plural(len(list), "target"))
	for i, m := range list {
		row := fmt.Sprintf("| %s | %s | %s | %s |\n", cell(m.Func), cell(m.Package), m.result, cell(report.Shorten(m.reason, maxTextReason)))
		if i == maxTextTargets || b.Len()+len(row) > maxText {
			fmt.Fprintf(b, "\n%s more.\n", report.Plural(len(list)-i, "target"))
			break
		}
		b.WriteString(row)
	}
	b.WriteString("\n</details>\n")
}

// oneLine replaces the characters that report.Escape keeps.
var oneLine = strings.NewReplacer("\n", " ", "\t", " ")

// code returns text as code on one line, so that nothing in it is markup, a mention or a link. Control
// characters are escaped as in a Go string. Text without visible characters becomes a dash.
func code(text string) string {
	text = strings.TrimSpace(oneLine.Replace(report.Escape(report.Shorten(text, maxTextInput))))
	if text == "" {
		return "-"
	}
	mark := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		return mark + " " + text + " " + mark
	}
	return mark + text + mark
}

// cell returns text as code in a cell of a table. A bar would end the cell, even in code.
func cell(text string) string { return code(strings.ReplaceAll(text, "|", "¦")) }

// fence returns text as a fenced block of code.
func fence(text string) string {
	text = strings.ReplaceAll(report.Escape(text), "\t", "    ")
	mark := strings.Repeat("`", max(3, longestRun(text)+1))
	return mark + "\n" + strings.Trim(text, "\n") + "\n" + mark + "\n"
}

// longestRun returns the length of the longest sequence of back quotes.
func longestRun(text string) (longest int) {
	run := 0
	for _, c := range []byte(text) {
		if run++; c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
