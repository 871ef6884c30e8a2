package input

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"math"
	"strconv"
)

// What one line of a corpus file may say, in tokens of the Go language:
//
//	line  = type "(" arg [ "..." ] [ "," ] ")" .
//	type  = "[" "]" "byte" | "math" "." name | name .
//	arg   = literal | name | "-" literal | operator "Inf" .
//
// That is less than the Go expressions that `go test` parses, but all of them that it then accepts, oddities such as the
// dots and `float64(^Inf)` included. It needs no syntax tree and no recursion, so a hostile line costs nothing but its
// length.

// An operand is the argument of a conversion, before its meaning is known.
type operand struct {
	kind token.Token // kind of literal; FLOAT for Inf and NaN, IDENT for other names
	text string      // text of the literal or name, with a sign if there is one
}

// tokens reads the tokens of one line and keeps the first error, after which every token is ILLEGAL.
type tokens struct {
	scan scanner.Scanner
	tok  token.Token
	text string
	err  error
}

func newTokens(line []byte) *tokens {
	t := new(tokens)
	file := token.NewFileSet().AddFile("", -1, len(line))
	t.scan.Init(file, line, func(_ token.Position, msg string) { t.fail(errors.New(msg)) }, 0)
	t.next()
	return t
}

func (t *tokens) next() {
	_, t.tok, t.text = t.scan.Scan()
	if t.err != nil {
		t.tok = token.ILLEGAL
	}
}

func (t *tokens) fail(err error) {
	if t.err == nil {
		t.err = err
	}
	t.tok = token.ILLEGAL
}

// take consumes a token of kind want and returns its text.
func (t *tokens) take(want token.Token) string {
	text := t.text
	if t.tok != want {
		t.fail(fmt.Errorf("expected %s, found %s", tokenName(want), t.found()))
		return ""
	}
	t.next()
	return text
}

// skip consumes a token of kind tok if it is the next one.
func (t *tokens) skip(tok token.Token) {
	if t.tok == tok {
		t.next()
	}
}

// found describes the next token.
func (t *tokens) found() string {
	switch {
	case t.tok == token.EOF, t.tok == token.SEMICOLON && t.text == "\n":
		return "the end of the line"
	case t.tok.IsLiteral():
		return quoteStart([]byte(t.text))
	}
	return tokenName(t.tok)
}

func tokenName(tok token.Token) string {
	if tok == token.IDENT {
		return "a name"
	}
	return "'" + tok.String() + "'"
}

// end checks that nothing follows but the semicolon that Go's scanner adds to a line.
func (t *tokens) end() {
	if t.tok == token.SEMICOLON && t.text == "\n" {
		t.next()
	}
	if t.tok != token.EOF {
		t.fail(fmt.Errorf("unexpected %s after the value", t.found()))
	}
}

// parseValue returns the argument that one line, which is not blank, stands for.
func parseValue(line []byte) (Value, error) {
	t := newTokens(line)
	typ := t.typeName()
	t.take(token.LPAREN)
	arg := t.operand()
	t.skip(token.ELLIPSIS)
	t.skip(token.COMMA)
	t.take(token.RPAREN)
	t.end()
	if t.err != nil {
		return Value{}, t.err
	}
	convert, ok := conversions[typ]
	if !ok {
		return Value{}, fmt.Errorf("%s is not a type that a fuzz target takes", typ)
	}
	v, err := convert(arg)
	if err != nil {
		return Value{}, fmt.Errorf("%s is not a value of %s: %w", quoteStart([]byte(arg.text)), typ, err)
	}
	return v, nil
}

func (t *tokens) typeName() string {
	if t.tok == token.LBRACK {
		t.next()
		t.take(token.RBRACK)
		return "[]" + t.take(token.IDENT)
	}
	name := t.take(token.IDENT)
	if t.tok == token.PERIOD {
		t.next()
		name += "." + t.take(token.IDENT)
	}
	return name
}

func (t *tokens) operand() operand {
	switch t.tok {
	case token.ADD, token.SUB, token.NOT, token.XOR, token.AND, token.TILDE, token.ARROW:
		return t.signed()
	case token.IDENT:
		name := t.take(token.IDENT)
		if name == "NaN" {
			return operand{token.FLOAT, name}
		}
		return operand{token.IDENT, name}
	}
	return t.literal()
}

// signed reads an operator and what follows it. Of the operators, only a minus is any good before a literal, while
// `go test` takes each other one before Inf for a plus.
func (t *tokens) signed() operand {
	op := t.tok
	t.next()
	if t.tok == token.IDENT {
		if name := t.take(token.IDENT); name != "Inf" {
			t.fail(fmt.Errorf("operator '%v' before %s", op, name))
		}
		if op == token.SUB {
			return operand{token.FLOAT, "-Inf"}
		}
		return operand{token.FLOAT, "+Inf"}
	}
	lit := t.literal()
	if op != token.SUB {
		t.fail(fmt.Errorf("operator '%v' before a literal", op))
	}
	return operand{lit.kind, "-" + lit.text}
}

func (t *tokens) literal() operand {
	lit := operand{t.tok, t.text}
	if !lit.kind.IsLiteral() || lit.kind == token.IDENT {
		t.fail(fmt.Errorf("expected a literal, found %s", t.found()))
		return operand{}
	}
	t.next()
	return lit
}

