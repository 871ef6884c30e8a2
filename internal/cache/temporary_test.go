//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestATemporarySiteIsRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := OpenTemporary()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(filepath.Dir(s.Dir)); err != nil || len(list) > 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

// What another user has put in place of the folder is neither used nor changed.
func TestATemporarySiteIsInAFolderOfTheUserOnly(t *testing.T) {
	for name, make := range map[string]func(path, victim string) error{
		"a link": func(path, victim string) error { return os.Symlink(victim, path) },
		"a folder that all can write": func(path, _ string) error {
			if err := os.Mkdir(path, 0o777); err != nil {
				return err
			}
			return os.Chmod(path, 0o777)
		},
		"a file": func(path, _ string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		dir := t.TempDir()
		victim := filepath.Join(dir, "victim")
		old := filepath.Join(victim, "old")
		if err := os.MkdirAll(old, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(old, time.Time{}, time.Now().Add(-48*time.Hour)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "gnaw")
		if err := make(path, victim); err != nil {
			t.Fatal(err)
		}
		if _, err := openTemporary(path); err == nil || !strings.Contains(err.Error(), "belongs to somebody else, or others may write to it") {
			t.Errorf("%s: %v", name, err)
		}
		if list, err := os.ReadDir(victim); err != nil || len(list) != 1 {
			t.Errorf("%s: the folder has %v (%v)", name, list, err)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if _, err := OpenTemporary(); err == nil || !strings.HasSuffix(err.Error(), "name a folder of your own in TMPDIR") {
		t.Errorf("without a folder for temporary files: %v", err)
	}
}
