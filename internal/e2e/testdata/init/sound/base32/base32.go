// Package base32 has the encoding of RFC 4648, section 6, with padding.
package base32

import (
	"errors"
	"strings"
)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

// Encode writes each five bytes as eight characters.
func Encode(data []byte) string {
	var b strings.Builder
	var bits uint
	var buf uint32
	for _, c := range data {
		buf, bits = buf<<8|uint32(c), bits+8
		for bits >= 5 {
			bits -= 5
			b.WriteByte(alphabet[buf>>bits&31])
		}
	}
	if bits > 0 {
		b.WriteByte(alphabet[buf<<(5-bits)&31])
	}
	for b.Len()%8 != 0 {
		b.WriteByte('=')
	}
	return b.String()
}

// Decode undoes Encode. It refuses what Encode does not write.
func Decode(s string) ([]byte, error) {
	text := strings.TrimRight(s, "=")
	if len(s)%8 != 0 || len(s)-len(text) > 6 {
		return nil, errors.New("wrong padding")
	}
	var bits uint
	var buf uint32
	data := make([]byte, 0, len(text)*5/8)
	for i := range len(text) {
		n := strings.IndexByte(alphabet, text[i])
		if n < 0 {
			return nil, errors.New("a character that is not in the alphabet")
		}
		buf, bits = buf<<5|uint32(n), bits+5
		if bits >= 8 {
			bits -= 8
			data = append(data, byte(buf>>bits))
		}
	}
	if bits >= 5 || buf&(1<<bits-1) != 0 {
		return nil, errors.New("bits behind the last byte")
	}
	return data, nil
}
