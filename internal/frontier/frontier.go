// Package frontier finds the branches with a side that no input takes.
//
// [Find] reads the sources of the packages that the inputs of targets reach, and compares the sides of each branch with the blocks that the
// inputs reach ([coverage.Replayed]): a side is missing if an input evaluates the condition and no input reaches a block of the side.
// [Frontier.Record] executes some of the inputs and records their comparisons. [Frontier.Explain] adds to each row what the condition compares,
// where the compared value is in the input, and what would help.
package frontier

import (
	"cmp"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// Frontier has the rows of some targets, and the blocks that the inputs of the targets reach.
type Frontier struct {
	Rows []*Row

	// Kept is when gnaw frontier has found what the rows of [FindStored] say about comparisons and help; zero: they say nothing about it. With Same, the
	// inputs reached the same statements then.
	Kept time.Time
	Same bool

	reach    *reach
	calls    *calls
	operands []*operand
}

// Load parses and type-checks the packages whose blocks the inputs of targets may reach, and the tests of the targets.
func Load(ctx context.Context, src code.Source, list []*coverage.Replayed) ([]*packages.Package, error) {
	tested, others := map[string]bool{}, map[string]bool{}
	for _, r := range list {
		tested[r.Target.Package] = true
	}
	for _, r := range list {
		for _, b := range r.Blocks {
			if !tested[b.Package] {
				others[b.Package] = true
			}
		}
	}
	_, loaded, err := src.LoadTested(ctx, slices.Sorted(maps.Keys(tested)), slices.Sorted(maps.Keys(others)))
	return loaded, err
}

// Find finds the rows. loaded has the packages of the blocks, as [Load] returns them; a package that is not there has no rows. Find forgets the
// types of the packages' expressions.
func Find(list []*coverage.Replayed, loaded []*packages.Package) *Frontier {
	f := &Frontier{reach: reachOf(list)}
	for _, s := range f.sources(loaded) {
		f.addRows(s)
		for _, tree := range s.files {
			f.operands = append(f.operands, operandsIn(s, tree)...)
		}
	}
	slices.SortStableFunc(f.operands, func(a, b *operand) int { // the order of files is not that of a map
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.source.at(a.expr.Pos()).Offset, b.source.at(b.expr.Pos()).Offset))
	})
	f.operands = slices.DeleteFunc(f.operands, func(o *operand) bool { return !f.locate(o) })
	var targets []fuzz.Name
	for _, r := range list {
		targets = append(targets, r.Target)
	}
	f.calls = callsOf(loaded, targets)
	f.sort()
	return f
}

// sources returns the packages that have blocks. Of the variants of a package, it uses the first one.
func (f *Frontier) sources(loaded []*packages.Package) (list []*source) {
	covered := f.reach.packages()
	for _, p := range loaded {
		if covered[p.PkgPath] && p.TypesInfo != nil && !code.IsTestMain(p) {
			list = append(list, sourceOf(p))
			delete(covered, p.PkgPath)
		}
	}
	return list
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
		branch: b, source: s,
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
