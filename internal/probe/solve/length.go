package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

const (
	// maxResize is the length that no limit of an input allows.
	maxResize = 1 << 24
	// maxHead: so many bytes in front of what a target measures may have been cut off.
	maxHead = 16
	// maxToken is the length up to which a word is grown, and maxTokens how many words one comparison resizes.
	maxToken  = 1 << 12
	maxTokens = 4
)

// lengthEdits resizes a buffer whose length was compared.
func (t *Table) lengthEdits(p *Pair, at place, yield func(e Edit) bool) bool {
	if p.Seen != uint64(len(at.data)) || t.Without.Has(technique.Lengths) {
		return true
	}
	tight := p.twin.ok && p.twin.seen == p.Seen
	if !t.wanted(tight) {
		return true
	}
	for _, want := range p.wants() {
		e := Edit{Arg: at.arg, Resize: int(want), Site: p.Site, Tight: tight}
		if want < maxResize && want != p.Seen && !t.emit(e, yield) {
			return false
		}
	}
	return true
}

// nearEdits resizes buffers of which the target has measured a part: all but a few bytes at one end, or a word. Such
// coincidences are frequent, so they come last.
func (t *Table) nearEdits(a input.Args, yield func(e Edit) bool) bool {
	t.grant()
	for i := range t.pairs {
		t.share(len(t.pairs) - i)
		for arg := range a {
			if a[arg].Kind.IsBuffer() && !t.onePairNear(&t.pairs[i], a[arg].Data, arg, yield) {
				return false
			}
		}
	}
	return true
}

func (t *Table) onePairNear(p *Pair, b []byte, arg int, yield func(e Edit) bool) bool {
	if p.Width == 0 && len(p.SeenText) == 0 {
		return t.emptyEdits(p, b, arg, yield)
	}
	if p.Width < 4 || p.twin.ok && p.twin.seen != p.Seen || t.Without.Has(technique.Lengths) {
		return true
	}
	named := p.Const && p.Seen != 0
	words := named && t.search(2*len(b)) // before the parts, which take so much of the budget that nothing would be left
	if !t.partEdits(p, b, arg, yield) {
		return false
	}
	// Positions and lengths that are compared with each other make long inputs, and nothing else.
	return !named || t.headEdits(p, b, arg, yield) && (!words || t.tokenEdits(p, b, arg, yield))
}

// headEdits resizes a buffer of which all but a few bytes were measured.
func (t *Table) headEdits(p *Pair, b []byte, arg int, yield func(e Edit) bool) bool {
	head := uint64(len(b)) - p.Seen
	if p.Seen > uint64(len(b)) || head == 0 || head > maxHead {
		return true
	}
	for _, want := range p.wants() {
		e := Edit{Arg: arg, Resize: int(want + head), Site: p.Site}
		if want < maxResize && want != p.Seen && !t.emit(e, yield) {
			return false
		}
	}
	return true
}

// tokenEdits resizes words that have the length that was compared.
func (t *Table) tokenEdits(p *Pair, b []byte, arg int, yield func(e Edit) bool) bool {
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
				if !t.oneTokenEdits(p, b[at:end], Edit{Arg: arg, At: at, Len: end - at, Resize: -1, Near: true, Site: p.Site}, yield) {
					return false
				}
			}
			at = end
		}
	}
	return true
}

func (t *Table) oneTokenEdits(p *Pair, token []byte, e Edit, yield func(e Edit) bool) bool {
	for _, want := range p.wants() {
		if want > maxToken+1 || want == p.Seen {
			continue
		}
		t.wantText = t.wantText[:0]
		for len(t.wantText) < int(want) {
			t.wantText = append(t.wantText, token[len(t.wantText)%len(token)])
		}
		if e.New = t.wantText; !t.emit(e, yield) {
			return false
		}
	}
	return true
}

// wordByte reports whether c is a part of a word.
func wordByte(c byte) bool {
	return digit(c) || lower(c) >= 'a' && lower(c) <= 'z' || c == '_' || c >= 0x80
}

// fieldByte reports whether c is none of the bytes that separate fields.
func fieldByte(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ';', ':', '=', '&', '|', '"', '\'', '(', ')', '[', ']', '{', '}', '<', '>', '/', 0:
		return false
	}
	return true
}
