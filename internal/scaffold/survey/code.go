package survey

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// Code describes what a function does. A body can fail if it has an operation that can panic or recurse without end, or a loop; calls of
// other functions of the package do not count.
type Code struct {
	Calls    map[*types.Func]bool // functions of the package that it calls, directly or indirectly
	Passes   map[*types.Func]bool // functions of the package to which it passes its text or a part of it, directly or indirectly
	Plain    map[*types.Func]bool // the function and those in Calls whose own bodies cannot fail
	Simple   bool                 // neither it nor a function in Calls can fail or is recursive, and its body calls or compares something
	Compares bool                 // it is simple, and only compares and copies its arguments
	Changes  bool                 // it is a method that changes its receiver
	Sets     bool                 // it is a method whose own body assigns to its receiver or to a field of it
	MayBeNil bool                 // its first result may be nil although it returns no error

	acts bool // its body calls or compares something
}

// codes reads the code of the functions of a package. It does not follow calls through interfaces and function values.
type codes struct {
	pkg   *packages.Package
	decls map[*types.Func]*ast.FuncDecl
	read  map[*types.Func]*Code // results of body
}

func newCodes(p *packages.Package, decls map[*types.Func]*ast.FuncDecl) *codes {
	return &codes{pkg: p, decls: decls, read: map[*types.Func]*Code{}}
}

// of returns the code of f, including that of the functions that f calls.
func (c *codes) of(f *types.Func) *Code {
	all := *c.body(f)
	all.Calls, all.Passes = c.closure(f, calls), c.closure(f, func(b *Code) map[*types.Func]bool { return b.Passes })
	all.Plain = map[*types.Func]bool{f: all.Simple}
	for callee := range all.Calls {
		all.Plain[callee] = c.body(callee).Simple
		all.Compares = all.Compares && c.body(callee).Compares
		all.Simple = all.Simple && all.Plain[callee]
	}
	all.Simple = all.Simple && all.acts && !c.recurses(f)
	for callee := range all.Calls {
		all.Simple = all.Simple && !c.recurses(callee)
	}
	all.Compares = all.Compares && all.Simple
	if decl := c.decls[f]; decl != nil {
		all.MayBeNil = c.mayBeNil(decl, map[*types.Func]bool{f: true})
	}
	return &all
}

func calls(b *Code) map[*types.Func]bool { return b.Calls }

// recurses reports whether f calls itself, directly or indirectly.
func (c *codes) recurses(f *types.Func) bool { return c.closure(f, calls)[f] }

// closure returns the functions that can be reached from f in one or more steps.
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

// body returns the code of the body of f, without that of the functions that f calls.
func (c *codes) body(f *types.Func) *Code {
	if own := c.read[f]; own != nil {
		return own
	}
	own := &Code{Calls: map[*types.Func]bool{}, Passes: map[*types.Func]bool{}, Simple: true, Compares: true}
	c.read[f] = own
	decl := c.decls[f]
	if decl == nil {
		own.Simple, own.Compares = false, false
		return own
	}
	texts, asked := c.texts(f, decl), map[*ast.TypeAssertExpr]bool{}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			own.Compares, own.acts = own.Compares && c.isComparing(call), own.acts || c.isCall(call)
			if callee := c.callee(call); callee != nil {
				own.Calls[callee] = true
				if slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return uses(c.pkg.TypesInfo, arg, texts) }) {
					own.Passes[callee] = true
				}
			}
		}
		switch n.(type) {
		case *ast.IfStmt, *ast.SwitchStmt:
			own.acts = true
		}
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 {
			if x, ok := a.Rhs[0].(*ast.TypeAssertExpr); ok {
				asked[x] = true
			}
		}
		if x, ok := n.(*ast.TypeAssertExpr); !ok || x.Type != nil && !asked[x] {
			own.Simple = own.Simple && c.isSimple(n)
		}
		return true
	})
	return own
}

// callee returns the function of the package that a call executes, or the UnmarshalJSON method of the package that json.Unmarshal calls.
// It returns nil if there is none.
func (c *codes) callee(call *ast.CallExpr) *types.Func {
	if f := code.Called(c.pkg.TypesInfo, call); f != nil && f.Pkg() == c.pkg.Types {
		return f.Origin()
	}
	if named := unmarshaledType(c.pkg.TypesInfo, call); named != nil && named.Obj().Pkg() == c.pkg.Types {
		m, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, c.pkg.Types, "UnmarshalJSON")
		method, _ := m.(*types.Func)
		return method
	}
	return nil
}

