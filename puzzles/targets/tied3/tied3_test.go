package tied3

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzTied3(f *testing.F) {
	f.Add([]byte("a key"), uint32(7), "0x7")
	f.Fuzz(func(t *testing.T, key []byte, hash uint32, name string) {
		verdict.Check(t, Open(key, hash, name))
	})
}
