package frontier

import (
	"go/ast"
	"go/token"
)

// kind is the statement that a branch belongs to.
type kind uint8

const (
	kindIf kind = iota
	kindFor
	kindRange
	kindCase // of a switch; a branch has one of them
	kindType // of a type switch
	kindDefault
	kindSelect
)

// span is a part of a file. Blocks that begin at from or behind it, and before to, are in it.
type span struct{ from, to token.Pos }

// branch is one side of a place where the control flow divides.
type branch struct {
	kind    kind
	cond    ast.Expr   // nil: of a select, a default, or a switch without a match
	stmt    ast.Stmt   // the statement or the clause
	owner   ast.Stmt   // of a clause: its switch
	before  ast.Stmt   // stands before the statement in its list; nil: none
	at      token.Pos  // where the condition is evaluated
	want    bool       // what the condition must be to take the side
	taken   []span     // the side is taken if one of their blocks is reached
	behind  []span     // what is executed only if the side is taken
	earlier []span     // sides that are taken if their conditions are met before this one is evaluated
	later   []span     // sides that are taken only if this one was evaluated
	cases   []ast.Expr // of a case: the expressions
	first   ast.Stmt   // the first statement of the side; nil: there is none
}

// branches returns the sides of all branches in a syntax tree.
func branches(tree ast.Node) (list []branch) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			if len(n.List) > 0 && !isClause(n.List[0]) {
				list = append(list, ofList(n.List, n.Rbrace)...)
			}
		case *ast.SwitchStmt:
			list = append(list, inClauses(n.Body)...)
		case *ast.TypeSwitchStmt:
			list = append(list, inClauses(n.Body)...)
		case *ast.SelectStmt:
			list = append(list, inClauses(n.Body)...)
		}
		return true
	})
	return list
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// inClauses returns the branches among the statements of clauses.
func inClauses(body *ast.BlockStmt) (list []branch) {
	for i, s := range body.List {
		list = append(list, ofList(bodyOf(s), clauseSpan(body, i).to)...)
	}
	return list
}

// clauseSpan is where the statements of a clause are.
func clauseSpan(body *ast.BlockStmt, i int) span {
	s := span{to: body.Rbrace}
	switch c := body.List[i].(type) {
	case *ast.CaseClause:
		s.from = c.Colon
	case *ast.CommClause:
		s.from = c.Colon
	}
	if i+1 < len(body.List) {
		s.to = body.List[i+1].Pos()
	}
	return s
}

// ofList returns the branches of the statements of a list that ends before end.
func ofList(stmts []ast.Stmt, end token.Pos) (list []branch) {
	for i, s := range stmts {
		var rest []span // what follows
		if i+1 < len(stmts) {
			rest = []span{{s.End(), end}}
		}
		var before ast.Stmt
		if i > 0 {
			before = stmts[i-1]
		}
		label := ""
		for {
			l, ok := s.(*ast.LabeledStmt)
			if !ok {
				break
			}
			label, s = l.Label.Name, l.Stmt
		}
		at := len(list)
		list = append(list, ofStmt(s, label, rest)...)
		for j := at; j < len(list); j++ {
			b := &list[j]
			b.before = before
			if b.first == nil && i+1 < len(stmts) {
				b.first = stmts[i+1]
			}
		}
	}
	return list
}

// ofStmt returns the branches of a statement, without those of the statements in it.
func ofStmt(s ast.Stmt, label string, rest []span) []branch {
	switch s := s.(type) {
	case *ast.IfStmt:
		return ofIf(s, rest)
	case *ast.ForStmt:
		if s.Cond == nil {
			return nil
		}
		return ofLoop(branch{kind: kindFor, cond: s.Cond, stmt: s, at: s.Cond.Pos()}, s.Body, label, rest)
	case *ast.RangeStmt:
		return ofLoop(branch{kind: kindRange, cond: s.X, stmt: s, at: s.X.Pos()}, s.Body, label, rest)
	case *ast.SwitchStmt:
		return ofClauses(s, s.Body, s.Switch, label, rest)
	case *ast.TypeSwitchStmt:
		return ofClauses(s, s.Body, s.Switch, label, rest)
	case *ast.SelectStmt:
		return ofClauses(s, s.Body, s.Select, label, rest)
	}
	return nil
}

