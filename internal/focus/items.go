package focus

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"
)

// item is a counter that the compiler makes for a function, or a call. If the compiler inlines the called function, it makes the counters of
// that function in place of the call. The items of a function are in the order in which the compiler makes the counters.
type item struct {
	isCall bool
	callee *types.Func // of a call; nil: it is not known
	pos    token.Pos   // on the line that the compiler gives the counter, or of the call
	node   int         // that is executed when the counter is hit; -1: not known
	behind bool        // the counter of a missing else or default: it has the position of the block before
	gone   bool        // the position is that of a return statement, which the compiler replaces where it inlines the function
}

// itemizer lists the counters of a function. It follows order.go of cmd/compile/internal/walk: orderBlock makes a counter for each block,
// including a missing else or default, and order.expr1 makes one for the right side of && and ||.
type itemizer struct {
	info  *types.Info
	kinds map[blockKey]int // nodes
	parts map[ast.Expr]int // nodes of the right sides of && and ||
	pos   token.Pos        // of the last statement, as base.Pos of the compiler
	gone  bool             // pos is that of a return statement
	items []item
}

// blockKey identifies a block of the control flow.
type blockKey struct {
	stmt ast.Stmt
	kind cfg.BlockKind
}

// listItems lists the counters of a function.
func listItems(f *function, flow *cfg.CFG, parts map[ast.Expr]int) []item {
	z := &itemizer{info: f.pkg.TypesInfo, kinds: map[blockKey]int{}, parts: parts, pos: f.from}
	for _, b := range flow.Blocks {
		if b.Stmt != nil {
			z.kinds[blockKey{b.Stmt, b.Kind}] = f.entry + int(b.Index)
		}
	}
	z.block(f.body.List, f.entry, false)
	return z.items
}

// at returns the node of a block; -1: it is not known.
func (z *itemizer) at(s ast.Stmt, kind cfg.BlockKind) int {
	if i, ok := z.kinds[blockKey{s, kind}]; ok {
		return i
	}
	return -1
}

// emit adds the counter of a node.
func (z *itemizer) emit(node int, behind bool) {
	z.items = append(z.items, item{pos: z.pos, node: node, behind: behind, gone: z.gone})
}

// block lists the counters of a list of statements that the compiler orders as a block.
func (z *itemizer) block(list []ast.Stmt, node int, behind bool) {
	if s := firstOf(list); s != nil {
		_, z.gone = s.(*ast.ReturnStmt)
		z.pos, behind = positionOf(s), false
	}
	z.emit(node, behind)
	z.list(list)
}

func (z *itemizer) list(list []ast.Stmt) {
	for _, s := range list {
		z.stmt(s)
	}
}

// firstOf returns the first statement that the compiler makes code for.
func firstOf(list []ast.Stmt) ast.Stmt {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.EmptyStmt:
		case *ast.DeclStmt:
			if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
				return s
			}
		default:
			return s
		}
	}
	return nil
}

// positionOf returns the position that the compiler gives a statement.
func positionOf(s ast.Stmt) token.Pos {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.TokPos
	case *ast.IncDecStmt:
		return s.TokPos
	case *ast.SendStmt:
		return s.Arrow
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && len(d.Specs) > 0 {
			return d.Specs[0].Pos()
		}
	}
	return s.Pos()
}

// stmt lists the counters of a statement.
func (z *itemizer) stmt(s ast.Stmt) {
	if s == nil {
		return
	}
	pos, gone := z.pos, z.gone
	defer func() { z.pos, z.gone = pos, gone }()
	z.pos, z.gone = positionOf(s), false
	switch s := s.(type) {
	case *ast.IfStmt:
		z.ifStmt(s)
	case *ast.ForStmt:
		z.stmt(s.Init)
		z.expr(s.Cond)
		z.block(s.Body.List, z.at(s, cfg.KindForBody), false)
		z.stmt(s.Post)
	case *ast.RangeStmt:
		z.expr(s.X)
		if t := z.info.TypeOf(s.X); t != nil {
			if _, ok := t.Underlying().(*types.Signature); ok {
				return // its body is a function of its own
			}
		}
		z.block(s.Body.List, z.at(s, cfg.KindRangeBody), false)
	case *ast.SwitchStmt:
		z.stmt(s.Init)
		z.expr(s.Tag)
		z.cases(s, s.Body)
	case *ast.TypeSwitchStmt:
		z.stmt(s.Init)
		z.cases(s, s.Body)
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			z.block(c.(*ast.CommClause).Body, z.at(c, cfg.KindSelectCaseBody), false)
		}
	case *ast.BlockStmt:
		z.list(s.List)
	case *ast.LabeledStmt:
		z.stmt(s.Stmt)
	default:
		z.expr(s)
	}
}

// ifStmt lists the counters of an if statement. If its condition is constant, the compiler keeps only the branch that is taken.
func (z *itemizer) ifStmt(s *ast.IfStmt) {
	z.stmt(s.Init)
	if v := z.info.Types[s.Cond].Value; v != nil && v.Kind() == constant.Bool {
		if constant.BoolVal(v) {
			z.list(s.Body.List)
		} else {
			z.stmt(s.Else)
		}
		return
	}
	z.expr(s.Cond)
	z.block(s.Body.List, z.at(s, cfg.KindIfThen), false)
	switch e := s.Else.(type) {
	case nil:
		z.block(nil, z.at(s, cfg.KindIfDone), true)
	case *ast.BlockStmt:
		z.block(e.List, z.at(s, cfg.KindIfElse), true)
	default:
		z.block([]ast.Stmt{e}, z.at(s, cfg.KindIfElse), false)
	}
}

// cases lists the counters of the clauses of a switch. The compiler adds a default if there is none.
func (z *itemizer) cases(s ast.Stmt, body *ast.BlockStmt) {
	hasDefault := false
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		hasDefault = hasDefault || c.List == nil
		for _, e := range c.List {
			z.expr(e)
		}
		z.block(c.Body, z.at(c, cfg.KindSwitchCaseBody), true)
	}
	if !hasDefault {
		z.block(nil, z.at(s, cfg.KindSwitchDone), true)
	}
}

// expr lists the counters of the operators && and || in an expression, or in a statement without blocks, and the calls.
func (z *itemizer) expr(n ast.Node) {
	if e, ok := n.(ast.Expr); n == nil || ok && e == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			z.expr(n.Fun)
			for _, a := range n.Args {
				z.expr(a)
			}
			if z.info.Types[n.Fun].IsType() || z.info.Types[n.Fun].IsBuiltin() {
				return false
			}
			callee := typeutil.StaticCallee(z.info, n)
			if callee != nil {
				callee = callee.Origin()
			}
			z.items = append(z.items, item{isCall: true, callee: callee, pos: n.Pos()})
			return false
		case *ast.BinaryExpr:
			if n.Op != token.LAND && n.Op != token.LOR || z.info.Types[n].Value != nil {
				return true
			}
			z.expr(n.X)
			pos, gone := z.pos, z.gone
			z.pos, z.gone = n.OpPos, false
			right, ok := z.parts[n.Y]
			if !ok {
				right = -1 // it decides nothing
			}
			z.emit(right, false)
			z.pos, z.gone = pos, gone
			z.expr(n.Y)
			return false
		}
		return true
	})
}
