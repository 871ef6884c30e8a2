package corpus

import (
	"errors"
	"io/fs"
	"path/filepath"
)

var errInjected = errors.New("injected fault")

// faultyFiles is the file system of the machine, of which operation number failAt fails, and all that follow if dead is
// set, as for a process that was killed. A write that fails has written half of its bytes.
type faultyFiles struct {
	osFiles
	failAt int
	dead   bool
	err    error // what the fault is; nil means errInjected

	count  int
	open   int      // files that were not closed
	failed []string // names of the operations that failed
	done   []string // names of the others
}

func (f *faultyFiles) fault(op, path string) error {
	f.count++
	if f.count != f.failAt && (!f.dead || f.count < f.failAt) {
		f.done = append(f.done, op)
		return nil
	}
	f.failed = append(f.failed, op)
	err := f.err
	if err == nil {
		err = errInjected
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

func (f *faultyFiles) ReadFile(path string) ([]byte, error) {
	if err := f.fault("read", path); err != nil {
		return nil, err
	}
	return f.osFiles.ReadFile(path)
}

func (f *faultyFiles) ReadDir(dir string) ([]fs.DirEntry, error) {
	if err := f.fault("readdir", dir); err != nil {
		return nil, err
	}
	return f.osFiles.ReadDir(dir)
}

func (f *faultyFiles) MkdirAll(dir string) error {
	if err := f.fault("mkdir", dir); err != nil {
		return err
	}
	return f.osFiles.MkdirAll(dir)
}

func (f *faultyFiles) MkdirTemp(dir, prefix string) (string, error) {
	if err := f.fault("mkdirtemp", filepath.Join(dir, prefix)); err != nil {
		return "", err
	}
	return f.osFiles.MkdirTemp(dir, prefix)
}

func (f *faultyFiles) Rename(from, to string) error {
	if err := f.fault("rename", from); err != nil {
		return err
	}
	return f.osFiles.Rename(from, to)
}

func (f *faultyFiles) RemoveAll(path string) error {
	if err := f.fault("removeall", path); err != nil {
		return err
	}
	return f.osFiles.RemoveAll(path)
}

func (f *faultyFiles) SyncDir(dir string) error {
	if err := f.fault("syncdir", dir); err != nil {
		return err
	}
	return f.osFiles.SyncDir(dir)
}

func (f *faultyFiles) Create(path string) (file, error) {
	if err := f.fault("create", path); err != nil {
		return nil, err
	}
	real, err := f.osFiles.Create(path)
	f.open++
	return &faultyFile{real, f, path}, err
}

type faultyFile struct {
	file
	files *faultyFiles
	path  string
}

func (f *faultyFile) Write(b []byte) (int, error) {
	if err := f.files.fault("write", f.path); err != nil {
		n, _ := f.file.Write(b[:len(b)/2])
		return n, err
	}
	return f.file.Write(b)
}

func (f *faultyFile) Sync() error {
	if err := f.files.fault("sync", f.path); err != nil {
		return err
	}
	return f.file.Sync()
}

// Close closes the file in any case, as the operating system does for a killed process.
func (f *faultyFile) Close() error {
	f.files.open--
	return errors.Join(f.files.fault("close", f.path), f.file.Close())
}
