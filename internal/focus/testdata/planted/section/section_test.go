package section

import "testing"

func FuzzParse(f *testing.F) {
	f.Add([]byte("J\x07[1,2.5]U\x0ahttp://a/b"))
	f.Add([]byte("K\x08abcdefgh"))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = Parse(data) })
}
