package tomlsubset

import "testing"

func TestParse(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"a = 1\nb=+2\n", "a = 1\nb = 2\n"},
		{"# comment\n[table]\n  key = \"a \\\"b\\\" \\u00e4\\n\"\n", "[table]\nkey = \"a \\\"b\\\" ä\\n\"\n"},
		{"yes = true\r\n[ no ]\r\nyes = -0\r\n", "yes = true\n[no]\nyes = 0\n"},
	} {
		d, err := Parse(tt.in)
		if err != nil {
			t.Fatalf("Parse(%q): %v", tt.in, err)
		}
		if got := d.String(); got != tt.want {
			t.Errorf("Parse(%q) is printed as %q, want %q", tt.in, got, tt.want)
		}
	}
	for _, in := range []string{
		"a", "a = ", "= 1", "a = 01", "a = 1\na = 2", "[a]\n[a]", "[a", `a = "`, `a = "\x"`, `a = "b" "c"`, "a = 9223372036854775808", "a = +-1", `a = "\ud800"`,
	} {
		if d, err := Parse(in); err == nil {
			t.Errorf("Parse(%q) = %v", in, d)
		}
	}
}
