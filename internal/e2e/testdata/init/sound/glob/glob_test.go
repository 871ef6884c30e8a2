package glob

import "testing"

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"*", "anything", true},
		{"a*b*c", "a12b34c", true},
		{"a*b*c", "a12b34", false},
		{"?[a-c]", "äb", true},
		{"[^a-c]x", "bx", false},
		{`\*[\]]`, "*]", true},
	} {
		if got, err := Match(tt.pattern, tt.text); err != nil || got != tt.want {
			t.Errorf("Match(%q, %q) = %v, %v", tt.pattern, tt.text, got, err)
		}
	}
	for _, pattern := range []string{"[", "[]", "[a", "[b-a]", `\`, `[\`, "[a-"} {
		if _, err := Compile(pattern); err == nil {
			t.Errorf("Compile(%q) has no error", pattern)
		}
	}
}

func TestEscape(t *testing.T) {
	for _, s := range []string{"a*b", "?", `[\]`, "plain"} {
		if ok, err := Match(Escape(s), s); err != nil || !ok {
			t.Errorf("Match(Escape(%q)) = %v, %v", s, ok, err)
		}
	}
}
