package disk

import (
	"io"
	"io/fs"
	"os"
)

// Files is a file system: [OS] in production, one with faults in tests. Its methods are those of package os but for the
// modes, which are 0o777 for directories and 0o666 for files, less the umask.
type Files interface {
	ReadFile(path string, limit int64) ([]byte, error) // as [Read]
	ReadDir(dir string) ([]fs.DirEntry, error)         // sorted by name
	Stat(path string) (fs.FileInfo, error)
	MkdirAll(dir string) error
	MkdirTemp(dir, prefix string) (path string, err error) // readable by the owner only
	Create(path string) (Handle, error)
	Rename(from, to string) error
	Link(from, to string) error
	Remove(path string) error
	RemoveAll(path string) error
	SyncDir(dir string) error // returns when the names in dir are on the disk
}

// Handle is a file that is being written.
type Handle interface {
	io.WriteCloser
	Sync() error // returns when the content is on the disk
}

// OS is the file system of the machine. Where it cannot say when something is on the disk, the Sync methods return at once.
type OS struct{}

// ReadFile reads a regular file that is not too large.
func (OS) ReadFile(path string, limit int64) ([]byte, error) { return Read(path, limit) }

// ReadDir lists a directory.
func (OS) ReadDir(dir string) ([]fs.DirEntry, error) { return os.ReadDir(dir) }

// Stat describes a file, and follows links.
func (OS) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// MkdirAll makes a directory and those above it.
func (OS) MkdirAll(dir string) error { return os.MkdirAll(dir, 0o777) }

// MkdirTemp makes a directory with a name that is not taken.
func (OS) MkdirTemp(dir, prefix string) (string, error) { return os.MkdirTemp(dir, prefix) }

// Rename moves a file, and replaces one that is there.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Link gives a file another name, which must not be taken.
func (OS) Link(from, to string) error { return os.Link(from, to) }

// Remove deletes a file.
func (OS) Remove(path string) error { return os.Remove(path) }

// RemoveAll deletes a directory with all that is in it.
func (OS) RemoveAll(path string) error { return os.RemoveAll(path) }

// SyncDir returns when the names in a directory are on the disk.
func (OS) SyncDir(dir string) error { return syncDir(dir) }

// Create makes a file, and empties one that is there.
func (OS) Create(path string) (Handle, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return handle{f}, nil
}

type handle struct{ *os.File }

func (f handle) Sync() error { return ignoreUnsupported(f.File.Sync()) }
