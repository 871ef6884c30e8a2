package frontier

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
)

// A condition that has the same value so often, in so many inputs, probably has it because of the code before, unless the input is known to decide
// it. If the values come as near to a limit as possible, fewer evaluations are enough.
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

// defends reports whether the missing side only returns because something is nil or empty, as in many functions that are never called that way.
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