// ofIf returns both sides of an if, and those of the ifs behind its else. Without an else, the other side is what follows, as long as the
// first one leaves.
func ofIf(s *ast.IfStmt, rest []span) []branch {
	b := branch{kind: kindIf, cond: s.Cond, stmt: s, at: s.Cond.Pos()}
	yes, no := b, b
	yes.want, yes.first = true, firstOf(s.Body.List)
	yes.taken = []span{{s.Body.Lbrace, s.Body.Rbrace}}
	yes.behind = yes.taken
	if s.Else != nil {
		no.first = s.Else
		if b, ok := s.Else.(*ast.BlockStmt); ok {
			no.first = firstOf(b.List)
		}
		no.taken = []span{{s.Body.Rbrace + 1, s.Else.End()}}
		no.behind = no.taken
		if leaves(s.Else) && !leaves(s.Body) {
			yes.behind = append(yes.behind[:1:1], rest...)
		}
	}
	if leaves(s.Body) {
		if s.Else == nil {
			no.taken, no.behind = rest, rest
		} else if !leaves(s.Else) {
			no.behind = append(no.behind[:1:1], rest...)
		}
	}
	list := []branch{yes, no}
	if more, ok := s.Else.(*ast.IfStmt); ok {
		if !leaves(s.Body) {
			rest = nil // also reached without the other conditions
		}
		list = append(list, ofIf(more, rest)...)
	}
	return list
}

// firstOf returns the first statement of a list; nil: it is empty.
func firstOf(list []ast.Stmt) ast.Stmt {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// ofLoop returns both sides of the condition of a loop. What follows the loop is one of them if no break leads there.
func ofLoop(b branch, body *ast.BlockStmt, label string, rest []span) []branch {
	yes, no := b, b
	yes.want, yes.first = true, firstOf(body.List)
	yes.taken = []span{{body.Lbrace, body.Rbrace}}
	yes.behind = yes.taken
	if !breaks(body, label) {
		no.taken, no.behind = rest, rest
	}
	return []branch{yes, no}
}

// ofClauses returns a branch for each clause of a switch or select, and one for the case that none fits. What follows is behind a clause if
// all others leave.
func ofClauses(s ast.Stmt, body *ast.BlockStmt, at token.Pos, label string, rest []span) (list []branch) {
	stay := map[int]bool{} // clauses that go on to what follows
	fallback := -1         // the default
	for i, c := range body.List {
		if !leavesAll(bodyOf(c)) || breaks(c, label) {
			stay[i] = true
		}
		if c, ok := c.(*ast.CaseClause); ok && c.List == nil {
			fallback = i
		}
	}
	_, selects := s.(*ast.SelectStmt)
	closed := fallback >= 0 || selects
	for i, c := range body.List {
		b := branch{kind: kindCase, stmt: c, owner: s, at: at, want: true, taken: []span{clauseSpan(body, i)}, first: firstOf(bodyOf(c))}
		b.behind = b.taken
		if closed && len(stay) == 1 && stay[i] {
			b.behind = append(b.behind[:1:1], rest...)
		}
		switch c := c.(type) {
		case *ast.CommClause:
			b.kind = kindSelect
		case *ast.CaseClause:
			b.cases = c.List
			if _, types := s.(*ast.TypeSwitchStmt); types {
				b.kind = kindType
			}
			if i == fallback {
				b.kind = kindDefault
			}
		}
		for j := range body.List {
			switch {
			case j == i || selects || i == fallback:
			case j < i && j != fallback:
				b.earlier = append(b.earlier, clauseSpan(body, j))
			default:
				b.later = append(b.later, clauseSpan(body, j))
			}
		}
		list = append(list, b)
	}
	if !closed && len(stay) == 0 && len(body.List) > 0 {
		list = append(list, branch{kind: kindDefault, stmt: s, owner: s, at: at, want: true, taken: rest, behind: rest})
	}
	return list
}
