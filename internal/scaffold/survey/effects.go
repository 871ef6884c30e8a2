package survey

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// effects finds functions that no target may call with arbitrary inputs, because they touch files, processes or the network, or change
// state that outlives the call. It follows calls of functions of the same package, but not calls through interfaces and function values.
type effects struct {
	pkg   *packages.Package
	decls map[*types.Func]*ast.FuncDecl
	known map[*types.Func]string // results of reach
}

func newEffects(p *packages.Package) *effects {
	e := &effects{pkg: p, decls: map[*types.Func]*ast.FuncDecl{}, known: map[*types.Func]string{}}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
				if f, ok := p.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					e.decls[f] = decl
				}
			}
		}
	}
	return e
}

// reason returns why no target may call f with arbitrary inputs; empty: a target may.
func (e *effects) reason(f *types.Func) string {
	if r := e.reach(f); r != "" {
		return r
	}
	if e.keeps(f) {
		return "it changes a variable of the package"
	}
	if e.starts(f, map[*types.Func]bool{}) {
		return "it starts a goroutine for its result"
	}
	return ""
}

// starts reports whether f returns a value with methods, such as a lexer, and starts a goroutine for it, in its own body or in a function
// whose result it returns. A caller that does not use the value to its end leaks the goroutine.
func (e *effects) starts(f *types.Func, seen map[*types.Func]bool) (starts bool) {
	decl, results := e.decls[f], f.Signature().Results()
	if decl == nil || seen[f] || results.Len() == 0 {
		return false
	}
	seen[f] = true
	if named := code.NamedOf(results.At(0).Type()); named == nil || named.NumMethods() == 0 || named.Obj().Pkg() != e.pkg.Types {
		return false
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.ReturnStmt:
			for _, x := range n.Results {
				call, ok := ast.Unparen(x).(*ast.CallExpr)
				if !ok {
					continue
				}
				if id, ok := call.Fun.(*ast.Ident); ok {
					callee, isFunc := e.pkg.TypesInfo.Uses[id].(*types.Func)
					starts = starts || isFunc && e.starts(callee, seen)
				}
			}
		}
		return !starts
	})
	return starts
}

// reach returns a clause such as "it calls os.Remove" if f calls a function that acts outside of the process, directly or indirectly; empty:
// f calls none.
func (e *effects) reach(f *types.Func) string {
	seen := map[*types.Func]bool{}
	reason := e.search(f, seen)
	if reason == "" {
		for callee := range seen {
			e.known[callee] = ""
		}
	}
	return reason
}

// search is reach without the functions in seen, to which it adds those that it visits.
func (e *effects) search(f *types.Func, seen map[*types.Func]bool) (reason string) {
	if r, ok := e.known[f]; ok {
		return r
	}
	decl := e.decls[f]
	if decl == nil || seen[f] {
		return ""
	}
	seen[f] = true
	defer func() {
		if reason != "" {
			e.known[f] = reason
		}
	}()
	var own []*types.Func
	ast.Inspect(decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || reason != "" {
			return reason == ""
		}
		callee, ok := e.pkg.TypesInfo.Uses[id].(*types.Func)
		if !ok || callee.Pkg() == nil {
			return true
		}
		if callee.Pkg() == e.pkg.Types {
			own = append(own, callee.Origin())
		} else if code.IsOutward(callee) {
			reason = "it calls " + callee.Pkg().Name() + "." + code.LocalName(callee)
		}
		return true
	})
	for _, callee := range own {
		if reason != "" {
			break
		}
		if r := e.search(callee, seen); r != "" {
			name, _, _ := strings.Cut(strings.TrimPrefix(r, "it calls "), " through ")
			reason = "it calls " + name + " through " + code.LocalName(callee)
		}
	}
	return reason
}