// texts returns the parameters of a function that are texts or readers, and the variables of such types to which they are assigned.
func (c *codes) texts(f *types.Func, decl *ast.FuncDecl) map[types.Object]bool {
	set := map[types.Object]bool{}
	for v := range f.Signature().Params().Variables() {
		if isText(v.Type()) {
			set[v] = true
		}
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && slices.ContainsFunc(a.Rhs, func(x ast.Expr) bool { return uses(c.pkg.TypesInfo, x, set) }) {
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

// isText reports whether t is a string, a byte slice or a common reader.
func isText(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "string", "[]byte", "[]uint8", "io.Reader", "*bytes.Reader", "*strings.Reader", "*bytes.Buffer", "*bufio.Reader":
		return true
	}
	return false
}

// simplePackages lists packages that have tests of their own. A function that only calls them needs no target.
var simplePackages = []string{
	"errors", "fmt", "strconv", "strings", "bytes", "unicode", "unicode/utf8", "time", "regexp", "encoding/hex", "encoding/base64", "math", "net", "net/netip", "io", "sync", "path",
}

// isSimple reports whether a node of a body, without its children, cannot fail.
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
	case *ast.AssignStmt:
		return n.Tok != token.QUO_ASSIGN && n.Tok != token.REM_ASSIGN && n.Tok != token.MUL_ASSIGN && n.Tok != token.SHL_ASSIGN
	case *ast.CallExpr:
		return c.isSimpleCall(n)
	}
	return true
}

// isConstant reports whether x is a constant or nil.
func (c *codes) isConstant(x ast.Expr) bool { return x == nil || c.pkg.TypesInfo.Types[x].Value != nil }

// isFixed reports whether the length of x does not depend on the input: x is an array, a pointer to one, or a package-level variable.
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

// isSimpleCall reports whether a call cannot fail: it calls a function of this package, which is examined by itself, a builtin function, or
// a function of a simple package, or it is a conversion.
func (c *codes) isSimpleCall(call *ast.CallExpr) bool {
	if tv := c.pkg.TypesInfo.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		id, ok := call.Fun.(*ast.Ident)
		return !ok || id.Name != "make" && id.Name != "panic" || tv.IsType()
	}
	if c.callee(call) != nil {
		return true
	}
	f := code.Called(c.pkg.TypesInfo, call)
	switch {
	case f == nil:
		return false
	case f.Pkg() == nil: // the Error method
		return true
	case f.FullName() == jsonUnmarshal:
		return len(call.Args) == 2 && !hasNamed(c.pkg.TypesInfo.TypeOf(call.Args[1]))
	case strings.HasPrefix(f.Name(), "Must") && slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return !c.isConstant(x) }):
		return false
	}
	return slices.Contains(simplePackages, f.Pkg().Path()) && !strings.Contains(f.Name(), "Repeat")
}

// comparing lists functions that prepare texts for comparisons or report them.
var comparing = []string{"strings.ToLower", "strings.ToUpper", "strings.TrimSpace", "strings.EqualFold", "bytes.Equal", "strconv.Quote"}

// isCall reports whether a call expression is neither a conversion nor a call of a builtin function.
func (c *codes) isCall(call *ast.CallExpr) bool {
	tv := c.pkg.TypesInfo.Types[call.Fun]
	return !tv.IsType() && !tv.IsBuiltin()
}

// isComparing reports whether a function that only compares its arguments may have this call. Calls of functions of the package may stand
// in it, because they are examined by themselves.
func (c *codes) isComparing(call *ast.CallExpr) bool {
	if !c.isCall(call) || c.callee(call) != nil {
		return true
	}
	f := code.Called(c.pkg.TypesInfo, call)
	return f != nil && f.Pkg() != nil && (f.Pkg().Path() == "errors" || f.Pkg().Path() == "fmt" || slices.Contains(comparing, f.FullName()))
}

// hasNamed reports whether t contains a type that may have methods, which json.Unmarshal could call.
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

// mayBeNil reports whether a function may return nil and no error. It may if a return statement says so, has no operands, or returns the
// results of a function that may or whose body is not known.
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

// returnsNil reports whether x is a call that may return nil and no error.
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
