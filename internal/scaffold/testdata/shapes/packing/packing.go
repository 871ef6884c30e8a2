// Package packing has functions that undo each other, and may fail.
package packing

import (
	"errors"
	"io"
	"strings"
)

// Compress writes data with its length.
func Compress(data []byte) ([]byte, error) {
	if len(data) > 255 {
		return nil, errors.New("too long")
	}
	return append([]byte{byte(len(data))}, data...), nil
}

// Decompress undoes Compress.
func Decompress(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(r)
	if err != nil || len(data) == 0 || int(data[0]) != len(data)-1 {
		return nil, errors.New("wrong length")
	}
	return data[1:], nil
}

// QuoteWord writes a word in quotation marks.
func QuoteWord(s string) string { return `"` + s + `"` }

// UnquoteWord undoes QuoteWord.
func UnquoteWord(s string) (string, bool) {
	s, ok := strings.CutPrefix(s, `"`)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(s, `"`)
}

// PackLine writes a line without the space around it.
func PackLine(s string) string { return "<" + strings.TrimSpace(s) + ">" }

// UnpackLine returns what is in a packed line.
func UnpackLine(s string) string { return strings.TrimPrefix(strings.TrimSuffix(s, ">"), "<") }
