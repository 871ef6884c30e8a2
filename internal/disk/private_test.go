//go:build unix

package disk_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

func TestWhatIsPrivateIsForItsUserOnly(t *testing.T) {
	root := t.TempDir()
	dir, file := filepath.Join(root, "a", "b"), filepath.Join(root, "file")
	check := func(when string) {
		t.Helper()
		if err := disk.MakePrivateDir(dir); err != nil {
			t.Fatal(err)
		}
		if err := disk.MakePrivateFile(file); err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]fs.FileMode{dir: 0o700, file: 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %s has the mode %v, %v, want %v", when, path, info.Mode(), err, want)
			}
		}
	}
	check("new")
	for path, mode := range map[string]fs.FileMode{dir: 0o755, file: 0o644} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("as others could read it")
	if text, err := os.ReadFile(file); string(text) != "content" {
		t.Errorf("the file has %q, %v, want what it had", text, err)
	}
}
