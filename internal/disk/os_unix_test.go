//go:build unix

package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// TestReadNeitherWaitsNorGoesOnForEver would not end if it did.
func TestReadNeitherWaitsNorGoesOnForEver(t *testing.T) {
	dir := t.TempDir()
	pipe, link, device := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "device")
	err := errors.Join(syscall.Mkfifo(pipe, 0o666), os.Symlink(pipe, link), os.Symlink("/dev/zero", device))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link, device} {
		if _, err := disk.Read(path, 1<<20); !errors.Is(err, disk.ErrIrregular) || !strings.Contains(err.Error(), path) {
			t.Errorf("Read(%s) = %v, want an error that names it", path, err)
		}
	}
	var large *disk.SizeError
	if _, err := disk.ReadStream(device, 1<<20); !errors.As(err, &large) {
		t.Errorf("ReadStream of an endless device: %v", err)
	}
}

func TestReadStreamTakesAPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("words"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if text, err := disk.ReadStream(fmt.Sprintf("/dev/fd/%d", r.Fd()), 100); err != nil || string(text) != "words" {
		t.Errorf("ReadStream = %q, %v", text, err)
	}
}
