package cli

import (
	"fmt"
	"io"
	"path/filepath"

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
	printRows(w, open, most)
	if len(closed) > 0 {
		fmt.Fprintf(w, "\n%s that %s not depend on the input\n", branchesOf(len(closed)), verb(len(closed), "do", "does"))
		printRows(w, closed, most)
	}
	if len(operands) > 0 {
		fmt.Fprintf(w, "\n%s of && and || with the same value in all inputs and no statements behind\n", report.Plural(len(operands), "operand"))
		printOperands(w, operands, most)
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
		fmt.Fprintf(w, "    %s\n", r.Sentence())
		for _, text := range r.Details() {
			fmt.Fprintf(w, "    %s\n", text)
		}
		if r.Focus != "" {
			fmt.Fprintf(w, "    %s\n", r.Focus)
		}
	}
}

// branches returns the rows with statements behind them for an HTML file.
func (x *stuck) branches() (list []page.Branch) {
	for _, r := range x.found.Rows {
		b := page.Branch{File: r.File, Line: r.Line, Sentence: r.Sentence(), Details: r.Details(), Command: r.Focus, Hopeless: r.Help.Kind == frontier.Nothing}
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
	return fmt.Sprintf("gnaw fuzz%s -focus=%s:%d -fuzz='^%s$' %s%s", flags, file, r.Aim(), r.Target.Func, pkg, args)
}

// verb returns the form of a verb for n things.
func verb(n int, many, one string) string {
	if n == 1 {
		return one
	}
	return many
}

func (x *stuck) printJSON() error {
	for _, r := range x.found.Rows {
		if err := writeJSON(x.env.Stdout, r); err != nil {
			return err
		}
	}
	return nil
}
