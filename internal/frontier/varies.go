package frontier

import (
	"go/ast"
	"go/token"
	"maps"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
)

// varying returns the leaves of a row whose values differ between inputs. What the executions show decides: a comparison whose values differ depends on the
// input, whatever the sources say. That they do not differ shows nothing.
func varying(r *Row, facts Facts) map[ast.Expr]bool {
	leaves := map[ast.Expr]bool{}
	for _, l := range r.branch.otherCases(r.source) {
		if vary(r.pairsOf(&l, facts)) {
			leaves[l.expr] = true
		}
	}
	list, _ := r.leaves()
	for i := range list {
		l := &list[i]
		if l.op == token.ILLEGAL && l.sought(r.source) == "" {
			continue // the comparisons may be of another leaf
		}
		if vary(l.own(r.pairsOf(l, facts), r.source)) {
			leaves[l.expr] = true
		}
	}
	return leaves
}

// vary reports whether an address makes comparisons with other values for one input than for another one.
func vary(list []pair) bool {
	first, current := map[address]map[string]bool{}, map[address]map[string]bool{}
	of := map[address]*coverage.Entry{} // the input of current
	differ := func(at address) bool {
		if first[at] == nil {
			first[at] = current[at]
		}
		return !maps.Equal(first[at], current[at])
	}
	for _, p := range list { // those of an input follow one another
		if of[p.at] != p.input.entry {
			if of[p.at] != nil && differ(p.at) {
				return true
			}
			of[p.at], current[p.at] = p.input.entry, map[string]bool{}
		}
		current[p.at][p.seen.String(false)+" "+p.wanted.String(false)] = true
	}
	for at := range current {
		if differ(at) {
			return true
		}
	}
	return false
}
