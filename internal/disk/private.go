package disk

import (
	"errors"
	"io/fs"
	"os"
)

// Modes of what gnaw makes in its cache: inputs and findings may have what others must not read. What gnaw writes into a module has the
// usual modes.
const (
	PrivateDir  fs.FileMode = 0o700
	PrivateFile fs.FileMode = 0o600
)

// MakePrivateDir makes a directory that only the user can read, and those above it. It takes the rights of others from one that is there.
func MakePrivateDir(dir string) error {
	if err := os.MkdirAll(dir, PrivateDir); err != nil {
		return err
	}
	narrow(dir)
	return nil
}

// MakePrivateFile makes an empty file that only the user can read, unless it is there. It takes the rights of others from one that is
// there, which it does not open: closing a file gives up all locks that the process has on it.
func MakePrivateFile(path string) error {
	if _, err := os.Lstat(path); err == nil {
		narrow(path)
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, PrivateFile)
	if errors.Is(err, fs.ErrExist) { // another process has made it
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// narrow takes the rights of others from a file or directory. Where that is not possible, as with one of another user, it stays as it is.
func narrow(path string) {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&^PrivateDir != 0 {
		_ = os.Chmod(path, info.Mode().Perm()&PrivateDir)
	}
}
