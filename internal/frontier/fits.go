package frontier

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
)

// fits reports whether blocks, which are sorted by position, are those of the file of a source: whether each begins and ends where a block of the
// file can, has as many statements as the file has there, and no statement is outside of them. cmd/cover of the Go distribution has the rules
// (File.addCounters, and as of Go 1.27 File.codeRanges). The history does not say which version of Go has made the blocks.
func (s *source) fits(hits []*hit) bool { return s.fitsAs(hits, false) || s.fitsAs(hits, true) }

// fitsAs is fits with the rules of one version: with ranges, a block has no braces around its statements, ends at the line behind its last one,
// and is divided by lines without code.
func (s *source) fitsAs(hits []*hit, ranges bool) bool {
	f := fitting{
		source: s, hits: hits, ranges: ranges, starts: map[coverage.Position]bool{}, ends: map[coverage.Position]bool{},
		statements: make([]int, len(hits)), ok: true,
	}
	for _, tree := range s.files {
		ast.Inspect(tree, f.visit)
	}
	for i, h := range hits {
		if !f.starts[h.Start] || !f.mayEnd(h) || f.statements[i] != h.Statements {
			return false
		}
	}
	return f.ok
}

// fitting is a call of fitsAs.
type fitting struct {
	*source
	hits         []*hit
	ranges       bool
	starts, ends map[coverage.Position]bool // where blocks can begin and end
	statements   []int                      // of the file, by the index of the block that they are in
	ok           bool                       // each statement is in a block
}

// mayEnd reports whether a block can end where it does.
func (f *fitting) mayEnd(h *hit) bool {
	return f.ends[h.End] || f.ranges && h.End.Column == 1 && h.End.Line > h.Start.Line
}

func (f *fitting) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body != nil && n.Name.Name != "_"
	case *ast.IfStmt:
		if n.Else != nil {
			f.addElse(n)
		}
	case *ast.BlockStmt:
		if len(n.List) == 0 || !isClause(n.List[0]) {
			f.addList(n.List, n.Lbrace, n.Lbrace+1, n.Rbrace+1)
			break
		}
		for _, c := range n.List {
			colon := clauseColon(c)
			f.addList(bodyOf(c), colon+1, colon+1, c.End())
		}
	}
	return true
}

// clauseColon returns the position of the colon of a clause.
func clauseColon(s ast.Stmt) token.Pos {
	if c, ok := s.(*ast.CommClause); ok {
		return c.Colon
	}
	return s.(*ast.CaseClause).Colon
}

// addElse adds an else: its block begins after the word.
func (f *fitting) addElse(n *ast.IfStmt) {
	from, to := f.at(n.Body.End()).Offset, f.at(n.Else.Pos()).Offset
	for _, text := range f.texts {
		if i := strings.LastIndex(string(text[from:to]), "else"); i >= 0 {
			at := n.Body.End() + token.Pos(i+len("else"))
			if f.ranges { // only an empty block begins there
				at++
				f.ends[f.place(at)] = true
			}
			f.starts[f.place(at)] = true
		}
	}
	if _, ok := n.Else.(*ast.IfStmt); ok { // is the only statement of a block
		f.ends[f.place(n.Else.End())] = true
		f.addStatement(n.Else)
	}
}

// addList adds a list of statements from a position to another one. empty is where the block of a list without statements begins.
func (f *fitting) addList(list []ast.Stmt, from, empty, to token.Pos) {
	if len(list) == 0 {
		from = empty
	}
	switch {
	case !f.ranges:
		f.starts[f.place(from)] = true
	case len(list) == 0 || hasNoCode(list[0]): // a block without code has no end of its own
		f.starts[f.place(from)], f.ends[f.place(from)] = true, true
	}
	f.ends[f.place(to)] = true
	for _, s := range list {
		f.addStatement(s)
	}
}

// hasNoCode reports whether a statement begins with a label or a brace, so that there is no code between the beginning of its list and what the
// next block has of it.
func hasNoCode(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return true
	case *ast.LabeledStmt:
		return !isLoop(s.Stmt)
	}
	return false
}

// addStatement adds a statement, and the places before it and after it.
func (f *fitting) addStatement(s ast.Stmt) {
	at, end := s.Pos(), boundary(s)
	label, ok := s.(*ast.LabeledStmt)
	if ok && !isLoop(label.Stmt) { // the label is a statement of its own, at the end of the block before it
		f.addStatement(label.Stmt)
		end = at
	}
	f.starts[f.place(at)], f.ends[f.place(end)] = true, true
	i, exact := slices.BinarySearchFunc(f.hits, f.place(at), func(h *hit, p coverage.Position) int { return order(h.Start, p) })
	if exact && at != end {
		i++
	}
	switch {
	case at == end && f.ranges: // it is in no block
	case at == end: // its block ends before it, or there is none
		if i > 0 && f.hits[i-1].End == f.place(at) {
			f.statements[i-1]++
		}
	case i > 0 && order(f.place(at), f.hits[i-1].End) < 0:
		f.statements[i-1]++
	default:
		f.ok = false
	}
}

// place returns a position as in [coverage.Block].
func (f *fitting) place(p token.Pos) coverage.Position {
	_, at := f.position(p)
	return at
}

// isLoop reports whether a statement keeps its label: it is a loop, a switch or a select.
func isLoop(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.SelectStmt, *ast.TypeSwitchStmt:
		return true
	}
	return false
}

// boundary returns where the block of a statement ends: at its body, at its first function literal, or at its end.
func boundary(s ast.Stmt) token.Pos {
	var body *ast.BlockStmt
	var before []ast.Node // the parts before the body that may have function literals
	switch s := s.(type) {
	case *ast.BlockStmt:
		return s.Lbrace
	case *ast.LabeledStmt:
		return boundary(s.Stmt)
	case *ast.IfStmt:
		body, before = s.Body, []ast.Node{s.Init, s.Cond}
	case *ast.ForStmt:
		body, before = s.Body, []ast.Node{s.Init, s.Cond, s.Post}
	case *ast.RangeStmt:
		body, before = s.Body, []ast.Node{s.X}
	case *ast.SwitchStmt:
		body, before = s.Body, []ast.Node{s.Init, s.Tag}
	case *ast.TypeSwitchStmt:
		body, before = s.Body, []ast.Node{s.Init}
	case *ast.SelectStmt:
		body = s.Body
	default:
		before = []ast.Node{s}
	}
	for _, n := range before {
		if at := literal(n); at.IsValid() {
			return at
		}
	}
	if body != nil {
		return body.Lbrace
	}
	return s.End()
}

// literal returns where the body of the first function literal in a node begins; [token.NoPos]: there is none.
func literal(n ast.Node) (at token.Pos) {
	if n == nil {
		return token.NoPos
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if l, ok := n.(*ast.FuncLit); ok && !at.IsValid() {
			at = l.Body.Lbrace
		}
		return !at.IsValid()
	})
	return at
}
