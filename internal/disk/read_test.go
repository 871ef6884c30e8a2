package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

func TestReadTakesAFileOfAtMostItsLimit(t *testing.T) {
	for _, size := range []int{0, 1, 99, 100} {
		path := folder(t, "file", strings.Repeat("x", size))
		if size == 0 {
			path = folder(t, "file", "x")
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := disk.Read(path, 100); err != nil || len(text) != size {
			t.Errorf("a file of %d bytes: %d bytes, %v", size, len(text), err)
		}
	}
	path := folder(t, "file", strings.Repeat("x", 101))
	_, err := disk.Read(path, 100)
	if want := "read " + path + ": the file has more than 100 bytes"; err == nil || err.Error() != want {
		t.Errorf("a file of 101 bytes: %v, want %q", err, want)
	}
	if err := os.Truncate(path, 1<<50); err == nil { // where a file may have holes
		if _, err := disk.Read(path, 100); err == nil {
			t.Error("a file of 2^50 bytes is read")
		}
	}
	if _, err := disk.ReadStream(folder(t, "file", strings.Repeat("x", 101)), 100); err == nil {
		t.Error("ReadStream reads a file of 101 bytes")
	}
	if _, err := disk.Read(filepath.Join(t.TempDir(), "none"), 100); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := disk.Read(t.TempDir(), 100); !errors.Is(err, disk.ErrIrregular) {
		t.Errorf("a directory: %v", err)
	}
}
