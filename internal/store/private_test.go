//go:build unix

package store

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTheHistoryIsForItsUserOnly looks at the files while the database is open, when SQLite has its own beside it.
func TestTheHistoryIsForItsUserOnly(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string // that are there already, and that all can read
	}{
		{"a new one", nil},
		{"one that all can read", []string{FileName}},
		{"one that all can read, as a killed process leaves it", []string{FileName, FileName + "-wal", FileName + "-shm"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache")
			path := filepath.Join(dir, FileName)
			if tt.files != nil {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range tt.files {
				file := filepath.Join(dir, name)
				if err := os.WriteFile(file, nil, 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(file, 0o644); err != nil { // whatever the umask is
					t.Fatal(err)
				}
			}
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if _, err := s.Save(t.Context(), 1, module, record("aaaa", 1)); err != nil {
				t.Fatal(err)
			}
			files, err := os.ReadDir(dir)
			if err != nil || len(files) != 3 {
				t.Fatalf("the files are %v, %v, want the database, its log and its index", files, err)
			}
			for _, f := range files {
				if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("%s has the mode %v, %v, want 0600", f.Name(), info.Mode(), err)
				}
			}
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the folder has the mode %v, %v, want 0700", info.Mode(), err)
			}
		})
	}
}
