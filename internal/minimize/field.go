package minimize

import (
	"encoding/binary"
	"slices"
	"strconv"
)

// form is how a length is written.
type form uint8

const (
	bigEndian    form = iota // an integer of 1, 2, 3, 4 or 8 bytes
	littleEndian             // one of 2, 4 or 8
	varint                   // as in package encoding/binary, of two bytes and more: one of one byte is a big-endian integer
	digits10                 // a decimal number
)

// field is a number in a buffer that may be the length of a part. What matters is where that part ends: a field may count
// itself, or what lies before it.
type field struct {
	lo, hi int // where it stands
	end    int // of the part that it counts
	form   form
	proven bool // a candidate was accepted in which it was corrected
}

// value returns the number.
func (f field) value(d []byte) uint64 {
	d = d[f.lo:f.hi]
	switch f.form {
	case varint:
		v, _ := binary.Uvarint(d)
		return v
	case digits10:
		v, _ := strconv.ParseUint(string(d), 10, 64) // at most maxDigits of them
		return v
	}
	v := uint64(0)
	for i, c := range d {
		if f.form == littleEndian {
			c = d[len(d)-1-i]
		}
		v = v<<8 | uint64(c)
	}
	return v
}

// encode returns the bytes of a number that is not larger than the one that stands there.
func (f field) encode(v uint64) []byte {
	switch f.form {
	case varint:
		return binary.AppendUvarint(nil, v)
	case digits10:
		return strconv.AppendUint(nil, v, 10)
	}
	b := binary.BigEndian.AppendUint64(nil, v)
	b = b[len(b)-(f.hi-f.lo):]
	if f.form == littleEndian {
		slices.Reverse(b)
	}
	return b
}

const (
	maxDigits = 9 // of a decimal length
	// maxGap: so many bytes at most, none of them a digit or a letter, separate a decimal length from what it counts, as in "5:hello".
	maxGap = 4
	// selfReach: a field that begins within so many bytes may count itself, or all of the buffer.
	selfReach = 16
)

// fieldsAt calls yield for each way to read a number at lo that may be the length of what follows. Zero says nothing. A
// big-endian integer that begins with zero is one of fewer bytes for this purpose.
func fieldsAt(d []byte, lo int, yield func(f field)) {
	offer := func(hi, gap int, form form) {
		f := field{lo: lo, hi: hi, form: form}
		if v := f.value(d); v > 0 && v <= uint64(len(d)) {
			f.end = hi + gap + int(v)
			yield(f)
		}
	}
	for _, width := range [...]int{1, 2, 3, 4, 8} {
		hi := lo + width
		if hi > len(d) {
			break
		}
		if width == 1 || d[lo] != 0 {
			offer(hi, 0, bigEndian)
		}
		if width == 2 || width == 4 || width == 8 {
			offer(hi, 0, littleEndian)
		}
	}
	if d[lo] >= 0x80 {
		if _, n := binary.Uvarint(d[lo:]); n > 1 {
			offer(lo+n, 0, varint)
		}
	}
	if isDecimal(d[lo]) && (lo == 0 || !isDecimal(d[lo-1])) {
		hi := digitsEnd(d, lo)
		gap := hi
		for gap < len(d) && gap-hi < maxGap && wordClass(d[gap]) != wordPart {
			gap++
		}
		if hi-lo <= maxDigits && gap > hi {
			offer(hi, gap-hi, digits10)
		}
	}
}

func isDecimal(c byte) bool { return c >= '0' && c <= '9' }

// fieldsTo returns the fields that count what ends at one of the given places, in their order. whole is the end of all: near the
// front, a number is taken for a field too that is the size of all, or of all from its first byte on.
func fieldsTo(d []byte, whole int, ends []int) (fields []field) {
	for lo := range d {
		fieldsAt(d, lo, func(f field) {
			size := f.value(d)
			if lo < selfReach && (size == uint64(whole) || size == uint64(whole-lo)) {
				f.end = whole
			}
			if f.form == digits10 && f.end < whole && whole-f.end <= len("\r\n") && wordClass(d[f.end]) == blank {
				f.end = whole // a line end follows
			}
			if slices.Contains(ends, f.end) {
				fields = append(fields, f)
			}
		})
	}
	return fields
}
