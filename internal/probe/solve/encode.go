package solve

import (
	"bytes"
	"math"
)

// form is a way in which a parser reads an integer from bytes. It appends the bytes of v to dst; ok is false if v has no
// such form, or none of the given width. The forms that are numerals have a base instead: they are read, not written, to
// find them, since the same number has many of them.
type form struct {
	name   string
	append func(dst []byte, v uint64, width uint8) (enc []byte, ok bool)
	base   uint64
	// A zero is not looked for in this form: it has the same bytes as in others, and stands everywhere.
	nonzero bool
}

// plainForms is how many forms at the head of the table stay without technique.Encodings.
const plainForms = 2

// commonForms is how many of them most formats use: Random prefers these. Numbers with a decimal point, which stand behind
// them, are none of its forms.
const commonForms = 14

// forms in the order in which they are tried: what most formats use comes first.
var forms = []form{
	{name: "little-endian", append: littleEndian},
	{name: "big-endian", append: bigEndian},
	{name: "byte", append: narrow(1, littleEndian)},
	{name: "little-endian-16", append: narrow(2, littleEndian)},
	{name: "big-endian-16", append: narrow(2, bigEndian)},
	{name: "little-endian-32", append: narrow(4, littleEndian)},
	{name: "big-endian-32", append: narrow(4, bigEndian)},
	{name: "decimal", base: 10},
	{name: "uvarint", append: uvarint},
	{name: "varint", append: varint},
	{name: "hex", base: 16},
	{name: "octal", base: 8},
	{name: "binary", base: 2},
	{name: "rune", append: utf8Rune},
	{name: "float", base: floatBase},
	{name: "little-endian-24", append: narrow(3, littleEndian)},
	{name: "big-endian-24", append: narrow(3, bigEndian)},
	{name: "little-endian-40", append: narrow(5, littleEndian)},
	{name: "big-endian-40", append: narrow(5, bigEndian)},
	{name: "little-endian-48", append: narrow(6, littleEndian)},
	{name: "big-endian-48", append: narrow(6, bigEndian)},
	{name: "little-endian-56", append: narrow(7, littleEndian)},
	{name: "big-endian-56", append: narrow(7, bigEndian)},
	{name: "float32-little-endian", append: float32Bits(littleEndian), nonzero: true},
	{name: "float32-big-endian", append: float32Bits(bigEndian), nonzero: true},
	{name: "float64-little-endian", append: float64Bits(littleEndian), nonzero: true},
	{name: "float64-big-endian", append: float64Bits(bigEndian), nonzero: true},
	{name: "hex-of-little-endian", append: hexOf(littleEndian, lowerDigits)},
	{name: "hex-of-big-endian", append: hexOf(bigEndian, lowerDigits)},
	{name: "upper-hex-of-little-endian", append: hexOf(littleEndian, upperDigits)},
	{name: "upper-hex-of-big-endian", append: hexOf(bigEndian, upperDigits)},
	{name: "hex-of-little-endian-32", append: narrow(4, hexOf(littleEndian, lowerDigits))},
	{name: "hex-of-big-endian-32", append: narrow(4, hexOf(bigEndian, lowerDigits))},
	{name: "upper-hex-of-little-endian-32", append: narrow(4, hexOf(littleEndian, upperDigits))},
	{name: "upper-hex-of-big-endian-32", append: narrow(4, hexOf(bigEndian, upperDigits))},
	{name: "hex-of-little-endian-16", append: narrow(2, hexOf(littleEndian, lowerDigits))},
	{name: "hex-of-big-endian-16", append: narrow(2, hexOf(bigEndian, lowerDigits))},
	{name: "base64", base: base64Base},
}

// floatBase and base64Base mark the two forms that are neither written nor read digit by digit.
const (
	floatBase  = 1
	base64Base = 64
)

// allForms is the set of all of them.
const allForms = ^uint64(0)

const (
	lowerDigits = "0123456789abcdef"
	upperDigits = "0123456789ABCDEF"
)

func littleEndian(dst []byte, v uint64, width uint8) ([]byte, bool) {
	for range width {
		dst = append(dst, byte(v))
		v >>= 8
	}
	return dst, true
}

func bigEndian(dst []byte, v uint64, width uint8) ([]byte, bool) {
	for i := int(width) - 1; i >= 0; i-- {
		dst = append(dst, byte(v>>(8*i)))
	}
	return dst, true
}

type appender = func(dst []byte, v uint64, width uint8) ([]byte, bool)

// narrow is an encoding of n bytes for values that a program has widened: the rest of the bits are zero or the sign.
func narrow(n uint8, enc appender) appender {
	return func(dst []byte, v uint64, width uint8) ([]byte, bool) {
		mask := widthMask(n)
		if width <= n || v&^mask != 0 && signExtend(v, n)&widthMask(width) != v {
			return dst, false
		}
		return enc(dst, v, n)
	}
}

