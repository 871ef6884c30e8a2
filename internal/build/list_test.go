package build

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// describe writes targets and errors one a line, with files below dir.
func describe(dir string, targets []Target, broken []PackageError) string {
	var b strings.Builder
	for _, x := range targets {
		file, _ := filepath.Rel(dir, x.File)
		fmt.Fprintf(&b, "%s %s %s %s:%d\n", x.Module, x.Package, x.Func, filepath.ToSlash(file), x.Line)
	}
	for _, x := range broken {
		fmt.Fprintf(&b, "broken: %s\n", x.Package)
	}
	return b.String()
}

const moduleM = `
-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m
`

const targetFile = `package %s

import "testing"

func Fuzz%s(f *testing.F) {}
`

// listCases are modules, and what is found in them.
var listCases = []struct {
	name, module    string
	patterns, flags []string
	sub             string // folder to run in
	want            string
	reasons         []string
}{
	{
		name: "names and signatures by the rule of go test",
		module: moduleM + `-- m_test.go --
package m

import (
	. "testing"
	tst "testing"
)

func Fuzz(f *F)            {}
func FuzzA(g *tst.F)       {}
func Fuzz_b(*tst.F)        {}
func FuzzÄ(f *tst.F)       {}
func Fuzzy(f *tst.F)       {}
func fuzzC(f *tst.F)       {}
func TestFuzz(t *tst.T)    {}
type S int
func (S) FuzzM(f *tst.F)   {}
`,
		want: `example.com/m example.com/m Fuzz m_test.go:8
example.com/m example.com/m FuzzA m_test.go:9
example.com/m example.com/m Fuzz_b m_test.go:10
example.com/m example.com/m FuzzÄ m_test.go:11
`,
	},
	{
		name: "external tests, and nothing from other files",
		module: moduleM + "-- a_test.go --\n" + fmt.Sprintf(targetFile, "m", "A") +
			"-- x_test.go --\n" + fmt.Sprintf(targetFile, "m_test", "X") +
			"-- plain.go --\npackage m\n\nimport \"testing\"\n\nfunc FuzzPlain(f *testing.F) {}\n" +
			"-- testdata/t/t_test.go --\n" + fmt.Sprintf(targetFile, "t", "T") +
			"-- sub/s.go --\npackage sub\n-- sub/s_test.go --\n" + fmt.Sprintf(targetFile, "sub_test", "S"),
		patterns: []string{"./..."},
		want: `example.com/m example.com/m FuzzA a_test.go:5
example.com/m example.com/m FuzzX x_test.go:5
example.com/m example.com/m/sub FuzzS sub/s_test.go:5
`,
	},
	{
		name: "build tags off", module: moduleM + "-- t_test.go --\n//go:build special\n\n" + fmt.Sprintf(targetFile, "m", "T"),
	},
	{
		name: "build tags on", module: moduleM + "-- t_test.go --\n//go:build special\n\n" + fmt.Sprintf(targetFile, "m", "T"),
		flags: []string{"-tags=special"}, want: "example.com/m example.com/m FuzzT t_test.go:7\n",
	},
	{
		name: "constraint in a file's name", module: moduleM + "-- t_plan9_test.go --\n" + fmt.Sprintf(targetFile, "m", "T"),
	},
	{
		name: "vendored dependency",
		module: `
-- go.mod --
module example.com/m

go 1.24

require example.com/dep v1.0.0
-- m.go --
package m

import _ "example.com/dep"
-- m_test.go --
` + fmt.Sprintf(targetFile, "m", "V") + `-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep
`,
		want: "example.com/m example.com/m FuzzV m_test.go:5\n",
	},
	{
		name: "workspace",
		module: "-- go.work --\ngo 1.24\n\nuse ./a\nuse ./b\n" +
			"-- a/go.mod --\nmodule example.com/a\n\ngo 1.24\n-- a/a_test.go --\n" + fmt.Sprintf(targetFile, "a", "A") +
			"-- b/go.mod --\nmodule example.com/b\n\ngo 1.24\n-- b/b_test.go --\n" + fmt.Sprintf(targetFile, "b", "B"),
		patterns: []string{"./...", "example.com/b/..."}, sub: "a",
		want: "example.com/a example.com/a FuzzA a/a_test.go:5\nexample.com/b example.com/b FuzzB b/b_test.go:5\n",
	},
	{
		name: "broken packages stop no others",
		module: moduleM + "-- ok/ok_test.go --\n" + fmt.Sprintf(targetFile, "ok", "Ok") +
			"-- clause/a_test.go --\npackage\n" +
			"-- body/a_test.go --\npackage body\n\nfunc f() { ( }\n" +
			"-- dep/a_test.go --\n" + fmt.Sprintf(targetFile, "dep", "Dep") + "-- dep/a.go --\npackage dep\n\nimport _ \"example.com/absent\"\n" +
			"-- sig/a_test.go --\npackage sig\n\nimport \"testing\"\n\nfunc FuzzSig(t *testing.T) {}\n" +
			"-- two/a.go --\npackage one\n-- two/b.go --\npackage two\n",
		patterns: []string{"./..."},
		want: `example.com/m example.com/m/ok FuzzOk ok/ok_test.go:5
broken: example.com/m/body
broken: example.com/m/clause
broken: example.com/m/dep
broken: example.com/m/sig
broken: example.com/m/two
`,
		reasons: []string{"a_test.go:3:14", "expected 'IDENT'", "example.com/absent", "wrong signature for FuzzSig", "found packages one"},
	},
	{
		name: "files of an overlay", module: moduleM +
			"-- o.json --\n{\"Replace\": {\"virtual_test.go\": \"there.txt\"}}\n" +
			"-- there.txt --\n" + fmt.Sprintf(targetFile, "m", "V"),
		flags: []string{"-overlay=o.json"}, want: "example.com/m example.com/m FuzzV virtual_test.go:5\n",
	},
}

