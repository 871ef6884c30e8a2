package frontier

import (
	"cmp"
	"slices"
)

// weight is the key that rows are sorted by, the largest first.
func (r *Row) weight() int { return r.Behind * r.Inputs }

// sort sorts the rows by their weight. The rows for which no input helps are at the end.
func (f *Frontier) sort() {
	slices.SortFunc(f.Rows, func(a, b *Row) int {
		apart := func(r *Row) int {
			if r.Help.Kind == Nothing {
				return 1
			}
			return 0
		}
		return cmp.Or(
			cmp.Compare(apart(a), apart(b)), cmp.Compare(b.weight(), a.weight()), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), cmp.Compare(a.Missing, b.Missing),
		)
	})
}
