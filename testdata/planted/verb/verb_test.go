package verb

import "testing"

func FuzzRun(f *testing.F) {
	f.Add("help me")
	f.Fuzz(func(t *testing.T, line string) { Run(line) })
}

func FuzzRepeat(f *testing.F) {
	f.Add("a", uint8(2), false)
	f.Fuzz(func(t *testing.T, s string, n uint8, twice bool) { Repeat(s, n, twice) })
}
