package regress

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compiling are targets of packages with the function verify in another file, and what stands in the test that is made of them.
var compiling = []struct {
	folder, imports, body string
	values                []any
	want, not             []string
}{
	{
		"checked_error", `"regexp"`, `
	re, err := regexp.Compile("a+")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) { re.MatchString(s) })`,
		[]any{"a"},
		[]string{"if err != nil {\n\t\tt.Fatal(err)\n\t}\n"},
		nil,
	},
	{
		"only_for_seeds", `"os"`, `
	prefix, count := "a", 0
	for _, s := range os.Args {
		f.Add(prefix + s, count)
	}
	f.Fuzz(func(t *testing.T, s string, n int) { verify(t, prefix+s); n = count })`,
		[]any{"a", 1},
		[]string{`prefix, count := "a", 0`},
		[]string{"os.Args"},
	},
	{
		"set_up_in_a_check", `"encoding/json"`, `
	var table map[string]int
	if err := json.Unmarshal([]byte("{}"), &table); err != nil {
		f.Fatalf("%v", err)
	}
	f.Cleanup(func() { clear(table) })
	f.Fuzz(func(t *testing.T, s string) { table[s]++ })`,
		[]any{"a"},
		[]string{"json.Unmarshal", `t.Fatalf("%v", err)`, "t.Cleanup("},
		nil,
	},
	{
		"words_of_package_math", ``, `
	f.Fuzz(func(t *testing.T, s string, b []byte, x float64) {})`,
		[]any{"math.floor(x)", []byte("float32(math.NaN())"), 1.5},
		nil,
		[]string{`"math"`},
	},
	{
		"a_float_of_package_math", ``, `
	f.Fuzz(func(t *testing.T, x float32) {})`,
		[]any{float32(math.Inf(1))},
		[]string{`"math"`},
		nil,
	},
	{
		"dot_import", `. "strings"; "os"`, `
	f.Add(os.Args[0])
	f.Fuzz(func(t *testing.T, s string) { verify(t, ToUpper(s)) })`,
		[]any{"a"},
		[]string{`. "strings"`},
		[]string{`"os"`},
	},
	{
		"dot_import_for_something_else", `. "strings"; . "os"; "os/exec"`, `
	f.Add(ToUpper(Getenv("A")))
	type config struct{ Name string }
	f.Fuzz(func(t *testing.T, s string) {
		_ = []config{{Name: s}}
		_ = exec.Cmd{Path: Verified}
		Verify(t, s)
	})`,
		[]any{"a"},
		nil,
		[]string{`"strings"`, `. "os"`},
	},
	{
		"a_helper_that_takes_a_TB", ``, `
	limit := load(f, 10)
	name := func(tb testing.TB) string { return tb.Name() }
	who := name(f)
	f.Fuzz(func(t *testing.T, n int) { _ = who; n = min(n, limit, load(t, n)) })`,
		[]any{1},
		[]string{"limit := load(t, 10)", "who := name(t)"},
		[]string{"(f)"},
	},
	{
		"a_temporary_folder", ``, `
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, s string) { verify(t, dir+s) })`,
		[]any{"a"},
		[]string{"dir := t.TempDir()"},
		nil,
	},
	{
		"a_function_that_another_one_passes_on", `"os"`, `
	prefix := "a"
	run(f, os.Args, func(t *testing.T, s string) { verify(t, prefix+s) })
}

func run(f *testing.F, seeds []string, check func(*testing.T, string)) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(check)`,
		[]any{"a"},
		[]string{`prefix := "a"`, "verify(t, prefix+s)"},
		[]string{"run(", "os.Args"},
	},
	{
		"a_function_that_another_one_makes", `"strings"; "os"`, `
	run(strings.ToUpper, f, os.Args, 7)
}

func run(change func(string) string, f *testing.F, seeds []string, limit int64) {
	for _, s := range seeds {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, s string) {
		if int64(len(s)) < limit {
			verify(t, dir+change(s))
		}
	})`,
		[]any{"a"},
		[]string{"var change func(string) string = strings.ToUpper", "var limit int64 = 7", "dir := t.TempDir()"},
		[]string{"run(", "os.Args", "seeds"},
	},
}

const helpers = `package p

import "testing"

const Verified = "a"

func verify(t *testing.T, s string) {}

func Verify(t *testing.T, s string) {}

func load(tb testing.TB, n int) int {
	tb.Helper()
	return n
}
`

func TestWhatIsMadeCompiles(t *testing.T) {
	dir := t.TempDir()
	write := func(folder, name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(".", "go.mod", "module example.com/p\n\ngo 1.24\n")
	for _, tt := range compiling {
		t.Run(tt.folder, func(t *testing.T) {
			write(tt.folder, "helpers_test.go", helpers)
			source := "package p\n\nimport (\n\"testing\"\n" + tt.imports + "\n)\n\nfunc FuzzP(f *testing.F) {" + tt.body + "\n}\n"
			o := options(t, source, tt.values...)
			o.File = filepath.Join(dir, tt.folder, "p_test.go")
			write(tt.folder, "p_test.go", source)
			got, err := Test(o)
			if err != nil {
				t.Fatal(err)
			}
			write(tt.folder, o.FileName(), string(got))
			o.ID, o.Measure = "measured", &Measure{Kind: "alloc", Limit: 1 << 20}
			measured, err := Test(o)
			if err != nil {
				t.Fatal(err)
			}
			write(tt.folder, o.FileName(), string(measured))
			for _, w := range tt.want {
				if !strings.Contains(string(got), w) {
					t.Errorf("the test is\n%s\nwithout %s", got, w)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(string(got), w) {
					t.Errorf("the test is\n%s\nwith %s", got, w)
				}
			}
		})
	}
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}
