package dictionary

import (
	"go/ast"
	"go/constant"
	"go/token"
	"math"
	"strings"
	"unicode/utf8"
)

// maxTable is the number of elements from which on a list of numbers is a table of data.
const maxTable = 32

// file extracts the words of one syntax tree.
type file struct {
	words    *ranking
	consts   constants
	distance int
	isTest   bool
	encodes  bool // it imports an encoding, so names of fields may be keys
}

// extract adds the words of a tree. consts holds the constants of its package.
func extract(tree *ast.File, f file) {
	for _, imp := range tree.Imports {
		f.encodes = f.encodes || namesFields(imp.Path.Value)
	}
	for _, d := range tree.Decls {
		ast.Walk(visitor{&f, plain}, d)
	}
}

// namesFields reports whether a package with this path is likely to find the names of fields in an input.
func namesFields(path string) bool {
	for _, format := range []string{"encoding/", "json", "xml", "yaml", "toml", "csv", "bson", "ini"} {
		if strings.Contains(path, format) {
			return true
		}
	}
	return false
}

// visitor walks over a tree; class is that of the literals below the node.
type visitor struct {
	*file
	class class
}

// Visit implements ast.Visitor.
func (v visitor) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Recv != nil && n.Name.Name == "Error" { // of an error: texts for people
			return nil
		}
	case *ast.GenDecl:
		if n.Tok == token.IMPORT {
			return nil
		}
		if n.Tok == token.CONST {
			v.declaration(n)
			return nil
		}
	case *ast.CaseClause:
		for _, label := range n.List {
			v.walk(label, keyed)
		}
		for _, s := range n.Body {
			v.walk(s, plain)
		}
		return nil
	case *ast.CompositeLit:
		v.composite(n)
		return nil
	case *ast.StructType:
		v.fields(n)
	case *ast.Field:
		v.walk(n.Type, plain) // not the tag
		return nil
	case *ast.CallExpr:
		return v.call(n)
	case *ast.BinaryExpr:
		if v.folded(n) {
			return nil
		}
		if n.Op.Precedence() == token.EQL.Precedence() { // comparisons
			return visitor{v.file, keyed}
		}
	case *ast.UnaryExpr:
		if v.folded(n) {
			return nil
		}
	case *ast.BasicLit:
		v.literal(n)
	}
	return v
}

func (v visitor) walk(n ast.Node, c class) { ast.Walk(visitor{v.file, c}, n) }

// folded takes an expression as a whole if it is made of literals and constants, and has one literal at least.
func (v visitor) folded(e ast.Expr) bool {
	if !hasLiteral(e) {
		return false
	}
	x := v.consts.eval(e, -1, 0)
	if x == nil {
		return false
	}
	v.value(x)
	return true
}

func hasLiteral(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		_, ok := n.(*ast.BasicLit)
		found = found || ok
		return !found
	})
	return found
}

// declaration takes the constants of a declaration.
func (v visitor) declaration(d *ast.GenDecl) {
	for _, def := range v.consts.declare(d) {
		w := visitor{v.file, keyed}
		if l, ok := def.expr.(*ast.BasicLit); ok {
			w.literal(l)
		} else if x := v.consts.eval(def.expr, def.iota, 0); x != nil {
			w.value(x)
		} else {
			ast.Walk(w, def.expr)
		}
	}
}

func (v visitor) literal(l *ast.BasicLit) {
	x := constant.MakeFromLiteral(l.Value, l.Kind, 0)
	if l.Kind != token.CHAR {
		v.value(x)
		return
	}
	if n, exact := constant.Int64Val(x); exact && n < utf8.RuneSelf {
		v.words.add(string(rune(n)), unlikely, v.distance, v.class) // one byte, which random mutation finds alone
	} else if exact {
		v.words.add(string(rune(n)), likely, v.distance, v.class)
	}
}

// value takes the value of a literal or of a constant expression.
func (v visitor) value(x constant.Value) {
	switch x.Kind() {
	case constant.String:
		v.text(constant.StringVal(x))
	case constant.Int:
		if n, exact := constant.Uint64Val(x); exact {
			v.integer(n, false)
		} else if n, exact := constant.Int64Val(x); exact {
			v.integer(uint64(n), true)
		}
	case constant.Float:
		if whole := constant.ToInt(x); whole.Kind() == constant.Int { // 1e6 may be a limit of an integer
			v.value(whole)
		}
		if n, _ := constant.Float64Val(x); !math.IsInf(n, 0) {
			v.float(n)
		}
	}
}

// composite walks over a composite literal: keys of maps, fields of tests that are names, lists of bytes, tables of data.
func (v visitor) composite(n *ast.CompositeLit) {
	if text, ok := v.byteList(n); ok {
		v.words.add(text, likely, v.distance, v.class)
		return
	}
	numbers := 0
	for _, e := range n.Elts {
		if isNumeric(e) {
			numbers++
		}
	}
	if n.Type != nil {
		v.walk(n.Type, plain)
	}
	for _, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		switch {
		case ok:
			if key, ok := kv.Key.(*ast.Ident); !ok {
				v.walk(kv.Key, keyed)
			} else if v.isTest && isTestName(key.Name) {
				continue
			}
			v.walk(kv.Value, v.class)
		case numbers < maxTable || !isNumeric(e):
			v.walk(e, v.class)
		}
	}
}

// byteList returns the text that a list of bytes is, such as []byte{0x7f, 'E', 'L', 'F'}. A table is none.
func (v visitor) byteList(n *ast.CompositeLit) (text string, ok bool) {
	list, ok := n.Type.(*ast.ArrayType)
	if !ok || len(n.Elts) < 2 || len(n.Elts) >= maxTable {
		return "", false
	}
	if elem, ok := list.Elt.(*ast.Ident); !ok || elem.Name != "byte" && elem.Name != "uint8" {
		return "", false
	}
	var b []byte
	for _, e := range n.Elts {
		x := v.consts.eval(e, -1, 0)
		if x == nil || x.Kind() != constant.Int {
			return "", false
		}
		c, exact := constant.Uint64Val(x)
		if !exact || c > math.MaxUint8 {
			return "", false
		}
		b = append(b, byte(c))
	}
	return string(b), true
}

// isTestName reports whether a field of a table of tests is for people.
func isTestName(field string) bool {
	switch strings.ToLower(field) {
	case "name", "desc", "description", "comment", "doc", "reason", "wanterr":
		return true
	}
	return false
}

func isNumeric(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	l, ok := e.(*ast.BasicLit)
	return ok && l.Kind != token.STRING
}

// fields takes the names of fields that a decoder looks for: those of tags, or else the field's own name.
func (v visitor) fields(s *ast.StructType) {
	for _, field := range s.Fields.List {
		if names, hidden := namesInTag(field.Tag); len(names) > 0 || hidden {
			for _, name := range names {
				v.words.add(name, likely, v.distance, keyed)
			}
			continue
		}
		for _, name := range field.Names {
			if v.encodes && name.IsExported() && len(name.Name) > 1 {
				v.words.add(name.Name, likely, v.distance, plain)
			}
		}
	}
}
