package frontier

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
)

// If a condition has the same value manyTimes times, in manyInputs inputs, the code before it probably excludes the other value, unless gnaw knows
// that the input decides it. If the values come as near to a limit as possible, nearTimes evaluations are enough.
const (
	manyTimes  = 50
	manyInputs = 10
	nearTimes  = 8
)

// doubt changes the help of a row if the code before probably excludes the missing side.
func (r *Row) doubt() {
	c := r.Compared
	if r.Help.Kind == Nothing || r.asserts() {
		return
	}
	switch r.Help.Kind {
	case Word, Checksum, Type:
		return
	}
	if c != nil && !c.Text && (c.Place != nil || c.measured >= 0) {
		return
	}
	near := r.limit && c != nil && c.near && r.Times >= nearTimes
	if near || r.defends() && r.Times >= nearTimes || r.Times >= manyTimes && r.Inputs >= manyInputs {
		r.Help = Help{Kind: Guard, Text: fmt.Sprintf("perhaps nothing: %d evaluations take the other side, so the code before may exclude this one; otherwise %s", r.Times, r.Help.Text)}
	}
}

// asserts says in the help of a row that the missing side reports an error of the program itself, and reports whether nothing but the help of
// such a row is to say: then no execution shows that the input decides the condition.
func (r *Row) asserts() bool {
	call := r.source.assertion(r.branch.first)
	if call == nil {
		return false
	}
	why, c := "the side begins with an assertion, a call of "+r.source.text(call.Fun), r.Compared
	if len(r.varying) > 0 || c != nil && (c.Place != nil || c.measured >= 0 || r.Inputs == 1) {
		r.Help.Text += "; " + why
		return false
	}
	r.Help.Kind, r.Help.Text = Guard, fmt.Sprintf("perhaps nothing: %s; otherwise %s", why, r.Help.Text)
	return true
}

// defends reports whether the missing side returns because values are nil or empty. Many functions have such a check, and no caller that passes
// such a value.
func (r *Row) defends() bool {
	ret, ok := r.branch.first.(*ast.ReturnStmt)
	if !ok || r.branch.kind != kindIf || !r.branch.want || ret == nil {
		return false
	}
	list, _ := r.leaves()
	for _, l := range list {
		if l.op != token.EQL {
			return false
		}
		empty := l.val != nil && l.val.Kind() == constant.Int && constant.Sign(l.val) == 0 && measures(l.x)
		if !empty && r.source.text(l.y) != "nil" {
			return false
		}
	}
	return true
}
