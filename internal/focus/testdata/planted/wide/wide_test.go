package wide

import "testing"

func FuzzRun(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqr"))
	f.Fuzz(func(_ *testing.T, code []byte) { Run(code) })
}
