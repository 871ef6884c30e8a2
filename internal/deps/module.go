package deps

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// placeModule copies the sources of a module from the folder root to another folder, unless they are complete there. If the module has no
// go.mod, the copy gets one. Several processes may make the same copy at the same time.
func placeModule(ctx context.Context, folder, root, module string) error {
	from := newSources(ctx, root, nil)
	if isComplete(folder, from) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(folder), disk.PrivateDir); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(folder), ".tmp-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	fresh := filepath.Join(temp, "new")
	if err := os.CopyFS(fresh, from); err != nil {
		return err
	}
	if err := addModfile(fresh, module); err != nil {
		return err
	}
	if err := os.Rename(folder, filepath.Join(temp, "torn")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, folder); err != nil && !isComplete(folder, from) { // another process may have made it
		return err
	}
	return nil
}

// isComplete reports whether a folder has a go.mod and all files of a module. A program that cleans caches may have removed some.
func isComplete(folder string, from fs.FS) bool {
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil {
		return false
	}
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := d.Info()
		if err != nil {
			return err
		}
		got, err := os.Stat(filepath.Join(folder, filepath.FromSlash(name)))
		if err == nil && got.Size() != want.Size() {
			err = fs.ErrInvalid
		}
		return err
	}) == nil
}
