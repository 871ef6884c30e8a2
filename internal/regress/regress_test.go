package regress

import (
	"math"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

func options(t *testing.T, source string, values ...any) Options {
	t.Helper()
	args, err := input.FromValues(values)
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		File: "p_test.go", Source: []byte(source), Target: "FuzzP", ID: "3f9a1c2b", Title: "index out\nof range", Args: args,
		PackageName: func(path string) string {
			return map[string]string{"gopkg.in/yaml.v3": "yaml"}[path]
		},
	}
}

func TestATestHasTheFunctionAndTheInput(t *testing.T) {
	got, err := Test(options(t, `//go:build linux

// Package p is something else.
package p_test

import (
	"bytes"
	"os"
	. "strings"
	"testing"

	other "example.com/m/v2"
	"gopkg.in/yaml.v3"
)

func FuzzQ(f *testing.F) { f.Fuzz(func(t *testing.T, b byte) { os.Exit(1) }) }

func FuzzP(f *testing.F) {
	seeds := []string{"a"}
	for _, s := range seeds {
		f.Add([]byte(s), 1)
	}
	limit := 10
	limit++
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		if n > limit { // why
			other.Skip(t)
		}
		var seeds yaml.Node
		yaml.Unmarshal(bytes.TrimSpace(data), &seeds)
	})
}
`, []byte("a\xff"), -7))
	if err != nil {
		t.Fatal(err)
	}
	const want = `//go:build linux

package p_test

import (
	"bytes"
	"testing"

	other "example.com/m/v2"
	"gopkg.in/yaml.v3"
)

// TestRegressFuzzP_3f9a1c2b runs the function of FuzzP with an input that made it fail:
// index out of range
func TestRegressFuzzP_3f9a1c2b(t *testing.T) {
	limit := 10
	limit++
	check := func(t *testing.T, data []byte, n int) {
		if n > limit { // why
			other.Skip(t)
		}
		var seeds yaml.Node
		yaml.Unmarshal(bytes.TrimSpace(data), &seeds)
	}
	check(t,
		[]byte("a\xff"),
		int(-7),
	)
}
`
	if string(got) != want {
		t.Errorf("the test is\n%s\nwant\n%s", got, want)
	}
}

func TestANamedFunctionIsCalled(t *testing.T) {
	got, err := Test(options(t, "package p\nimport \"testing\"\nfunc FuzzP(f *testing.F) { f.Fuzz(verify) }", true))
	if err != nil || !strings.Contains(string(got), "\tverify(t,\n\t\tbool(true),\n\t)\n") {
		t.Errorf("Test = %s, %v", got, err)
	}
}

func TestFloatsThatAreNoConstants(t *testing.T) {
	got, err := Test(options(t, "package p\nimport \"testing\"\nfunc FuzzP(f *testing.F) { f.Fuzz(verify) }",
		math.NaN(), math.Inf(1), float32(math.Inf(-1)), math.Copysign(0, -1), 1.5, math.Float64frombits(0x7ff8000000000002)))
	want := []string{
		`"math"`, "math.NaN(),", "math.Inf(1),", "float32(math.Inf(-1)),", "math.Copysign(0, -1),", "float64(1.5),",
		"math.Float64frombits(0x7ff8000000000002)",
	}
	for _, w := range want {
		if err != nil || !strings.Contains(string(got), w) {
			t.Errorf("Test = %s, %v, want %s in it", got, err, w)
		}
	}
}

func TestWhatCannotBeCarriedOverIsAnError(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"f in the function", "f.Fuzz(func(t *testing.T, b byte) { _ = f.Name() })", "uses f or a value derived from it"},
		{"a variable made with f", "d := f.Name()\nf.Fuzz(func(t *testing.T, b byte) { _ = d })", "uses f or a value derived from it"},
		{"one step away", "d := f.Name()\ne := d\nf.Fuzz(func(t *testing.T, b byte) { _ = e })", "uses f or a value derived from it"},
		{
			"a variable that is set with f", "var d []string\nif true {\nd = append(d, f.Name())\n}\nf.Fuzz(func(t *testing.T, b byte) { _ = d })",
			"uses f or a value derived from it",
		},
		{
			"a variable whose address is taken with f", "var d string\nfill(f, &d)\nf.Fuzz(func(t *testing.T, b byte) { _ = d })",
			"uses f or a value derived from it",
		},
		{
			"a helper that takes an F", "d := load(f)\nf.Fuzz(func(t *testing.T, b byte) { _ = d })\n}\nfunc load(f *testing.F) int {\nreturn 1",
			"uses f or a value derived from it",
		},
		{
			"a helper that takes several TBs", "d := load(f, f)\nf.Fuzz(func(t *testing.T, b byte) { _ = d })\n}\nfunc load(all ...testing.TB) int {\nreturn 1",
			"uses f or a value derived from it",
		},
		{
			"a helper of another package, whose type is not known", "d := testutil.Load(f)\nf.Fuzz(func(t *testing.T, b byte) { _ = d })",
			"or into one of this package that takes a testing.TB",
		},
		{
			"a variable of the target that another function uses", "n := 1\nrun(f, n)\n}\nfunc run(f *testing.F, n int) {\nf.Fuzz(func(t *testing.T, b byte) { _ = n })",
			"FuzzP passes n to run, and a test cannot have that",
		},
		{
			"a parameter that is called as the T of a test", "run(f, 1)\n}\nfunc run(f *testing.F, t int) {\ng := func() int { return t }\nf.Fuzz(func(_ *testing.T, b byte) { _ = g() })",
			"FuzzP passes t to run, and a test cannot have that",
		},
		{"a call of a call", "run(f)\n}\nfunc run(f *testing.F) {\nagain(f)\n}\nfunc again(f *testing.F) {\nf.Fuzz(func(t *testing.T, b byte) {})", "FuzzP does not call F.Fuzz itself or by a function of the same file"},
		{"no call", "run(f)", "FuzzP does not call F.Fuzz itself"},
		{"syntax", "}}", "read the test file of FuzzP"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Test(options(t, "package p\nimport \"testing\"\nfunc FuzzP(f *testing.F) {\n"+tt.body+"\n}\n", byte(1)))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Test: %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := Test(options(t, "package p", byte(1))); err == nil {
		t.Error("a file without the target makes a test")
	}
}

func TestTheMessageIsOneLineOfAComment(t *testing.T) {
	o := options(t, "package p\nimport \"testing\"\nfunc FuzzP(f *testing.F) { f.Fuzz(verify) }", true)
	o.Title = "panic: a\x00b\ufeff\r\nc\xff"
	got, err := Test(o)
	if want := "\n// panic: a\\x00b\\ufeff c\\xff\nfunc TestRegress"; err != nil || !strings.Contains(string(got), want) {
		t.Errorf("Test = %s, %v, want %q in it", got, err, want)
	}
}

func TestTheFileIsForTheSystemOfTheTarget(t *testing.T) {
	for file, want := range map[string]string{
		"dir/p_test.go":         "fuzz_regress_3f9a_test.go",
		"p_linux_test.go":       "fuzz_regress_3f9a_linux_test.go",
		"p_linux_arm64_test.go": "fuzz_regress_3f9a_linux_arm64_test.go",
		"linux_test.go":         "fuzz_regress_3f9a_test.go",
	} {
		if got := (Options{File: file, ID: "3f9a"}).FileName(); got != want {
			t.Errorf("the file for %s is %s, want %s", file, got, want)
		}
	}
}
