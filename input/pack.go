package input

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The packed form is, for each argument, one byte with its Kind, then either eight bytes (little endian) with Bits or,
// for buffers, a four byte length and the content. The number of arguments is not part of it: both sides know the
// target. It is used between processes of one gnaw version only and is not kept on disk.

// errShort is returned when packed bytes end before the tuple does.
var errShort = errors.New("packed input ends too early")

// PackedSize returns the number of bytes that [Append] adds.
func PackedSize(a Args) int {
	n := 0
	for _, v := range a {
		if v.Kind.IsBuffer() {
			n += 5 + len(v.Data)
		} else {
			n += 9
		}
	}
	return n
}

// Append appends the packed form of a to dst. It allocates only if dst is too small.
func Append(dst []byte, a Args) []byte {
	for i := range a {
		v := &a[i]
		dst = append(dst, byte(v.Kind))
		if v.Kind.IsBuffer() {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(len(v.Data)))
			dst = append(dst, v.Data...)
		} else {
			dst = binary.LittleEndian.AppendUint64(dst, v.Bits)
		}
	}
	return dst
}

// Decode unpacks one tuple of the given kinds from b and returns what follows it. The content of buffers is copied.
// The error says where b is not a packed tuple of those kinds.
func Decode(b []byte, kinds []Kind) (a Args, rest []byte, err error) {
	a = make(Args, len(kinds))
	for i, k := range kinds {
		if len(b) < 1 {
			return nil, nil, errShort
		}
		if Kind(b[0]) != k {
			return nil, nil, fmt.Errorf("packed argument %d has kind %v, want %v", i+1, Kind(b[0]), k)
		}
		a[i].Kind = k
		if b, err = a[i].unpack(b[1:]); err != nil {
			return nil, nil, err
		}
	}
	return a, b, nil
}

func (v *Value) unpack(b []byte) (rest []byte, err error) {
	if !v.Kind.IsBuffer() {
		if len(b) < 8 {
			return nil, errShort
		}
		v.Bits = binary.LittleEndian.Uint64(b)
		return b[8:], nil
	}
	if len(b) < 4 {
		return nil, errShort
	}
	n, b := binary.LittleEndian.Uint32(b), b[4:]
	if uint64(n) > uint64(len(b)) { // compared before n becomes an int, which may have 32 bits
		return nil, errShort
	}
	v.Data = append([]byte{}, b[:n]...)
	return b[n:], nil
}
