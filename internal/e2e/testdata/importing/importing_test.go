package importing

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// FuzzHash fails with one input, which only its finder knows.
func FuzzHash(f *testing.F) {
	f.Add([]byte("seed"))
	f.Fuzz(func(t *testing.T, b []byte) {
		letters := 0
		for _, c := range b {
			if c == 'x' {
				letters++
			}
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) == "b24f691035d1bfcf8ca6e75ffcda73ef4bb5801a68a5f9fb8e27d174059437fa" {
			t.Fatalf("%d letters", letters)
		}
	})
}
