// Package tlv reads and writes sequences of tag-length-value fields as they occur in smart card and LDAP messages: one
// byte of tag, a length, and that many bytes. Lengths up to 127 take one byte; a longer one is announced by a byte with
// the top bit set that says in how many bytes, up to four, the length follows.
package tlv

import (
	"errors"
	"fmt"
)

// A Field is one tag with its value.
type Field struct {
	Tag   byte
	Value []byte
}

// ErrTruncated means that the input ends within a field.
var ErrTruncated = errors.New("tlv: truncated field")

// maxLengthBytes is how many bytes a long length may take.
const maxLengthBytes = 4

// Decode splits b into its fields. The values are slices of b.
func Decode(b []byte) ([]Field, error) {
	var fields []Field
	for len(b) > 0 {
		if len(b) < 2 {
			return nil, ErrTruncated
		}
		tag := b[0]
		n, rest, err := decodeLength(b[1:])
		if err != nil {
			return nil, fmt.Errorf("tag %#02x: %w", tag, err)
		}
		if n > len(rest) {
			return nil, ErrTruncated
		}
		fields = append(fields, Field{Tag: tag, Value: rest[:n]})
		b = rest[n:]
	}
	return fields, nil
}

// decodeLength reads the length at the start of b, which is not empty, and returns what follows it.
func decodeLength(b []byte) (n int, rest []byte, err error) {
	first := b[0]
	if first&0x80 == 0 {
		return int(first), b[1:], nil
	}
	size := int(first & 0x7f)
	if size == 0 || size > maxLengthBytes {
		return 0, nil, fmt.Errorf("tlv: length of %d bytes", size)
	}
	var length uint64
	for i := 1; i <= size; i++ {
		length = length<<8 | uint64(b[i])
	}
	if length > uint64(len(b)) {
		return 0, nil, ErrTruncated
	}
	return int(length), b[1+size:], nil
}

// Encode is the inverse of [Decode]; it writes every length in its shortest form.
func Encode(fields []Field) []byte {
	var b []byte
	for _, f := range fields {
		b = append(b, f.Tag)
		b = appendLength(b, len(f.Value))
		b = append(b, f.Value...)
	}
	return b
}

func appendLength(b []byte, n int) []byte {
	if n < 0x80 {
		return append(b, byte(n))
	}
	size := 1
	for n>>(8*size) > 0 {
		size++
	}
	b = append(b, 0x80|byte(size))
	for size > 0 {
		size--
		b = append(b, byte(n>>(8*size)))
	}
	return b
}