// keeps reports whether f changes a package-level variable: it assigns to one, or passes a parameter to a method that changes one. A second
// call of such a function may fail because of the first.
func (e *effects) keeps(f *types.Func) (keeps bool) {
	decl := e.decls[f]
	if decl == nil {
		return false
	}
	params := map[types.Object]bool{}
	for v := range f.Signature().Params().Variables() {
		params[v] = true
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				keeps = keeps || n.Tok != token.DEFINE && e.isPackageVar(left)
			}
		case *ast.IncDecStmt:
			keeps = keeps || e.isPackageVar(n.X)
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || !e.isPackageVar(sel.X) {
				break
			}
			method, _ := e.pkg.TypesInfo.Uses[sel.Sel].(*types.Func)
			passes := slices.ContainsFunc(n.Args, func(x ast.Expr) bool { return uses(e.pkg.TypesInfo, x, params) })
			keeps = keeps || method != nil && passes && e.changesReceiver(method.Origin())
		}
		return !keeps
	})
	return keeps
}

// isPackageVar reports whether x is a package-level variable of the package, or a part of one.
func (e *effects) isPackageVar(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, ok := e.pkg.TypesInfo.Uses[x].(*types.Var)
		return ok && v.Parent() == e.pkg.Types.Scope()
	case *ast.SelectorExpr:
		return e.isPackageVar(x.X)
	case *ast.IndexExpr:
		return e.isPackageVar(x.X)
	case *ast.StarExpr:
		return e.isPackageVar(x.X)
	}
	return false
}

// changesReceiver reports whether a method of the package assigns to a part of its receiver, directly or through a method that it calls on
// its receiver.
func (e *effects) changesReceiver(method *types.Func) bool {
	return e.changes(method, map[*types.Func]bool{})
}

// changes is changesReceiver without the methods in seen, to which it adds those that it visits.
func (e *effects) changes(method *types.Func, seen map[*types.Func]bool) (changes bool) {
	decl := e.decls[method]
	if seen[method] || decl == nil || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return false
	}
	seen[method] = true
	recv := map[types.Object]bool{e.pkg.TypesInfo.Defs[decl.Recv.List[0].Names[0]]: true}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if _, plain := left.(*ast.Ident); !plain && n.Tok != token.DEFINE {
					changes = changes || uses(e.pkg.TypesInfo, left, recv)
				}
			}
		case *ast.IncDecStmt:
			changes = changes || uses(e.pkg.TypesInfo, n.X, recv)
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				break
			}
			id, ok := sel.X.(*ast.Ident)
			if callee, isFunc := e.pkg.TypesInfo.Uses[sel.Sel].(*types.Func); ok && isFunc && recv[e.pkg.TypesInfo.Uses[id]] {
				changes = changes || e.changes(callee.Origin(), seen)
			}
		}
		return !changes
	})
	return changes
}

// setsReceiver reports whether the body of a method of the package assigns to its whole receiver or to a field of it. It does not follow calls.
func (e *effects) setsReceiver(method *types.Func) (sets bool) {
	decl := e.decls[method]
	if decl == nil || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return false
	}
	recv := e.pkg.TypesInfo.Defs[decl.Recv.List[0].Names[0]]
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return !sets
		}
		for _, left := range assign.Lhs {
			var part ast.Expr
			switch left := left.(type) {
			case *ast.StarExpr:
				part = left.X
			case *ast.SelectorExpr:
				part = left.X
			}
			if id, ok := part.(*ast.Ident); ok {
				sets = sets || e.pkg.TypesInfo.Uses[id] == recv
			}
		}
		return !sets
	})
	return sets
}

// precondition matches words with which documentation states a condition for the arguments.
var precondition = regexp.MustCompile(`(?i)\bpanics?\b|\bmust (not )?be\b|\bcaller must\b|\bdeprecated\b|\bundefined\b|\bunsafe\b|\bfor testing\b|\binternal use\b`)

// noPanic matches words with which documentation says that a function does not panic.
var noPanic = regexp.MustCompile(`(?i)(n't|\bnot|\bnever|\bwithout|\binstead of|\brather than|\bno) panic`)

// Precondition returns the words with which the documentation states a condition for the arguments, in lower case; empty: there are none.
// If the function returns an error, "must be" is no such condition: the function reports the error.
func (f *Func) Precondition() string {
	res := f.Obj.Signature().Results()
	refuses := res.Len() > 0 && types.TypeString(res.At(res.Len()-1).Type(), nil) == "error"
	for _, word := range precondition.FindAllString(noPanic.ReplaceAllString(f.Doc, ""), -1) {
		if word = strings.ToLower(word); !refuses || !strings.HasPrefix(word, "must ") {
			return word
		}
	}
	return ""
}
