package cli

import (
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

const trialTarget = `package p

import "testing"

// FuzzF checks that F
// is right.
func FuzzF(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		v, err := F(s)
		if err != nil {
			return
		}
		if again, err := F(v); err != nil {
			t.Fatalf("refused: %v", err)
		} else if again != v {
			t.Errorf("%q, %q", v, again)
		}
	})
}
`

func TestTheLinesOfTheFailingCheckAreNamed(t *testing.T) {
	for _, tt := range []struct {
		name, target string
		line         int
		want         string
	}{
		{"a check with an else branch", "FuzzF", 14, "lines 13 to 17"},
		{"the innermost check", "FuzzF", 16, "lines 15 to 17"},
		{"a panic", "FuzzF", 0, "FuzzF, lines 5 to 19"},
		{"a line without a condition", "FuzzF", 9, "FuzzF, lines 5 to 19"},
		{"a target that has been removed", "FuzzG", 14, "FuzzG"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := linesOfCheck([]byte(trialTarget), tt.target, tt.line); got != tt.want {
				t.Errorf("linesOfCheck(%s, %d) = %q, want %q", tt.target, tt.line, got, tt.want)
			}
		})
	}
	if got := linesOfCheck([]byte("no Go"), "FuzzF", 1); got != "FuzzF" {
		t.Errorf("linesOfCheck of a file that is not Go = %q, want FuzzF", got)
	}
}

func TestTargetsThatMayActAreNotFuzzed(t *testing.T) {
	target := func(pkg, name string, untried bool) written {
		return written{"x.org/" + pkg, "./" + pkg, "/m/" + pkg + "/fuzz_test.go", untried, &plan.Target{Name: name}}
	}
	var stdout strings.Builder
	r := initReport{env: Env{Dir: "/m", Stdout: &stdout}, targets: []written{
		target("a", "FuzzParse", false), target("a", "FuzzRemove", true), target("b", "FuzzParse", true), target("b", "FuzzOther", false), target("c", "FuzzSplit", false),
	}}
	names, folders := r.trial()
	if got, want := strings.Join(names, " ")+" in "+strings.Join(folders, " "), "FuzzParse FuzzSplit in ./a ./c"; got != want {
		t.Errorf("-trial fuzzes %s, want %s", got, want)
	}
	want := "-trial does not fuzz FuzzRemove of x.org/a\n-trial does not fuzz FuzzParse of x.org/b\n-trial does not fuzz FuzzOther of x.org/b\n"
	if got := stdout.String(); got != want {
		t.Errorf("it prints %q, want %q", got, want)
	}
}
