// Package pairs has functions that undo each other.
package pairs

import (
	"encoding/hex"
	"strings"
)

// Encode writes data in hexadecimal.
func Encode(data []byte) string { return hex.EncodeToString(data) }

// Decode undoes Encode.
func Decode(s string) ([]byte, error) { return hex.DecodeString(s) }

// EscapeName writes a name without spaces.
func EscapeName(s string) string {
	return strings.NewReplacer("%", "%25", " ", "%20").Replace(s)
}

// UnescapeName undoes EscapeName.
func UnescapeName(s string) string {
	return strings.NewReplacer("%25", "%", "%20", " ").Replace(s)
}
