package frontier

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// fails reports whether a call may return an error because of its arguments. It is true if gnaw knows nothing about the function, and false if
// the function returns only nil and errors of the environment.
func (p *program) fails(s *source, call *ast.CallExpr) bool {
	return p.canFail(s, call, map[string]bool{})
}

func (p *program) canFail(s *source, call *ast.CallExpr, busy map[string]bool) bool {
	if p.external(s, call) {
		return false
	}
	f := p.called(s, call)
	if f == nil {
		return true
	}
	if busy[f.name] {
		return false
	}
	busy[f.name] = true
	decl := f.decl.(*ast.FuncDecl)
	results := f.object.Signature().Results()
	if decl.Body == nil || results.Len() == 0 || results.At(results.Len()-1).Name() != "" || results.At(results.Len()-1).Type().String() != "error" {
		return true
	}
	fails := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				fails = fails || p.isFailure(f, n.Results[len(n.Results)-1], busy)
			}
		}
		return !fails
	})
	return fails
}

// isFailure reports whether a result of a function may be an error.
func (p *program) isFailure(f *function, e ast.Expr, busy map[string]bool) bool {
	s := f.source
	if s.info.Types[e].IsNil() {
		return false
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		return p.canFail(s, e, busy)
	case *ast.Ident:
		o, ok := s.object(e).(*types.Var)
		if !ok || global(o) || parameter(f, o) >= 0 {
			return true
		}
		return p.setToFailure(f, o, busy)
	}
	return true
}

// setToFailure reports whether the value of a local variable may be an error. It may be for the variable of a type switch, which has no assignment.
func (p *program) setToFailure(f *function, o types.Object, busy map[string]bool) bool {
	list := assignments(f, o)
	return len(list) == 0 || slices.ContainsFunc(list, func(a assignment) bool { return a.value == nil || p.isFailure(f, a.value, busy) })
}

// transfers has the functions of package io that fail if the input is too short.
var transfers = map[string]bool{"ReadFull": true, "ReadAtLeast": true, "CopyN": true}

// writes matches the names of methods and functions that return the error of a writer. The target makes the writer.
var writes = regexp.MustCompile(`^(Write(String|Byte|Rune|To)?|Flush|Close|Sync|Fprint(f|ln)?)$`)

// parses matches the names of functions in packages of the environment that fail because of their arguments, such as time.ParseDuration.
var parses = regexp.MustCompile(`^(Parse|Split|Match|Glob|Localize|LoadLocation|NewRequest|ReadRequest|ReadResponse)`)

// external reports whether the error of a call comes from the environment: from the system, or from a reader or writer. The error of a method of
// the program comes from its code.
func (p *program) external(s *source, call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name := sel.Sel.Name
	switch path := s.imported(call); {
	case code.FailsOutside(path):
		return !parses.MatchString(name)
	case path == "io":
		return !transfers[name]
	}
	return writes.MatchString(name) && p.called(s, call) == nil
}

// maxFailures is the largest number of branches in a called function that a row names.
const maxFailures = 3

// addFailures adds branches to the help of a row that needs a call to fail: those rows in the called function whose missing sides return an error.
func (f *Frontier) addFailures(r *Row) {
	if r.Help.Kind != Failure && r.Help.Kind != Guard || r.branch.cond == nil || r.branch.kind != kindIf {
		return
	}
	list, _ := r.leaves()
	call, ok := list[0].origin.(*ast.CallExpr)
	if !ok || list[0].op != token.NEQ || list[0].failure(r.source) == "" {
		return
	}
	called := f.program.called(r.source, call)
	if called == nil {
		return
	}
	var places []string
	for _, other := range f.Rows {
		if other.source == called.source && other.Behind > 0 && other.Help.Kind != Nothing && called.decl.Pos() <= other.branch.at && other.branch.at < called.decl.End() && other.returnsFailure(f.program, called) {
			places = append(places, fmt.Sprintf("%s:%d", path.Base(other.File), other.Line))
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	if len(places) > maxFailures {
		places = append(places[:maxFailures], "other branches")
	}
	if len(places) > 0 {
		r.Help.Text += ", by the branch in " + strings.Join(places, " or ")
	}
}

// returnsFailure reports whether the side of a row returns an error from a function.
func (r *Row) returnsFailure(p *program, f *function) (found bool) {
	ast.Inspect(f.decl, func(n ast.Node) bool {
		ret, ok := n.(*ast.ReturnStmt)
		if ok && len(ret.Results) > 0 && p.isFailure(f, ret.Results[len(ret.Results)-1], map[string]bool{}) {
			for _, sp := range r.branch.behind {
				found = found || sp.from <= ret.Pos() && ret.Pos() < sp.to
			}
		}
		return !found
	})
	return found
}
