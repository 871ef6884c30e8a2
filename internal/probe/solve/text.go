package solve

import "unicode/utf8"

// textForm is a way in which a parser reads a string from bytes.
type textForm struct {
	name   string
	append func(dst, s []byte) []byte
}

// textForms in the order in which they are tried, behind the string as it is and with other case.
var textForms = []textForm{
	{"json", appendJSON},
	{"unicode-escapes", appendEscapes},
	{"percent", percent(unreserved)},
	{"percent-all", percent(func(byte) bool { return false })},
	{"query", appendQuery},
	{"hex", func(dst, s []byte) []byte { return appendHex(dst, s, lowerDigits) }},
	{"upper-hex", func(dst, s []byte) []byte { return appendHex(dst, s, upperDigits) }},
	{"utf-16-little-endian", utf16(0)},
	{"utf-16-big-endian", utf16(1)},
	{"reversed", appendReversed},
	{"json-in-json", appendJSONTwice},
	{"xml", appendXML},
	{"percent-path", percent(func(c byte) bool { return unreserved(c) || c == '/' })},
}

// Text forms that are not written: indexes behind those of the table.
const (
	paddedForm = -1 - iota
	base64Form
	verbatimForm
	otherForms = 2 // paddedForm and base64Form, which Random picks as it picks the others
)

