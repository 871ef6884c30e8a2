package escape

import "testing"

func TestEscape(t *testing.T) {
	for _, s := range []string{"", "two words", "two\nlines", "100 %"} {
		if got := Unescape(Escape(s)); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}
