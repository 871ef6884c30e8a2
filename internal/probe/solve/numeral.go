package solve

// numeralEdits replaces a number that is written with the digits of a base.
func (s *search) numeralEdits(p *pair, base uint64, at place, yield func(e Edit) bool) bool {
	for d := nextNumeral(at.data, base, 0); d.n > 0; d = nextNumeral(at.data, base, d.at+d.n) {
		signed, ok := d.is(p.Seen, p.Width)
		if !ok || !d.likely(base) {
			continue
		}
		tight := at.twin != nil && p.twin.ok && numeralAt(at.twin, base, d.at, p.twin.seen, p.Width)
		if s.wanted(tight) && !s.numeralTexts(p, base, &d, signed, Edit{Arg: at.arg, Resize: -1, Site: p.Site, Tight: tight}, yield) {
			return false
		}
	}
	return true
}

// numeralTexts yields the wanted values in the place of a numeral. It writes one with the top bit set as a negative number,
// unless the numeral is too large for a signed one, and as an unsigned number, unless the numeral is negative.
func (s *search) numeralTexts(p *pair, base uint64, d *numeral, signed bool, e Edit, yield func(e Edit) bool) bool {
	top := uint64(1) << (8*min(p.Width, 8) - 1)
	for _, unsigned := range [2]bool{false, true} {
		for _, want := range p.wants() {
			negative := want&top != 0
			switch {
			case !negative && unsigned: // it was yielded before
				continue
			case negative && !unsigned && !signed && (p.Width == 1 || p.Seen&top != 0):
				continue
			case negative && unsigned && signed && d.sign == '-':
				continue
			}
			text, minus := s.wantBuf[0][:0], negative && !unsigned
			if minus {
				text, want = append(text, '-'), -signExtend(want, p.Width)
			} else if signed && d.sign == '+' {
				text = append(text, '+')
			}
			head := 0 // bytes before the digits that are replaced too
			if minus || signed {
				text, head = append(text, d.prefix...), len(d.prefix)
			}
			if signed {
				head++
			}
			e.At, e.Len = d.at-head, d.n+head
			if e.New = appendNumeral(text, want, base, d); !s.emit(e, yield) {
				return false
			}
		}
	}
	return true
}
