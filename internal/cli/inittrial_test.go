package cli

import (
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

func TestTargetsThatMayActAreNotFuzzed(t *testing.T) {
	target := func(pkg, name string, untried bool) written {
		return written{"x.org/" + pkg, "./" + pkg, "/m/" + pkg + "/fuzz_test.go", untried, &plan.FuzzFunc{Name: name}}
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
