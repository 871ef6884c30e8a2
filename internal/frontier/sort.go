package frontier

import (
	"cmp"
	"slices"
)

// weight is the number of statements behind the side times the number of inputs that evaluate the condition.
func (r *Row) weight() int { return r.Behind * r.Inputs }

// Classes of rows, in the order in which they are shown.
const (
	classValue   = iota // gnaw knows the word, number or length, or a checksum
	classInput          // another input helps, and gnaw knows no more
	classUnknown        // another input or another call by the target helps
	classType           // a value of another type helps
	classFailure        // a call has to fail; other rows say how
	classGuard          // the code before may exclude it
	classNothing        // no input helps
	classOperand        // is added for an operand without statements behind it
)

// class returns the class of a row.
func (r *Row) class() int {
	if r.Behind == 0 {
		return classOperand + r.helpClass()
	}
	return r.helpClass()
}

// helpClass returns the class without regard to the statements behind the row.
func (r *Row) helpClass() int {
	c := r.Compared
	switch {
	case r.Help.Kind == Nothing:
		return classNothing
	case r.Help.Kind == Type:
		return classType
	case r.Help.Kind == Guard:
		return classGuard
	case r.wantsError:
		return classFailure
	case r.Help.Kind == Failure:
		return classInput
	case r.Help.Kind == Word && !c.steady(), r.Help.Kind == Checksum, c != nil && c.Place != nil:
		return classValue
	case c != nil && len(c.seen) > 1:
		return classInput
	}
	return classUnknown
}

// sort sorts the rows by their class, and those of a class by their weight, the largest first.
func (f *Frontier) sort() {
	slices.SortFunc(f.Rows, func(a, b *Row) int {
		return cmp.Or(
			cmp.Compare(a.Class, b.Class), cmp.Compare(b.weight(), a.weight()), cmp.Compare(b.Times, a.Times), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Missing, b.Missing),
		)
	})
}
