// Package corpus keeps argument tuples as files, in the way that Go's own fuzzing does.
//
// A [Store] is a directory with one file for each entry, named by [Name] or by the user: the seeds of a target in
// testdata/fuzz, or what earlier campaigns found in Go's cache. Both may be read and written by `go test` and by other
// gnaw processes at the same time, so [Store.Save] never shows anybody a part of a file, a file that vanishes is not an
// error, and the caller gets the errors of bad files, which stop nothing. A [Codec] says what is in a file.
//
// The package knows nothing about coverage, scheduling or which entry is worth keeping. Its functions may be called by any
// number of goroutines at once; the goroutines that [Store.Load] starts have ended when it returns.
package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// An Entry is one file of a store.
type Entry struct {
	Name string // base name of the file, which `go test -run=FuzzX/Name` takes
	Path string // path of the file: the directory of the store and the name
	Args input.Args
}

// nameDigits is how many hex digits of the hash name a file: 64 bits, as in Go's own fuzzing.
const nameDigits = 16

// Name returns the file name that Go's own fuzzing gives to a corpus file with this content.
func Name(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])[:nameDigits]
}

// Store is a directory of corpus files. It is a value without a state of its own: two stores of one directory are the same.
type Store struct {
	dir    string
	codec  Codec
	files  disk.Files
	limits Limits
}

// Open returns the store in a directory, which need not be there.
func Open(dir string, codec Codec) Store { return Store{dir: dir, codec: codec, files: disk.OS{}} }

// Limits are how much of a directory is read that may hold anything. The zero value has none but those of [disk.Read].
type Limits struct {
	Files int   // files
	File  int64 // bytes of one file
	Size  int64 // bytes of all files that are not larger than File
}

// Limited returns the store with limits for what Load and Read read.
func (s Store) Limited(l Limits) Store {
	s.limits = l
	return s
}

// Path returns the path of the file with that name.
func (s Store) Path(name string) string { return filepath.Join(s.dir, name) }

// Read returns the arguments in the corpus file at path. The error names the file.
func Read(path string, codec Codec) (input.Args, error) {
	return Open(filepath.Dir(path), codec).Read(filepath.Base(path))
}

// Read returns the arguments in the file with that name. The error names the file; it is [fs.ErrNotExist] if there is none.
func (s Store) Read(name string) (input.Args, error) {
	path := s.Path(name)
	limit := s.limits.File
	if limit == 0 {
		limit = disk.MaxInput
	}
	file, err := s.files.ReadFile(path, limit)
	if err != nil {
		return nil, disk.Explain("read corpus file", path, err)
	}
	a, err := s.codec.Unmarshal(file)
	if err != nil {
		return nil, disk.Explain("read corpus file", path, err)
	}
	return a, nil
}

// Remove deletes a corpus file. That it is gone already is no error.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.Explain("remove corpus file", path, err)
	}
	return nil
}
