//go:build unix

package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/disk/faulty"
)

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{syscall.ENOSPC, "; the disk is full: free some space"},
		{syscall.EROFS, "; the disk is read only: mount it for writing, or choose another directory"},
		{syscall.EACCES, "; check the permissions of the file and its directory"},
		{syscall.EIO, ": " + syscall.EIO.Error()},
	} {
		files := &faulty.Files{FailAt: 5, Err: tt.err} // the write
		_, _, err := save(on(t.TempDir(), files), fresh)
		if !errors.Is(err, tt.err) || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("Save with %v in %v: %v\nwant it to end with %q", tt.err, files.Failed, err, tt.want)
		}
	}
}

func TestSaveIntoAFileIsRefused(t *testing.T) {
	path := put(t, t.TempDir(), "file", "x")
	if _, _, err := in(path).Save(fresh); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("Save into a file: %v", err)
	}
}

func TestLoadFollowsLinksAndDoesNotWaitForPipes(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	path, _, err := in(elsewhere).Save(tuple("linked", 1))
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"a-file": path, "b-directory": elsewhere, "c-dangling": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	pipe := filepath.Join(dir, "d-pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	entries, problems, err := in(dir).Load(t.Context(), nil)
	if err != nil || len(entries) != 1 || entries[0].Name != "a-file" {
		t.Errorf("Load = %v, %v, want the linked file", entries, err)
	}
	want := []string{
		"read corpus file " + filepath.Join(dir, "c-dangling") + ": no such file or directory",
		"read corpus file " + pipe + ": not a regular file",
	}
	if len(problems) != 2 || problems[0].Error() != want[0] || problems[1].Error() != want[1] {
		t.Errorf("problems %v, want %v", problems, want)
	}
	names, err := in(dir).List()
	if want := []string{"a-file", "c-dangling", "d-pipe"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("List = %q, %v, want %q", names, err, want)
	}
}
