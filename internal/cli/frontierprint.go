package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/coverage/page"
	"github.com/gnaw-fuzz/gnaw/internal/frontier"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// print prints three lists: the rows that depend on the input, those that do not, and the operands that hide no statements.
func (x *stuck) print(most int) {
	w, rows := x.env.Stdout, x.found.Rows
	var open, closed, operands []*frontier.Row
	for _, r := range rows {
		switch {
		case r.Behind == 0:
			operands = append(operands, r)
		case r.Help.Kind == frontier.Nothing:
			closed = append(closed, r)
		default:
			open = append(open, r)
		}
	}
	fmt.Fprintf(w, "%s with a side that no input takes\n", branchesOf(len(open)))
	x.printRows(w, open, most)
	if len(closed) > 0 {
		fmt.Fprintf(w, "\n%s that %s not depend on the input\n", branchesOf(len(closed)), verb(len(closed), "do", "does"))
		x.printRows(w, closed, most)
	}
	if len(operands) > 0 {
		fmt.Fprintf(w, "\n%s of && and || with the same value in all inputs and no statements behind\n", plural(len(operands), "operand"))
		printOperands(w, operands, most)
	}
}

func branchesOf(n int) string {
	if n == 1 {
		return "1 branch"
	}
	return fmt.Sprintf("%d branches", n)
}

func (x *stuck) printRows(w io.Writer, rows []*frontier.Row, most int) {
	for i, r := range rows {
		if most > 0 && i == most {
			fmt.Fprintf(w, "\nand %d more (-n=0 shows all)\n", len(rows)-most)
			return
		}
		fmt.Fprintf(w, "\n%s:%d:%d %s\n", r.File, r.Line, r.Column, r.Function)
		fmt.Fprintf(w, "    %s\n", r.Sentence())
		for _, text := range details(r) {
			fmt.Fprintf(w, "    %s\n", text)
		}
		if r.Help.Kind != frontier.Nothing {
			fmt.Fprintf(w, "    %s\n", x.focus(r))
		}
	}
}

// details describes a row: the code behind it, the inputs that reach it, their nearest comparison, and what would help.
func details(r *frontier.Row) []string {
	list := []string{r.Reach()}
	if len(r.Chain) > 1 {
		list = append(list, "calls: "+strings.Join(elide(r.Chain), " > "))
	}
	if c := r.Compared; c != nil {
		list = append(list, fmt.Sprintf("%s of %s compares %s%s with %s%s", c.Entry, c.Target, c.Seen, where(c.Place), c.Wanted, last(c)))
	}
	return append(list, "-> "+r.Help.Text)
}

// maxCalls is the number of functions in the longest chain of calls that is printed as a whole.
const maxCalls = 8

// elide leaves out the middle of a long chain of calls.
func elide(chain []string) []string {
	if len(chain) <= maxCalls {
		return chain
	}
	return slices.Concat(chain[:3], []string{"..."}, chain[len(chain)-4:])
}

// branches returns the rows with statements behind them for an HTML file.
func (x *stuck) branches() (list []page.Branch) {
	for _, r := range x.found.Rows {
		b := page.Branch{File: r.File, Line: r.Line, Sentence: r.Sentence(), Details: details(r), Hopeless: r.Help.Kind == frontier.Nothing}
		if !b.Hopeless {
			b.Command = x.focus(r)
		}
		if r.Behind > 0 {
			list = append(list, b)
		}
	}
	return list
}

// printOperands prints one line for each operand, and what would help if gnaw knows a word, a number or a length.
func printOperands(w io.Writer, rows []*frontier.Row, most int) {
	for i, r := range rows {
		if most > 0 && i == most {
			fmt.Fprintf(w, "and %d more (-n=0 shows all)\n", len(rows)-most)
			return
		}
		fmt.Fprintf(w, "%s:%d:%d %s  %s\n", r.File, r.Line, r.Column, r.Function, r.Sentence())
		switch r.Help.Kind {
		case frontier.Word, frontier.Number, frontier.Length, frontier.Checksum:
			fmt.Fprintf(w, "    -> %s\n", r.Help.Text)
		}
	}
}

