package gocommand

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFolderReplacesAllVersionsOfAModule(t *testing.T) {
	const want = "module m\n\nrequire example.com/d v1.0.0\n\nreplace example.com/other => ../other\n\nreplace example.com/d => /copy/d@v1.0.0\n"
	for _, tt := range []struct{ name, before string }{
		{"none is replaced", ""},
		{"one is replaced", "replace example.com/d => ../d\n\n"},
		{"versions are replaced", "replace example.com/d v1.0.0 => example.com/fork v1.1.0\n\nreplace example.com/d v1.1.0 => ../d\n\n"},
	} {
		name := filepath.Join(t.TempDir(), "go.mod")
		text := "module m\n\nrequire example.com/d v1.0.0\n\n" + tt.before + "replace example.com/other => ../other\n"
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := replaceModule(name, "example.com/d", "/copy/d@v1.0.0"); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: go.mod is\n%s(%v), want\n%s", tt.name, got, err, want)
		}
	}
}

func TestAGoModThatCannotBeParsedIsAnError(t *testing.T) {
	name := filepath.Join(t.TempDir(), "go.mod")
	if err := os.WriteFile(name, []byte("modul m"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := replaceModule(name, "example.com/d", "/copy"); err == nil {
		t.Error("replaceModule returns no error")
	}
	if _, err := DebugOf(filepath.Dir(name)); err == nil {
		t.Error("DebugOf returns no error")
	}
}
