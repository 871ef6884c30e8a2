package code

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// Graph is the call graph of all packages of some test binaries.
//
// The functions that a function may execute are those that it mentions, and those that they mention. A call of a method of an interface may
// execute this method of each type that occurs in these functions or in code that is executed before. A function value that is read from a
// variable, a field, a map or a channel may be each function of its type that such code uses as a value.
type Graph struct {
	functions map[string]*Function   // by the key of the function
	inits     map[string][]*Function // by the import path: the functions init and the initializers of variables
	types     map[string]*typ        // by the full name

	// open has the places, variables of packages and fields of structs, that get a function other than one that is named there. A read of
	// another place returns one of the functions that are assigned to it by their names.
	open map[string]bool
}

// Function is a function, a function literal, or the initializers of a package's variables.
type Function struct {
	Name     string   // for messages, such as "sub.Do" or "File.Remove"
	Module   string   // path of its module; empty: it belongs to the standard library
	Acts     bool     // it acts outside of the process, or cannot be followed
	Opaque   bool     // it cannot be followed: its body is not in Go, or it calls functions that the source does not name
	Mentions []string // keys of functions

	leaf   bool     // what it does is not looked at
	calls  []Method // methods of interfaces that it calls
	loads  []load
	values []value
	types  []*typ // of values in its body
}

// Call names a function that acts outside of the process.
func (n *Function) Call() string {
	if n.Opaque && n.Module != "" {
		return n.Name + ", which has no Go source,"
	}
	return n.Name
}

// value is a function that is used as a value. slot is the place to which it is assigned by its name, or else a signature.
type value struct{ slot, key string }

// load is a function value that is read from memory.
type load struct {
	place string   // empty: it is no variable of a package and no field
	any   []string // the slots of what an open place may contain
}

// Function returns the function with a key, which is the result of [Key]; nil: there is none.
func (g *Graph) Function(key string) *Function { return g.functions[key] }

// NewGraph returns a graph without functions.
func NewGraph() *Graph {
	return &Graph{functions: map[string]*Function{}, inits: map[string][]*Function{}, types: map[string]*typ{}, open: map[string]bool{}}
}

// Add adds the functions of a package, which was loaded with [Whole]. It leaves out those that another form of the package has added, and
// forgets the types of the package's expressions.
func (g *Graph) Add(p *packages.Package) {
	module := ""
	if p.Module != nil {
		module = p.Module.Path
	}
	if p.Types == nil || p.TypesInfo == nil || IsTestMain(p) {
		return
	}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			b := &builder{graph: g, pkg: p, module: module}
			switch d := d.(type) {
			case *ast.FuncDecl:
				b.function(d)
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					key := b.at("var", d)
					if g.functions[key] == nil {
						n := b.node(key, "an initializer of package "+p.Name)
						g.inits[p.PkgPath] = append(g.inits[p.PkgPath], n)
						b.walk(n, d)
					}
				}
			}
		}
	}
	p.TypesInfo = nil // so that the memory is free for the next package
}

// builder adds what one declaration does.
type builder struct {
	graph  *Graph
	pkg    *packages.Package
	module string
}

// at returns a key for what has no name.
func (b *builder) at(what string, n ast.Node) string {
	return fmt.Sprintf("%s %s", what, b.pkg.Fset.Position(n.Pos()))
}

// node adds a node to the graph.
func (b *builder) node(key, name string) *Function {
	n := &Function{Name: name, Module: b.module}
	b.graph.functions[key] = n
	return n
}

// function adds a declared function.
func (b *builder) function(d *ast.FuncDecl) {
	f, ok := b.pkg.TypesInfo.Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	key := Key(f)
	isInit := f.Name() == "init" && d.Recv == nil
	if isInit {
		key = b.at("init", d)
	}
	if b.graph.functions[key] != nil {
		return
	}
	n := b.node(key, Name(f))
	if isInit {
		b.graph.inits[b.pkg.PkgPath] = append(b.graph.inits[b.pkg.PkgPath], n)
	}
	n.leaf = b.pkg.PkgPath == "testing"
	n.Opaque = d.Body == nil && b.module != "" || b.module == "" && CallsOthers(f)
	n.Acts = n.Opaque || b.module == "" && Acts(f)
	if d.Body != nil {
		b.walk(n, d)
	}
}

