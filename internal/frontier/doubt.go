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
	switch r.Help.Kind {
	case Nothing, Word, Checksum, Type:
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
