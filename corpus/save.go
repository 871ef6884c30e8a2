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

// A file is first written into a directory of its own inside the store and then moved to its place. It is a directory
// because `go test` reads every file that it sees in testdata/fuzz, whatever its name, but no directories: when a
// process is killed while it writes, what is left disturbs nobody and waits for Sweep.
const (
	tempPrefix  = ".gnaw-"
	tempContent = "entry"
)

// sweepAge is how old a left-over must be. Saving takes milliseconds; a minute allows for a disk that stands still and
// for clocks of several machines on one network disk, and left-overs of a minute do no harm.
const sweepAge = time.Minute

// Save writes the arguments as a file of the store dir, which it creates if there is none. The file appears at once and
// complete, and has reached the disk when Save returns without an error. If it is there already, isNew is false and
// nothing is written; a damaged file in its place is replaced. A Save that fails leaves no part of a file behind, and its
// error names the file.
func Save(dir string, a input.Args) (path string, isNew bool, err error) {
	return store{osFiles{}}.save(dir, a)
}

func (s store) save(dir string, a input.Args) (path string, isNew bool, err error) {
	data := input.Marshal(a)
	path = filepath.Join(dir, Name(data))
	has, err := s.has(path, data)
	if err == nil && !has {
		isNew, err = s.write(dir, path, data)
	}
	if errors.Is(err, fs.ErrNotExist) { // a Sweep on a machine with another time took it for a left-over
		isNew, err = s.write(dir, path, data)
	}
	if err != nil {
		return "", false, explain("save corpus file", path, err)
	}
	return path, isNew, nil
}

// has reports whether the file at path has the content data.
func (s store) has(path string, data []byte) (bool, error) {
	old, err := s.files.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && bytes.Equal(old, data), err
}

// write makes the file at path, a child of dir; isNew is false if another process made it meanwhile.
func (s store) write(dir, path string, data []byte) (isNew bool, err error) {
	if err := s.files.MkdirAll(dir); err != nil {
		return false, err
	}
	temp, err := s.files.MkdirTemp(dir, tempPrefix)
	if err != nil {
		return false, err
	}
	// What cannot be removed is left to Sweep: it is no reason to doubt a file that is in its place.
	defer s.files.RemoveAll(temp)
	content := filepath.Join(temp, tempContent)
	if err := s.writeSynced(content, data); err != nil {
		return false, err
	}
	if err := s.files.Rename(content, path); err != nil {
		// Some systems refuse to replace a file that somebody reads. It may be the very same one.
		if has, _ := s.has(path, data); has {
			return false, nil
		}
		return false, err
	}
	return true, s.files.SyncDir(dir)
}

// writeSynced makes a file with the content data and waits until the disk has it.
func (s store) writeSynced(path string, data []byte) error {
	f, err := s.files.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
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
