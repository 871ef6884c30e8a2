package survey

import (
	"encoding/hex"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"unicode"
)

// wrappers lists functions of the standard library that return their text as a reader or a buffer.
var wrappers = []string{"strings.NewReader", "bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString", "bufio.NewReader", "io.NopCloser"}

// constants returns the constants that a part of the value of x can be.
func (w *passed) constants(x ast.Expr, p part) (list []Arg) {
	if w.steps++; w.steps > maxSteps {
		return nil
	}
	x = ast.Unparen(x)
	if tv := w.info.Types[x]; tv.Value != nil {
		if p != whole {
			return nil
		}
		a := Arg{Expr: expression(tv)}
		if tv.Value.Kind() == constant.String {
			a.Text = constant.StringVal(tv.Value)
		}
		return w.mark(x, []Arg{a})
	}
	switch x := x.(type) {
	case *ast.CompositeLit:
		list = w.inLiteral(x, p)
	case *ast.CallExpr:
		if p == whole {
			list = w.inCall(x)
		}
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			list = w.constants(x.X, p)
		}
	case *ast.StarExpr:
		list = w.constants(x.X, p)
	case *ast.IndexExpr:
		list = w.constants(x.X, elements)
	case *ast.Ident, *ast.SelectorExpr:
		obj := w.object(x)
		if obj == nil || w.active[obj] {
			return nil
		}
		w.active[obj] = true
		defer delete(w.active, obj)
		for _, s := range w.sources[obj] {
			if s.part != whole && p != whole {
				continue // tables of tables are not followed
			}
			for _, a := range w.constants(s.expr, max(s.part, p)) {
				a.Refused = a.Refused || obj.Parent() != nil && failing.MatchString(obj.Name())
				list = append(list, a)
			}
		}
	}
	return w.mark(x, list)
}

// mark marks constants as refused if x is a field of a table element that expects an error.
func (w *passed) mark(x ast.Expr, list []Arg) []Arg {
	if lit := w.fields[x]; lit != nil && w.refused[lit] {
		for i := range list {
			list[i].Refused = true
		}
	}
	return list
}

// inLiteral returns the constants in a composite literal: the text of a byte slice, or the keys or elements of a list or map.
func (w *passed) inLiteral(lit *ast.CompositeLit, p part) (list []Arg) {
	if p == whole {
		if text, ok := constantBytes(w.info, lit); ok {
			return []Arg{{Text: text}}
		}
		return nil
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		switch {
		case ok && p == keys:
			list = append(list, w.constants(kv.Key, whole)...)
		case ok:
			list = append(list, w.constants(kv.Value, whole)...)
		default:
			list = append(list, w.constants(elt, whole)...)
		}
	}
	return list
}

// inCall returns the constants that a conversion, or a known function of the standard library, returns.
func (w *passed) inCall(call *ast.CallExpr) (list []Arg) {
	if len(call.Args) != 1 {
		return nil
	}
	if w.info.Types[call.Fun].IsType() {
		return w.constants(call.Args[0], whole)
	}
	f, ok := w.object(call.Fun).(*types.Func)
	switch {
	case !ok:
	case slices.Contains(wrappers, f.FullName()):
		return w.constants(call.Args[0], whole)
	case f.FullName() == "encoding/hex.DecodeString":
		for _, a := range w.constants(call.Args[0], whole) {
			if data, err := hex.DecodeString(a.Text); err == nil {
				list = append(list, Arg{Text: string(data), Refused: a.Refused})
			}
		}
	}
	return list
}

// constantBytes returns the bytes of a literal; ok is false if it is no byte slice of constants.
func constantBytes(info *types.Info, lit *ast.CompositeLit) (text string, ok bool) {
	slice, ok := types.Unalias(info.TypeOf(lit)).Underlying().(*types.Slice)
	if !ok {
		return "", false
	}
	if b, ok := slice.Elem().Underlying().(*types.Basic); !ok || b.Kind() != types.Byte {
		return "", false
	}
	var data []byte
	for _, elt := range lit.Elts {
		v := info.Types[elt].Value
		if v == nil || v.Kind() != constant.Int {
			return "", false
		}
		n, _ := constant.Uint64Val(v)
		data = append(data, byte(n))
	}
	return string(data), true
}

// expression returns a Go expression for a constant.
func expression(tv types.TypeAndValue) string {
	switch b, _ := types.Unalias(tv.Type).(*types.Basic); {
	case tv.Value.Kind() == constant.Float:
		x, _ := constant.Float64Val(tv.Value)
		return strconv.FormatFloat(x, 'g', -1, 64)
	case b != nil && b.Name() == "rune":
		if r, ok := constant.Int64Val(tv.Value); ok && unicode.IsPrint(rune(r)) {
			return strconv.QuoteRune(rune(r))
		}
	}
	return tv.Value.ExactString()
}

// object returns the object that an identifier or selector names; nil: there is none.
func (w *passed) object(x ast.Expr) types.Object {
	switch x := x.(type) {
	case *ast.Ident:
		if obj := w.info.Defs[x]; obj != nil {
			return obj
		}
		return w.info.Uses[x]
	case *ast.SelectorExpr:
		return w.info.Uses[x.Sel]
	}
	return nil
}
