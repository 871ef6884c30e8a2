package report

import (
	"encoding/json"
	"testing"
)

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"lines and tabs", "one\n\ttwo: ü — 世界 🙂\n", "one\n\ttwo: ü — 世界 🙂\n"},
		{"colors", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"a line that is written again", "fail\rok\b\b", `fail\x0dok\x08\x08`},
		{"C1", "\u009b31m and \u0085", `\u009b31m and \u0085`},
		{"the other direction", "a\u202eb\u2066c\u200fd\u061ce", `a\u202eb\u2066c\u200fd\u061ce`},
		{"lines of another kind", "a\u2028b\u2029", `a\u2028b\u2029`},
		{"characters that nobody sees", "a\u200b\ufeff\x7f\U000e0041", `a\u200b\ufeff\u007f\udb40\udc41`},
		{"no UTF-8", "a\xffb\x9b", `a\xffb\x9b`},
		{"the character for what is none", "a\ufffd", "a\ufffd"},
		{"nothing", "", ""},
	} {
		if got := Escape(tt.text); got != tt.want {
			t.Errorf("%s: Escape(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestEscapedJSONMeansTheSame(t *testing.T) {
	const text = "\x00\x1b\x7f\u0085\u009b\u200b\u2028\u202e\ufeff\U000e0041\"\\\n"
	encoded, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal([]byte(Escape(string(encoded))), &got); err != nil || got != text {
		t.Errorf("%s is read as %q, %v, want %q", Escape(string(encoded)), got, err, text)
	}
}
