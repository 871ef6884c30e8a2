// Package frontier finds the branches with a side that no input takes.
//
// [Find] reads the sources of the packages that the inputs of targets reach, and compares the sides of each branch with the blocks that the
// inputs reach ([coverage.Replayed]): a side is missing if an input evaluates the condition and no input reaches a block of the side.
// [Frontier.Record] executes some of the inputs and records their comparisons. [Frontier.Explain] adds to each row what the condition compares,
// where the compared value is in the input, and what would help.
package frontier

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
)

// Frontier has the rows of some targets, and the blocks that the inputs of the targets reach.
type Frontier struct {
	Rows     []*Row
	reach    *reach
	program  *program
	operands []*operand
	how      map[coverage.Target]map[string]string // for each function that a target may call, a caller; by full name
}

// Find finds the rows. folders has the folder of each package, by import path; a package without a folder has no rows. imports has the types of
// the packages that the sources import; if it is nil, gnaw knows less about conditions. tags are the build tags of the test binaries.
func Find(list []*coverage.Replayed, folders map[string]string, imports types.Importer, tags []string) *Frontier {
	f := &Frontier{reach: reachOf(list)}
	f.program = f.read(list, folders, loading{imports, tags})
	for _, s := range f.program.sources {
		f.addRows(s)
		for _, tree := range s.files {
			f.operands = append(f.operands, operandsIn(s, tree)...)
		}
	}
	slices.SortStableFunc(f.operands, func(a, b *operand) int { // the order of files is not that of a map
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.source.at(a.expr.Pos()).Offset, b.source.at(b.expr.Pos()).Offset))
	})
	f.operands = slices.DeleteFunc(f.operands, func(o *operand) bool { return !f.locate(o) })
	f.link(list)
	f.sort()
	return f
}

// read reads the sources of the packages that are covered, and of the tests that declare the targets.
func (f *Frontier) read(list []*coverage.Replayed, folders map[string]string, how loading) *program {
	tests := map[string]bool{}
	for _, r := range list {
		tests[r.Target.Package] = true
	}
	var sources []*source
	packages := f.reach.packages()
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		if folders[pkg] == "" {
			continue
		}
		s := readSource(pkg, folders[pkg], packages[pkg], tests[pkg], how)
		s.reached = func(p token.Pos) bool {
			h := f.reach.around(s.position(p))
			return h != nil && h.reached()
		}
		sources = append(sources, s)
		if tests[pkg] {
			outside := readTests(pkg, folders[pkg], how)
			outside.reached = func(token.Pos) bool { return false }
			sources = append(sources, outside)
		}
	}
	return newProgram(sources)
}

// link finds the functions that a target may call, and how it calls them.
func (f *Frontier) link(list []*coverage.Replayed) {
	f.how = map[coverage.Target]map[string]string{}
	for _, r := range list {
		if name := f.program.target(r.Target); name != "" {
			f.how[r.Target] = f.program.reach(name)
		}
	}
	var reached []string
	for name, fn := range f.program.functions {
		if d, ok := fn.decl.(*ast.FuncDecl); ok && d.Body != nil && fn.source.reached(d.Body.Lbrace) {
			reached = append(reached, name)
		}
	}
	f.program.reach(reached...)
}

// addRows adds the rows of a package.
func (f *Frontier) addRows(s *source) {
	for _, tree := range s.files {
		for _, b := range branches(tree) {
			if row := f.row(s, b); row != nil {
				f.Rows = append(f.Rows, row)
			}
		}
	}
}

// row returns the row of a side. It returns nil if an input takes the side, if no input evaluates the condition, or if no statement is behind
// the side.
func (f *Frontier) row(s *source, b branch) *Row {
	head := f.reach.around(s.position(b.at))
	if head == nil || len(b.taken) == 0 || f.reach.takes(s, b.taken) {
		return nil
	}
	evaluated := f.reach.evaluating(s, b, head)
	if evaluated.count() == 0 {
		return nil
	}
	behind := 0
	for _, sp := range b.behind {
		for _, h := range f.reach.within(s, sp) {
			behind += h.Statements
		}
	}
	if behind == 0 {
		return nil
	}
	file, at := s.position(b.at)
	if b.kind == kindCase || b.kind == kindType || b.kind == kindSelect || b.kind == kindDefault {
		_, at = s.position(b.stmt.Pos())
	}
	row := &Row{
		Package: s.path, Path: filepath.Join(s.dir, path.Base(file)), File: file, Function: head.Function, Line: at.Line, Column: at.Column, Behind: behind,
		branch: b, source: s, program: f.program,
	}
	f.count(row, head, evaluated)
	row.Condition, row.Missing = b.describe(s)
	return row
}

// Only keeps the rows and operands of the files or functions with a name, and removes the others. The name of a method may have its type before
// it. known reports whether any covered file or function has the name.
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
	f.operands = slices.DeleteFunc(f.operands, func(o *operand) bool { return !fits(o.file, o.head.Function) })
	return known
}