// walk adds to a node what a declaration or a function literal does.
func (b *builder) walk(n *Function, body ast.Node) {
	info := b.pkg.TypesInfo
	called, harmless, seen := map[ast.Expr]bool{}, map[*ast.Ident]bool{}, map[*typ]bool{}
	slots := slots{b, map[ast.Expr]string{}}
	ast.Inspect(body, func(x ast.Node) bool {
		slots.assign(x)
		switch x := x.(type) {
		case *ast.FuncLit:
			if x == body {
				return true
			}
			key := b.literal(n, x)
			n.Mentions = append(n.Mentions, key)
			b.use(n, info.TypeOf(x), key, slots.of[x])
			return false
		case *ast.CallExpr:
			called[ast.Unparen(x.Fun)] = true
			if ReadsOnly(info, x) {
				harmless[Ident(x.Fun)] = true
			}
		case *ast.RangeStmt:
			if x.Value != nil {
				b.load(n, info.TypeOf(x.Value), "")
			}
		}
		e, ok := x.(ast.Expr)
		if !ok {
			return true
		}
		if id, isIdent := e.(*ast.Ident); isIdent && !harmless[id] {
			b.mention(n, id)
		}
		if t := info.TypeOf(e); t != nil {
			if x := b.graph.typeOf(t); x != nil && !seen[x] {
				seen[x] = true
				n.types = append(n.types, x)
			}
			if !called[e] || !b.isFunction(e) {
				b.value(n, e, t, slots.of[e])
			}
		}
		return true
	})
}

// literal adds a function literal in the body of n, and returns its key.
func (b *builder) literal(n *Function, x *ast.FuncLit) string {
	key := b.at("literal", x)
	if b.graph.functions[key] == nil {
		inner := b.node(key, n.Name)
		inner.leaf = n.leaf
		b.walk(inner, x)
	}
	return key
}

// mention adds a function, or a method of an interface, that an identifier names.
func (b *builder) mention(n *Function, id *ast.Ident) {
	f, ok := b.pkg.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return
	}
	if IsOfInterface(f) {
		n.calls = append(n.calls, MethodOf(f))
		return
	}
	if b.module != "" && IsSystemCall(f) {
		key := "system call " + Key(f)
		b.graph.functions[key] = &Function{Name: Name(f), Acts: true}
		n.Mentions = append(n.Mentions, key)
		return
	}
	n.Mentions = append(n.Mentions, Key(f))
}

// value adds an expression of a function type: a function that is used as a value, or a value that is read from memory. slot is the place to
// which the expression is assigned; empty: none.
func (b *builder) value(n *Function, e ast.Expr, t types.Type, slot string) {
	if _, ok := t.Underlying().(*types.Signature); !ok {
		return
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if f, ok := b.pkg.TypesInfo.Uses[Ident(e)].(*types.Func); ok {
			b.use(n, t, Key(f), slot)
		} else if place := b.place(e); place != "" {
			b.load(n, t, place)
		}
	case *ast.IndexExpr:
		if _, ok := b.pkg.TypesInfo.Instances[Ident(e.X)]; !ok {
			b.load(n, t, "")
		}
	case *ast.StarExpr, *ast.TypeAssertExpr, *ast.UnaryExpr:
		b.load(n, t, "")
	}
}

// use adds a function that is used as a value, and that is assigned to a slot; empty: to nothing that has a name.
func (b *builder) use(n *Function, t types.Type, key, slot string) {
	if slot != "" {
		n.values = append(n.values, value{slot, key})
		return
	}
	if f, ok := shapeOf(t); ok {
		for _, slot := range f.written() {
			n.values = append(n.values, value{slot, key})
		}
	}
}

// load adds a function value that is read from a place.
func (b *builder) load(n *Function, t types.Type, place string) {
	if f, ok := shapeOf(t); ok {
		n.loads = append(n.loads, load{place, f.read()})
	}
}
