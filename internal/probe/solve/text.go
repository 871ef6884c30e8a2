package solve

// textEdits replaces a string in any form, or inserts the wanted one if an empty string was compared.
func (s *search) textEdits(p *pair, at place, yield func(e Edit) bool) bool {
	if len(p.SeenText) == 0 {
		if !s.wanted(true) { // an empty string is everywhere, in each variant
			return true
		}
		e := Edit{Arg: at.arg, New: p.WantText, Resize: -1, Site: p.Site, Tight: true}
		if !s.emit(e, yield) {
			return false
		}
		e.At = len(at.data)
		return len(at.data) == 0 || s.emit(e, yield)
	}
	if s.spend(3*len(at.data)) && !s.verbatimEdits(p, at, yield) {
		return false
	}
	if plain(s.without) {
		return true
	}
	if s.random {
		return s.formTextEdits(p, s.textForm, at, yield)
	}
	for i := -otherForms; i < len(textForms); i++ {
		if s.spend(len(at.data)) && !s.formTextEdits(p, i, at, yield) {
			return false
		}
	}
	return true
}

// verbatimEdits replaces a string as it is, in any case: first all places at once where it is a word, then each place.
func (s *search) verbatimEdits(p *pair, at place, yield func(e Edit) bool) bool {
	if !s.random && !s.allPlaces(p, at, yield) {
		return false
	}
	n := len(p.SeenText)
	for pos := nextText(p.SeenText, at.data, 0); pos >= 0; pos = nextText(p.SeenText, at.data, pos+1) {
		tight := p.twinAt(at, pos)
		e := Edit{Arg: at.arg, At: pos, Len: n, New: p.WantText, Resize: -1, Site: p.Site, Tight: tight}
		if s.wanted(tight) && !s.emit(e, yield) {
			return false
		}
	}
	return true
}

// allPlaces replaces all occurrences of a word, if there are at least two: an element of XML has its name at both ends, and
// a name is defined once and used elsewhere.
func (s *search) allPlaces(p *pair, at place, yield func(e Edit) bool) bool {
	all, words := Edit{Arg: at.arg, Resize: -1, Site: p.Site}, 0
	for pos := nextText(p.SeenText, at.data, 0); pos >= 0; pos = nextText(p.SeenText, at.data, pos+1) {
		if isWord(at.data, pos, len(p.SeenText)) && pos >= all.At+all.Len {
			words++
			all.Tight = all.Tight || p.twinAt(at, pos)
			s.gather(&all, at.data, pos, p)
		}
	}
	all.New = s.allText
	return words < 2 || !s.wanted(all.Tight) || s.emit(all, yield)
}

// gather extends an edit of all occurrences of a word to the one at pos.
func (s *search) gather(all *Edit, b []byte, pos int, p *pair) {
	if all.Len == 0 {
		all.At, s.allText = pos, s.allText[:0]
	} else {
		s.allText = append(s.allText, b[all.At+all.Len:pos]...)
	}
	s.allText = append(s.allText, p.WantText...)
	all.Len = pos + len(p.SeenText) - all.At
}

// formTextEdits replaces a string in one of the other forms.
func (s *search) formTextEdits(p *pair, i int, at place, yield func(e Edit) bool) bool {
	switch i {
	case verbatimForm:
		return true // verbatimEdits has done it
	case base64Form:
		return s.base64Edits(p, at, yield)
	case paddedForm:
		return s.paddedEdits(p, at, yield)
	}
	f := &textForms[i]
	s.seenText = f.append(s.seenText[:0], p.SeenText)
	s.wantText = f.append(s.wantText[:0], p.WantText)
	if string(s.seenText) == string(p.SeenText) && string(s.wantText) == string(p.WantText) {
		return true
	}
	if at.twin != nil {
		s.twinText = f.append(s.twinText[:0], p.twin.seenText)
	}
	for pos := index(at.data, s.seenText, 0); pos >= 0; pos = index(at.data, s.seenText, pos+1) {
		tight := at.twin != nil && p.twin.ok && standsAt(at.twin, s.twinText, pos)
		e := Edit{Arg: at.arg, At: pos, Len: len(s.seenText), New: s.wantText, Resize: -1, Site: p.Site, Tight: tight}
		if s.wanted(tight) && !s.emit(e, yield) {
			return false
		}
	}
	return true
}

// paddedEdits replaces a string in a field of a fixed size that is filled up with zeros, which the target cuts off.
func (s *search) paddedEdits(p *pair, at place, yield func(e Edit) bool) bool {
	for pos := index(at.data, p.SeenText, 0); pos >= 0; pos = index(at.data, p.SeenText, pos+1) {
		n := len(p.SeenText)
		for pos+n < len(at.data) && n < len(p.WantText) && at.data[pos+n] == 0 {
			n++
		}
		zero := n > len(p.SeenText) || pos+n < len(at.data) && at.data[pos+n] == 0
		if !zero || n < len(p.WantText) {
			continue
		}
		s.wantText = append(s.wantText[:0], p.WantText...)
		for len(s.wantText) < n {
			s.wantText = append(s.wantText, 0)
		}
		tight := at.twin != nil && p.twin.ok && standsAt(at.twin, p.twin.seenText, pos)
		e := Edit{Arg: at.arg, At: pos, Len: n, New: s.wantText, Resize: -1, Site: p.Site, Tight: tight}
		if s.wanted(tight) && !s.emit(e, yield) {
			return false
		}
	}
	return true
}
