package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Unpack writes the files of a text with lines "-- name --" before each file to a new folder, and returns that.
func Unpack(t *testing.T, text string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range Files(text) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Files splits a text with lines "-- name --" before each file.
func Files(text string) map[string]string {
	out := map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		if s, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(s, " --\n") {
			name = strings.TrimSuffix(s, " --\n")
			out[name] = ""
		} else if name != "" {
			out[name] += line
		}
	}
	return out
}

// Fuzzed is a module whose target tells what the probe saw of it.
const Fuzzed = `
-- go.mod --
module example.com/m

go 1.24
-- dep/dep.go --
package dep

//go:noinline
func Is(b []byte, s string) bool {
	for range b {
		if len(s) > 100 {
			return true
		}
	}
	return string(b) == s
}
-- m_test.go --
package m

import (
	"testing"

	"example.com/m/dep"
)

func FuzzM(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		if dep.Is(b, "magic") || n == 12345 || t.Context() == nil {
			t.Skip("found")
		}
	})
}
-- none/none.go --
package none
-- bad/bad_test.go --
package bad

import "testing"

func FuzzBad(f *testing.F) { undefined() }
`

// Contains fails the test unless text has all of parts in it.
func Contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s = %q, which lacks %q", what, text, p)
		}
	}
}
