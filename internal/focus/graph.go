package focus

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// graph is the control flow of all functions of some packages, joined by the call graph.
type graph struct {
	fset      *token.FileSet
	nodes     []node
	functions []*function
	files     map[string][]*function     // by absolute path
	declared  map[string]*function       // by full name, as in types.Func.FullName
	variables map[string]int             // by import path and name of a variable of a package: the node of its initializers
	methods   map[code.Method][]methods  // of types that are not interfaces; each method has the sets that it is in
	packages  map[string]bool            // import paths
	linked    map[string]map[string]bool // by import path of a package with targets: those of the packages in its test binary

	waiting []call           // references that are resolved when all functions are known
	values  map[string][]int // by signature: the entries of the functions that are used as values
	dynamic []dynamic        // calls of values
}

// node is a piece of code without branches, or the initializers of a variable.
type node struct {
	function *function  // nil: initializers
	block    *cfg.Block // nil: it is a part of a condition, or initializers
	part     ast.Expr   // the right side of && or ||
	to       []edge
	from     []edge
}

// edge leads to another node. Its cost is 1 if a condition decides whether the code takes it, and 0 if it always does.
type edge struct {
	node int
	cost uint16
}

// function is a function with a body: one that is declared, or a literal.
type function struct {
	pkg   *packages.Package
	name  string // import path, and the names of type and function
	decl  *ast.FuncDecl
	body  *ast.BlockStmt
	file  string // absolute path
	from  token.Pos
	until token.Pos
	entry int // its first node; its nodes are entry, entry+1, …, last-1
	last  int
	items []item // the counters that the compiler makes for it
}

// methods are the methods of a type that is not an interface.
type methods map[code.Method]*types.Func

// call is a reference of a node to a function, or to a variable of a package.
type call struct {
	from     int
	object   *types.Func // nil: to a variable
	variable string      // import path and name
	direct   bool        // it is a call that is made whenever the node is executed
}

// dynamic is a call of a value of a function type, which may execute any function with the signature that is used as a value.
type dynamic struct {
	from      int
	signature string
}

// newGraph returns the graph of packages. If list has several variants of a package, newGraph uses the first one.
func newGraph(fset *token.FileSet, list []*packages.Package) *graph {
	g := &graph{
		fset: fset, files: map[string][]*function{}, declared: map[string]*function{}, variables: map[string]int{}, methods: map[code.Method][]methods{},
		packages: map[string]bool{}, values: map[string][]int{},
	}
	for _, p := range list {
		g.packages[p.PkgPath] = true
	}
	for _, p := range list {
		if p.TypesInfo == nil || strings.HasSuffix(p.PkgPath, ".test") {
			continue
		}
		for _, tree := range p.Syntax {
			path := filepath.Clean(fset.PositionFor(tree.Package, false).Filename)
			if _, seen := g.files[path]; seen {
				continue
			}
			g.files[path] = nil
			g.addFile(p, path, tree)
		}
		if p.Types != nil {
			g.addMethods(p)
		}
	}
	for _, c := range g.waiting {
		g.resolve(c)
	}
	for _, c := range g.dynamic {
		for _, entry := range g.values[c.signature] {
			g.link(c.from, entry, 1)
		}
	}
	g.waiting, g.values, g.dynamic = nil, nil, nil
	for i := range g.nodes {
		for _, e := range g.nodes[i].to {
			g.nodes[e.node].from = append(g.nodes[e.node].from, edge{i, e.cost})
		}
	}
	return g
}

// addFile adds the functions and variables of a file.
func (g *graph) addFile(p *packages.Package, path string, tree *ast.File) {
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			f := &function{pkg: p, decl: d, body: d.Body, file: path, from: d.Pos(), until: d.End(), name: p.PkgPath + "." + d.Name.Name}
			if o, ok := p.TypesInfo.Defs[d.Name].(*types.Func); ok {
				g.declared[o.FullName()] = f
				f.name = p.PkgPath + "." + code.LocalName(o)
			}
			g.addFunction(f)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					g.addVariables(p, path, v)
				}
			}
		}
	}
}

// addVariables adds a node for variables of a package: code that uses one of them may call the functions that their initializers mention.
func (g *graph) addVariables(p *packages.Package, path string, spec *ast.ValueSpec) {
	id := g.addNode(node{})
	for _, name := range spec.Names {
		g.variables[p.PkgPath+"."+name.Name] = id
	}
	for _, v := range spec.Values {
		referrer{g, p, path, p.PkgPath + "." + spec.Names[0].Name, nil}.refer(id, v, true)
	}
}

func (g *graph) addNode(n node) int {
	g.nodes = append(g.nodes, n)
	return len(g.nodes) - 1
}

