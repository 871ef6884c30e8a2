package adler

import (
	"encoding/binary"
	"hash/adler32"
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzAdler(f *testing.F) {
	f.Add(seed("a packet with a number"))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

func seed(body string) []byte {
	return binary.BigEndian.AppendUint32([]byte(body), adler32.Checksum([]byte(body)))
}
