package report

import (
	"regexp"
	"testing"
)

func TestAPatternRunsOneInput(t *testing.T) {
	for _, tt := range []struct {
		name, file, want string
		not              string // a name that it must not match
	}{
		{"a name of gnaw's own", "7a4ba6e638af2644", "^FuzzX$/^7a4ba6e638af2644$", "17a4ba6e638af2644"},
		{"a seed of F.Add", "seed#1", "^FuzzX$/^seed#1$", "seed#10"},
		{"a space", "my seed", `^FuzzX$/^my\x{20}seed$`, "my_seed"},
		{"what regular expressions know", "a+b(1)[x].|", `^FuzzX$/^a\+b\(1\)\[x\]\.\|$`, "aab1x."},
		{"what cannot be printed", "a\n\u00a0b", `^FuzzX$/^a\x{a}\x{a0}b$`, "a  b"},
		{"letters of another alphabet", "größe", "^FuzzX$/^größe$", "grosse"},
		{"no UTF-8", "a\xff", "^FuzzX$/^a\ufffd$", "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := RunPattern("FuzzX", tt.file)
			if got != tt.want {
				t.Errorf("RunPattern(%q) = %s, want %s", tt.file, got, tt.want)
			}
			name := regexp.MustCompile(got[len("^FuzzX$/"):])
			if !name.MatchString(tt.file) || name.MatchString(tt.not) {
				t.Errorf("%s matches %q: %v, %q: %v", name, tt.file, name.MatchString(tt.file), tt.not, name.MatchString(tt.not))
			}
		})
	}
}
