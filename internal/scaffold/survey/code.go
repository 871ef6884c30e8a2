package survey

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Code says what a function is made of.
type Code struct {
	Calls    map[*types.Func]bool // functions of the package that it calls, itself or through others
	Passes   map[*types.Func]bool // those of them that it gives its text, or a part of it
	Plain    map[*types.Func]bool // itself and those of them that have nothing in their own bodies that can fail: they compare, and call others
	Simple   bool                 // that holds for itself and all that it calls, and it does call or compare something
	Compares bool                 // it is simple, and compares and copies its arguments only
	Changes  bool                 // it is a method that changes its receiver
	acts     bool                 // it calls or compares something
	MayBeNil bool                 // its first result may be nil although it returns no error
}

// codes reads the code of the functions of a package. Calls through interfaces and function values are not followed.
type codes struct {
	pkg   *packages.Package
	decls map[*types.Func]*ast.FuncDecl
	read  map[*types.Func]*Code // of the bodies alone
}

func newCodes(p *packages.Package, decls map[*types.Func]*ast.FuncDecl) *codes {
	return &codes{pkg: p, decls: decls, read: map[*types.Func]*Code{}}
}

// of returns the code of a function, with that of all functions that it calls.
func (c *codes) of(f *types.Func) *Code {
	code := *c.body(f)
	code.Calls, code.Passes = c.closure(f, func(b *Code) map[*types.Func]bool { return b.Calls }), c.closure(f, func(b *Code) map[*types.Func]bool { return b.Passes })
	code.Plain = map[*types.Func]bool{f: code.Simple}
	for callee := range code.Calls {
		code.Plain[callee] = c.body(callee).Simple
		code.Compares = code.Compares && c.body(callee).Compares
		code.Simple = code.Simple && code.Plain[callee]
	}
	code.Simple = code.Simple && !code.Calls[f] && code.acts
	code.Compares = code.Compares && code.Simple
	if decl := c.decls[f]; decl != nil {
		code.MayBeNil = c.mayBeNil(decl, map[*types.Func]bool{f: true})
	}
	return &code
}

// closure returns what is reached from a function in one or more steps.
func (c *codes) closure(f *types.Func, step func(*Code) map[*types.Func]bool) map[*types.Func]bool {
	set := map[*types.Func]bool{}
	for work := []*types.Func{f}; len(work) > 0; {
		last := work[len(work)-1]
		work = work[:len(work)-1]
		for next := range step(c.body(last)) {
			if !set[next] {
				set[next] = true
				work = append(work, next)
			}
		}
	}
	return set
}

// body reads the body of a function.
func (c *codes) body(f *types.Func) *Code {
	if code := c.read[f]; code != nil {
		return code
	}
	code := &Code{Calls: map[*types.Func]bool{}, Passes: map[*types.Func]bool{}, Simple: true, Compares: true}
	c.read[f] = code
	decl := c.decls[f]
	if decl == nil {
		code.Simple, code.Compares = false, false
		return code
	}
	texts, asked := c.texts(f, decl), map[*ast.TypeAssertExpr]bool{}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			code.Compares, code.acts = code.Compares && c.isComparing(call), code.acts || c.isCall(call)
			if callee := c.callee(call); callee != nil {
				code.Calls[callee] = true
				if slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return c.mentions(arg, texts) }) {
					code.Passes[callee] = true
				}
			}
		}
		switch n.(type) {
		case *ast.IfStmt, *ast.SwitchStmt:
			code.acts = true
		}
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 {
			if x, ok := a.Rhs[0].(*ast.TypeAssertExpr); ok {
				asked[x] = true
			}
		}
		if x, ok := n.(*ast.TypeAssertExpr); !ok || x.Type != nil && !asked[x] {
			code.Simple = code.Simple && c.isSimple(n)
		}
		return true
	})
	return code
}

// callee is the function of the package that is called, or the method of one of its types that json.Unmarshal calls; nil: none.
func (c *codes) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	f, ok := c.pkg.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	if f.Pkg() == c.pkg.Types {
		return f.Origin()
	}
	if f.FullName() == "encoding/json.Unmarshal" && len(call.Args) == 2 {
		if named := namedOf(c.pkg.TypesInfo.TypeOf(call.Args[1])); named != nil && named.Obj().Pkg() == c.pkg.Types {
			m, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, c.pkg.Types, "UnmarshalJSON")
			method, _ := m.(*types.Func)
			return method
		}
	}
	return nil
}

// texts are the parameters of a function that are texts or readers, and the variables of these types that are made of them.
func (c *codes) texts(f *types.Func, decl *ast.FuncDecl) map[types.Object]bool {
	set := map[types.Object]bool{}
	for v := range f.Signature().Params().Variables() {
		if isText(v.Type()) {
			set[v] = true
		}
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && slices.ContainsFunc(a.Rhs, func(x ast.Expr) bool { return c.mentions(x, set) }) {
			for _, left := range a.Lhs {
				if id, ok := left.(*ast.Ident); ok {
					if obj := c.pkg.TypesInfo.ObjectOf(id); obj != nil && isText(obj.Type()) {
						set[obj] = true
					}
				}
			}
		}
		return true
	})
	return set
}

// isText reports whether a type is a string, bytes or an io.Reader.
func isText(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "string", "[]byte", "[]uint8", "io.Reader", "*bytes.Reader", "*strings.Reader", "*bytes.Buffer", "*bufio.Reader":
		return true
	}
	return false
}

