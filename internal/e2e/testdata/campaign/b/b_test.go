package b

import (
	"os"
	"testing"
)

// FuzzWhen fails as soon as there is a file.
func FuzzWhen(f *testing.F) {
	f.Add(uint16(1))
	f.Fuzz(func(t *testing.T, n uint16) {
		if n%1000 != 7 {
			return
		}
		if _, err := os.Stat(os.Getenv("WHEN")); err == nil {
			fail(t)
		}
	})
}

func fail(t *testing.T) {
	t.Helper()
	panic("it is there")
}
