package frontier

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// environment has the packages whose functions fail because of the environment and not because of the input. A path that ends in a slash stands
// for all packages below it.
var environment = []string{"os", "os/", "net", "net/http", "io/fs", "syscall", "crypto/rand", "time", "runtime", "runtime/", "log", "path/filepath"}

// independent returns the reason why no input helps to take the side of a row; empty: one may help.
func (r *Row) independent() string {
	b := &r.branch
	if call := r.source.assertion(b.first); call != nil {
		return "the side begins with an assertion, a call of " + r.source.text(call.Fun)
	}
	if why := r.setting(); why != "" {
		return why
	}
	switch b.kind {
	case kindSelect:
		return "goroutines and time decide which case of a select is taken"
	case kindDefault:
		if r.exhaustive() {
			return "the cases list all constants of the type"
		}
		return ""
	case kindRange:
		if r.fixed(b.cond) {
			return r.source.text(b.cond) + " is set by the program, not by an input"
		}
		return ""
	case kindType:
		return ""
	}
	if b.kind == kindIf || b.kind == kindFor {
		if v := r.source.value(b.cond); v != nil && v.Kind() == constant.Bool {
			return "the condition is a constant"
		}
	}
	list, each := r.leaves()
	for i := range list {
		l := &list[i]
		why := l.outside(r)
		if each && why != "" && len(list) == 1 || why != "" && each && l.constant(r.source) {
			return why
		}
	}
	return ""
}

// constant reports whether a leaf is a constant expression.
func (l *leaf) constant(s *source) bool { return s.value(l.expr) != nil }

// outside returns the reason why no input changes the value of a leaf; empty: one may change it.
func (l *leaf) outside(r *Row) string {
	s := r.source
	if l.constant(s) {
		return s.text(l.expr) + " is a constant"
	}
	if l.failure(s) != "" {
		if call, ok := l.origin.(*ast.CallExpr); ok && s.external(call) {
			return "the error of " + s.text(call.Fun) + " comes from the environment"
		}
		return ""
	}
	if call, ok := l.origin.(*ast.CallExpr); ok && fromEnvironment(s.imported(call)) && len(call.Args) == 0 {
		return s.text(call) + " comes from the environment"
	}
	if r.fixed(l.expr) {
		return s.text(l.expr) + " is set by the program, not by an input"
	}
	return ""
}

// transfers has the functions of package io that fail if the input is too short.
var transfers = map[string]bool{"ReadFull": true, "ReadAtLeast": true, "CopyN": true}

// writes matches the names of methods and functions that return the error of a writer. The target makes the writer.
var writes = regexp.MustCompile(`^(Write(String|Byte|Rune|To)?|Flush|Close|Sync|Fprint(f|ln)?)$`)

// external reports whether the error of a call comes from the environment: from the system, or from a reader or writer.
func (s *source) external(call *ast.CallExpr) bool {
	path := s.imported(call)
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return fromEnvironment(path) || ok && (path == "io" && !transfers[sel.Sel.Name] || writes.MatchString(sel.Sel.Name))
}

func fromEnvironment(path string) bool {
	for _, p := range environment {
		if path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// fixed reports whether an expression consists of constants and package-level variables, without calls.
func (r *Row) fixed(e ast.Expr) bool {
	fixed, names := true, 0
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // a field or a name of a package
			if id, ok := n.X.(*ast.Ident); ok {
				o := r.source.object(id)
				_, pkg := o.(*types.PkgName)
				names++
				fixed = fixed && (pkg || o != nil && global(o))
				return false
			}
		case *ast.CallExpr, *ast.FuncLit, *ast.TypeAssertExpr:
			fixed = false
		case *ast.UnaryExpr:
			fixed = fixed && n.Op != token.ARROW
		case *ast.Ident:
			if n.Name == "nil" || n.Name == "true" || n.Name == "false" {
				return true
			}
			names++
			fixed = fixed && global(r.source.object(n))
		}
		return fixed
	})
	return fixed && names > 0
}

// exhaustive reports whether the cases of a switch list all constants of the type of its tag.
func (r *Row) exhaustive() bool {
	sw, ok := r.branch.owner.(*ast.SwitchStmt)
	if !ok || sw.Tag == nil {
		return false
	}
	named, ok := r.source.info.Types[sw.Tag].Type.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	cases := map[string]bool{}
	for _, c := range sw.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if v := r.source.value(e); v != nil {
				cases[v.ExactString()] = true
			}
		}
	}
	all, scope := 0, named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || c.Type() != types.Type(named) {
			continue
		}
		all++
		if !cases[c.Val().ExactString()] {
			return false
		}
	}
	return all > 0
}

// failure says which call must return an error, or none; empty: the leaf is no test of an error.
func (l *leaf) failure(s *source) string {
	if l.op == token.ILLEGAL || s.text(l.y) != "nil" {
		return ""
	}
	id, ok := l.x.(*ast.Ident)
	if !ok || id.Name != "err" && !strings.HasSuffix(strings.ToLower(id.Name), "err") && !isError(s, id) {
		return ""
	}
	what := "the call before"
	if call, ok := l.origin.(*ast.CallExpr); ok {
		what = s.text(call.Fun)
	}
	if l.op == token.NEQ {
		return "an input with which " + what + " fails"
	}
	return "an input with which " + what + " returns no error"
}

func isError(s *source, id *ast.Ident) bool {
	t := s.info.Types[id].Type
	return t != nil && t.String() == "error"
}