func (c *codes) mentions(x ast.Node, objs map[types.Object]bool) (mentions bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		mentions = mentions || ok && objs[c.pkg.TypesInfo.Uses[id]]
		return !mentions
	})
	return mentions
}

// simplePackages are packages that are tested by others: a function that only calls them has nothing to find.
var simplePackages = []string{
	"errors", "fmt", "strconv", "strings", "bytes", "unicode", "unicode/utf8", "time", "regexp", "encoding/hex", "encoding/base64", "math", "net", "net/netip", "io", "sync", "path",
}

// isSimple reports whether a node of a body is nothing that can fail: no loop over the text, no index, no call of what is not simple.
func (c *codes) isSimple(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ForStmt, *ast.GoStmt, *ast.FuncLit, *ast.SendStmt:
		return false
	case *ast.RangeStmt:
		return c.isFixed(n.X)
	case *ast.IndexExpr:
		if _, isMap := c.pkg.TypesInfo.TypeOf(n.X).Underlying().(*types.Map); isMap {
			return true
		}
		return c.pkg.TypesInfo.Types[n].IsType() || c.isConstant(n.Index) && c.isFixed(n.X)
	case *ast.SliceExpr:
		return c.isFixed(n.X) && c.isConstant(n.Low) && c.isConstant(n.High)
	case *ast.TypeAssertExpr:
		return false
	case *ast.BinaryExpr:
		return n.Op != token.QUO && n.Op != token.REM && n.Op != token.MUL && n.Op != token.SHL || c.isConstant(n)
	case *ast.CallExpr:
		return c.isSimpleCall(n)
	}
	return true
}

func (c *codes) isConstant(x ast.Expr) bool { return x == nil || c.pkg.TypesInfo.Types[x].Value != nil }

// isFixed reports whether an expression is an array, or a variable of the package.
func (c *codes) isFixed(x ast.Expr) bool {
	t := c.pkg.TypesInfo.TypeOf(x).Underlying()
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem().Underlying()
	}
	if _, isArray := t.(*types.Array); isArray {
		return true
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := c.pkg.TypesInfo.Uses[id].(*types.Var)
	return ok && v.Parent() == c.pkg.Types.Scope()
}

// isSimpleCall reports whether a call is one of the package, a conversion, a builtin function, or one of a simple package.
func (c *codes) isSimpleCall(call *ast.CallExpr) bool {
	if tv := c.pkg.TypesInfo.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		id, ok := call.Fun.(*ast.Ident)
		return !ok || id.Name != "make" && id.Name != "panic" || tv.IsType()
	}
	if f := c.callee(call); f != nil {
		return true // it is read itself
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := c.pkg.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil {
		return ok // Error
	}
	if f.FullName() == "encoding/json.Unmarshal" && len(call.Args) == 2 {
		return !hasNamed(c.pkg.TypesInfo.TypeOf(call.Args[1]))
	}
	return slices.Contains(simplePackages, f.Pkg().Path()) && !strings.Contains(f.Name(), "Repeat")
}

// comparing are functions that functions call which compare a text with constants.
var comparing = []string{"strings.ToLower", "strings.ToUpper", "strings.TrimSpace", "strings.EqualFold", "bytes.Equal", "strconv.Quote"}

// isCall reports whether a call is no conversion and none of a builtin function.
func (c *codes) isCall(call *ast.CallExpr) bool {
	tv := c.pkg.TypesInfo.Types[call.Fun]
	return !tv.IsType() && !tv.IsBuiltin()
}

// isComparing reports whether a call is one of the package, a conversion, a builtin function, or of no interest to comparisons.
func (c *codes) isComparing(call *ast.CallExpr) bool {
	if tv := c.pkg.TypesInfo.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() || c.callee(call) != nil {
		return true
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := c.pkg.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && (f.Pkg().Path() == "errors" || f.Pkg().Path() == "fmt" || slices.Contains(comparing, f.FullName()))
}

// hasNamed reports whether a type is made of named types, which may have methods.
func hasNamed(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic, *types.Interface:
		return false
	case *types.Pointer:
		return hasNamed(t.Elem())
	case *types.Slice:
		return hasNamed(t.Elem())
	case *types.Map:
		return hasNamed(t.Key()) || hasNamed(t.Elem())
	}
	return true
}

// mayBeNil reports whether a function says that it returns nil and no error, or leaves that to another function.
func (c *codes) mayBeNil(decl *ast.FuncDecl, seen map[*types.Func]bool) (may bool) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			switch len(n.Results) {
			case 0:
				may = true
			case 1:
				may = may || c.returnsNil(n.Results[0], seen)
			default:
				last := c.pkg.TypesInfo.Types[n.Results[len(n.Results)-1]]
				may = may || c.pkg.TypesInfo.Types[n.Results[0]].IsNil() && (last.IsNil() || last.Value != nil && last.Value.String() == "true")
			}
		}
		return true
	})
	return may
}

// returnsNil reports whether a call, the results of which a function returns, may give nil and no error.
func (c *codes) returnsNil(x ast.Expr, seen map[*types.Func]bool) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	f := c.callee(call)
	if f == nil || c.decls[f] == nil {
		return true
	}
	if seen[f] {
		return false
	}
	seen[f] = true
	return c.mayBeNil(c.decls[f], seen)
}
