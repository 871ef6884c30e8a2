package corpus

import (
	"io"
	"io/fs"
	"os"
)

// files is the file system: that of the machine in production, one with faults in tests. Its methods are those of
// package os but for the modes, which are 0o777 for directories and 0o666 for files, less the umask.
type files interface {
	ReadFile(path string) ([]byte, error)
	ReadDir(dir string) ([]fs.DirEntry, error) // sorted by name
	Stat(path string) (fs.FileInfo, error)
	MkdirAll(dir string) error
	MkdirTemp(dir, prefix string) (path string, err error) // readable by the owner only
	Create(path string) (file, error)
	Rename(from, to string) error
	Remove(path string) error
	RemoveAll(path string) error
	SyncDir(dir string) error // returns when the names in dir are on the disk
}

// file is a file that is being written.
type file interface {
	io.WriteCloser
	Sync() error // returns when the content is on the disk
}

// osFiles is the file system of the machine. Where it cannot say when something is on the disk, the Sync methods return
// at once.
type osFiles struct{}

func (osFiles) ReadFile(path string) ([]byte, error)         { return os.ReadFile(path) }
func (osFiles) ReadDir(dir string) ([]fs.DirEntry, error)    { return os.ReadDir(dir) }
func (osFiles) Stat(path string) (fs.FileInfo, error)        { return os.Stat(path) }
func (osFiles) MkdirAll(dir string) error                    { return os.MkdirAll(dir, 0o777) }
func (osFiles) MkdirTemp(dir, prefix string) (string, error) { return os.MkdirTemp(dir, prefix) }
func (osFiles) Rename(from, to string) error                 { return os.Rename(from, to) }
func (osFiles) Remove(path string) error                     { return os.Remove(path) }
func (osFiles) RemoveAll(path string) error                  { return os.RemoveAll(path) }
func (osFiles) SyncDir(dir string) error                     { return syncDir(dir) }

func (osFiles) Create(path string) (file, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

type osFile struct{ *os.File }

func (f osFile) Sync() error { return ignoreUnsupported(f.File.Sync()) }

// A hint is what a user can do about an error.
type hint struct {
	err    error
	advice string
}
