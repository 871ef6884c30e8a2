package solve

import "unicode/utf8"

// textForm is a way in which a parser reads a string from bytes.
type textForm struct {
	name   string
	append func(dst, s []byte) []byte
}

// textForms are in the order in which they are tried, after the string as it is.
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

// Text forms with searches of their own, which are not in the table.
const (
	paddedForm = -1 - iota
	base64Form
	verbatimForm
	otherForms = 2 // paddedForm and base64Form, which Random picks as it picks the others
)

// appendJSON writes the text between the quotes of a JSON string.
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

// appendJSONTwice writes the text between the quotes of a JSON string inside of another one.
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
