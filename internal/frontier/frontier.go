// Package frontier finds the branches with a side that no input takes.
//
// [Find] reads the sources of the packages that the inputs of targets reach, and compares the sides of each branch with the blocks that the
// inputs reach ([coverage.Replayed]): a side is missing if an input evaluates the condition and no input reaches a block of the side.
// [Frontier.Record] executes some of the inputs and records their comparisons. [Frontier.Explain] adds to each row what the condition compares,
// where the compared value is in the input, and what would help.
package frontier

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
)

// Row is a side of a branch that no input takes.
type Row struct {
	Package   string    // import path
	File      string    // import path and base name, as in profiles
	Function  string    // as in [coverage.Block]
	Line      int       // of the condition
	Column    int       // from 1; in bytes
	Condition string    // its source on one line
	Missing   string    // what never happens: "true", "false", "default", "none of the cases", …
	Behind    int       // how many statements are executed only if the side is taken
	Inputs    int       // how many inputs evaluate the condition
	Targets   []string  // names of the targets of these inputs
	Compared  *Operands // nil: no comparison of the condition was recorded
	Help      Help

	branch  branch
	source  *source
	reached bitset // the inputs that evaluate the condition
}

// Frontier is the rows of some targets, and what the inputs of the targets reach.
type Frontier struct {
	Rows  []*Row
	reach *reach
}

// Find finds the rows. folders has the folder of each package, by import path; a package without a folder has no rows.
func Find(list []*coverage.Replayed, folders map[string]string) *Frontier {
	f := &Frontier{reach: reachOf(list)}
	for pkg, files := range f.reach.packages() {
		if folders[pkg] == "" {
			continue
		}
		s := readSource(pkg, folders[pkg], files)
		s.reached = func(p token.Pos) bool {
			at := s.at(p)
			h := f.reach.around(s.fileName(at.Filename), coverage.Position{Line: at.Line, Column: at.Column})
			return h != nil && (h.around || !h.inputs.empty())
		}
		for name, tree := range s.files {
			for _, b := range branches(tree) {
				if row := f.row(s, s.fileName(name), b); row != nil {
					f.Rows = append(f.Rows, row)
				}
			}
		}
	}
	f.sort()
	return f
}

// row returns the row of a side. It returns nil if an input takes the side, if no input evaluates the condition, or if no statement is behind
// the side.
func (f *Frontier) row(s *source, file string, b branch) *Row {
	pos := func(p token.Pos) coverage.Position {
		at := s.at(p)
		return coverage.Position{Line: at.Line, Column: at.Column}
	}
	union := func(spans []span) (all bitset, any bool) {
		for _, sp := range spans {
			for _, h := range f.reach.within(file, pos(sp.from), pos(sp.to)) {
				all = all.with(h.inputs)
				any = any || h.around
			}
		}
		return all, any
	}
	head := f.reach.around(file, pos(b.at))
	if head == nil || len(b.taken) == 0 {
		return nil
	}
	if taken, around := union(b.taken); around || !taken.empty() {
		return nil
	}
	earlier, _ := union(b.earlier)
	later, _ := union(b.later)
	evaluated := head.inputs.without(earlier).with(later)
	if evaluated.empty() {
		return nil
	}
	behind := 0
	for _, sp := range b.behind {
		for _, h := range f.reach.within(file, pos(sp.from), pos(sp.to)) {
			behind += h.Statements
		}
	}
	if behind == 0 {
		return nil
	}
	at := pos(b.at)
	if b.kind == kindCase || b.kind == kindType || b.kind == kindSelect || b.kind == kindDefault {
		at = pos(b.stmt.Pos())
	}
	row := &Row{
		Package: s.path, File: file, Function: head.Function, Line: at.Line, Column: at.Column, Behind: behind, Inputs: evaluated.count(),
		branch: b, source: s, reached: evaluated,
	}
	row.Condition, row.Missing = b.describe(s)
	for i, in := range f.reach.inputs {
		if evaluated.has(i) && !slices.Contains(row.Targets, in.target.Name) {
			row.Targets = append(row.Targets, in.target.Name)
		}
	}
	return row
}

// describe returns the source of the condition, and what never happens.
func (b branch) describe(s *source) (condition, missing string) {
	switch b.kind {
	case kindIf, kindFor:
		if b.want {
			return s.text(b.cond), "true"
		}
		return s.text(b.cond), "false"
	case kindRange:
		if b.want {
			return "range " + s.text(b.cond), "an element"
		}
		return "range " + s.text(b.cond), "no element"
	case kindDefault:
		if b.stmt == b.owner {
			return b.header(s), "none of the cases"
		}
		return b.header(s), "default"
	case kindSelect:
		if c := b.stmt.(*ast.CommClause); c.Comm != nil {
			return "select", "case " + s.text(c.Comm)
		}
		return "select", "default"
	}
	var list []string
	for _, e := range b.cases {
		list = append(list, s.text(e))
	}
	return b.header(s), "case " + strings.Join(list, ", ")
}

// header is the source of a switch before its clauses.
func (b branch) header(s *source) string {
	switch sw := b.owner.(type) {
	case *ast.SwitchStmt:
		if sw.Tag != nil {
			return "switch " + s.text(sw.Tag)
		}
	case *ast.TypeSwitchStmt:
		return "switch " + s.text(sw.Assign)
	}
	return "switch"
}

// Only keeps the rows of the files or functions with a name, and removes the others. The name of a method may have its type before it. known
// reports whether any covered file or function has the name.
func (f *Frontier) Only(name string) (known bool) {
	base := strings.HasSuffix(name, ".go")
	fits := func(file, function string) bool {
		if base {
			return file == name || path.Base(file) == name || strings.HasSuffix(file, "/"+strings.TrimPrefix(path.Clean(name), "../"))
		}
		short := strings.NewReplacer("(", "", ")", "", "*", "").Replace
		own := short(function)
		return own == short(name) || strings.HasSuffix(own, "."+short(name))
	}
	for file, hits := range f.reach.files {
		for _, h := range hits {
			known = known || fits(file, h.Function)
		}
	}
	f.Rows = slices.DeleteFunc(f.Rows, func(r *Row) bool { return !fits(r.File, r.Function) })
	return known
}
