package frontier

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// asserts matches the names of functions, and the messages, that report an error of the program itself.
var asserts = regexp.MustCompile(`(?i)(\bbug|unreachable|should not|should never|shouldn't|cannot happen|can't happen|impossible|internal error|not reached|assert)`)

// assertion returns the call with which a statement reports an error of the program itself; nil: the statement is no such call. A panic with a
// text is one. A panic with a value of another type is not, because some programs return errors that way.
func (s *source) assertion(st ast.Stmt) *ast.CallExpr {
	e, ok := st.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return nil
	}
	name := s.text(call.Fun)
	if name[strings.LastIndexByte(name, '.')+1:] != "panic" {
		if asserts.MatchString(name) || len(call.Args) > 0 && s.isText(call.Args[0], asserts) {
			return call
		}
		return nil
	}
	if len(call.Args) == 1 && (s.isText(call.Args[0], anyText) || s.isText(firstArgument(call.Args[0]), anyText)) {
		return call
	}
	return nil
}

var anyText = regexp.MustCompile("")

// isText reports whether an expression is a constant text that matches, or a sum that begins with one.
func (s *source) isText(e ast.Expr, like *regexp.Regexp) bool {
	if b, ok := e.(*ast.BinaryExpr); ok {
		e = b.X
	}
	if e == nil {
		return false
	}
	v := s.value(e)
	return v != nil && v.Kind() == constant.String && like.MatchString(constant.StringVal(v))
}

// firstArgument returns the first argument of a call such as fmt.Sprintf; nil: the expression is no call, or has no argument.
func firstArgument(e ast.Expr) ast.Expr {
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) > 0 {
		return call.Args[0]
	}
	return nil
}

var (
	// settingNames matches the names of variables and types that hold settings.
	settingNames = regexp.MustCompile(`^(opts?|options?|cfg|conf|config|settings?)$|(Opts?|Options?|Config|Settings?|Flags)$`)
	// setters matches the names of functions that apply settings.
	setters = regexp.MustCompile(`(^|\.)(SetOptions?|Set[A-Z]\w*Options?|With[A-Z]\w*)$`)
)

// setting returns a sentence about the setting of the caller that decides the condition of a row; empty: gnaw knows no such setting.
func (r *Row) setting() string {
	if setters.MatchString(r.Function) {
		return r.Function + " applies settings, which the target chooses"
	}
	name := ""
	switch b := &r.branch; b.kind {
	case kindIf, kindFor, kindCase:
		list, each := r.leaves()
		if !each && len(list) > 1 { // another part may have the value that the side needs
			if sw, ok := r.branch.owner.(*ast.SwitchStmt); ok && sw.Tag != nil && len(r.varying) == 0 {
				name = r.program.settingIn(r.source, sw.Tag)
			}
			break
		}
		for i := range list {
			if name == "" && !r.varying[list[i].expr] {
				name = r.program.settingOf(r.source, &list[i])
			}
		}
	case kindRange:
		name = r.program.settingIn(r.source, b.cond)
	}
	if name == "" {
		return ""
	}
	return name + " is a setting, which the target chooses"
}

// settingOf returns the setting that decides a leaf; empty: gnaw knows none. A comparison of a setting with a value that an input may decide is
// not decided by the setting.
func (p *program) settingOf(s *source, l *leaf) (name string) {
	if l.op == token.ILLEGAL {
		return p.settingIn(s, l.expr)
	}
	for _, e := range []ast.Expr{l.x, l.y} {
		found := p.settingIn(s, e)
		if _, decided := p.decided(s, e); found == "" && !decided {
			return ""
		}
		name = cmp.Or(name, found)
	}
	return name
}

// settingIn returns the part of an expression that is a setting; empty: there is none. It does not look into calls, because the result of a
// call is not its argument.
func (p *program) settingIn(s *source, e ast.Expr) (found string) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return false
		case *ast.Ident:
			if v, ok := s.object(n).(*types.Var); ok && settingNames.MatchString(n.Name) && !v.IsField() {
				found = n.Name
			}
		case *ast.SelectorExpr:
			if p.chosen(s, n) || settingNames.MatchString(n.Sel.Name) || slices.ContainsFunc(s.holders(n), settingNames.MatchString) {
				found = s.text(n)
			}
		}
		return found == ""
	})
	return found
}

// chosen reports whether a field is a setting: a function that applies settings sets it, and code that an input reaches sets it only to values that
// no input decides. Of these values, a constant counts only in a function that applies settings, or if it is the zero value.
func (p *program) chosen(s *source, sel *ast.SelectorExpr) bool {
	o, ok := s.info.Uses[sel.Sel].(*types.Var)
	if !ok || !o.IsField() {
		return false
	}
	chosen := false
	key, _ := fieldKey(o)
	for _, w := range p.fields[key] {
		f, ok := w.in.decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		sets := w.in.source.sets(f)
		if w.in.source.reached(w.at) {
			if why, ok := p.decided(w.in.source, w.value); !ok || why == "" && !sets && !zero(w.in.source, w.value) {
				return false
			}
		}
		chosen = chosen || sets
	}
	return chosen
}

// sets reports whether a function applies settings: it has the name of a setter, or it returns an option.
func (s *source) sets(f *ast.FuncDecl) bool {
	if setters.MatchString(f.Name.Name) {
		return true
	}
	return f.Type.Results != nil && len(f.Type.Results.List) == 1 && optionType.MatchString(s.text(f.Type.Results.List[0].Type))
}

var optionType = regexp.MustCompile(`Opt(ion)?(Func|s)?$`)

// holders returns the names of the variable and the type that a field is selected from, and of the embedded types that it is promoted through.
func (s *source) holders(sel *ast.SelectorExpr) (names []string) {
	switch x := sel.X.(type) {
	case *ast.Ident:
		names = append(names, x.Name)
	case *ast.SelectorExpr:
		names = append(names, x.Sel.Name)
	}
	selection := s.info.Selections[sel]
	if selection == nil || selection.Kind() != types.FieldVal {
		return names
	}
	t := selection.Recv()
	for _, i := range selection.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := t.(*types.Named); ok {
			names = append(names, named.Obj().Name())
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			break
		}
		t = st.Field(i).Type()
	}
	return names
}
