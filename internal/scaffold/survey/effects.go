package survey

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// effects finds functions that must not be called with any input: they touch files, processes or the network, or keep what they are
// given. It follows the calls of functions within their package, as they stand in the sources; calls through interfaces and
// function values are not followed.
type effects struct {
	pkg   *packages.Package
	decls map[*types.Func]*ast.FuncDecl
	known map[*types.Func]string // results; a function that is being looked at has an empty one
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

// reason says why a function must not be called with any input; empty: it may.
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

// starts reports whether a function starts a goroutine, itself or by the function whose result it returns, and returns a value with
// methods, such as a lexer: who does not use that value to its end leaves the goroutine behind.
func (e *effects) starts(f *types.Func, seen map[*types.Func]bool) (starts bool) {
	decl, results := e.decls[f], f.Signature().Results()
	if decl == nil || seen[f] || results.Len() == 0 {
		return false
	}
	seen[f] = true
	if named := namedOf(results.At(0).Type()); named == nil || named.NumMethods() == 0 || named.Obj().Pkg() != e.pkg.Types {
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

// reach names what a function calls, itself or through others, that an input must not reach; empty: nothing.
func (e *effects) reach(f *types.Func) (reason string) {
	if r, ok := e.known[f]; ok {
		return r
	}
	e.known[f] = ""
	defer func() { e.known[f] = reason }()
	decl := e.decls[f]
	if decl == nil {
		return ""
	}
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
		} else if isOutward(callee) {
			reason = "it calls " + callee.Pkg().Name() + "." + keyOf(callee)
		}
		return true
	})
	for _, callee := range own {
		if reason != "" {
			break
		}
		if r := e.reach(callee); r != "" {
			name, _, _ := strings.Cut(strings.TrimPrefix(r, "it calls "), " through ")
			reason = "it calls " + name + " through " + keyOf(callee)
		}
	}
	return reason
}

// outward are packages whose functions touch what is outside of the process, with those that do not: functions, or types whose methods
// do not.
var outward = map[string][]string{
	"os": {
		"Getenv", "LookupEnv", "Environ", "Expand", "ExpandEnv", "IsNotExist", "IsExist", "IsPermission", "IsTimeout", "IsPathSeparator", "Getpagesize",
		"FileMode", "PathError",
	},
	"net": {
		"ParseIP", "ParseCIDR", "ParseMAC", "SplitHostPort", "JoinHostPort", "IPv4", "IPv4Mask", "CIDRMask", "IP", "IPNet", "IPMask", "HardwareAddr",
		"IPAddr", "TCPAddr", "UDPAddr", "Addr", "Error", "OpError", "DNSError", "ParseError", "AddrError", "TCPAddrFromAddrPort", "UDPAddrFromAddrPort",
	},
	"net/http": {
		"Header", "StatusText", "CanonicalHeaderKey", "ParseHTTPVersion", "ParseTime", "DetectContentType", "ReadRequest", "ReadResponse", "Cookie",
		"Request", "NewRequest", "ParseCookie", "ParseSetCookie",
	},
	"log": nil, "time": nil,
	"os/exec": nil, "os/signal": nil, "os/user": nil, "syscall": nil, "plugin": nil, "database/sql": nil, "flag": nil, "io/ioutil": {"ReadAll", "NopCloser"},
	"net/rpc": nil, "net/smtp": nil, "path/filepath": nil,
}

// outwardFuncs lists the functions of packages of which only a few touch what is outside of the process.
var outwardFuncs = map[string][]string{
	"time":          {"Sleep", "After", "Tick"},
	"log":           {"Fatal", "Fatalf", "Fatalln", "Logger.Fatal", "Logger.Fatalf", "Logger.Fatalln", "SetOutput"},
	"path/filepath": {"Abs", "Glob", "Walk", "WalkDir", "EvalSymlinks"},
}

// isOutward reports whether a function of another package touches what is outside of the process.
func isOutward(f *types.Func) bool {
	path := f.Pkg().Path()
	allowed, ok := outward[path]
	if !ok {
		return strings.HasPrefix(path, "golang.org/x/sys/") || path != "io/fs" && path != "embed" && slices.Contains(outwardNames, f.Name())
	}
	name, _, _ := strings.Cut(keyOf(f), ".")
	if few := outwardFuncs[path]; few != nil {
		return slices.Contains(few, keyOf(f))
	}
	return !slices.Contains(allowed, name)
}

// outwardNames are names of functions of other packages that connect, or touch files.
var outwardNames = []string{
	"Dial", "DialContext", "DialTimeout", "DialTLS", "Listen", "ListenPacket", "ListenAndServe",
	"ReadFile", "WriteFile", "OpenFile", "OpenReader", "ReadDir", "RemoveAll", "MkdirAll", "MkdirTemp", "ParseFiles", "ParseGlob", "LookPath",
}

// keeps reports whether a function hands what it is given to a variable of the package: it assigns to one, or passes a parameter to a
// method of one that changes it. The second call of such a function may fail because of the first.
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
			keeps = keeps || method != nil && e.usesAny(n.Args, params) && e.changesReceiver(method.Origin())
		}
		return !keeps
	})
	return keeps
}

// isPackageVar reports whether an expression is a variable of the package, or a part of one.
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

func (e *effects) usesAny(list []ast.Expr, objs map[types.Object]bool) (uses bool) {
	for _, x := range list {
		ast.Inspect(x, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			uses = uses || ok && objs[e.pkg.TypesInfo.Uses[id]]
			return !uses
		})
	}
	return uses
}

// changesReceiver reports whether a method of the package assigns to a part of its receiver, itself or by a method that it calls on it.
func (e *effects) changesReceiver(method *types.Func) bool {
	return e.changes(method, map[*types.Func]bool{})
}

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
					changes = changes || e.usesAny([]ast.Expr{left}, recv)
				}
			}
		case *ast.IncDecStmt:
			changes = changes || e.usesAny([]ast.Expr{n.X}, recv)
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

// precondition matches documentation that asks something of the arguments.
var precondition = regexp.MustCompile(`(?i)\bpanics?\b|\bmust (not )?be\b|\bcaller must\b|\bdeprecated\b|\bundefined\b|\bunsafe\b|\bfor testing\b|\binternal use\b`)

// noPanic matches documentation that says that a function does not panic.
var noPanic = regexp.MustCompile(`(?i)(n't|\bnot|\bnever|\bwithout|\binstead of|\brather than|\bno) panic`)

// Precondition returns the words of the documentation that ask something of the arguments; empty: there are none. A function that returns
// an error refuses what must not be.
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