// conversions has the meaning of an operand for each type that a line may name.
var conversions = map[string]func(operand) (Value, error){
	"[]byte":               operand.toBytes,
	"string":               operand.toString,
	"bool":                 operand.toBool,
	"byte":                 operand.toByte,
	"rune":                 operand.toRune,
	"int":                  operand.toInt,
	"int8":                 signedOf(Int8),
	"int16":                signedOf(Int16),
	"int32":                signedOf(Int32),
	"int64":                signedOf(Int64),
	"uint":                 operand.toUint,
	"uint8":                unsignedOf(Uint8),
	"uint16":               unsignedOf(Uint16),
	"uint32":               unsignedOf(Uint32),
	"uint64":               unsignedOf(Uint64),
	"float32":              operand.toFloat32,
	"float64":              operand.toFloat64,
	"math.Float32frombits": bitsOf(Float32),
	"math.Float64frombits": bitsOf(Float64),
}

// want returns an error unless the operand is a literal of the kind.
func (o operand) want(kind token.Token, name string) error {
	if o.kind != kind {
		return fmt.Errorf("%s is needed", name)
	}
	return nil
}

func (o operand) quoted(k Kind) (Value, error) {
	if err := o.want(token.STRING, "a string literal"); err != nil {
		return Value{}, err
	}
	s, err := strconv.Unquote(o.text)
	return Value{Kind: k, Data: []byte(s)}, err
}

func (o operand) toBytes() (Value, error)  { return o.quoted(Bytes) }
func (o operand) toString() (Value, error) { return o.quoted(String) }

func (o operand) toBool() (Value, error) {
	if o.kind == token.IDENT {
		switch o.text {
		case "true":
			return Value{Kind: Bool, Bits: 1}, nil
		case "false":
			return Value{Kind: Bool}, nil
		}
	}
	return Value{}, errors.New("true or false is needed")
}

// character returns the code point of a character literal.
func (o operand) character() (rune, error) {
	if err := o.want(token.CHAR, "a character or integer literal"); err != nil {
		return 0, err
	}
	if len(o.text) < 2 {
		return 0, strconv.ErrSyntax
	}
	r, _, _, err := strconv.UnquoteChar(o.text[1:len(o.text)-1], '\'')
	return r, err
}

func (o operand) toByte() (Value, error) {
	if o.kind == token.INT {
		return unsignedOf(Uint8)(o)
	}
	r, err := o.character()
	if err == nil && r > math.MaxUint8 {
		err = errors.New("the character is more than one byte")
	}
	return Value{Kind: Uint8, Bits: uint64(r)}, err
}

func (o operand) toRune() (Value, error) {
	if o.kind == token.INT {
		return signedOf(Int32)(o)
	}
	r, err := o.character()
	return Value{Kind: Int32, Bits: uint64(r)}, err
}

// toInt and toUint take 64 bits everywhere and drop what an int of this machine has no room for, so that corpus files
// can be shared between machines.

func (o operand) toInt() (Value, error) {
	v, err := signedOf(Int64)(o)
	return Value{Kind: Int, Bits: uint64(int(v.Bits))}, err
}

func (o operand) toUint() (Value, error) {
	v, err := unsignedOf(Uint64)(o)
	return Value{Kind: Uint, Bits: uint64(uint(v.Bits))}, err
}

func signedOf(k Kind) func(operand) (Value, error) {
	return func(o operand) (Value, error) {
		if err := o.want(token.INT, "an integer literal"); err != nil {
			return Value{}, err
		}
		i, err := strconv.ParseInt(o.text, 0, k.Width())
		return Value{Kind: k, Bits: uint64(i)}, reason(err)
	}
}

func unsignedOf(k Kind) func(operand) (Value, error) {
	return func(o operand) (Value, error) {
		if err := o.want(token.INT, "an integer literal"); err != nil {
			return Value{}, err
		}
		u, err := strconv.ParseUint(o.text, 0, k.Width())
		return Value{Kind: k, Bits: u}, reason(err)
	}
}

// bitsOf reads a float by its bits.
func bitsOf(k Kind) func(operand) (Value, error) {
	return func(o operand) (Value, error) {
		v, err := unsignedOf(Uint64)(o)
		if err == nil && k == Float32 && v.Bits > math.MaxUint32 {
			err = strconv.ErrRange
		}
		return Value{Kind: k, Bits: v.Bits}, err
	}
}

func (o operand) toFloat32() (Value, error) {
	f, err := o.float(32)
	return Value{Kind: Float32, Bits: uint64(math.Float32bits(float32(f)))}, err
}

func (o operand) toFloat64() (Value, error) {
	f, err := o.float(64)
	return Value{Kind: Float64, Bits: math.Float64bits(f)}, err
}

func (o operand) float(bits int) (float64, error) {
	if o.kind != token.INT && o.kind != token.FLOAT {
		return 0, errors.New("a number is needed")
	}
	f, err := strconv.ParseFloat(o.text, bits)
	return f, reason(err)
}

// reason strips the function and the number from an error of package strconv: the line says which number.
func reason(err error) error {
	var ne *strconv.NumError
	if errors.As(err, &ne) {
		return ne.Err
	}
	return err
}
