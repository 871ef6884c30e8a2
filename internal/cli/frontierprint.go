package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/frontier"
)

// printFrontier prints two lists: the rows that depend on the input, and the others. most is the largest number of rows that it prints of each
// list; 0: all.
func printFrontier(w io.Writer, rows []*frontier.Row, most int) {
	var open, closed []*frontier.Row
	for _, r := range rows {
		if r.Help.Kind == frontier.Nothing {
			closed = append(closed, r)
		} else {
			open = append(open, r)
		}
	}
	fmt.Fprintf(w, "%s with a side that no input takes\n", branchesOf(len(open)))
	printRows(w, open, most)
	if len(closed) > 0 {
		fmt.Fprintf(w, "\n%s that %s not depend on the input\n", branchesOf(len(closed)), verb(len(closed), "do", "does"))
		printRows(w, closed, most)
	}
}

func branchesOf(n int) string {
	if n == 1 {
		return "1 branch"
	}
	return fmt.Sprintf("%d branches", n)
}

func printRows(w io.Writer, rows []*frontier.Row, most int) {
	for i, r := range rows {
		if most > 0 && i == most {
			fmt.Fprintf(w, "\nand %d more (-n=0 shows all)\n", len(rows)-most)
			return
		}
		fmt.Fprintf(w, "\n%s:%d:%d %s\n", r.File, r.Line, r.Column, r.Function)
		fmt.Fprintf(w, "    %s: never %s\n", r.Condition, r.Missing)
		fmt.Fprintf(w, "    %s behind it; %s of %s %s the condition\n", plural(r.Behind, "statement"), plural(r.Inputs, "input"),
			strings.Join(r.Targets, ", "), verb(r.Inputs, "reach", "reaches"))
		if c := r.Compared; c != nil {
			fmt.Fprintf(w, "    %s of %s compares %s%s with %s%s\n", c.Entry, c.Target, c.Seen, where(c.Place), c.Wanted, last(c))
		}
		fmt.Fprintf(w, "    -> %s\n", r.Help.Text)
	}
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
	Compared  *frontierCompared `json:"compared,omitempty"`
	Help      string            `json:"help"` // word, number, length, type, checksum, failure, seed, nothing
	Text      string            `json:"text"`
	Word      []byte            `json:"word,omitempty"` // in base64
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

func printFrontierJSON(w io.Writer, rows []*frontier.Row) error {
	for _, r := range rows {
		j := frontierJSON{
			r.Package, r.File, r.Function, r.Line, r.Column, r.Condition, r.Missing, r.Behind, r.Inputs, r.Targets, nil, r.Help.Kind, r.Help.Text, r.Help.Word,
		}
		if c := r.Compared; c != nil {
			j.Compared = &frontierCompared{c.Seen, c.Wanted, c.Last, c.Target, c.Entry, c.Size, nil}
			if p := c.Place; p != nil {
				j.Compared.Place = &frontierPlace{p.Argument + 1, p.From, p.To, p.Form}
			}
		}
		if err := writeJSON(w, j); err != nil {
			return err
		}
	}
	return nil
}
