package solve

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

const (
	// maxResize is the length that no limit of an input allows.
	maxResize = 1 << 24
	// maxHead is how many bytes before the part that a target measures may be left out.
	maxHead = 16
	// maxToken is the length up to which a word is grown, and maxTokens how many words one comparison resizes.
	maxToken  = 1 << 12
	maxTokens = 4
)

// lengthEdits resizes a buffer whose length was compared.
func (s *search) lengthEdits(p *pair, at place, yield func(e Edit) bool) bool {
	if p.Seen != uint64(len(at.data)) || s.without.Has(technique.Lengths) {
		return true
	}
	tight := p.twin.ok && p.twin.seen == p.Seen
	if !s.wanted(tight) {
		return true
	}
	for _, want := range p.wants() {
		e := Edit{Arg: at.arg, Resize: int(want), Site: p.Site, Tight: tight}
		if want < maxResize && want != p.Seen && !s.emit(e, yield) {
			return false
		}
	}
	return true
}

func (s *search) onePairNear(p *pair, b []byte, arg int, yield func(e Edit) bool) bool {
	if p.Width == 0 && len(p.SeenText) == 0 {
		return s.emptyEdits(p, b, arg, yield)
	}
	if p.Width < 4 || p.twin.ok && p.twin.seen != p.Seen || s.without.Has(technique.Lengths) {
		return true
	}
	named := p.Const && p.Seen != 0
	words := named && s.spend(2*len(b)) // before the parts, which may use all of the budget
	if !s.partEdits(p, b, arg, yield) {
		return false
	}
	// Positions and lengths that are compared with each other would only make inputs longer.
	return !named || s.headEdits(p, b, arg, yield) && (!words || s.tokenEdits(p, b, arg, yield))
}

// headEdits resizes a buffer of which all but a few bytes were measured.
func (s *search) headEdits(p *pair, b []byte, arg int, yield func(e Edit) bool) bool {
	head := uint64(len(b)) - p.Seen
	if p.Seen > uint64(len(b)) || head == 0 || head > maxHead {
		return true
	}
	for _, want := range p.wants() {
		e := Edit{Arg: arg, Resize: int(want + head), Site: p.Site}
		if want < maxResize && want != p.Seen && !s.emit(e, yield) {
			return false
		}
	}
	return true
}

// tokenEdits resizes words that have the length that was compared.
func (s *search) tokenEdits(p *pair, b []byte, arg int, yield func(e Edit) bool) bool {
	if p.Want > maxToken {
		return true
	}
	for _, in := range [2]func(c byte) bool{wordByte, fieldByte} {
		for at, done := 0, 0; at < len(b) && done < maxTokens; at++ {
			end := at
			for end < len(b) && in(b[end]) {
				end++
			}
			if end > at && uint64(end-at) == p.Seen && end-at < len(b) {
				done++
				if !s.oneTokenEdits(p, b[at:end], Edit{Arg: arg, At: at, Len: end - at, Resize: -1, Near: true, Site: p.Site}, yield) {
					return false
				}
			}
			at = end
		}
	}
	return true
}

func (s *search) oneTokenEdits(p *pair, token []byte, e Edit, yield func(e Edit) bool) bool {
	for _, want := range p.wants() {
		if want > maxToken+1 || want == p.Seen {
			continue
		}
		s.wantText = s.wantText[:0]
		for len(s.wantText) < int(want) {
			s.wantText = append(s.wantText, token[len(s.wantText)%len(token)])
		}
		if e.New = s.wantText; !s.emit(e, yield) {
			return false
		}
	}
	return true
}
