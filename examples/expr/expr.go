// Package expr evaluates integer expressions with + - * / %, unary minus and parentheses, as in "2 * (3 + 4)".
// Numbers are 64 bits wide and wrap around as Go's do.
package expr

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrDivide means that an expression divides by zero.
var ErrDivide = errors.New("division by zero")

// maxDepth limits how deep expressions nest.
const maxDepth = 200

// Eval computes the value of an expression.
func Eval(s string) (int64, error) {
	p := &parser{s: s}
	v, err := p.sum()
	if err != nil {
		return 0, fmt.Errorf("eval %q: %w", s, err)
	}
	if p.skip(); p.pos < len(p.s) {
		return 0, fmt.Errorf("eval %q: unexpected %q at %d", s, p.s[p.pos], p.pos)
	}
	return v, nil
}

// A parser evaluates while it reads: each method consumes one level of precedence.
type parser struct {
	s     string
	pos   int
	depth int
}

func (p *parser) skip() {
	for p.pos < len(p.s) && (p.s[p.pos] == ' ' || p.s[p.pos] == '\t') {
		p.pos++
	}
}

// next consumes and returns the next byte if it is one of set, else it returns 0.
func (p *parser) next(set string) byte {
	p.skip()
	if p.pos == len(p.s) {
		return 0
	}
	for i := 0; i < len(set); i++ {
		if p.s[p.pos] == set[i] {
			p.pos++
			return set[i]
		}
	}
	return 0
}

func (p *parser) sum() (int64, error) {
	left, err := p.product()
	for err == nil {
		op := p.next("+-")
		if op == 0 {
			break
		}
		var right int64
		if right, err = p.product(); op == '+' {
			left += right
		} else {
			left -= right
		}
	}
	return left, err
}

func (p *parser) product() (int64, error) {
	left, err := p.unary()
	for err == nil {
		op := p.next("*/%")
		if op == 0 {
			break
		}
		var right int64
		if right, err = p.unary(); err != nil {
			break
		}
		switch op {
		case '*':
			left *= right
		case '/':
			if right == 0 {
				return 0, ErrDivide
			}
			left /= right
		case '%':
			left %= right
		}
	}
	return left, err
}

func (p *parser) unary() (int64, error) {
	if p.depth++; p.depth > maxDepth {
		return 0, errors.New("nested too deeply")
	}
	defer func() { p.depth-- }()
	switch p.next("-(") {
	case '-':
		v, err := p.unary()
		return -v, err
	case '(':
		v, err := p.sum()
		if err == nil && p.next(")") == 0 {
			err = fmt.Errorf("missing ) at %d", p.pos)
		}
		return v, err
	}
	return p.number()
}

func (p *parser) number() (int64, error) {
	start := p.pos
	for p.pos < len(p.s) && '0' <= p.s[p.pos] && p.s[p.pos] <= '9' {
		p.pos++
	}
	if start == p.pos {
		return 0, fmt.Errorf("want a number at %d", start)
	}
	return strconv.ParseInt(p.s[start:p.pos], 10, 64)
}
