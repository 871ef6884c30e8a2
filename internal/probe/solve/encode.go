package solve

import "math"

type appender = func(dst []byte, v uint64, width uint8) ([]byte, bool)

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

// hexOf is the text of an encoding, two digits per byte. It has no form for a single byte, which is a hexadecimal numeral.
func hexOf(enc appender, digits string) appender {
	return func(dst []byte, v uint64, width uint8) ([]byte, bool) {
		var raw [8]byte
		b, _ := enc(raw[:0], v, min(width, 8))
		return appendHex(dst, b, digits), width > 1
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
