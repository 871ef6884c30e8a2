package urlsubset_test

import (
	"testing"

	"example.com/sound/urlsubset"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"http://go.dev", "http://go.dev"},
		{"HTTP://Go.dev:80/a%20b?q=1&r=%2f#top", "http://go.dev:80/a%20b?q=1&r=%2f#top"},
		{"x://h/%e4%c3?", "x://h/%E4%C3"},
		{"x://h/a%2Fb", "x://h/a/b"},
	} {
		u, err := urlsubset.Parse(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.String(); got != tt.want {
			t.Errorf("Parse(%q) is printed as %q, want %q", tt.in, got, tt.want)
		}
	}
	for _, in := range []string{"", "://h", "http:/h", "http://", "http://h/%4", "http://h/%zz", "http://h?a b"} {
		if _, err := urlsubset.Parse(in); err == nil {
			t.Errorf("Parse(%q) has no error", in)
		}
	}
}

func TestEscape(t *testing.T) {
	if got := urlsubset.Escape("a b/ä"); got != "a%20b%2F%C3%A4" {
		t.Error(got)
	}
}
