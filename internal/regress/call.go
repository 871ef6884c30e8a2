package regress

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// binding is a parameter of a function that calls F.Fuzz for a target, with what the target passes for it.
type binding struct {
	name  *ast.Ident
	typ   ast.Expr
	value ast.Expr
	alone bool // the value uses nothing that the target declares, and the name is not that of the *testing.T
}

// findCall finds the call of F.Fuzz: in the target, or in a function of the same file that the target passes its *testing.F to.
func (p *program) findCall() error {
	params := p.fuzz.Type.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 {
		return fmt.Errorf("%s has no name for its *testing.F", p.Target)
	}
	p.f = p.info.Defs[params[0].Names[0]]
	if p.callIn() || p.callBelow() {
		return nil
	}
	return fmt.Errorf("%s does not call F.Fuzz itself or by a function of the same file; write the test by hand, `gnaw show` has the literals", p.Target)
}

// callIn finds the call of F.Fuzz in the function p.fuzz.
func (p *program) callIn() bool {
	for _, stmt := range p.fuzz.Body.List {
		ast.Inspect(stmt, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || p.arg != nil || len(call.Args) != 1 {
				return p.arg == nil
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Fuzz" {
				if x, ok := sel.X.(*ast.Ident); ok && p.info.Uses[x] == p.f {
					p.call, p.arg = stmt, call.Args[0]
				}
			}
			return p.arg == nil
		})
	}
	return p.arg != nil
}

// callBelow finds the call of F.Fuzz in a function that a statement of the target calls. What F.Fuzz gets is either an argument of the target,
// or made in that function, whose other parameters become variables of the test then.
func (p *program) callBelow() bool {
	target, f := p.fuzz, p.f
	for _, stmt := range target.Body.List {
		x, _ := stmt.(*ast.ExprStmt)
		if x == nil {
			continue
		}
		call, _ := x.X.(*ast.CallExpr)
		bound, ok := p.bind(call, target, f)
		if !ok {
			continue
		}
		if !p.callIn() {
			p.fuzz, p.f, p.bound = target, f, nil
			continue
		}
		if id, ok := p.arg.(*ast.Ident); ok {
			if i := slices.IndexFunc(bound, func(v binding) bool { return p.info.Defs[v.name] == p.info.Uses[id] }); i >= 0 {
				p.fuzz, p.f, p.call, p.arg = target, f, stmt, bound[i].value
				return true
			}
		}
		p.bound = bound
		return true
	}
	return false
}

// bind makes the function that is called the one to look at, if it is one of this file that gets the *testing.F of the target. It returns the
// other parameters.
func (p *program) bind(call *ast.CallExpr, target *ast.FuncDecl, f types.Object) (bound []binding, ok bool) {
	if call == nil || call.Ellipsis.IsValid() {
		return nil, false
	}
	name, _ := call.Fun.(*ast.Ident)
	for _, d := range p.tree.Decls {
		decl, isFunc := d.(*ast.FuncDecl)
		if !isFunc || name == nil || decl == target || decl.Recv != nil || decl.Body == nil || decl.Type.TypeParams != nil || p.info.Defs[decl.Name] != p.object(name) {
			continue
		}
		for _, field := range decl.Type.Params.List {
			for _, param := range field.Names {
				at := len(bound)
				if ok {
					at++
				}
				if at >= len(call.Args) {
					return nil, false
				}
				if id, isIdent := call.Args[at].(*ast.Ident); isIdent && p.info.Uses[id] == f && !ok {
					p.fuzz, p.f, ok = decl, p.info.Defs[param], true
					continue
				}
				v := binding{name: param, typ: field.Type, value: call.Args[at]}
				v.alone = p.standsAlone(v, target)
				bound = append(bound, v)
			}
		}
	}
	return bound, ok
}

// bindUsed leaves the parameters that the test uses. The error says if what the target passes for one of them cannot be in the test.
func (p *program) bindUsed() error {
	p.bound = slices.DeleteFunc(p.bound, func(v binding) bool { return !p.isUsed(v) })
	for _, v := range p.bound {
		if !v.alone {
			return fmt.Errorf("%s passes %s to %s, and a test cannot have that: it must not use variables of %[1]s, and not be called t; "+
				"write the test by hand, `gnaw show` has the literals", p.Target, v.name.Name, p.fuzz.Name.Name)
		}
	}
	return nil
}

// isUsed reports whether the test uses a parameter.
func (p *program) isUsed(v binding) bool {
	obj := p.info.Defs[v.name]
	return obj != nil && (p.uses(p.arg, obj) || slices.ContainsFunc(p.before, func(s ast.Stmt) bool { return p.uses(s, obj) }))
}

// standsAlone reports whether what the target passes for a parameter can stand in the test.
func (p *program) standsAlone(v binding, target *ast.FuncDecl) bool {
	alone := v.name.Name != "t"
	if _, isVariadic := v.typ.(*ast.Ellipsis); isVariadic {
		return false
	}
	ast.Inspect(v.value, func(n ast.Node) bool {
		id, _ := n.(*ast.Ident)
		if obj := p.info.Uses[id]; obj != nil && within(target, obj.Pos()) && !within(v.value, obj.Pos()) {
			alone = false
		}
		return alone
	})
	return alone
}
