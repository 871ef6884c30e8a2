package solve

import "github.com/gnaw-fuzz/gnaw/input"

// argumentForm is the form of a checksum that is a number argument.
const argumentForm = verbatimForm - 1

// fieldOf returns the field that holds the seen side of a pair in the entry and in the first variant. An integer is looked
// for in the first n forms.
func (s *search) fieldOf(log *Log, p *pair, a input.Args, n int) (c checksum, ok bool) {
	s.pass = passTight
	for arg := range a {
		if !a[arg].Kind.IsBuffer() {
			continue
		}
		at := place{arg, a[arg].Data, log.variants[0].args[arg].Data}
		from, to := 0, n
		if p.Width == 0 {
			from, to = verbatimForm, len(textForms)
		}
		for i := from; i < to && !ok; i++ {
			s.begin(a)
			s.inForm(p, i, at, func(e Edit) bool {
				c, ok = checksum{form: i, at: e.At, fromEnd: len(a[arg].Data) - e.At}, true
				return false
			})
		}
	}
	s.pass = passAll
	return c, ok
}

// inForm lists the edits of a pair in one form.
func (s *search) inForm(p *pair, i int, at place, yield func(e Edit) bool) {
	switch {
	case p.Width > 0:
		s.formEdits(p, i, at, yield)
	case i == verbatimForm:
		s.verbatimEdits(p, at, yield)
	default:
		s.formTextEdits(p, i, at, yield)
	}
}

// argumentOf returns the number argument that is the seen side of a pair in the entry and in the first variant; -1 if none
// is.
func argumentOf(log *Log, p *pair, a input.Args) int {
	for arg := range a {
		v, twin := &a[arg], &log.variants[0].args[arg]
		if v.Kind < input.Int || v.Kind > input.Uint64 || p.Width < 4 || !p.twin.ok {
			continue
		}
		if p.fromNumber(v, p.Seen) && p.fromNumber(twin, p.twin.seen) {
			return arg
		}
	}
	return -1
}
