package solve

// encoding is a way in which a parser reads an integer from bytes. It appends the bytes of v to dst; ok is false if v
// has no such form, or none of the given width.
type encoding struct {
	name   string
	append func(dst []byte, v uint64, width uint8) (enc []byte, ok bool)
	word   bool // what is found must not be a part of a longer word
}

// encodings in the order in which they are tried: what most formats use comes first.
var encodings = []encoding{
	{"little-endian", littleEndian, false},
	{"big-endian", bigEndian, false},
	{"byte", narrow(1, littleEndian), false},
	{"little-endian-16", narrow(2, littleEndian), false},
	{"big-endian-16", narrow(2, bigEndian), false},
	{"little-endian-32", narrow(4, littleEndian), false},
	{"big-endian-32", narrow(4, bigEndian), false},
	{"decimal", radix(10, "", true), true},
	{"uvarint", uvarint, false},
	{"varint", varint, false},
	{"hex", radix(16, "", false), true}, // a prefix stays as it is
	{"octal", radix(8, "", false), true},
	{"binary", radix(2, "0b", false), true},
	{"rune", utf8Rune, false},
}

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

// narrow is an encoding of n bytes for values that a program has widened: the rest of the bits are zero or the sign.
func narrow(n uint8, enc func([]byte, uint64, uint8) ([]byte, bool)) func([]byte, uint64, uint8) ([]byte, bool) {
	return func(dst []byte, v uint64, width uint8) ([]byte, bool) {
		mask := widthMask(n)
		if width <= n || v&^mask != 0 && signExtend(v, n)&widthMask(width) != v {
			return dst, false
		}
		return enc(dst, v, n)
	}
}

// radix writes digits. Signed values of the width are written with a minus sign if they are negative and sign is set.
func radix(base uint64, prefix string, sign bool) func([]byte, uint64, uint8) ([]byte, bool) {
	return func(dst []byte, v uint64, width uint8) ([]byte, bool) {
		if s := int64(signExtend(v, width)); sign && s < 0 && width > 1 {
			dst, v = append(dst, '-'), uint64(-s)
		}
		dst = append(dst, prefix...)
		var digits [64]byte
		i := len(digits)
		for first := true; first || v > 0; first = false {
			i--
			digits[i] = "0123456789abcdef"[v%base]
			v /= base
		}
		return append(dst, digits[i:]...), true
	}
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

// bufferEdits replaces the encodings of an integer where they stand.
func (t *Table) bufferEdits(p *Pair, b []byte, arg int, yield func(e Edit) bool) bool {
	for i := range encodings {
		enc := &encodings[i]
		if t.tried>>i&1 == 0 {
			continue
		}
		seen, ok := enc.append(t.seenBuf[:0], p.Seen, p.Width)
		if !ok {
			continue
		}
		var texts [3][]byte
		found := false
		first := seen[0]
		for at, c := range b[:max(len(b)-len(seen)+1, 0)] { // where the time goes
			if c != first || string(b[at:at+len(seen)]) != string(seen) || enc.word && !isWord(b, at, len(seen)) {
				continue
			}
			if !found {
				texts, found = t.encodeWants(p, i, seen), true
			}
			for _, text := range texts {
				if text != nil && !yield(Edit{Arg: arg, At: at, Len: len(seen), New: text, Resize: -1}) {
					return false
				}
			}
		}
	}
	return true
}

// encodeWants returns the wants of p as encoding i writes them where seen stands. It leaves out what has no such form (a
// field that is too narrow is not where the value comes from, or the target widens it), what changes nothing, and what an
// encoding before i writes there already, as those of one byte do.
func (t *Table) encodeWants(p *Pair, i int, seen []byte) (texts [3][]byte) {
	for k, want := range p.wants() {
		text, ok := encodings[i].append(t.wantBuf[k][:0], want, p.Width)
		if ok && string(text) != string(seen) {
			texts[k] = text
		}
	}
	for j := range encodings[:i] {
		if before, ok := encodings[j].append(t.twinBuf[:0], p.Seen, p.Width); !ok || string(before) != string(seen) {
			continue
		}
		for k, want := range p.wants() {
			if text, ok := encodings[j].append(t.twinBuf[:0], want, p.Width); ok && string(text) == string(texts[k]) {
				texts[k] = nil
			}
		}
	}
	return texts
}

// isWord reports whether the n bytes at position at are not a part of a longer number.
func isWord(b []byte, at, n int) bool {
	return (at == 0 || !digit(b[at-1])) && (at+n == len(b) || !digit(b[at+n]))
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
