package regress

import (
	"bytes"
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
				if p.declares(stmt, needed) {
					return nil, p.entangled()
				}
				continue // such as a loop that adds seeds
			}
			stmts, grown = append(stmts, stmt), true
			for obj := range p.locals(stmt) {
				if obj != p.f && !(checks && p.sets(all[i-1], obj)) { // what else sets an err is none of a check's business
					needed[obj] = true
				}
			}
		}
	}
	for obj := range needed {
		if !slices.ContainsFunc(stmts, func(s ast.Stmt) bool { return within(s, obj.Pos()) }) {
			return nil, fmt.Errorf("the function that %s hands to F.Fuzz uses %s, which is declared in the same statement as the call "+
				"of F.Fuzz; declare it before", p.Target, obj.Name())
		}
	}
	slices.SortFunc(stmts, func(a, b ast.Stmt) int { return int(a.Pos() - b.Pos()) })
	return stmts, nil
}

func (p *program) entangled() error {
	return fmt.Errorf("the function that %s hands to F.Fuzz uses %[2]s, or a variable that was made with it, which an ordinary "+
		"test does not have; move what it does into a function without %[2]s", p.Target, p.f.Name())
}

// locals returns the variables, constants and types of the target that a node uses and does not declare. What := declares
// once more, such as an err, is declared there.
func (p *program) locals(n ast.Node) map[types.Object]bool {
	found := map[types.Object]bool{}
	again := p.declared(n)
	ast.Inspect(n, func(m ast.Node) bool {
		id, _ := m.(*ast.Ident)
		obj := p.info.Uses[id]
		if obj != nil && within(p.fuzz, obj.Pos()) && !within(n, obj.Pos()) && !slices.Contains(again, id) {
			found[obj] = true
		}
		return true
	})
	return found
}

func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// concerns reports whether a statement declares or uses one of the objects.
func (p *program) concerns(stmt ast.Stmt, objs map[types.Object]bool) bool {
	for obj := range objs {
		if obj != p.f && (p.uses(stmt, obj) || within(stmt, obj.Pos())) {
			return true
		}
	}
	return false
}

func (p *program) declares(stmt ast.Stmt, objs map[types.Object]bool) bool {
	for obj := range objs {
		if within(stmt, obj.Pos()) {
			return true
		}
	}
	return false
}

func (p *program) uses(n ast.Node, obj types.Object) (yes bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		id, ok := m.(*ast.Ident)
		yes = yes || ok && p.info.Uses[id] == obj
		return !yes
	})
	return yes
}

// checks reports whether a statement is an if that looks at what the one before it has declared, such as an err.
func (p *program) checks(stmt, before ast.Stmt) bool {
	check, ok := stmt.(*ast.IfStmt)
	return ok && slices.ContainsFunc(p.declared(before), func(id *ast.Ident) bool { return p.uses(check.Cond, p.object(id)) })
}

// sets reports whether a statement declares a variable, or declares it once more.
func (p *program) sets(stmt ast.Stmt, obj types.Object) bool {
	return slices.ContainsFunc(p.declared(stmt), func(id *ast.Ident) bool { return p.object(id) == obj })
}

// declared returns the names of the variables that a statement of the target declares, also those that := declares once more.
func (p *program) declared(n ast.Node) (ids []*ast.Ident) {
	add := func(id *ast.Ident) {
		if id.Name != "_" {
			ids = append(ids, id)
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, x := range n.Lhs {
			if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
				add(id)
			}
		}
	case *ast.DeclStmt:
		if d, ok := n.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				declaredBy(spec, add)
			}
		}
	}
	return ids
}

// object is what a name stands for; nil: not known.
func (p *program) object(id *ast.Ident) types.Object {
	if obj := p.info.Defs[id]; obj != nil {
		return obj
	}
	return p.info.Uses[id]
}

// shared are the methods of a *testing.F that return nothing and that a *testing.T has too.
var shared = []string{
	"Chdir", "Cleanup", "Error", "Errorf", "Fail", "FailNow", "Fatal", "Fatalf", "Helper", "Log", "Logf", "Setenv", "Skip", "Skipf", "SkipNow",
}

// portable reports whether a statement can stand in an ordinary test: it uses the *testing.F for shared methods only.
func (p *program) portable(stmt ast.Stmt) bool {
	yes := true
	harmless := map[*ast.Ident]bool{}
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				harmless[id] = slices.Contains(shared, n.Sel.Name)
			}
		case *ast.Ident:
			yes = yes && (p.info.Uses[n] != p.f || harmless[n])
		}
		return yes
	})
	return yes
}

// copied returns all of the target that is in the test.
func (p *program) copied() []ast.Node {
	nodes := []ast.Node{p.arg}
	for _, s := range p.before {
		nodes = append(nodes, s)
	}
	return nodes
}

// writeSetup writes the statements that the test begins with; t is its *testing.T. A variable that only left out statements
// read gets a reader, since Go insists on one.
func (p *program) writeSetup(b *bytes.Buffer, t string) {
	read := p.read()
	for _, stmt := range p.before {
		fmt.Fprintf(b, "%s\n", p.renamed(stmt, t))
		for _, id := range p.declared(stmt) {
			if obj := p.object(id); !read[obj] {
				fmt.Fprintf(b, "_ = %s\n", id.Name)
				read[obj] = true
			}
		}
	}
}

// read returns what is read in the test. To assign to a variable is not to read it.
func (p *program) read() map[types.Object]bool {
	read := map[types.Object]bool{}
	written := map[ast.Expr]bool{}
	for _, n := range p.copied() {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.AssignStmt:
				for _, x := range m.Lhs {
					written[ast.Unparen(x)] = true
				}
			case *ast.IncDecStmt:
				written[ast.Unparen(m.X)] = true
			case *ast.RangeStmt:
				written[m.Key], written[m.Value] = true, true
			case *ast.Ident:
				if obj := p.info.Uses[m]; obj != nil && !written[m] {
					read[obj] = true
				}
			}
			return true
		})
	}
	return read
}

// renamed is the source of a statement, with t in place of the *testing.F.
func (p *program) renamed(stmt ast.Stmt, t string) string {
	var b strings.Builder
	from := stmt.Pos()
	ast.Inspect(stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.info.Uses[id] == p.f {
			b.WriteString(p.between(from, id.Pos()) + t)
			from = id.End()
		}
		return true
	})
	return b.String() + p.between(from, stmt.End())
}
