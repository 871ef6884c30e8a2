package mutate

import "github.com/gnaw-fuzz/gnaw/input"

// sumKind is a way to make a checksum.
type sumKind uint8

const (
	noSum     sumKind = iota
	sumCRC32          // as in zip, Ethernet and many more
	sumAdler          // as in zlib
	sumIP             // ones' complement of the sum of words in ones' complement arithmetic, as in IP
	sumBytes2         // sum of bytes in 16 bits
	sumBytes          // sum of bytes in one
	sumMinus          // value that makes the sum of all bytes zero, as in Intel HEX
	sumXor            // exclusive or of bytes, as in NMEA
	numSums
)

// sumWidth is the size of each kind in bytes.
var sumWidth = [numSums]int{0, 4, 4, 2, 2, 1, 1, 1}

// sumField is a checksum at the head or the tail of a buffer that covers the rest.
type sumField struct {
	kind      sumKind
	head, big bool
}

// summedArgs is how many arguments Recognize looks at.
const summedArgs = 8

// Sums are the checksums of one tuple, one for each of its first arguments.
type Sums [summedArgs]sumField

// Recognize looks for checksums at the ends of the buffers of an entry. It reads each buffer a few times, which takes
// milliseconds for a long one.
func Recognize(a input.Args) (sums Sums) {
	for i := range a[:min(len(a), summedArgs)] {
		if b := a[i].Data; len(b) >= minSummed {
			sums[i] = recognize(b)
		}
	}
	return sums
}

// Trailer returns the size in bytes of a checksum at the end of argument i, and whether there is a checksum at its end or at its
// head.
func (s *Sums) Trailer(i int) (size int, isSummed bool) {
	switch f := s[i]; {
	case f.kind == noSum:
		return 0, false
	case f.head:
		return 0, true
	default:
		return sumWidth[f.kind], true
	}
}

// recognize returns the widest checksum that is right in b. It does not look for one that is zero.
func recognize(b []byte) sumField {
	for k := noSum + 1; k < numSums; k++ {
		for _, head := range [2]bool{false, true} {
			f := sumField{k, head, true}
			at, rest := f.split(b)
			big, little := load(at, true), load(at, false)
			if len(rest) < 2 || big == 0 {
				continue
			}
			switch k.sum(rest) {
			case big:
				return f
			case little:
				f.big = false
				return f
			}
		}
	}
	return sumField{}
}

// split returns the bytes of the checksum, and those that it covers.
func (f sumField) split(b []byte) (at, rest []byte) {
	n := min(sumWidth[f.kind], len(b))
	if f.head {
		return b[:n], b[n:]
	}
	return b[len(b)-n:], b[:len(b)-n]
}

// fix repairs the checksum. It reports whether that is a change.
func (f sumField) fix(b []byte) bool {
	at, rest := f.split(b)
	return len(at) == sumWidth[f.kind] && put(at, f.kind.sum(rest), f.big)
}

// sum returns the checksum of b.
func (k sumKind) sum(b []byte) uint64 {
	switch k {
	case sumCRC32:
		return uint64(crc32(b))
	case sumAdler:
		return uint64(adler32(b))
	case sumIP:
		v := uint64(0)
		for ; len(b) >= 2; b = b[2:] {
			v += uint64(b[0])<<8 | uint64(b[1])
		}
		if len(b) > 0 {
			v += uint64(b[0]) << 8
		}
		for v>>16 != 0 {
			v = v&0xffff + v>>16
		}
		return ^v & 0xffff
	case sumXor:
		v := byte(0)
		for _, c := range b {
			v ^= c
		}
		return uint64(v)
	}
	v := uint64(0)
	for _, c := range b {
		v += uint64(c)
	}
	switch k {
	case sumBytes2:
		return v & 0xffff
	case sumMinus:
		return -v & 0xff
	}
	return v & 0xff
}
