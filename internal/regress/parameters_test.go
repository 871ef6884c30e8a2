package regress

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestParametersAreReadFromTheSource(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte("package p\n\nimport \"testing\"\n\ntype raw = []byte\n\nfunc check(t *testing.T, b raw, c byte) { undefined() }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, body, want string }{
		{"a literal", "f.Fuzz(func(t *testing.T, data []byte, n, m int, s string, _ rune) {})", "[{data []uint8} {n int} {m int} {s string} {_ int32}]"},
		{"no names", "f.Fuzz(func(*testing.T, bool, float32, uint16) {})", "[{ bool} { float32} { uint16}]"},
		{"a function of another file, and an alias", "f.Fuzz(check)", "[{b []uint8} {c uint8}]"},
		{"a variable", "v := func(t *testing.T, x uint64) {}\n\tf.Fuzz(v)", "[{x uint64}]"},
		{"a helper", "help(f, func(t *testing.T, x int8) {})", "[{x int8}]"},
		{"an instance of a generic function", "f.Fuzz(generic[string])", "[{x string}]"},
		{"an undefined type", "f.Fuzz(func(t *testing.T, x other) {})", "<nil>"},
		{"a type that a target cannot take", "f.Fuzz(func(t *testing.T, x []int) {})", "<nil>"},
		{"a function of another package", "f.Fuzz(other.Check)", "<nil>"},
		{"no call", "", "<nil>"},
	} {
		source := "package p\n\nimport (\n\t\"testing\"\n\n\t\"example.com/other\"\n)\n\nfunc FuzzX(f *testing.F) {\n\t" + tt.body + "\n}\n\n" +
			"func help(f *testing.F, check any) { f.Fuzz(check) }\n\nfunc generic[T any](t *testing.T, x T) {}\n"
		got, err := Parameters(filepath.Join(dir, "p_test.go"), []byte(source), "FuzzX")
		text := fmt.Sprint(got)
		if err != nil {
			text = "<nil>"
		}
		if text != tt.want {
			t.Errorf("%s: %s (%v), want %s", tt.name, text, err, tt.want)
		}
	}
}