// focus returns the command that fuzzes towards a row, with the flags for builds and the arguments of the test binaries.
func (x *stuck) focus(r *frontier.Row) string {
	file, pkg := r.File, r.Target.Package
	if rel, err := filepath.Rel(x.env.Dir, r.Path); err == nil && filepath.IsLocal(rel) {
		file = filepath.ToSlash(rel)
	}
	for _, t := range x.targets {
		if rel, err := filepath.Rel(x.env.Dir, t.Dir); t.Package == pkg && err == nil && filepath.IsLocal(rel) {
			pkg = "./" + filepath.ToSlash(rel)
		}
		if t.Package == r.Target.Package && t.Dir == x.env.Dir {
			pkg = "."
		}
	}
	flags, args := "", ""
	if !x.flags.refuse {
		flags = " -refuse=off"
	}
	for _, f := range x.flags.build {
		flags += " " + report.Quoted(f)
	}
	if len(x.flags.args) > 0 {
		args = " -args"
	}
	for _, a := range x.flags.args {
		args += " " + report.Quoted(a)
	}
	return fmt.Sprintf("gnaw fuzz%s -focus=%s:%d -fuzz='^%s$' %s%s", flags, file, r.Aim(), r.Target.Name, pkg, args)
}

// verb returns the form of a verb for n things.
func verb(n int, many, one string) string {
	if n == 1 {
		return one
	}
	return many
}

// where returns the place of a value in the input, in parentheses; empty: the input does not contain the value.
func where(p *frontier.Place) string {
	switch {
	case p == nil:
		return ""
	case p.To-p.From < 2:
		return " (" + p.Describe() + ")"
	}
	return " (" + p.Describe() + ", " + p.Form + ")"
}

func last(c *frontier.Operands) string {
	if c.Last == c.Seen {
		return ""
	}
	return "; the last value is " + c.Last
}

// frontierJSON is the JSON form of a row.
type frontierJSON struct {
	Package   string            `json:"package"`
	File      string            `json:"file"` // import path and base name
	Function  string            `json:"function"`
	Line      int               `json:"line"`
	Column    int               `json:"column"`
	Condition string            `json:"condition"`
	Missing   string            `json:"missing"` // what never happens
	Behind    int               `json:"behind"`  // number of statements behind the side
	Inputs    int               `json:"inputs"`  // number of inputs that reach the condition
	Targets   []string          `json:"targets"`
	Of        string            `json:"of,omitempty"`      // the whole condition; absent if condition is one
	Times     uint64            `json:"times"`             // number of evaluations of the whole condition
	Calls     []string          `json:"calls,omitempty"`   // the functions from the target to the function
	Command   string            `json:"command,omitempty"` // fuzzes towards the row
	Compared  *frontierCompared `json:"compared,omitempty"`
	Help      string            `json:"help"` // word, number, length, type, checksum, failure, guard, seed, nothing
	Text      string            `json:"text"`
	Words     [][]byte          `json:"words,omitempty"` // each in base64
}

// frontierCompared is the JSON form of the operands of a condition. The values are Go literals.
type frontierCompared struct {
	Seen   string         `json:"seen"`
	Wanted string         `json:"wanted"`
	Last   string         `json:"last"`
	Target string         `json:"target"`
	Entry  string         `json:"entry"`
	Size   int            `json:"size"` // size of the entry in bytes
	Place  *frontierPlace `json:"place,omitempty"`
}

// frontierPlace is the JSON form of a place in an input.
type frontierPlace struct {
	Argument int    `json:"argument"` // from 1
	From     int    `json:"from"`     // first byte, from 0
	To       int    `json:"to"`       // the byte after the last one
	Form     string `json:"form"`
}

func (x *stuck) printJSON() error {
	for _, r := range x.found.Rows {
		j := frontierJSON{
			Package: r.Package, File: r.File, Function: r.Function, Line: r.Line, Column: r.Column, Condition: r.Condition, Missing: r.Missing,
			Behind: r.Behind, Inputs: r.Inputs, Targets: r.Targets, Of: r.Of, Times: r.Times, Calls: r.Chain,
			Help: r.Help.Kind, Text: r.Help.Text, Words: r.Help.Words,
		}
		if r.Help.Kind != frontier.Nothing {
			j.Command = x.focus(r)
		}
		if c := r.Compared; c != nil {
			j.Compared = &frontierCompared{c.Seen, c.Wanted, c.Last, c.Target, c.Entry, c.Size, nil}
			if p := c.Place; p != nil {
				j.Compared.Place = &frontierPlace{p.Argument + 1, p.From, p.To, p.Form}
			}
		}
		if err := writeJSON(x.env.Stdout, j); err != nil {
			return err
		}
	}
	return nil
}
