package corpus

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Saved is a file of a store.
type Saved struct {
	Path  string
	IsNew bool // it was not there before
}

// Save writes the arguments as a file of the store, whose directory it creates if there is none. The file appears at once
// and complete, and has reached the disk when Save returns without an error. If it is there already, isNew is false and
// nothing is written; a damaged file in its place is replaced. A temporary one stays from now on, and counts as new. A Save
// that fails leaves no part of a file behind, and its error names the file.
func (s Store) Save(a input.Args) (path string, isNew bool, err error) {
	h, isNew, err := s.Take(a)
	if err != nil {
		return "", false, err
	}
	return h.path, isNew, h.Keep()
}

// SaveAll is Save for several tuples, with a result for each. It waits for the disk a few times for each writeBatch of files, not a few
// times for each file. After an error, some of the files may be there.
func (s Store) SaveAll(list []input.Args) ([]Saved, error) {
	saved := make([]Saved, len(list))
	var drafts []disk.File
	var of []*Saved // of each draft
	known := map[string]bool{}
	for i, a := range list {
		data, err := s.codec.Marshal(a)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(s.dir, Name(data))
		saved[i].Path = path
		has, err := disk.Has(s.files, path, data)
		if err != nil {
			return nil, disk.Explain("save corpus file", path, err)
		}
		if !has && !known[path] {
			known[path] = true
			drafts, of = append(drafts, disk.File{Path: path, Data: data}), append(of, &saved[i])
		}
	}
	if err := write(s.files, s.dir, drafts); err != nil {
		return nil, err
	}
	for i, d := range drafts {
		of[i].IsNew = d.Done
	}
	return saved, nil
}

// writeBatch is how many files are open at once while they are written: far fewer than a process may open, and enough that the waits for the
// disk do not show.
const writeBatch = 256

// write makes files of a store.
func write(files disk.Files, dir string, drafts []disk.File) error {
	for batch := range slices.Chunk(drafts, writeBatch) {
		if err := disk.WriteAll(files, dir, batch); err != nil {
			return disk.Explain("save corpus file", err.Path, err)
		}
	}
	return nil
}

// Sweep removes what killed processes have left behind in the store dir. It is safe while others save: it touches nothing
// younger than a minute. A store that does not exist is clean.
func Sweep(dir string) error { return disk.Sweep(disk.OS{}, dir, time.Now()) }
