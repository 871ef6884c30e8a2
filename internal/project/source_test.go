package project

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestOnlySourcesOfTheModuleAreRead(t *testing.T) {
	root := t.TempDir()
	outside := filepath.Join(t.TempDir(), "x.go")
	file, at := filepath.Join(root, "p", "p.go"), time.Unix(1000, 0)
	for _, name := range []string{file, outside} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("package p\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(file, at, at); err != nil {
		t.Fatal(err)
	}
	m := Module{Root: root, Path: "example.com/m"}
	if text, changed, err := m.ReadSource("example.com/m/p", "example.com/m/p/p.go"); string(text) != "package p\n" || !changed.Equal(at) || err != nil {
		t.Errorf("the file is %q of %v (%v)", text, changed, err)
	}
	linked := os.Symlink(outside, filepath.Join(root, "p", "link.go")) == nil // Windows may not allow it
	for _, tt := range []struct{ name, pkg, file string }{
		{"a file of another module", "example.com/other", "example.com/other/p.go"},
		{"a file of another package", "example.com/m/p", "example.com/m/q/p.go"},
		{"a path out of the module", "example.com/m/p/../..", "example.com/m/p/../../x.go"},
		{"a path through the parent of the module", "..", "../x.go"},
		{"a file that does not exist", "example.com/m/p", "example.com/m/p/q.go"},
		{"a folder", "example.com/m", "example.com/m/p"},
		{"a link out of the module", "example.com/m/p", "example.com/m/p/link.go"},
	} {
		if tt.name == "a link out of the module" && !linked {
			continue
		}
		if text, _, err := m.ReadSource(tt.pkg, tt.file); err == nil {
			t.Errorf("%s is read: %q", tt.name, text)
		}
	}
	if _, _, err := (Module{Path: "example.com/m"}).ReadSource("example.com/m/p", "example.com/m/p/p.go"); err == nil {
		t.Error("a file of a module whose folder is not known is read")
	}
}
