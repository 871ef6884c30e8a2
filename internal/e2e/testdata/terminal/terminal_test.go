package terminal

import "testing"

func FuzzFine(f *testing.F) {
	f.Add("abc")
	f.Fuzz(func(t *testing.T, s string) {})
}

// FuzzCodes has a message that sets the title of a terminal, clears it, and writes a line again.
func FuzzCodes(f *testing.F) {
	f.Add("abc")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 3 {
			panic("\x1b]2;owned\x07\x1b[2J\x1b[Hcodes\r\u202e")
		}
	})
}
