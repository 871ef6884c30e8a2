package corpus

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Files are first written into a directory of their own inside the store and then moved to their places. It is a directory
// because `go test` reads every file that it sees in testdata/fuzz, whatever its name, but no directories: when a
// process is killed while it writes, what is left disturbs nobody and waits for Sweep.
const tempPrefix = ".gnaw-"

// sweepAge is how old a left-over must be. Saving takes milliseconds; a minute allows for a disk that stands still and
// for clocks of several machines on one network disk, and left-overs of a minute do no harm.
const sweepAge = time.Minute

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
	return store{osFiles{}}.saveAll(dir, list)
}

func (s store) save(dir string, a input.Args) (path string, isNew bool, err error) {
	saved, err := s.saveAll(dir, []input.Args{a})
	if err != nil {
		return "", false, err
	}
	return saved[0].Path, saved[0].IsNew, nil
}

// draft is a file that is to be written.
type draft struct {
	*Saved
	data []byte
	temp string // where it is until it is moved to its place
	open file   // nil before and after it is written
}

func (s store) saveAll(dir string, list []input.Args) ([]Saved, error) {
	saved := make([]Saved, len(list))
	var drafts []draft
	known := map[string]bool{}
	for i, a := range list {
		data := input.Marshal(a)
		path := filepath.Join(dir, Name(data))
		saved[i].Path = path
		has, err := s.has(path, data)
		if err != nil {
			return nil, explain("save corpus file", path, err)
		}
		if !has && !known[path] {
			known[path] = true
			drafts = append(drafts, draft{Saved: &saved[i], data: data})
		}
	}
	if len(drafts) == 0 {
		return saved, nil
	}
	err := s.write(dir, drafts)
	if errors.Is(err, fs.ErrNotExist) { // a Sweep on a machine with another time took it for a left-over
		err = s.write(dir, drafts)
	}
	if err != nil {
		return nil, err
	}
	return saved, nil
}

// has reports whether the file at path has the content data.
func (s store) has(path string, data []byte) (bool, error) {
	old, err := s.files.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && bytes.Equal(old, data), err
}

// write makes the files of drafts, children of dir, of which there is at least one.
func (s store) write(dir string, drafts []draft) error {
	if err := s.files.MkdirAll(dir); err != nil {
		return drafts[0].explain(err)
	}
	temp, err := s.files.MkdirTemp(dir, tempPrefix)
	if err != nil {
		return drafts[0].explain(err)
	}
	// What cannot be removed is left to Sweep: it is no reason to doubt a file that is in its place.
	defer s.files.RemoveAll(temp)
	// The first file to be synced takes the others with it, where the file system has a journal.
	for _, step := range []func(*draft) error{
		func(d *draft) error { return s.begin(d, filepath.Join(temp, filepath.Base(d.Path))) },
		(*draft).finish,
		s.publish,
	} {
		for i := range drafts {
			if err := step(&drafts[i]); err != nil {
				err = drafts[i].explain(err)
				for i := range drafts {
					err = errors.Join(err, drafts[i].close())
				}
				return err
			}
		}
	}
	if err := s.files.SyncDir(dir); err != nil {
		return drafts[0].explain(err)
	}
	return nil
}

func (d *draft) explain(err error) error { return explain("save corpus file", d.Path, err) }

// begin makes the file at temp and hands its content to the system.
func (s store) begin(d *draft, temp string) error {
	f, err := s.files.Create(temp)
	if err != nil {
		return err
	}
	d.temp, d.open = temp, f
	_, err = f.Write(d.data)
	return err
}

// finish waits until the disk has the content.
func (d *draft) finish() error { return errors.Join(d.open.Sync(), d.close()) }

func (d *draft) close() error {
	if d.open == nil {
		return nil
	}
	f := d.open
	d.open = nil
	return f.Close()
}

// publish moves a file to its place. It is not new if another process put it there meanwhile.
func (s store) publish(d *draft) error {
	if err := s.files.Rename(d.temp, d.Path); err != nil {
		// Some systems refuse to replace a file that somebody reads. It may be the very same one.
		if has, _ := s.has(d.Path, d.data); has {
			return nil
		}
		return err
	}
	d.IsNew = true
	return nil
}

// Sweep removes what killed processes have left behind in the store dir. It is safe while others save: it touches nothing
// younger than a minute. A store that does not exist is clean.
func Sweep(dir string) error { return store{osFiles{}}.sweep(dir, time.Now()) }

func (s store) sweep(dir string, now time.Time) error {
	list, err := s.files.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return explain("list corpus directory", dir, err)
	}
	var errs []error
	for _, f := range list {
		if !strings.HasPrefix(f.Name(), tempPrefix) {
			continue
		}
		info, err := f.Info()
		if err != nil || now.Sub(info.ModTime()) < sweepAge {
			continue // gone meanwhile, or in use
		}
		path := filepath.Join(dir, f.Name())
		if err := s.files.RemoveAll(path); err != nil {
			errs = append(errs, explain("remove left-over", path, err))
		}
	}
	return errors.Join(errs...)
}
