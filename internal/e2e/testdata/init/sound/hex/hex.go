// Package hex has hexadecimal encoding.
package hex

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

const digits = "0123456789abcdef"

// Encode writes each byte as two digits.
func Encode(data []byte) string {
	text := make([]byte, 0, 2*len(data))
	for _, c := range data {
		text = append(text, digits[c>>4], digits[c&15])
	}
	return string(text)
}

// Decode undoes Encode. It also takes digits in upper case.
func Decode(s string) ([]byte, error) {
	if len(s)%2 != 0 {
		return nil, errors.New("half a byte at the end")
	}
	data := make([]byte, len(s)/2)
	for i := range data {
		c, err := pair(s[2*i], s[2*i+1])
		if err != nil {
			return nil, err
		}
		data[i] = c
	}
	return data, nil
}

func pair(high, low byte) (byte, error) {
	a, b := strings.IndexByte(digits, lower(high)), strings.IndexByte(digits, lower(low))
	if a < 0 || b < 0 {
		return 0, errors.New("no digit")
	}
	return byte(a<<4 | b), nil
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'F' {
		c += 'a' - 'A'
	}
	return c
}

// Writer encodes what is written to it.
type Writer struct{ w io.Writer }

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w} }

// Write encodes data.
func (w *Writer) Write(data []byte) (int, error) {
	if _, err := io.WriteString(w.w, Encode(data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Close ends the encoding. It does not close the underlying writer.
func (w *Writer) Close() error { return nil }

// Reader decodes what it reads.
type Reader struct{ r *bufio.Reader }

// NewReader returns a Reader that reads from r.
func NewReader(r io.Reader) *Reader { return &Reader{bufio.NewReader(r)} }

// Read decodes data.
func (r *Reader) Read(data []byte) (n int, err error) {
	for n < len(data) {
		high, err := r.r.ReadByte()
		if err != nil {
			return n, err
		}
		low, err := r.r.ReadByte()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return n, err
		}
		if data[n], err = pair(high, low); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
