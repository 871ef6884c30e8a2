package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// allEdits lists what each pair suggests for a. twins are the arguments of the first variant; nil: there is none.
func (s *Solver) allEdits(log *Log, twins, a input.Args, yield func(e Edit) bool) bool {
	s.search.budget.grant()
	for i := range log.pairs {
		s.search.budget.share(len(log.pairs) - i)
		if !s.pairEdits(&log.pairs[i], twins, a, yield) {
			return false
		}
	}
	return true
}

// nearEdits resizes buffers of which the target has measured a part: all but the first few bytes, or a word. Such matches
// are often coincidences, so they come last.
func (s *Solver) nearEdits(log *Log, a input.Args, yield func(e Edit) bool) bool {
	s.search.budget.grant()
	for i := range log.pairs {
		s.search.budget.share(len(log.pairs) - i)
		for arg := range a {
			if a[arg].Kind.IsBuffer() && !s.search.onePairNear(&log.pairs[i], a[arg].Data, arg, yield) {
				return false
			}
		}
	}
	return true
}

// pairEdits calls yield for the replacements that one pair suggests. It reports whether yield wants more.
func (s *Solver) pairEdits(p *pair, twins, a input.Args, yield func(e Edit) bool) bool {
	f := &s.search
	for arg := range a {
		more := true
		at := place{arg: arg, data: a[arg].Data}
		var twin *input.Value
		if arg < len(twins) {
			twin = &twins[arg]
			at.twin = twin.Data
		}
		switch v := &a[arg]; {
		case p.Width == 0 && v.Kind.IsBuffer():
			if !f.random && !s.Without.Has(technique.LengthFields) {
				s.tags.note(p, at)
			}
			more = f.textEdits(p, at, yield) && (!p.Key || f.keyEdits(p, at, yield))
		case p.Width == 0:
		case v.Kind.IsBuffer():
			more = f.lengthEdits(p, at, yield) && f.bufferEdits(p, at, yield)
			if f.random && f.near {
				f.onePairNear(p, at.data, arg, yield)
			}
		default:
			more = f.numberEdits(p, v, twin, arg, yield)
		}
		if !more {
			return false
		}
	}
	return true
}
