package build

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

func TestExcludedFilesHaveTheirTargetsAndTheTagThatAddsThem(t *testing.T) {
	foreign := "windows"
	if runtime.GOOS == foreign {
		foreign = "plan9"
	}
	file := func(name, rule string) string {
		if rule != "" {
			rule = "//go:build " + rule + "\n\n"
		}
		return "-- " + name + " --\n" + rule + "package x\n\nimport \"testing\"\n\nfunc FuzzX(f *testing.F) {}\n\nfunc FuzzY(f *testing.F) {}\n"
	}
	const both = " [FuzzX FuzzY]"
	for _, tt := range []struct{ name, module, pattern, want string }{
		{"a tag", file("p/x_test.go", "integration"), "./...", "p/x_test.go" + both + " //go:build integration: integration\n"},
		{"one of several tags", file("p/x_test.go", "a || b"), "./p", "p/x_test.go" + both + " //go:build a || b: a\n"},
		{"a tag beside what holds", file("p/x_test.go", "!"+foreign+" && gofuzz"), "./p", "p/x_test.go" + both + " //go:build !" + foreign + " && gofuzz: gofuzz\n"},
		{"tags that are only together enough", file("p/x_test.go", "a && b"), "./p", "p/x_test.go" + both + " //go:build a && b: \n"},
		{"another system", file("p/x_test.go", foreign), "./p", "p/x_test.go" + both + " //go:build " + foreign + ": \n"},
		{"another system in the name", file("p/x_"+foreign+"_test.go", ""), "./p", "p/x_" + foreign + "_test.go" + both + " : \n"},
		{"a file with code below the folder", "-- p/p.go --\npackage x\n" + file("p/x_test.go", "integration"), "./...", "p/x_test.go" + both + " //go:build integration: integration\n"},
		{
			"a file below a folder with another test", "-- a_test.go --\npackage m\n" + file("p/x_test.go", "integration") + file("p/q/x_test.go", "integration"), "./...",
			"p/q/x_test.go" + both + " //go:build integration: integration\n" + "p/x_test.go" + both + " //go:build integration: integration\n",
		},
		{"a file that is in the build", file("p/x_test.go", ""), "./...", ""},
		{"a file that is no test", file("p/x.go", "integration"), "./...", ""},
		{"a module of its own", "-- p/go.mod --\nmodule example.com/p\n" + file("p/x_test.go", "integration"), "./...", ""},
		{"a folder that patterns do not match", file("testdata/x_test.go", "integration"), "./...", ""},
		{"a file that cannot be parsed", "-- p/x_test.go --\n//go:build integration\n\npackage x\n\nfunc {\n", "./p", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := testkit.Unpack(t, moduleM+tt.module)
			var b strings.Builder
			for _, e := range ListExcluded(t.Context(), toolchain.Find(t, ""), dir, []string{tt.pattern}, nil) {
				name, _ := filepath.Rel(dir, e.File)
				fmt.Fprintf(&b, "%s %v %s: %s\n", filepath.ToSlash(name), e.Targets, e.Rule, e.Tag)
			}
			if b.String() != tt.want {
				t.Errorf("the files are\n%swant\n%s", b.String(), tt.want)
			}
		})
	}
}