func TestList(t *testing.T) {
	tc := toolchain.Find(t, "")
	for _, tt := range listCases {
		t.Run(tt.name, func(t *testing.T) {
			tc := tc
			if tt.name == "workspace" {
				tc.Env = append(slices.Clone(tc.Env), "GOWORK=")
			}
			dir := testkit.Unpack(t, tt.module)
			targets, broken, err := List(t.Context(), tc, filepath.Join(dir, tt.sub), tt.patterns, tt.flags)
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(dir, targets, broken); got != tt.want {
				t.Errorf("List =\n%swant\n%s\n%v", got, tt.want, broken)
			}
			testkit.Contains(t, "reasons", fmt.Sprint(broken), tt.reasons...)
		})
	}
}

func TestListErrors(t *testing.T) {
	tc := toolchain.Find(t, "")
	for _, tt := range []struct {
		name, module    string
		patterns, flags []string
		want            []string
	}{
		{"pattern of a folder", moduleM, []string{"./...", "./absent/..."}, nil, []string{"./absent/...", "matches no package"}},
		{"pattern of a path", moduleM, []string{"example.com/none/..."}, nil, []string{"example.com/none/...", "matches no package"}},
		{"folder that is not there", moduleM, []string{"./absent"}, nil, []string{"./absent", "matches no package", "not found"}},
		{"a folder without ./", moduleM + "-- p/p.go --\npackage p\n", []string{"p"}, nil, []string{"p is not in std", "; write ./p for the folder of that name"}},
		{"folders without ./", moduleM + "-- p/p.go --\npackage p\n", []string{"p/..."}, nil, []string{"; write ./p/... for the folder of that name"}},
		{"a target", moduleM, []string{"FuzzCode"}, nil, []string{"; a target is no package; write -fuzz='^FuzzCode$' to select it in ./..."}},
		{"no module", "-- a.txt --\n", []string{"./..."}, nil, []string{"no go.mod in ", " or its parents; run gnaw in a module"}},
		{"unknown flag", moduleM, nil, []string{"-nonsense"}, []string{"nonsense"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			targets, _, err := List(t.Context(), tc, testkit.Unpack(t, tt.module), tt.patterns, tt.flags)
			if err == nil {
				t.Fatalf("no error, targets %v", targets)
			}
			testkit.Contains(t, "error", err.Error(), tt.want...)
		})
	}
}

// TestATestFileOfANewerToolchain has a test file that does not parse.
func TestATestFileOfANewerToolchain(t *testing.T) {
	dir := testkit.Unpack(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- a/a_test.go --\npackage a\n\ntype T struct{} ~ new syntax\n"+
		"-- b/b_test.go --\npackage b\n\nimport \"testing\"\n\nfunc FuzzB(f *testing.F) {}\n")
	tc := toolchain.Find(t, "")
	for version, newer := range map[string]bool{tc.Version: false, "go1.99.1": true} {
		t.Run(version, func(t *testing.T) {
			tc := tc
			tc.Version = version
			targets, broken, err := List(t.Context(), tc, dir, []string{"./..."}, nil)
			if err != nil || len(targets) != 1 || len(broken) != 1 || strings.Contains(broken[0].Reason, "cannot read Go code of go1.99.1") != newer {
				t.Errorf("List = %v, %v, %v", targets, broken, err)
			}
		})
	}
}
