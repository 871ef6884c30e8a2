package corpus

import (
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Saved is a file of a store.
type Saved struct {
	Path  string
	IsNew bool // it was not there before
}

// Save writes the arguments as a file of the store dir, which it creates if there is none. The file appears at once and
// complete, and has reached the disk when Save returns without an error. If it is there already, isNew is false and
// nothing is written; a damaged file in its place is replaced. One that was lent stays from now on, and counts as new. A Save
// that fails leaves no part of a file behind, and its error names the file.
func Save(dir string, a input.Args) (path string, isNew bool, err error) {
	h, isNew, err := Take(dir, a)
	if err != nil {
		return "", false, err
	}
	return h.path, isNew, h.Keep()
}

// SaveAll is Save for several tuples, with a result for each. It waits for the disk a few times in all, not a few times
// for each file, and keeps a file open for each. After an error, some of the files may be there.
func SaveAll(dir string, list []input.Args) ([]Saved, error) {
	return store{disk.OS{}}.saveAll(dir, list)
}

func (s store) saveAll(dir string, list []input.Args) ([]Saved, error) {
	saved := make([]Saved, len(list))
	var drafts []disk.File
	var of []*Saved // of each draft
	known := map[string]bool{}
	for i, a := range list {
		data := input.Marshal(a)
		path := filepath.Join(dir, Name(data))
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
	if err := s.write(dir, drafts); err != nil {
		return nil, err
	}
	for i, d := range drafts {
		of[i].IsNew = d.Done
	}
	return saved, nil
}

// write makes files of the store dir.
func (s store) write(dir string, drafts []disk.File) error {
	if err := disk.WriteAll(s.files, dir, drafts); err != nil {
		return disk.Explain("save corpus file", err.Path, err)
	}
	return nil
}

// Sweep removes what killed processes have left behind in the store dir. It is safe while others save: it touches nothing
// younger than a minute. A store that does not exist is clean.
func Sweep(dir string) error { return disk.Sweep(disk.OS{}, dir, time.Now()) }
