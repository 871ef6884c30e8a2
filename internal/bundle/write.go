package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// File is a part that is to be written: a file of the disk, or content.
type File struct {
	Name string // of the part
	Path string // of the file; empty: the part has the content Data
	Data []byte
	Exec bool
}

// open opens the content.
func (f File) open() (io.ReadCloser, error) {
	if f.Path == "" {
		return io.NopCloser(bytes.NewReader(f.Data)), nil
	}
	return disk.Open(f.Path)
}

// part returns the part for the content as it is now.
func (f File) part() (p Part, err error) {
	r, err := f.open()
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	h := sha256.New()
	n, err := io.Copy(h, r)
	return Part{Name: f.Name, Size: n, SHA256: hex.EncodeToString(h.Sum(nil)), Exec: f.Exec}, err
}

// Write writes a bundle with these parts, and returns how many bytes it has. It sets the parts of the manifest. The files must not change
// meanwhile; a change is an error.
func Write(w io.Writer, m Manifest, files []File) (size int64, err error) {
	m.Parts = nil
	for _, f := range files {
		p, err := f.part()
		if err != nil {
			return 0, err
		}
		m.Parts = append(m.Parts, p)
		size += p.Size
	}
	if err := m.check(size); err != nil {
		return 0, fmt.Errorf("make a bundle: %w", err)
	}
	head, err := m.header()
	if err != nil {
		return 0, err
	}
	if len(head) > maxManifest {
		return 0, fmt.Errorf("make a bundle: the names of %d files are too long", len(files))
	}
	if _, err := w.Write(head); err != nil {
		return 0, err
	}
	for i, f := range files {
		if err := f.copyTo(w, m.Parts[i]); err != nil {
			return 0, err
		}
	}
	return int64(len(head)) + size, nil
}

// copyTo writes the content of a part.
func (f File) copyTo(w io.Writer, p Part) (err error) {
	r, err := f.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	err = p.copy(w, r)
	if errors.Is(err, errHash) {
		return fmt.Errorf("%s changes while it is read", f.Path)
	}
	return err
}

// errHash says that content is not that of a part.
var errHash = errors.New("its SHA-256 is another one")

// copy copies the content of a part. The error is errHash if r has another content.
func (p Part) copy(w io.Writer, r io.Reader) error {
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, h), io.LimitReader(r, p.Size))
	if err == nil && (n != p.Size || hex.EncodeToString(h.Sum(nil)) != p.SHA256) {
		err = errHash
	}
	return err
}

// tail is what an executable with a bundle ends with.
const (
	tail     = "gnawtail"
	tailSize = 8 + len(tail)
)

// Append writes a copy of an executable with a bundle behind it to a file, which appears at once and complete, in place of one that was there.
// It returns the size of the file in bytes.
func Append(executable, file string, m Manifest, files []File) (size int64, err error) {
	from, err := disk.Open(executable)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	to, err := os.CreateTemp(filepath.Dir(file), disk.TempPrefix)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(to.Name()))
		}
	}()
	size, err = appendTo(to, from, m, files)
	if err == nil {
		err = to.Chmod(0o755)
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return 0, err
	}
	return size, os.Rename(to.Name(), file)
}

// appendTo writes an executable and a bundle.
func appendTo(to io.Writer, executable io.Reader, m Manifest, files []File) (size int64, err error) {
	size, err = io.Copy(to, executable)
	if err != nil {
		return 0, err
	}
	n, err := Write(to, m, files)
	if err != nil {
		return 0, err
	}
	end := append(binary.BigEndian.AppendUint64(nil, uint64(n)), tail...)
	_, err = to.Write(end)
	return size + n + int64(len(end)), err
}
