package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/frontier"
)

// printFrontier prints rows: those that an input may change, and then the others. Of each list it prints the first ones; 0: all.
func printFrontier(w io.Writer, rows []*frontier.Row, most int) {
	var open, closed []*frontier.Row
	for _, r := range rows {
		if r.Help.Kind == frontier.Nothing {
			closed = append(closed, r)
		} else {
			open = append(open, r)
		}
	}
	fmt.Fprintf(w, "%s, of which inputs take one side only\n", branchesOf(len(open)))
	printRows(w, open, most)
	if len(closed) > 0 {
		fmt.Fprintf(w, "\n%s on which no input has an influence\n", branchesOf(len(closed)))
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
		fmt.Fprintf(w, "    behind it %s; %s here\n", plural(r.Behind, "statement"), arrive(r.Inputs, strings.Join(r.Targets, ", ")))
		if c := r.Compared; c != nil {
			fmt.Fprintf(w, "    compared %s with %s in %s of %s%s%s\n", c.Seen, c.Wanted, c.Entry, c.Target, where(c.Place), last(c))
		}
		fmt.Fprintf(w, "    -> %s\n", r.Help.Text)
	}
}

func arrive(n int, targets string) string {
	verb := "get"
	if n == 1 {
		verb = "gets"
	}
	return fmt.Sprintf("%s of %s %s", plural(n, "input"), targets, verb)
}

// where says where the value that was seen is in the input.
func where(p *frontier.Place) string {
	switch {
	case p == nil:
		return ""
	case p.Form == "number":
		return fmt.Sprintf(", which is argument %d", p.Argument+1)
	case p.To == p.From+1:
		return fmt.Sprintf(", which is byte %d of argument %d", p.From, p.Argument+1)
	}
	return fmt.Sprintf(", which is bytes %d to %d of argument %d (%s)", p.From, p.To-1, p.Argument+1, p.Form)
}

func last(c *frontier.Operands) string {
	if c.Last == c.Seen {
		return ""
	}
	return "; the last value was " + c.Last
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
	Behind    int               `json:"behind"`  // statements
	Inputs    int               `json:"inputs"`  // that get to the condition
	Targets   []string          `json:"targets"`
	Compared  *frontierCompared `json:"compared,omitempty"`
	Help      string            `json:"help"` // word, number, length, type, checksum, failure, seed, nothing
	Text      string            `json:"text"`
	Word      []byte            `json:"word,omitempty"` // in base64
}

// frontierCompared is the JSON form of what a condition compared. Values are Go literals.
type frontierCompared struct {
	Seen   string         `json:"seen"`
	Wanted string         `json:"wanted"`
	Last   string         `json:"last"`
	Target string         `json:"target"`
	Entry  string         `json:"entry"`
	Size   int            `json:"size"` // of the entry, in bytes
	Place  *frontierPlace `json:"place,omitempty"`
}

// frontierPlace is the JSON form of a place in an input.
type frontierPlace struct {
	Argument int    `json:"argument"` // from 1
	From     int    `json:"from"`     // first byte, from 0
	To       int    `json:"to"`       // behind the last byte
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
