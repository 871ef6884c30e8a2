package summary

import (
	"fmt"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/frontier"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Limits of the branches in a report.
const (
	maxBranches     = 10
	maxTextBranches = 5
	maxTextForStuck = 48 << 10 // bytes of the report in Markdown before the table of targets
)

// stuck is the branches with a side that no input takes.
type stuck struct {
	Counted bool // the history has the statements that the inputs reach
	Rows    []stuckRow
	Total   int
	Notes   string // about files that are left out; empty: there are none
	Command string // shows more
}

// stuckRow is a branch.
type stuckRow struct{ Where, Sentence, Reach, Help string }

// stuck returns the first branches, at most limit.
func (s *summary) stuck(limit int) stuck {
	v := stuck{Counted: s.Frontier != nil, Command: strings.TrimSpace("gnaw frontier " + s.Campaign.Packages)}
	if s.Frontier == nil {
		return v
	}
	v.Total = len(s.Frontier.Rows)
	for _, r := range s.Frontier.Rows[:min(limit, v.Total)] {
		v.Rows = append(v.Rows, stuckRow{s.place(r), r.Sentence(), r.Reach(), r.Text})
	}
	if at := s.Frontier.Kept; !at.IsZero() && !s.Frontier.Same {
		v.Notes = fmt.Sprintf("What would help is what gnaw frontier found at %s for other inputs. ", stamp(at))
	}
	switch n := len(s.Changed); {
	case n == 1:
		v.Notes += "1 file was changed after its statements were counted, and its branches are not in the list."
	case n > 1:
		v.Notes += fmt.Sprintf("%d files were changed after their statements were counted, and their branches are not in the list.", n)
	}
	v.Notes = strings.TrimSpace(v.Notes)
	return v
}

// place returns the file of a condition, relative to the module, and the line.
func (s *summary) place(r *frontier.Row) string {
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(r.File, s.Campaign.Module+"/"), r.Line)
}

// Head says how many branches there are.
func (v stuck) Head() string {
	switch {
	case v.Total == 0 && v.Notes != "":
		return "In the files that were not changed, no branch has a side that no input takes."
	case v.Total == 0:
		return "No branch has a side that no input takes."
	case v.Total == 1:
		return "1 branch has a side that no input takes."
	case v.Total > len(v.Rows):
		return fmt.Sprintf("%d branches have a side that no input takes. The first %d:", v.Total, len(v.Rows))
	}
	return fmt.Sprintf("%d branches have a side that no input takes.", v.Total)
}

// escaped returns the branches with texts that a page can show.
func (v stuck) escaped() stuck {
	shown := func(text string) string { return report.Escape(report.Shorten(text, maxLiteral)) }
	for i, r := range v.Rows {
		v.Rows[i] = stuckRow{shown(r.Where), shown(r.Sentence), shown(r.Reach), shown(r.Help)}
	}
	v.Command = report.Escape(v.Command)
	return v
}

// textStuck writes the first branches.
func (s *summary) textStuck(b *strings.Builder) {
	b.WriteString("\n### Where it is stuck\n\n")
	v := s.stuck(maxTextBranches)
	if !v.Counted {
		b.WriteString("The history does not have the statements that inputs reach: `gnaw fuzz -cover` or `gnaw cover` counts them.\n")
		return
	}
	fmt.Fprintf(b, "%s\n", v.Head())
	if v.Total > 0 {
		b.WriteString("\n")
	}
	for _, r := range v.Rows {
		row := fmt.Sprintf("- %s: %s, %s\n", code(r.Where), code(r.Sentence), code(r.Reach))
		if r.Help != "" {
			row = strings.TrimSuffix(row, "\n") + fmt.Sprintf("; would help: %s\n", code(r.Help))
		}
		if b.Len()+len(row) > maxTextForStuck {
			break
		}
		b.WriteString(row)
	}
	if v.Notes != "" {
		fmt.Fprintf(b, "\n%s\n", v.Notes)
	}
	if v.Total > 0 {
		fmt.Fprintf(b, "\n%s shows what would help.\n", code(v.Command))
	}
}
