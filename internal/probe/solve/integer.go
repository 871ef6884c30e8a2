package solve

// bufferEdits replaces an integer in all forms that are to be tried.
func (s *search) bufferEdits(p *pair, at place, yield func(e Edit) bool) bool {
	for i := range forms {
		if s.tried>>i&1 != 0 && s.spend(len(at.data)) && !s.formEdits(p, i, at, yield) {
			return false
		}
	}
	return true
}

// formEdits replaces an integer in one of the forms.
func (s *search) formEdits(p *pair, i int, at place, yield func(e Edit) bool) bool {
	f := &forms[i]
	switch f.base {
	case 0:
	case base64Base:
		return s.base64Edits(p, at, yield)
	case floatBase:
		return s.floatEdits(p, at, yield)
	default:
		return s.numeralEdits(p, f.base, at, yield)
	}
	seen, ok := f.append(s.seenBuf[:0], p.Seen, p.Width)
	if !ok || f.nonzero && p.Seen == 0 {
		return true
	}
	var twin []byte
	var texts [3][]byte
	encoded, hasTwin := false, at.twin != nil && p.twin.ok
	for pos := index(at.data, seen, 0); pos >= 0; pos = index(at.data, seen, pos+1) { // where the time goes
		if hasTwin && twin == nil {
			twin, hasTwin = f.append(s.twinBuf[:0], p.twin.seen, p.Width)
		}
		tight := hasTwin && standsAt(at.twin, twin, pos)
		if !s.wanted(tight) {
			continue
		}
		if !encoded {
			texts, encoded = s.encodeWants(p, f), true
		}
		for _, text := range texts {
			e := Edit{Arg: at.arg, At: pos, Len: len(seen), New: text, Resize: -1, Site: p.Site, Tight: tight}
			if text != nil && string(text) != string(seen) && !s.emit(e, yield) {
				return false
			}
		}
	}
	return true
}

// encodeWants returns the wanted values of p in a form. A value that has no such form is nil: it does not come from a field
// that is so narrow, or the target extends what it reads.
func (s *search) encodeWants(p *pair, f *form) (texts [3][]byte) {
	for k, want := range p.wants() {
		if text, ok := f.append(s.wantBuf[k][:0], want, p.Width); ok {
			texts[k] = text
		}
	}
	return texts
}
