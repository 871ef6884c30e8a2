package crctext

import (
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzCrctext(f *testing.F) {
	f.Add(seed("a body of some text"))
	f.Fuzz(func(t *testing.T, s string) {
		verdict.Check(t, Open(s))
	})
}

func seed(body string) string {
	return fmt.Sprintf("crc32: %08x\n%s", crc32.ChecksumIEEE([]byte(body)), body)
}
