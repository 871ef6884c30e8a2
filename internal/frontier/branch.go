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
	kindCase // of a switch
	kindType // of a type switch
	kindDefault
	kindSelect
)

// span is a part of a file. It contains the blocks that begin at or after from, and before to.
type span struct{ from, to token.Pos }

// branch is one side of a place where the control flow divides.
type branch struct {
	kind    kind
	cond    ast.Expr       // of an if or a for; of a range, the value that it ranges over; otherwise nil
	stmt    ast.Stmt       // the statement or the clause
	owner   ast.Stmt       // the switch or select of a clause
	before  ast.Stmt       // the statement before stmt in the same list; nil: there is none
	at      token.Pos      // where the condition is evaluated
	want    bool           // the value of the condition with which the side is taken
	taken   []span         // the side is taken if one of their blocks is reached
	behind  []span         // code that is executed only if the side is taken
	earlier []span         // sides whose conditions are evaluated before this one: if one of them is taken, this condition is not evaluated
	later   []span         // sides whose conditions are evaluated after this one: if one of them is taken, this condition was evaluated
	cases   []ast.Expr     // the expressions of a case
	first   ast.Stmt       // the first statement of the side; nil: there is none
	loop    *ast.BlockStmt // the body of a loop; nil: the statement is no loop
}

// branches returns the sides of each branch in a syntax tree.
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

// inClauses returns the sides of the statements in the clauses of a switch or select.
func inClauses(body *ast.BlockStmt) (list []branch) {
	for i, s := range body.List {
		list = append(list, ofList(bodyOf(s), clauseSpan(body, i).to)...)
	}
	return list
}

// clauseSpan returns the part of the file that has the statements of a clause.
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

// ofList returns the sides of the statements in a list that ends before end.
func ofList(stmts []ast.Stmt, end token.Pos) (list []branch) {
	for i, s := range stmts {
		var rest []span // the code after the statement
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

// ofStmt returns the sides of a statement, without those of the statements that it contains. rest is the code after the statement.
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

// ofIf returns both sides of an if and of each else if. Without an else, the code after the if is the other side, provided that the body never
// continues there.
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

// ofLoop returns both sides of the condition of a loop. The code after the loop is the second side, provided that no break leads there.
func ofLoop(b branch, body *ast.BlockStmt, label string, rest []span) []branch {
	b.loop = body
	yes, no := b, b
	yes.want, yes.first = true, firstOf(body.List)
	yes.taken = []span{{body.Lbrace, body.Rbrace}}
	yes.behind = yes.taken
	if !breaks(body, label) {
		no.taken, no.behind = rest, rest
	}
	return []branch{yes, no}
}

// ofClauses returns a side for each clause of a switch or select, and one for a switch in which no case matches. The code after the statement
// is behind a clause if no other clause continues there.
func ofClauses(s ast.Stmt, body *ast.BlockStmt, at token.Pos, label string, rest []span) (list []branch) {
	stay := map[int]bool{} // clauses that continue after the statement
	fallback := -1         // index of the default; -1: there is none
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
