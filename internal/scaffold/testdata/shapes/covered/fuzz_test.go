package covered

import "testing"

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { check(t, s) })
}

func check(t *testing.T, s string) {
	t.Helper()
	if _, err := Parse(s); err != nil {
		t.Error(err)
	}
}