// appendJSON writes what stands between the quotes of a JSON string.
func appendJSON(dst, s []byte) []byte {
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < 0x20 || c == 0x7f:
			dst = appendEscape(dst, rune(c))
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendJSONTwice writes what stands between the quotes of a string in a string, as of a command in a file.
func appendJSONTwice(dst, s []byte) []byte {
	var once [8]byte
	for i := range s {
		dst = appendJSON(dst, appendJSON(once[:0], s[i:i+1]))
	}
	return dst
}

// appendXML writes a text or the value of an attribute in XML or HTML.
func appendXML(dst, s []byte) []byte {
	for _, c := range s {
		switch c {
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '&':
			dst = append(dst, "&amp;"...)
		case '"':
			dst = append(dst, "&#34;"...)
		case '\'':
			dst = append(dst, "&#39;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendEscapes writes each character as \u and four digits, those outside of the first plane as two.
func appendEscapes(dst, s []byte) []byte {
	return appendUnits(dst, s, appendEscape)
}

// appendUnits writes each character by one call of unit, those outside of the first plane by two: a pair of surrogates.
func appendUnits(dst, s []byte, unit func(dst []byte, c rune) []byte) []byte {
	for len(s) > 0 {
		c, n := utf8.DecodeRune(s)
		if s = s[n:]; c >= 0x10000 {
			dst = unit(dst, 0xd800+(c-0x10000)>>10)
			c = 0xdc00 + (c-0x10000)&0x3ff
		}
		dst = unit(dst, c)
	}
	return dst
}

func appendEscape(dst []byte, c rune) []byte {
	return append(dst, '\\', 'u', lowerDigits[c>>12&15], lowerDigits[c>>8&15], lowerDigits[c>>4&15], lowerDigits[c&15])
}

// unreserved reports whether c stands for itself in any part of a URL.
func unreserved(c byte) bool {
	return digit(c) || lower(c) >= 'a' && lower(c) <= 'z' || c == '-' || c == '_' || c == '.' || c == '~'
}

func percent(keep func(c byte) bool) func(dst, s []byte) []byte {
	return func(dst, s []byte) []byte {
		for _, c := range s {
			if keep(c) {
				dst = append(dst, c)
			} else {
				dst = append(dst, '%', upperDigits[c>>4], upperDigits[c&15])
			}
		}
		return dst
	}
}

// appendQuery writes a value of a URL's query or of a form, where spaces are written as "+".
func appendQuery(dst, s []byte) []byte {
	for _, c := range s {
		switch {
		case c == ' ':
			dst = append(dst, '+')
		case unreserved(c):
			dst = append(dst, c)
		default:
			dst = append(dst, '%', upperDigits[c>>4], upperDigits[c&15])
		}
	}
	return dst
}

// utf16 writes UTF-16, the high byte of a unit at the given place.
func utf16(high int) func(dst, s []byte) []byte {
	unit := func(dst []byte, c rune) []byte {
		if high == 0 {
			return append(dst, byte(c), byte(c>>8))
		}
		return append(dst, byte(c>>8), byte(c))
	}
	return func(dst, s []byte) []byte { return appendUnits(dst, s, unit) }
}

func appendReversed(dst, s []byte) []byte {
	for i := len(s) - 1; i >= 0; i-- {
		dst = append(dst, s[i])
	}
	return dst
}

// textEdits replaces a string where it stands, in any form, or puts it in where an empty one was compared.
func (t *Table) textEdits(p *Pair, at place, yield func(e Edit) bool) bool {
	if len(p.SeenText) == 0 {
		if !t.wanted(true) { // an empty string stands everywhere, in each variant
			return true
		}
		e := Edit{Arg: at.arg, New: p.WantText, Resize: -1, Site: p.Site, Tight: true}
		if !t.emit(e, yield) {
			return false
		}
		e.At = len(at.data)
		return len(at.data) == 0 || t.emit(e, yield)
	}
	if t.search(3*len(at.data)) && !t.verbatimEdits(p, at, yield) {
		return false
	}
	if t.plain() {
		return true
	}
	if t.random {
		return t.formTextEdits(p, t.textForm, at, yield)
	}
	for i := -otherForms; i < len(textForms); i++ {
		if t.search(len(at.data)) && !t.formTextEdits(p, i, at, yield) {
			return false
		}
	}
	return true
}

// verbatimEdits replaces a string as it is, and with other case: all places where it is a word at once, then each place.
func (t *Table) verbatimEdits(p *Pair, at place, yield func(e Edit) bool) bool {
	if !t.random && !t.allPlaces(p, at, yield) {
		return false
	}
	n := len(p.SeenText)
	for pos := nextText(p.SeenText, at.data, 0); pos >= 0; pos = nextText(p.SeenText, at.data, pos+1) {
		tight := p.twinAt(at, pos)
		e := Edit{Arg: at.arg, At: pos, Len: n, New: p.WantText, Resize: -1, Site: p.Site, Tight: tight}
		if t.wanted(tight) && !t.emit(e, yield) {
			return false
		}
	}
	return true
}

// nextText returns the first position from from on where text stands in b in any case; -1 if there is none.
func nextText(text, b []byte, from int) int {
	for pos := from; pos+len(text) <= len(b); pos++ {
		if sameText(text, b[pos:]) {
			return pos
		}
	}
	return -1
}

// twinAt reports whether the variant has its string where the entry has the pair's.
func (p *Pair) twinAt(at place, pos int) bool {
	return at.twin != nil && p.twin.ok && len(at.twin)-pos >= len(p.twin.seenText) && sameText(p.twin.seenText, at.twin[pos:])
}

// allPlaces replaces a word wherever it stands, if it does so twice: an element of XML has its name at both ends, and what
// is defined is referred to.
func (t *Table) allPlaces(p *Pair, at place, yield func(e Edit) bool) bool {
	all, words := Edit{Arg: at.arg, Resize: -1, Site: p.Site}, 0
	for pos := nextText(p.SeenText, at.data, 0); pos >= 0; pos = nextText(p.SeenText, at.data, pos+1) {
		if isWord(at.data, pos, len(p.SeenText)) && pos >= all.At+all.Len {
			words++
			all.Tight = all.Tight || p.twinAt(at, pos)
			t.gather(&all, at.data, pos, p)
		}
	}
	all.New = t.allText
	return words < 2 || !t.wanted(all.Tight) || t.emit(all, yield)
}

// gather makes an edit of all places where a word stands reach one further.
func (t *Table) gather(all *Edit, b []byte, pos int, p *Pair) {
	if all.Len == 0 {
		all.At, t.allText = pos, t.allText[:0]
	} else {
		t.allText = append(t.allText, b[all.At+all.Len:pos]...)
	}
	t.allText = append(t.allText, p.WantText...)
	all.Len = pos + len(p.SeenText) - all.At
}

// isWord reports whether no word goes on before or behind the n bytes at pos.
func isWord(b []byte, pos, n int) bool {
	return n > 0 && (pos == 0 || !wordByte(b[pos-1]) || !wordByte(b[pos])) &&
		(pos+n == len(b) || !wordByte(b[pos+n]) || !wordByte(b[pos+n-1]))
}

// sameText reports whether b, which is at least as long, begins with s, in any case.
func sameText(s, b []byte) bool {
	for i, c := range s {
		if b[i] != c && lower(b[i]) != lower(c) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// formTextEdits replaces a string where it stands in one of the other forms.
func (t *Table) formTextEdits(p *Pair, i int, at place, yield func(e Edit) bool) bool {
	switch i {
	case verbatimForm:
		return true // it was there first
	case base64Form:
		return t.base64Edits(p, at, yield)
	case paddedForm:
		return t.paddedEdits(p, at, yield)
	}
	f := &textForms[i]
	t.seenText = f.append(t.seenText[:0], p.SeenText)
	t.wantText = f.append(t.wantText[:0], p.WantText)
	if string(t.seenText) == string(p.SeenText) && string(t.wantText) == string(p.WantText) {
		return true
	}
	if at.twin != nil {
		t.twinText = f.append(t.twinText[:0], p.twin.seenText)
	}
	for pos := index(at.data, t.seenText, 0); pos >= 0; pos = index(at.data, t.seenText, pos+1) {
		tight := at.twin != nil && p.twin.ok && standsAt(at.twin, t.twinText, pos)
		e := Edit{Arg: at.arg, At: pos, Len: len(t.seenText), New: t.wantText, Resize: -1, Site: p.Site, Tight: tight}
		if t.wanted(tight) && !t.emit(e, yield) {
			return false
		}
	}
	return true
}

// paddedEdits replaces a string in a field of a fixed size, of which the target has cut the zeros.
func (t *Table) paddedEdits(p *Pair, at place, yield func(e Edit) bool) bool {
	for pos := index(at.data, p.SeenText, 0); pos >= 0; pos = index(at.data, p.SeenText, pos+1) {
		n := len(p.SeenText)
		for pos+n < len(at.data) && n < len(p.WantText) && at.data[pos+n] == 0 {
			n++
		}
		zero := n > len(p.SeenText) || pos+n < len(at.data) && at.data[pos+n] == 0
		if !zero || n < len(p.WantText) {
			continue
		}
		t.wantText = append(t.wantText[:0], p.WantText...)
		for len(t.wantText) < n {
			t.wantText = append(t.wantText, 0)
		}
		tight := at.twin != nil && p.twin.ok && standsAt(at.twin, p.twin.seenText, pos)
		e := Edit{Arg: at.arg, At: pos, Len: n, New: t.wantText, Resize: -1, Site: p.Site, Tight: tight}
		if t.wanted(tight) && !t.emit(e, yield) {
			return false
		}
	}
	return true
}
