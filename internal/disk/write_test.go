package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/disk/faulty"
)

const old, fresh = "what was there", "what is written, which is longer"

// folder has the file named name, if there is one with a text.
func folder(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if text != "" {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// content is what is in a file; empty if there is none.
func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// others are the names beside a file.
func others(t *testing.T, path string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Name() != filepath.Base(path) {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestNoFileIsTorn has each operation fail in turn, once for an error and once for the death of the process.
func TestNoFileIsTorn(t *testing.T) {
	for _, tt := range []struct {
		name, before string
		isNew        bool
	}{
		{"a new file", "", false},
		{"a file that is replaced", old, false},
		{"a file that must be new", "", true},
	} {
		for _, dead := range []bool{false, true} {
			for n := 1; ; n++ {
				path := folder(t, "file", tt.before)
				files := &faulty.Files{FailAt: n, Dead: dead}
				err := disk.WriteAll(files, filepath.Dir(path), []disk.File{{Path: path, Data: []byte(fresh), New: tt.isNew}})
				if len(files.Failed) == 0 {
					if err != nil || content(t, path) != fresh || len(others(t, path)) > 0 {
						t.Errorf("%s, no fault: %v, %q, beside it %q", tt.name, err, content(t, path), others(t, path))
					}
					break
				}
				op := files.Failed[0]
				if text := content(t, path); text != tt.before && text != fresh {
					t.Errorf("%s, fault in %s: the file has %q", tt.name, op, text)
				}
				// A file system without links, or without that operation, has another way.
				if tolerated := op == "removeall" || op == "link"; !dead && !tolerated && (err == nil || err.Path != path || len(others(t, path)) > 0) {
					t.Errorf("%s, fault in %s: %v, beside the file is %q", tt.name, op, err, others(t, path))
				}
				if err := disk.Sweep(disk.OS{}, filepath.Dir(path), time.Now().Add(2*disk.SweepAge)); err != nil || len(others(t, path)) > 0 {
					t.Errorf("%s, fault in %s: Sweep: %v, beside the file is %q", tt.name, op, err, others(t, path))
				}
			}
		}
	}
}

func TestCreateLeavesAFileThatIsThere(t *testing.T) {
	path := folder(t, "file", old)
	if err := disk.Create(path, []byte(fresh)); !errors.Is(err, fs.ErrExist) || content(t, path) != old || len(others(t, path)) > 0 {
		t.Errorf("Create = %v, the file has %q, beside it is %q", err, content(t, path), others(t, path))
	}
}

// noLinks is a file system without hard links.
type noLinks struct{ disk.OS }

func (noLinks) Link(string, string) error { return errors.ErrUnsupported }

func TestAFileSystemWithoutLinks(t *testing.T) {
	for _, before := range []string{"", old} {
		path := folder(t, "file", before)
		err := disk.WriteAll(noLinks{}, filepath.Dir(path), []disk.File{{Path: path, Data: []byte(fresh), New: true}})
		if before == "" && (err != nil || content(t, path) != fresh) {
			t.Errorf("a new file: %v, %q", err, content(t, path))
		}
		if before != "" && (err == nil || !errors.Is(err, fs.ErrExist) || content(t, path) != old) {
			t.Errorf("a file that is there: %v, %q", err, content(t, path))
		}
	}
}

func TestWriteMakesTheFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "file")
	if err := disk.Write(path, []byte(fresh)); err != nil || content(t, path) != fresh {
		t.Errorf("Write = %v, the file has %q", err, content(t, path))
	}
	if missing := disk.Missing(filepath.Join(filepath.Dir(path), "x", "y")); len(missing) != 2 {
		t.Errorf("Missing = %q, want two folders", missing)
	}
}

func TestAppendAddsToAFile(t *testing.T) {
	path := folder(t, "summary.md", old)
	if err := disk.Append(path, []byte(fresh)); err != nil || content(t, path) != old+fresh {
		t.Errorf("the file is %q (%v)", content(t, path), err)
	}
	next := folder(t, "summary.md", "")
	if err := disk.Append(next, []byte(fresh)); err != nil || content(t, next) != fresh {
		t.Errorf("a new file is %q (%v)", content(t, next), err)
	}
	dir := t.TempDir()
	if err := disk.Append(dir, []byte(fresh)); err == nil || !strings.Contains(err.Error(), "append to "+dir+": ") {
		t.Errorf("the error for a folder is %v", err)
	}
}
