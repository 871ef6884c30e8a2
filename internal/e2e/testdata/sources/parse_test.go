package sources

import "testing"

func FuzzParse(f *testing.F) {
	f.Add("seed")
	f.Fuzz(func(t *testing.T, s string) { Parse(s) })
}