// float32Bits is a number that was a float32 before the program made it an integer.
func float32Bits(enc appender) appender {
	return func(dst []byte, v uint64, width uint8) ([]byte, bool) {
		f := float32(int64(signExtend(v, width)))
		if width < 2 || uint64(int64(f))&widthMask(width) != v {
			return dst, false
		}
		return enc(dst, uint64(math.Float32bits(f)), 4)
	}
}

// float64Bits is a number that was a float64 before.
func float64Bits(enc appender) appender {
	return func(dst []byte, v uint64, width uint8) ([]byte, bool) {
		f := float64(int64(signExtend(v, width)))
		if width < 2 || uint64(int64(f))&widthMask(width) != v {
			return dst, false
		}
		return enc(dst, math.Float64bits(f), 8)
	}
}

// hexOf is the text of an encoding, two digits per byte. One byte alone is what hexadecimal numerals are there for.
func hexOf(enc appender, digits string) appender {
	return func(dst []byte, v uint64, width uint8) ([]byte, bool) {
		var raw [8]byte
		b, _ := enc(raw[:0], v, min(width, 8))
		return appendHex(dst, b, digits), width > 1
	}
}

func appendHex(dst, b []byte, digits string) []byte {
	for _, c := range b {
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return dst
}

func uvarint(dst []byte, v uint64, width uint8) ([]byte, bool) {
	if width == 1 {
		return dst, false
	}
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v)), true
}

// varint is the zigzag form of encoding/binary and protocol buffers.
func varint(dst []byte, v uint64, width uint8) ([]byte, bool) {
	if width == 1 {
		return dst, false
	}
	s := int64(signExtend(v, width))
	z := uint64(s)<<1 ^ uint64(s>>63)
	for z >= 0x80 {
		dst = append(dst, byte(z)|0x80)
		z >>= 7
	}
	return append(dst, byte(z)), true
}

func utf8Rune(dst []byte, v uint64, width uint8) ([]byte, bool) {
	switch {
	case width != 4 || v > 0x10ffff || v >= 0xd800 && v < 0xe000:
		return dst, false
	case v < 0x80:
		return append(dst, byte(v)), true
	case v < 0x800:
		return append(dst, 0xc0|byte(v>>6), 0x80|byte(v)&0x3f), true
	case v < 0x10000:
		return append(dst, 0xe0|byte(v>>12), 0x80|byte(v>>6)&0x3f, 0x80|byte(v)&0x3f), true
	}
	return append(dst, 0xf0|byte(v>>18), 0x80|byte(v>>12)&0x3f, 0x80|byte(v>>6)&0x3f, 0x80|byte(v)&0x3f), true
}

// formEdits replaces an integer where it stands in one of the forms.
func (t *Table) formEdits(p *Pair, i int, at place, yield func(e Edit) bool) bool {
	f := &forms[i]
	switch f.base {
	case 0:
	case base64Base:
		return t.base64Edits(p, at, yield)
	case floatBase:
		return t.floatEdits(p, at, yield)
	default:
		return t.numeralEdits(p, f.base, at, yield)
	}
	seen, ok := f.append(t.seenBuf[:0], p.Seen, p.Width)
	if !ok || f.nonzero && p.Seen == 0 {
		return true
	}
	var twin []byte
	var texts [3][]byte
	encoded, hasTwin := false, at.twin != nil && p.twin.ok
	for pos := index(at.data, seen, 0); pos >= 0; pos = index(at.data, seen, pos+1) { // where the time goes
		if hasTwin && twin == nil {
			twin, hasTwin = f.append(t.twinBuf[:0], p.twin.seen, p.Width)
		}
		tight := hasTwin && standsAt(at.twin, twin, pos)
		if !t.wanted(tight) {
			continue
		}
		if !encoded {
			texts, encoded = t.encodeWants(p, f), true
		}
		for _, text := range texts {
			e := Edit{Arg: at.arg, At: pos, Len: len(seen), New: text, Resize: -1, Site: p.Site, Tight: tight}
			if text != nil && string(text) != string(seen) && !t.emit(e, yield) {
				return false
			}
		}
	}
	return true
}

// encodeWants returns the wants of p as the form writes them. It leaves out what has no such form: a field that is too
// narrow is not where the value comes from, or the target widens it.
func (t *Table) encodeWants(p *Pair, f *form) (texts [3][]byte) {
	for k, want := range p.wants() {
		if text, ok := f.append(t.wantBuf[k][:0], want, p.Width); ok {
			texts[k] = text
		}
	}
	return texts
}

// index returns the first position from from on where text stands in b, and -1 if there is none. It is made of what the
// compiler puts in place: functions of package bytes would count as edges where that package is instrumented.
func index(b, text []byte, from int) int {
	if len(text) == 0 {
		return -1
	}
	for from+len(text) <= len(b) {
		i := bytes.IndexByte(b[from:len(b)-len(text)+1], text[0])
		if i < 0 {
			return -1
		}
		if from += i; string(b[from:from+len(text)]) == string(text) {
			return from
		}
		from++
	}
	return -1
}

// standsAt reports whether text stands in b at position at.
func standsAt(b, text []byte, at int) bool {
	return at >= 0 && at+len(text) <= len(b) && string(b[at:at+len(text)]) == string(text)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
