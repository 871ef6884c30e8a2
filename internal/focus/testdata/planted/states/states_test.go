package states

import "testing"

func FuzzRun(f *testing.F) {
	f.Add("HELLO 1.2\nAUTH gopher\nLIST rooms")
	f.Fuzz(func(_ *testing.T, text string) { _, _ = Run(text) })
}
