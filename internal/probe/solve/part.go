package solve

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

const (
	// maxName is the length up to which a part is grown if the wanted length is not a constant.
	maxName = 256
	// partCost is how many times as long a search for parts of a length takes as a search for a value.
	partCost = 32
	// maxParts is how many parts one comparison of a length resizes.
	maxParts = 4
)

// partEdits resizes parts whose length was compared and is in a field before them. A part grows by copies of itself.
func (s *search) partEdits(p *pair, b []byte, arg int, yield func(e Edit) bool) bool {
	if p.Want > maxToken || !p.Const && p.Want > maxName || p.Seen > uint64(len(b)) || s.without.Has(technique.LengthFields) {
		return true
	}
	if !s.spend(partCost * len(b)) {
		return true
	}
	n := int(p.Seen)
	first := 2
	if len(b) > 0 && (b[0] < ' ' || b[0] > '~') { // the first byte of a text is rarely a length
		first = 1
	}
	for at, done := first, 0; at+n <= len(b) && done < maxParts; at++ {
		if f, ok := fieldBefore(b, at, n); !ok || n == 0 && f.width < emptyWidth {
			continue
		}
		done++
		e := Edit{Arg: arg, At: at, Len: n, Resize: -1, Site: p.Site}
		for _, want := range p.wants() {
			if want > maxToken+1 || want == p.Seen {
				continue
			}
			s.wantText = s.wantText[:0]
			for len(s.wantText) < int(want) {
				s.wantText = append(s.wantText, filler(b[at:at+n], len(s.wantText)))
			}
			e.New = s.wantText
			if f, ok := s.framed(e); ok && !s.emitOne(f, yield) {
				return false
			}
		}
	}
	return true
}

// emptyEdits inserts what an empty string was compared with into empty parts.
func (s *search) emptyEdits(p *pair, b []byte, arg int, yield func(e Edit) bool) bool {
	if !s.spend(partCost * len(b)) {
		return true
	}
	for at, done := emptyWidth, 0; at <= len(b) && done < maxParts; at++ {
		if f, ok := fieldBefore(b, at, 0); !ok || f.width < emptyWidth {
			continue
		}
		done++
		e := Edit{Arg: arg, At: at, Resize: -1, New: p.WantText, Site: p.Site}
		if f, ok := s.framed(e); ok && !s.emitOne(f, yield) {
			return false
		}
	}
	return true
}

// emptyWidth is the size in bytes of the narrowest field that is taken for a length of zero.
const emptyWidth = 4

// filler returns byte i of a part that is repeated.
func filler(part []byte, i int) byte {
	if len(part) == 0 {
		return '0'
	}
	return part[i%len(part)]
}
