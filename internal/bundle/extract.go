package bundle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Attached returns the bundle behind the executable at path, and what closes its file. The error is ErrNone if there is none.
func Attached(path string) (*Bundle, io.Closer, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, nil, err
	}
	b, err := attached(f)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return b, f, nil
}

func attached(f *os.File) (*Bundle, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	end := make([]byte, tailSize)
	at := info.Size() - int64(len(end))
	if at < 0 {
		return nil, ErrNone
	}
	if _, err := f.ReadAt(end, at); err != nil {
		return nil, err
	}
	if string(end[8:]) != tail {
		return nil, ErrNone
	}
	n := binary.BigEndian.Uint64(end)
	if n > uint64(at) {
		return nil, fmt.Errorf("the bundle behind %s is damaged: it has %d bytes", f.Name(), n)
	}
	size := int64(n)
	b, err := Read(io.NewSectionReader(f, at-size, size), size)
	if errors.Is(err, ErrNone) {
		err = errors.New("it does not begin as one")
	}
	if err != nil {
		return nil, fmt.Errorf("the bundle behind %s: %w", f.Name(), err)
	}
	return b, nil
}

// Extract writes all parts to a folder, which must be empty and private. It writes nothing elsewhere. The error names a part whose content is
// not that of the manifest.
func (b *Bundle) Extract(dir string) error {
	made := map[string]bool{}
	at := int64(0)
	for _, p := range b.Manifest.Parts {
		path := filepath.Join(dir, filepath.FromSlash(p.Name))
		if folder := filepath.Dir(path); !made[folder] {
			if err := os.MkdirAll(folder, disk.PrivateDir); err != nil {
				return err
			}
			made[folder] = true
		}
		if err := p.extract(path, io.NewSectionReader(b.parts, at, p.Size)); err != nil {
			return err
		}
		at += p.Size
	}
	return os.MkdirAll(filepath.Join(dir, Folder), disk.PrivateDir)
}

// extract writes a part to a file that is not there yet.
func (p Part) extract(path string, r io.Reader) (err error) {
	mode := disk.PrivateFile
	if p.Exec {
		mode = disk.PrivateDir
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := p.copy(f, r); err != nil {
		if errors.Is(err, errHash) {
			return fmt.Errorf("the bundle is damaged: the part %s: %w", p.Name, err)
		}
		return disk.Explain("extract a part of the bundle", path, err)
	}
	return nil
}
