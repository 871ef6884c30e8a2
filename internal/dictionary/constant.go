package dictionary

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// constants are the constants of a package by name. Their values are computed when they are asked for.
type constants map[string]*constDef

// constDef is one constant as it is written.
type constDef struct {
	expr    ast.Expr
	iota    int64
	value   constant.Value // nil: not known, or not yet
	visited bool
}

// maxDepth ends the evaluation of what is nested too deep, or is defined by itself.
const maxDepth = 50

// declare notes the constants of a declaration and returns them in order.
func (c constants) declare(d *ast.GenDecl) (defs []*constDef) {
	var last []ast.Expr // an empty list repeats the one before
	for i, s := range d.Specs {
		spec, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if len(spec.Values) > 0 {
			last = spec.Values
		}
		for j, name := range spec.Names {
			if j >= len(last) {
				break
			}
			def := &constDef{expr: last[j], iota: int64(i)}
			defs = append(defs, def)
			if _, known := c[name.Name]; !known && name.Name != "_" {
				c[name.Name] = def
			}
		}
	}
	return defs
}

// valueOf returns the value of a constant, nil if it is not known.
func (c constants) valueOf(d *constDef, depth int) constant.Value {
	if !d.visited {
		d.visited = true
		d.value = c.eval(d.expr, d.iota, depth)
	}
	return d.value
}

// eval computes a constant expression without knowing types: nil if it depends on something other than literals and
// constants of the package. iota is -1 outside of constant declarations.
func (c constants) eval(e ast.Expr, iota int64, depth int) (v constant.Value) {
	if depth > maxDepth {
		return nil
	}
	defer func() {
		if v != nil && !useful(v) {
			v = nil
		}
	}()
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.ParenExpr:
		return c.eval(e.X, iota, depth+1)
	case *ast.Ident:
		if e.Name == "iota" && iota >= 0 {
			return constant.MakeInt64(iota)
		}
		if d := c[e.Name]; d != nil {
			return c.valueOf(d, depth+1)
		}
	case *ast.UnaryExpr:
		if x := c.eval(e.X, iota, depth+1); x != nil && unary(e.Op, x) {
			return constant.UnaryOp(e.Op, x, 0)
		}
	case *ast.BinaryExpr:
		if x := c.eval(e.X, iota, depth+1); x != nil {
			if y := c.eval(e.Y, iota, depth+1); y != nil {
				return operate(e.Op, x, y)
			}
		}
	case *ast.CallExpr:
		if _, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 { // most likely a conversion
			return c.conversion(e, iota, depth)
		}
	}
	return nil
}

// conversion evaluates f(x) if f looks like a type or is len.
func (c constants) conversion(e *ast.CallExpr, iota int64, depth int) constant.Value {
	x := c.eval(e.Args[0], iota, depth+1)
	name := e.Fun.(*ast.Ident).Name
	switch {
	case x == nil:
		return nil
	case name == "len" && x.Kind() == constant.String:
		return constant.MakeInt64(int64(len(constant.StringVal(x))))
	case name == "string" && x.Kind() != constant.String:
		return nil
	}
	return x
}

// Limits of values that are computed: constants that are defined by each other can grow exponentially.
const (
	maxBits = 512
	maxText = 4096
)

func useful(v constant.Value) bool {
	switch v.Kind() {
	case constant.Int:
		return constant.BitLen(v) <= maxBits
	case constant.String:
		return len(constant.StringVal(v)) <= maxText
	}
	return v.Kind() == constant.Float
}

// unary reports whether UnaryOp takes the operand; it panics otherwise.
func unary(op token.Token, x constant.Value) bool {
	switch op {
	case token.ADD, token.SUB:
		return x.Kind() == constant.Int || x.Kind() == constant.Float
	case token.XOR:
		return x.Kind() == constant.Int
	}
	return false
}

// maxShift bounds what a shift may compute: nothing beyond 64 bits is of use.
const maxShift = 64

// operate computes x op y where that gives a string or a number, nil otherwise.
func operate(op token.Token, x, y constant.Value) constant.Value {
	ints := x.Kind() == constant.Int && y.Kind() == constant.Int
	numbers := isNumber(x) && isNumber(y)
	switch op {
	case token.ADD:
		if numbers || x.Kind() == constant.String && y.Kind() == constant.String {
			return constant.BinaryOp(x, op, y)
		}
	case token.SUB, token.MUL:
		if numbers {
			return constant.BinaryOp(x, op, y)
		}
	case token.QUO:
		if !numbers || constant.Sign(y) == 0 {
			return nil
		}
		if ints {
			op = token.QUO_ASSIGN // integer division, by the rules of BinaryOp
		}
		return constant.BinaryOp(x, op, y)
	case token.REM:
		if ints && constant.Sign(y) != 0 {
			return constant.BinaryOp(x, op, y)
		}
	case token.AND, token.OR, token.XOR, token.AND_NOT:
		if ints {
			return constant.BinaryOp(x, op, y)
		}
	case token.SHL, token.SHR:
		if !ints {
			return nil
		}
		if n, exact := constant.Uint64Val(y); exact && n <= maxShift {
			return constant.Shift(x, op, uint(n))
		}
	}
	return nil
}

func isNumber(v constant.Value) bool { return v.Kind() == constant.Int || v.Kind() == constant.Float }
