// Package corpus keeps argument tuples as files, in the way that Go's own fuzzing does.
//
// A store is a directory with one `go test fuzz v1` file for each entry, named by [Name] or by the user: the seeds of a
// target in testdata/fuzz, or what earlier campaigns found in Go's cache. Both may be read and written by `go test` and by
// other gnaw processes at the same time, so [Save] never shows anybody a part of a file, a file that vanishes is not an
// error, and the caller gets the errors of bad files, which stop nothing.
//
// The package knows nothing about coverage, scheduling or which entry is worth keeping. Its functions may be called by any
// number of goroutines at once; the goroutines that [Load] starts have ended when it returns.
package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// An Entry is one file of a store.
type Entry struct {
	Name string // base name of the file, which `go test -run=FuzzX/Name` takes
	Path string // path of the file: the directory given to Load and the name
	Args input.Args
}

// nameDigits is how many hex digits of the hash name a file: 64 bits, as in Go's own fuzzing.
const nameDigits = 16

// Name returns the file name that Go's own fuzzing gives to a corpus file with this content.
func Name(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])[:nameDigits]
}

// Read returns the arguments in the corpus file at path, which must be of the given kinds. The error names the file.
func Read(path string, kinds []input.Kind) (input.Args, error) {
	return store{disk.OS{}}.read(path, kinds)
}

// Remove deletes a corpus file. That it is gone already is no error.
func Remove(path string) error { return store{disk.OS{}}.remove(path) }

// store does the work of the package on the files that it is given.
type store struct{ files disk.Files }

func (s store) read(path string, kinds []input.Kind) (input.Args, error) {
	file, err := s.files.ReadFile(path, disk.MaxInput)
	if err != nil {
		return nil, disk.Explain("read corpus file", path, err)
	}
	a, err := input.Unmarshal(file)
	if err == nil {
		err = input.CheckKinds(a, kinds)
	}
	if err != nil {
		return nil, disk.Explain("read corpus file", path, err)
	}
	return a, nil
}

func (s store) remove(path string) error {
	if err := s.files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.Explain("remove corpus file", path, err)
	}
	return nil
}
