package regress

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// setup returns the statements of the target that declare or change what the function uses, in their order.
func (p *program) setup() (stmts []ast.Stmt, err error) {
	needed := p.locals(p.arg)
	if needed[p.f] {
		return nil, p.entangled()
	}
	all := p.fuzz.Body.List[:slices.Index(p.fuzz.Body.List, p.call)]
	for grown := true; grown; {
		grown = false
		for i, stmt := range all {
			checks := i > 0 && slices.Contains(stmts, all[i-1]) && p.checks(stmt, all[i-1])
			if slices.Contains(stmts, stmt) || !checks && !p.concerns(stmt, needed) {
				continue
			}
			if !p.portable(stmt) {
				if p.sets(stmt, needed) {
					return nil, p.entangled()
				}
				continue // such as a loop that adds seeds
			}
			stmts, grown = append(stmts, stmt), true
			for obj := range p.locals(stmt) {
				if obj != p.f {
					needed[obj] = true
				}
			}
		}
	}
	slices.SortFunc(stmts, func(a, b ast.Stmt) int { return int(a.Pos() - b.Pos()) })
	return stmts, nil
}

func (p *program) entangled() error {
	return fmt.Errorf("the function that %s hands to F.Fuzz uses %[2]s or a value derived from it, and an ordinary test "+
		"has no *testing.F; move what it does into a function without %[2]s, or into one of this package that takes a testing.TB", p.Target, p.f.Name())
}

// locals returns the variables, constants and types of the target that a node uses and does not declare.
func (p *program) locals(n ast.Node) map[types.Object]bool {
	found := map[types.Object]bool{}
	ast.Inspect(n, func(m ast.Node) bool {
		id, _ := m.(*ast.Ident)
		if obj := p.info.Uses[id]; obj != nil && within(p.fuzz, obj.Pos()) && !within(n, obj.Pos()) {
			found[obj] = true
		}
		return true
	})
	return found
}

// concerns reports whether a statement declares or uses one of the objects.
func (p *program) concerns(stmt ast.Stmt, objs map[types.Object]bool) bool {
	for obj := range objs {
		if obj != p.f && (p.uses(stmt, obj) || within(stmt, obj.Pos())) {
			return true
		}
	}
	return false
}

// sets reports whether a statement declares one of the objects, assigns to it or to a part of it, or takes its address.
func (p *program) sets(stmt ast.Stmt, objs map[types.Object]bool) (yes bool) {
	for obj := range objs {
		yes = yes || within(stmt, obj.Pos())
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				yes = yes || slices.ContainsFunc(n.Lhs, func(x ast.Expr) bool { return p.uses(x, obj) })
			case *ast.UnaryExpr:
				yes = yes || n.Op == token.AND && p.uses(n.X, obj)
			}
			return !yes
		})
	}
	return yes
}

func (p *program) uses(n ast.Node, obj types.Object) (yes bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		id, ok := m.(*ast.Ident)
		yes = yes || ok && p.info.Uses[id] == obj
		return !yes
	})
	return yes
}

// checks reports whether a statement is an if that uses a variable that the statement before it declares, such as an err.
func (p *program) checks(stmt, before ast.Stmt) bool {
	check, isIf := stmt.(*ast.IfStmt)
	assign, ok := before.(*ast.AssignStmt)
	return isIf && ok && assign.Tok == token.DEFINE && slices.ContainsFunc(assign.Lhs, func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return ok && p.object(id) != nil && p.uses(check.Cond, p.object(id))
	})
}

// shared are the methods of a *testing.F that do the same for a *testing.T. The name of a test is another one.
var shared = []string{
	"Chdir", "Cleanup", "Context", "Error", "Errorf", "Fail", "Failed", "FailNow", "Fatal", "Fatalf", "Helper", "Log", "Logf", "Output", "Setenv", "Skip",
	"Skipf", "SkipNow", "Skipped", "TempDir",
}

// portable reports whether a statement can stand in an ordinary test: it uses the *testing.F for shared methods only, or hands it to
// functions that take a testing.TB.
func (p *program) portable(stmt ast.Stmt) bool {
	yes := true
	harmless := map[*ast.Ident]bool{}
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				harmless[id] = slices.Contains(shared, n.Sel.Name)
			}
		case *ast.CallExpr:
			for i, arg := range n.Args {
				if id, ok := arg.(*ast.Ident); ok {
					harmless[id] = p.takesTB(n.Fun, i)
				}
			}
		case *ast.Ident:
			yes = yes && (p.info.Uses[n] != p.f || harmless[n])
		}
		return yes
	})
	return yes
}

// takesTB reports whether the type of parameter i of a function is testing.TB. The type of a function of another package is not known.
func (p *program) takesTB(function ast.Expr, i int) bool {
	sig, ok := p.info.Types[function].Type.(*types.Signature)
	if !ok || i >= sig.Params().Len() || sig.Variadic() && i == sig.Params().Len()-1 {
		return false
	}
	named, ok := types.Unalias(sig.Params().At(i).Type()).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing" && named.Obj().Name() == "TB"
}

// renamed returns the source of a statement, with t in place of the name of the *testing.F.
func (p *program) renamed(stmt ast.Stmt) string {
	var b strings.Builder
	from := stmt.Pos()
	ast.Inspect(stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.info.Uses[id] == p.f {
			b.WriteString(p.between(from, id.Pos()) + "t")
			from = id.End()
		}
		return true
	})
	return b.String() + p.between(from, stmt.End())
}
