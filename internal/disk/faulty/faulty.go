// Package faulty implements a file system that fails on request, for tests of code that writes files.
package faulty

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// ErrInjected is the fault, unless another one is wanted.
var ErrInjected = errors.New("injected fault")

// Files is the file system of the machine, of which operation number FailAt fails, and all that follow if Dead is
// set, as for a process that was killed. A write that fails has written half of its bytes.
type Files struct {
	disk.OS
	FailAt int
	Dead   bool
	Err    error // what the fault is; nil means ErrInjected

	Open   int      // files that were not closed
	Failed []string // names of the operations that failed
	Done   []string // names of the others

	count int
}

func (f *Files) fault(op, path string) error {
	f.count++
	if f.count != f.FailAt && (!f.Dead || f.count < f.FailAt) {
		f.Done = append(f.Done, op)
		return nil
	}
	f.Failed = append(f.Failed, op)
	err := f.Err
	if err == nil {
		err = ErrInjected
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// ReadFile implements [disk.Files].
func (f *Files) ReadFile(path string, limit int64) ([]byte, error) {
	if err := f.fault("read", path); err != nil {
		return nil, err
	}
	return f.OS.ReadFile(path, limit)
}

// ReadDir implements [disk.Files].
func (f *Files) ReadDir(dir string) ([]fs.DirEntry, error) {
	if err := f.fault("readdir", dir); err != nil {
		return nil, err
	}
	return f.OS.ReadDir(dir)
}

// MkdirAll implements [disk.Files].
func (f *Files) MkdirAll(dir string) error {
	if err := f.fault("mkdir", dir); err != nil {
		return err
	}
	return f.OS.MkdirAll(dir)
}

// MkdirTemp implements [disk.Files].
func (f *Files) MkdirTemp(dir, prefix string) (string, error) {
	if err := f.fault("mkdirtemp", filepath.Join(dir, prefix)); err != nil {
		return "", err
	}
	return f.OS.MkdirTemp(dir, prefix)
}

// Rename implements [disk.Files].
func (f *Files) Rename(from, to string) error {
	if err := f.fault("rename", from); err != nil {
		return err
	}
	return f.OS.Rename(from, to)
}

// Link implements [disk.Files].
func (f *Files) Link(from, to string) error {
	if err := f.fault("link", from); err != nil {
		return err
	}
	return f.OS.Link(from, to)
}

// RemoveAll implements [disk.Files].
func (f *Files) RemoveAll(path string) error {
	if err := f.fault("removeall", path); err != nil {
		return err
	}
	return f.OS.RemoveAll(path)
}

// SyncDir implements [disk.Files].
func (f *Files) SyncDir(dir string) error {
	if err := f.fault("syncdir", dir); err != nil {
		return err
	}
	return f.OS.SyncDir(dir)
}

// Create implements [disk.Files].
func (f *Files) Create(path string) (disk.Handle, error) {
	if err := f.fault("create", path); err != nil {
		return nil, err
	}
	real, err := f.OS.Create(path)
	f.Open++
	return &handle{real, f, path}, err
}

type handle struct {
	disk.Handle
	files *Files
	path  string
}

func (f *handle) Write(b []byte) (int, error) {
	if err := f.files.fault("write", f.path); err != nil {
		n, _ := f.Handle.Write(b[:len(b)/2])
		return n, err
	}
	return f.Handle.Write(b)
}

func (f *handle) Sync() error {
	if err := f.files.fault("sync", f.path); err != nil {
		return err
	}
	return f.Handle.Sync()
}

// Close closes the file in any case, as the operating system does for a killed process.
func (f *handle) Close() error {
	f.files.Open--
	return errors.Join(f.files.fault("close", f.path), f.Handle.Close())
}
