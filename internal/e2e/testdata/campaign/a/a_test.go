package a

import "testing"

// FuzzLong has a new edge for each byte that is right, so that its corpus grows.
func FuzzLong(f *testing.F) {
	f.Add([]byte("seed"))
	f.Fuzz(func(t *testing.T, b []byte) {
		steps := 0
		for i := 0; i+1 < len(b); i += 2 {
			if b[i]%16 == b[i+1]%16 && b[i] != b[i+1] {
				steps++
			}
		}
		switch {
		case steps > 40:
			t.Log("more than forty")
		case steps > 20:
			t.Log("more than twenty")
		case steps > 10:
			t.Log("more than ten")
		}
	})
}
