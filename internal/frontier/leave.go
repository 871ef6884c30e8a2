package frontier

import (
	"go/ast"
	"go/token"
	"strings"
)

// leaves reports whether execution never continues with the next statement of the list, as the syntax shows: the statement returns, jumps,
// panics, or ends the process, the test or the goroutine.
func leaves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && ends(call.Fun)
	case *ast.BlockStmt:
		return leavesAll(s.List)
	case *ast.IfStmt:
		return s.Else != nil && leaves(s.Body) && leaves(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil && !breaks(s.Body, "")
	case *ast.LabeledStmt:
		return leaves(s.Stmt) && !breaks(s.Stmt, s.Label.Name)
	case *ast.SwitchStmt:
		return leavesClauses(s.Body, false)
	case *ast.TypeSwitchStmt:
		return leavesClauses(s.Body, false)
	case *ast.SelectStmt:
		return leavesClauses(s.Body, true)
	}
	return false
}

// leavesAll reports whether execution never continues after a list of statements.
func leavesAll(list []ast.Stmt) bool {
	for _, s := range list {
		if leaves(s) {
			return true
		}
	}
	return false
}

// leavesClauses reports whether execution never continues after a switch or select. It may continue if no clause is taken: complete says that
// one is always taken, as does a default.
func leavesClauses(body *ast.BlockStmt, complete bool) bool {
	for _, s := range body.List {
		list := bodyOf(s)
		through := false // execution continues in the next clause
		if n := len(list); n > 0 {
			b, ok := list[n-1].(*ast.BranchStmt)
			through = ok && b.Tok == token.FALLTHROUGH
		}
		if !through && !leavesAll(list) || breaks(s, "") {
			return false
		}
		if c, ok := s.(*ast.CaseClause); ok && c.List == nil {
			complete = true
		}
	}
	return complete
}

// bodyOf returns the statements of a clause.
func bodyOf(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.CaseClause:
		return s.Body
	case *ast.CommClause:
		return s.Body
	}
	return nil
}

// ending has the functions that do not return. A key is the name of the package and that of the function.
var ending = map[string]bool{
	"os.Exit": true, "syscall.Exit": true, "runtime.Goexit": true, "log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true, "log.Panic": true,
	"log.Panicf": true, "log.Panicln": true,
}

// ends reports whether a call of f does not return.
func ends(f ast.Expr) bool {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		if !ok {
			return false
		}
		test := (x.Name == "t" || x.Name == "f" || x.Name == "b" || x.Name == "tb") &&
			(strings.HasPrefix(f.Sel.Name, "Fatal") || strings.HasPrefix(f.Sel.Name, "Skip") || f.Sel.Name == "FailNow")
		return test || ending[x.Name+"."+f.Sel.Name]
	}
	return false
}

// breaks reports whether the body of a statement has a break that ends the statement: one with its label, or one without a label that is not
// in an inner loop, switch or select.
func breaks(body ast.Node, label string) (found bool) {
	top := true
	var visit func(n ast.Node, inner bool)
	visit = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.BranchStmt:
				if m.Tok == token.BREAK && (m.Label == nil && !inner || m.Label != nil && m.Label.Name == label) {
					found = true
				}
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if m == n && (top || inner) {
					top = false
					return true
				}
				if !inner {
					visit(m, true)
					return false
				}
			}
			return true
		})
	}
	visit(body, false)
	return found
}
