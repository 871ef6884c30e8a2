package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrIrregular is the problem with a directory, a pipe, a socket or a device: a read may block for ever or never end.
var ErrIrregular = errors.New("not a regular file")

// Limits for the files of a repository, in bytes. Each is far above what a person or a generator writes.
const (
	MaxSource = 32 << 20  // Go source
	MaxList   = 4 << 20   // list that a person keeps: go.mod, known findings
	MaxInput  = 256 << 20 // corpus file: an input of 64 MiB, written as \x00
)

// A SizeError is the problem with a file that is larger than what is read of it.
type SizeError struct{ Limit int64 }

// Error says what the limit is.
func (e *SizeError) Error() string { return fmt.Sprintf("the file has more than %d bytes", e.Limit) }

// Read reads a file that comes from a repository, so that it may be anything: it must be a regular file, after links, of
// at most limit bytes. The error names the file. No more than limit bytes are read, whatever the file system says about
// the size, and nothing waits for the other end of a pipe.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: &SizeError{limit}}
	}
	return readUpTo(f, path, info.Size(), limit)
}

// Open opens a regular file for reading. It does not wait for the other end of a pipe, and opens no device.
func Open(path string) (*os.File, error) {
	irregular := &fs.PathError{Op: "read", Path: path, Err: ErrIrregular}
	// To open a device may do something, so this comes first. What is opened may be another file by then.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, irregular
	}
	f, err := os.OpenFile(path, os.O_RDONLY|dontWait, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = irregular
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// ReadStream reads a file that the user names, which may be a pipe, up to limit bytes.
func ReadStream(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readUpTo(f, path, 0, limit)
}

// readUpTo reads all of r, which most likely has size bytes.
func readUpTo(r io.Reader, path string, size, limit int64) ([]byte, error) {
	data := make([]byte, 0, size+512)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, &fs.PathError{Op: "read", Path: path, Err: &SizeError{limit}}
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
