package summary

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

var (
	//go:embed page.html
	pageSource string
	//go:embed page.css
	style string

	page = template.Must(template.New("page").Parse(pageSource))
)

// Limits of the page.
const (
	maxFindings = 200
	maxMissed   = 200
	maxReason   = 1000 // bytes
	maxFrames   = 12
	maxExcerpts = 6    // frames with source
	maxLiteral  = 4000 // bytes of an argument
	maxOutput   = 32 << 10
	around      = 3 // lines before and after that of a call
)

// HTML writes a report as one HTML file.
func HTML(w io.Writer, o Options) error {
	if err := page.Execute(w, newSummary(o).view()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// view is the data of the template.
type view struct {
	Policy   string // for the contents of the page
	Style    template.CSS
	Module   string
	Facts    []fact
	Tiles    []fact
	Plots    []plot
	Targets  []row
	Counted  bool // statements were counted
	Checked  bool // the stability of a target is known
	Missed   []missedTable
	Findings []found
	Without  string // says that there are no findings
	More     int    // findings that are left out
	Stuck    stuck
	Commands []fact
	Written  string
}

// fact is a name with a text.
type fact struct{ Name, Text string }

// row is a line of the table of targets.
type row struct {
	Target, Package, Execs, Edge string
	Edges, Entries, Bugs         int
	Covered, Statements          int
	Stability                    string
}

// missedTable is a table of targets with reasons.
type missedTable struct {
	ID, Title string
	Rows      []missedRow
	More      int // targets that are left out
	list      []missed
}

// missedRow is a line of a missedTable.
type missedRow struct{ Target, Package, Result, Reason string }

// missedTables fills tables, and leaves out those without a line.
func missedTables(tables ...missedTable) (filled []missedTable) {
	for _, t := range tables {
		t.More = max(0, len(t.list)-maxMissed)
		for _, m := range t.list[:min(maxMissed, len(t.list))] {
			t.Rows = append(t.Rows, missedRow{
				cmp.Or(report.Escape(m.Func), "all targets"), report.Escape(m.Package), string(m.result),
				report.Escape(report.Shorten(m.reason, maxReason)),
			})
		}
		if len(t.Rows) > 0 {
			filled = append(filled, t)
		}
	}
	return filled
}

// found is a finding.
type found struct {
	Status, ID, Kind, Title, Target, Where, What string
	Facts                                        []fact
	Calls, Others                                []call
	Literals                                     []string
	Note, Command, Output                        string
}

// call is a frame of a stack, with lines of its source.
type call struct {
	Function, At string
	Lines        []sourceLine
}

type sourceLine struct {
	Number int
	Text   string
	Here   bool
}

// view returns the data of the page.
func (s *summary) view() view {
	sum := sha256.Sum256([]byte(style))
	c := s.Campaign
	command, _ := s.command()
	v := view{
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(style),
		Module: report.Escape(c.Module),
		Facts: []fact{
			{"Campaign", fmt.Sprintf("%d, %s", c.ID, s.ended())},
			{"Began", stamp(c.Start)},
			{"Command", report.Escape(command)},
			{"Go", report.Escape(c.Go)},
		},
		Tiles: []fact{
			{"bugs", fmt.Sprint(s.Bugs)},
			{"targets", fmt.Sprint(len(s.targets))},
			{"executions", report.Amount(float64(s.Execs))},
			{"edges", report.Amount(float64(s.Edges))},
			{"entries", report.Amount(float64(s.Entries))},
			{"of fuzzing", short(s.board.Elapsed().Seconds())},
		},
		Without: s.without(),
		Plots:   s.plots(),
		Written: fmt.Sprintf("Written %s by gnaw %s.", stamp(s.At), report.Escape(s.Version)),
	}
	if n := len(s.missed); n > 0 {
		v.Tiles = append(v.Tiles, fact{"targets not fuzzed", fmt.Sprint(n)})
	}
	if t := s.board.Reached; t.Statements > 0 {
		v.Tiles = append(v.Tiles, fact{"of " + report.Plural(t.Statements, "statement"), fmt.Sprint(t.Covered)})
	}
	if c.Commit != "" {
		v.Facts = append(v.Facts, fact{"Commit", report.Escape(c.Commit)})
	}
	for _, t := range s.targets {
		v.Counted, v.Checked = v.Counted || t.Reached.Statements > 0, v.Checked || t.Run.Rerun > 0
		v.Targets = append(v.Targets, row{
			Target: report.Escape(t.name()), Package: report.Escape(t.Package), Execs: report.Amount(float64(t.Run.Execs)), Edges: t.Run.Edges, Entries: t.Run.Entries,
			Covered: t.Reached.Covered, Statements: t.Reached.Statements, Bugs: t.Bugs, Edge: short(max(0, t.edgeAt().Sub(s.began).Seconds())),
			Stability: t.stability(),
		})
	}
	v.Missed = missedTables(missedTable{ID: "failing", Title: "Fails in go test", list: s.failing}, missedTable{ID: "missed", Title: "Not fuzzed", list: s.missed})
	v.More = max(0, len(s.findings)-maxFindings)
	for _, f := range s.findings[:min(maxFindings, len(s.findings))] {
		v.Findings = append(v.Findings, s.found(f))
	}
	v.Stuck = s.stuck(maxBranches).escaped()
	v.Commands = s.commands()
	return v
}

// commands returns commands for the reader, each with what it shows or does.
func (s *summary) commands() []fact {
	command, dir := s.command()
	var list []fact
	if c := s.Campaign.Commit; c != "" {
		list = append(list, fact{"the commit of the campaign, without changes that were not committed", "git checkout " + c})
	}
	in := ""
	if dir != "" && dir != "." {
		in = ", in the folder " + dir
	}
	patterns := strings.TrimSpace(s.Campaign.Packages)
	list = append(list, fact{"the campaign again" + in, command},
		fact{"the statements that the seeds and the corpus reach, with sources" + in, "gnaw cover -html=cover.html " + patterns},
		fact{"the branches with a side that no input takes, and what would help" + in, "gnaw frontier " + patterns},
		fact{"all findings of the module", "gnaw findings"})
	for i := range list {
		list[i] = fact{report.Escape(list[i].Name), strings.TrimSpace(report.Escape(list[i].Text))}
	}
	return list
}

// found returns what the page shows of a finding.
func (s *summary) found(e event.Finding) found {
	r := e.Record
	f := found{
		Status: status(e), ID: report.Escape(e.Short), Kind: r.Kind.String(), Title: report.Line(r.Title()), Target: report.Escape(r.Target),
		Where: report.Escape(s.where(e)), What: report.Explanation(r.Kind), Command: report.Escape(e.Rerun),
		Output: report.Escape(report.Shorten(r.Output, maxOutput)), Calls: s.calls(r, r.Calls), Others: s.calls(r, r.Others),
	}
	if e.Unreadable != "" {
		f.What = "another version of gnaw wrote this finding, and this one cannot read " + report.Line(e.Unreadable)
	}
	for _, l := range e.Literals {
		f.Literals = append(f.Literals, report.Escape(report.Shorten(l, maxLiteral)))
	}
	switch {
	case r.Seed != "":
		f.Note = "the seed " + report.Escape(r.Seed)
	case r.Size < r.Original:
		f.Note = fmt.Sprintf("%s, minimized from %s in %s", report.Plural(r.Size, "byte"), report.Plural(r.Original, "byte"), report.Seconds(r.Minimize))
	default:
		f.Note = report.Plural(r.Size, "byte")
	}
	add := func(name, text string) {
		if text != "" {
			f.Facts = append(f.Facts, fact{name, report.Escape(text)})
		}
	}
	if e.Known != nil {
		add("known", e.Known.Remark())
	}
	add("package", r.Package)
	if d := r.Dependency; d != nil {
		add("dependency", strings.TrimSuffix(d.Module+"@"+d.Version+", "+report.Newest(r), ", "))
	}
	add("proof", report.Proof(r))
	add("file", r.Path)
	if r.Path == "" {
		add("file", strings.TrimSpace(r.Kept+" "+r.Why))
	}
	add("seen", fmt.Sprintf("first %s, last %s, in %s", stamp(r.First), stamp(r.Last), report.Plural(r.Times, "campaign")))
	commit := r.Commit
	if commit != "" && r.Changed {
		commit += ", with changes that were not committed"
	}
	add("commit", commit)
	return f
}

// calls returns the frames of a stack, some of them with their source.
func (s *summary) calls(r finding.Record, stack []finding.Call) (list []call) {
	excerpts := 0
	for _, c := range stack[:min(maxFrames, len(stack))] {
		one := call{Function: report.Escape(report.ShortFunc(c.Func)), At: report.Escape(fmt.Sprintf("%s:%d", filepath.ToSlash(c.File), c.Line))}
		if excerpts < maxExcerpts {
			lines, first := s.source.Excerpt(r, c, around)
			for i, text := range lines {
				one.Lines = append(one.Lines, sourceLine{first + i, report.Escape(text), first+i == c.Line})
			}
			if len(lines) > 0 {
				excerpts++
			}
		}
		list = append(list, one)
	}
	return list
}
