package report

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
)

func TestFormatsAreReadFromTheLine(t *testing.T) {
	s := module(t)
	for _, tt := range []struct {
		name, line string
		want       []finding.Format
	}{
		{"a format", `t.Errorf("bad %v at %-3.2f of 100%%", s, f)`, []finding.Format{{"bad ", " at ", " of 100%"}}},
		{"a format that is put together", `t.Fatalf("bad "+"%[1]s", s)`, []finding.Format{{"bad ", ""}}},
		{"a format behind other arguments", `require.True(t, ok, "user %q", s)`, []finding.Format{{"user ", ""}}},
		{"arguments with spaces between", `t.Fatal("bad", s, "and", n)`, []finding.Format{{"bad ", " and ", ""}}},
		{"a text and a value", `panic("bad " + s)`, []finding.Format{{"bad ", ""}}},
		{"a call in a call", `panic(fmt.Sprintf("bad %s", s))`, []finding.Format{{"bad ", ""}}},
		{"a text without a variable part", `t.Fatal("bad")`, []finding.Format{{"bad"}}},
		{"no text", `t.Fatal(err)`, nil},
		{"no call", `return x / y`, nil},
	} {
		file := filepath.Join(s.Dir, "format.go")
		writeFile(t, file, "package parser\n\nfunc f() {\n\t"+tt.line+"\n}\n")
		got := s.Formats(finding.Call{File: "parser/format.go", Line: 4})
		if !slices.EqualFunc(got, tt.want, func(a, b finding.Format) bool { return slices.Equal(a, b) }) {
			t.Errorf("%s: the formats are %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := s.Formats(finding.Call{File: "parser/none.go", Line: 4}); got != nil {
		t.Errorf("a file that is not there has the formats %q", got)
	}
}
