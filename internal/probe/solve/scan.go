package solve

import "bytes"

// index returns the first position of text in b that is not before from, and -1 if there is none. It uses only what the
// compiler replaces by its own code: functions of package bytes would hit edges if that package is instrumented.
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

// nextText returns the first position of text in b, in any case, that is not before from; -1 if there is none.
func nextText(text, b []byte, from int) int {
	for pos := from; pos+len(text) <= len(b); pos++ {
		if sameText(text, b[pos:]) {
			return pos
		}
	}
	return -1
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

// standsAt reports whether b has text at position at.
func standsAt(b, text []byte, at int) bool {
	return at >= 0 && at+len(text) <= len(b) && string(b[at:at+len(text)]) == string(text)
}

// isWord reports whether a word begins and ends with the n bytes at pos.
func isWord(b []byte, pos, n int) bool {
	return n > 0 && (pos == 0 || !wordByte(b[pos-1]) || !wordByte(b[pos])) &&
		(pos+n == len(b) || !wordByte(b[pos+n]) || !wordByte(b[pos+n-1]))
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

func digit(c byte) bool { return c >= '0' && c <= '9' }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

const (
	lowerDigits = "0123456789abcdef"
	upperDigits = "0123456789ABCDEF"
)

func appendHex(dst, b []byte, digits string) []byte {
	for _, c := range b {
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return dst
}

// load reads a binary number.
func load(b []byte, big bool) (x uint64) {
	for i, c := range b {
		if big {
			x = x<<8 | uint64(c)
		} else {
			x |= uint64(c) << (8 * i)
		}
	}
	return x
}

// hash is FNV-1a.
func hash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

func widthMask(width uint8) uint64 {
	if width >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*width) - 1
}

func signExtend(v uint64, width uint8) uint64 {
	shift := 64 - 8*uint(min(width, 8))
	return uint64(int64(v<<shift) >> shift)
}
