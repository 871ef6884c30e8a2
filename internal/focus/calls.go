package focus

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// maxDepth limits how deep the type of an argument is searched for methods that the called function may call.
const maxDepth = 4

// mayReturn reports whether the code behind a call may be executed.
func mayReturn(info *types.Info, c *ast.CallExpr) bool {
	id := code.CalledIdent(c.Fun)
	if id == nil {
		return true
	}
	switch o := info.Uses[id].(type) {
	case *types.Builtin:
		return o.Name() != "panic"
	case *types.Func:
		switch o.FullName() {
		case "os.Exit", "runtime.Goexit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln",
			"(*testing.common).Fatal", "(*testing.common).Fatalf", "(*testing.common).FailNow",
			"(*testing.common).Skip", "(*testing.common).Skipf", "(*testing.common).SkipNow":
			return false
		}
	}
	return true
}

// addMethods adds the methods of the types that a package declares.
func (g *graph) addMethods(p *packages.Package) {
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		o, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || o.IsAlias() || types.IsInterface(o.Type()) {
			continue
		}
		set := code.MethodsOf(o.Type())
		for m := range set {
			g.methods[m] = append(g.methods[m], set)
		}
	}
}

// knows reports whether the package of a function is in the graph, so that the graph has the body of the function, or will have it when all
// files are added.
func (g *graph) knows(f *types.Func) bool { return f.Pkg() != nil && g.packages[f.Pkg().Path()] }

// resolve adds the edges of a reference.
func (g *graph) resolve(c call) {
	if c.object == nil {
		if id, ok := g.variables[c.variable]; ok {
			g.link(c.from, id, 1)
		}
		return
	}
	if code.IsOfInterface(c.object) {
		g.resolveInterface(c, c.object.Signature().Recv().Type().Underlying().(*types.Interface))
		return
	}
	f := g.declared[c.object.FullName()]
	switch {
	case f == nil:
	case c.direct:
		g.link(c.from, f.entry, 0)
	default:
		g.link(c.from, f.entry, 1)
		s := signature(c.object.Type())
		g.values[s] = append(g.values[s], f.entry)
	}
}

// signature returns the types of parameters and results of a function; empty: t is no function.
func signature(t types.Type) string {
	if t == nil {
		return ""
	}
	s, ok := t.Underlying().(*types.Signature)
	if !ok {
		return ""
	}
	return types.TypeString(types.NewSignatureType(nil, nil, nil, nameless(s.Params()), nameless(s.Results()), s.Variadic()), nil)
}

// nameless returns a tuple with the same types and without names.
func nameless(t *types.Tuple) *types.Tuple {
	list := make([]*types.Var, t.Len())
	for i := range list {
		list[i] = types.NewParam(0, nil, "", t.At(i).Type())
	}
	return types.NewTuple(list...)
}

// resolveInterface adds an edge to each method that a call of a method of an interface may execute.
func (g *graph) resolveInterface(c call, i *types.Interface) {
	m := code.MethodOf(c.object)
	for _, set := range g.methods[m] {
		if f := g.declared[code.Key(set[m])]; f != nil && code.Implement(set, i) {
			g.link(c.from, f.entry, 1)
		}
	}
}

// callBack adds references to the exported methods of the arguments of a call whose function has no known body. The function may call these
// methods, as sort.Sort and json.Unmarshal do.
func (g *graph) callBack(p *packages.Package, id int, c *ast.CallExpr) {
	seen := map[types.Type]bool{}
	for _, a := range c.Args {
		if t := p.TypesInfo.TypeOf(a); t != nil {
			g.mention(id, t, seen, maxDepth)
		}
	}
}

// mention adds references to the exported methods of a type, and of the types of its elements and fields.
func (g *graph) mention(id int, t types.Type, seen map[types.Type]bool, depth int) {
	t = types.Unalias(t)
	if seen[t] || depth == 0 {
		return
	}
	seen[t] = true
	if n, ok := t.(*types.Named); ok && !types.IsInterface(n) && n.Obj().Pkg() != nil && g.packages[n.Obj().Pkg().Path()] {
		for i := range n.NumMethods() {
			if f := n.Method(i); f.Exported() {
				g.waiting = append(g.waiting, call{from: id, object: f.Origin()})
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		g.mention(id, u.Elem(), seen, depth)
	case *types.Slice:
		g.mention(id, u.Elem(), seen, depth-1)
	case *types.Array:
		g.mention(id, u.Elem(), seen, depth-1)
	case *types.Map:
		g.mention(id, u.Key(), seen, depth-1)
		g.mention(id, u.Elem(), seen, depth-1)
	case *types.Struct:
		for i := range u.NumFields() {
			g.mention(id, u.Field(i).Type(), seen, depth-1)
		}
	}
}

// link adds an edge.
func (g *graph) link(from, to int, cost uint16) {
	g.nodes[from].to = append(g.nodes[from].to, edge{to, cost})
}