// addFunction adds the blocks of a function, and those of the literals in it.
func (g *graph) addFunction(f *function) {
	flow := cfg.New(f.body, func(c *ast.CallExpr) bool { return mayReturn(f.pkg.TypesInfo, c) })
	g.functions = append(g.functions, f)
	g.files[f.file] = append(g.files[f.file], f)
	f.entry = len(g.nodes)
	for _, b := range flow.Blocks {
		g.addNode(node{function: f, block: b})
	}
	parts := map[ast.Expr]int{}
	for _, b := range flow.Blocks {
		id := f.entry + int(b.Index)
		if c := condition(b); c != nil {
			g.split(f, id, c, f.entry+int(b.Succs[0].Index), f.entry+int(b.Succs[1].Index), parts)
			continue
		}
		for _, s := range b.Succs {
			g.link(id, f.entry+int(s.Index), uint16(min(1, len(b.Succs)-1)))
		}
	}
	f.last = len(g.nodes)
	f.items = listItems(f, flow, parts)
	r := referrer{g, f.pkg, f.file, f.name, parts}
	for _, b := range flow.Blocks {
		for _, n := range b.Nodes {
			r.refer(f.entry+int(b.Index), n, true)
		}
	}
}

// condition returns the condition with which a block ends; nil: it does not end with one.
func condition(b *cfg.Block) ast.Expr {
	if len(b.Succs) != 2 || len(b.Nodes) == 0 || b.Kind == cfg.KindRangeLoop {
		return nil
	}
	e, _ := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	return e
}

// split adds the edges of a node that ends with a condition, and a node for the right side of each && and ||, which it adds to parts.
func (g *graph) split(f *function, id int, cond ast.Expr, yes, no int, parts map[ast.Expr]int) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			g.split(f, id, e.X, no, yes, parts)
			return
		}
	case *ast.BinaryExpr:
		if e.Op != token.LAND && e.Op != token.LOR {
			break
		}
		right := g.addNode(node{function: f, part: e.Y})
		parts[e.Y] = right
		if e.Op == token.LAND {
			g.split(f, id, e.X, right, no, parts)
		} else {
			g.split(f, id, e.X, yes, right, parts)
		}
		g.split(f, right, e.Y, yes, no, parts)
		return
	}
	g.link(id, yes, 1)
	g.link(id, no, 1)
}

// referrer adds the references of nodes to functions, methods, literals and variables.
type referrer struct {
	*graph
	pkg   *packages.Package
	file  string
	name  string           // of the function
	parts map[ast.Expr]int // nodes of the right sides of && and ||
}

// refer adds the references in a part of the code of a node. sure is true if the part is executed whenever the node is.
func (r referrer) refer(id int, part ast.Node, sure bool) {
	direct := map[*ast.Ident]bool{}   // functions that are called whenever the node is executed
	later := map[*ast.CallExpr]bool{} // calls of go and defer
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op != token.LAND && n.Op != token.LOR {
				return true
			}
			r.refer(id, n.X, sure)
			if right, ok := r.parts[n.Y]; ok {
				r.refer(right, n.Y, true)
			} else {
				r.refer(id, n.Y, false)
			}
			return false
		case *ast.FuncLit:
			lit := &function{pkg: r.pkg, body: n.Body, file: r.file, from: n.Pos(), until: n.End(), name: r.name}
			r.addFunction(lit)
			r.link(id, lit.entry, 1)
			s := signature(r.pkg.TypesInfo.TypeOf(n))
			r.values[s] = append(r.values[s], lit.entry)
			return false
		case *ast.GoStmt:
			later[n.Call] = true
		case *ast.DeferStmt:
			later[n.Call] = true
		case *ast.CallExpr:
			if f := typeutil.StaticCallee(r.pkg.TypesInfo, n); f != nil && r.knows(f) {
				direct[code.CalledIdent(n.Fun)] = sure && !later[n]
			} else {
				r.callBack(r.pkg, id, n)
				if s := signature(r.pkg.TypesInfo.TypeOf(n.Fun)); f == nil && s != "" {
					r.dynamic = append(r.dynamic, dynamic{id, s})
				}
			}
		case *ast.Ident:
			switch o := r.pkg.TypesInfo.Uses[n].(type) {
			case *types.Func:
				r.waiting = append(r.waiting, call{from: id, object: o.Origin(), direct: direct[n]})
			case *types.Var:
				if code.PackageVariable(o) {
					r.waiting = append(r.waiting, call{from: id, variable: o.Pkg().Path() + "." + o.Name()})
				}
			}
		}
		return true
	})
}
