package disk

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// TempPrefix begins the names of directories in which files are written before they are moved to their places. They are
// directories because `go test` reads every file that it sees in testdata/fuzz, whatever its name, but no directories, and
// the go command no folder whose name begins with a dot: when a process is killed while it writes, what is left disturbs
// nobody and waits for [Sweep].
const TempPrefix = ".gnaw-"

// SweepAge is how old a left-over must be. Writing takes milliseconds; a minute allows for a disk that stands still and
// for clocks of several machines on one network disk, and left-overs of a minute do no harm.
const SweepAge = time.Minute

// A File is one that is to be written.
type File struct {
	Path string
	Data []byte
	New  bool // it must not replace another one
	Done bool // [WriteAll] has put it in its place

	temp string // where it is until it is moved to its place
	open Handle // nil before and after it is written
}

// Write writes a file, in a directory that it makes if there is none. The file appears at once and complete, in place of
// one that was there, and has reached the disk when Write returns without an error. One that fails leaves no part of a
// file behind and the old file as it was. The error names the file and says what to do.
func Write(path string, data []byte) error { return write(OS{}, File{Path: path, Data: data}) }

// Create is Write for a file that is not there yet. If there is one, the error is [fs.ErrExist], and it stays.
func Create(path string, data []byte) error {
	return write(OS{}, File{Path: path, Data: data, New: true})
}

func write(files Files, f File) error {
	if err := WriteAll(files, filepath.Dir(f.Path), []File{f}); err != nil {
		return Explain("write", f.Path, err)
	}
	return nil
}

// Append adds data to the end of a file, and makes the file if there is none. One that fails leaves the old content, unless the file cannot be cut
// either. The error names the file and says what to do.
func Append(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return Explain("append to", path, err)
	}
	n, err := f.Write(data)
	if err != nil && n > 0 {
		if info, statErr := f.Stat(); statErr == nil {
			_ = f.Truncate(info.Size() - int64(n)) // the first error says more
		}
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return Explain("append to", path, err)
	}
	return nil
}

// WriteAll writes files of the directory dir as [Write] does. It waits for the disk a few times in all, not a few times
// for each file, and keeps a file open for each. After an error, some of the files may be there. The error has the path
// of the file that failed.
func WriteAll(files Files, dir string, list []File) *fs.PathError {
	if len(list) == 0 {
		return nil
	}
	err := writeAll(files, dir, list)
	if err != nil && errors.Is(err, fs.ErrNotExist) { // a Sweep on a machine with another time took it for a left-over
		err = writeAll(files, dir, list)
	}
	return err
}

func writeAll(files Files, dir string, list []File) *fs.PathError {
	if err := files.MkdirAll(dir); err != nil {
		return list[0].failed(err)
	}
	temp, err := files.MkdirTemp(dir, TempPrefix)
	if err != nil {
		return list[0].failed(err)
	}
	// What cannot be removed is left to Sweep: it is no reason to doubt a file that is in its place.
	defer files.RemoveAll(temp)
	// The first file to be synced takes the others with it, where the file system has a journal.
	for _, step := range []func(*File) error{
		func(f *File) error { return f.begin(files, filepath.Join(temp, filepath.Base(f.Path))) },
		(*File).finish,
		func(f *File) error { return f.publish(files) },
	} {
		for i := range list {
			if err := step(&list[i]); err != nil {
				for i := range list {
					err = errors.Join(err, list[i].close())
				}
				return list[i].failed(err)
			}
		}
	}
	if err := files.SyncDir(dir); err != nil {
		return list[0].failed(err)
	}
	return nil
}

func (f *File) failed(err error) *fs.PathError {
	return &fs.PathError{Op: "write", Path: f.Path, Err: err}
}

// begin makes the file at temp and hands its content to the system.
func (f *File) begin(files Files, temp string) error {
	open, err := files.Create(temp)
	if err != nil {
		return err
	}
	f.temp, f.open = temp, open
	_, err = open.Write(f.Data)
	return err
}

// finish waits until the disk has the content.
func (f *File) finish() error { return errors.Join(f.open.Sync(), f.close()) }

func (f *File) close() error {
	if f.open == nil {
		return nil
	}
	open := f.open
	f.open = nil
	return open.Close()
}

// publish moves the file to its place. It is not done by this process if another one put it there meanwhile.
func (f *File) publish(files Files) error {
	if f.New {
		err := f.create(files)
		f.Done = err == nil
		return err
	}
	if err := files.Rename(f.temp, f.Path); err != nil {
		// Some systems refuse to replace a file that somebody reads. It may be the very same one.
		if has, _ := Has(files, f.Path, f.Data); has {
			return nil
		}
		return err
	}
	f.Done = true
	return nil
}

// create gives the file its name, unless that is taken. On file systems without links, create replaces a file that another process makes
// at the same time.
func (f *File) create(files Files) error {
	err := files.Link(f.temp, f.Path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := files.Stat(f.Path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fs.ErrExist)
	}
	return files.Rename(f.temp, f.Path)
}

// Has reports whether the file at path has the content data.
func Has(files Files, path string, data []byte) (bool, error) {
	old, err := files.ReadFile(path, int64(len(data)))
	var large *SizeError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &large) {
		return false, nil
	}
	return err == nil && bytes.Equal(old, data), err
}

// Sweep removes what killed processes have left behind in dir. It is safe while others write: it touches nothing younger
// than a minute. A directory that does not exist is clean.
func Sweep(files Files, dir string, now time.Time) error {
	list, err := files.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return Explain("list the directory", dir, err)
	}
	var errs []error
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), TempPrefix) {
			continue
		}
		info, err := e.Info()
		if err != nil || now.Sub(info.ModTime()) < SweepAge {
			continue // gone meanwhile, or in use
		}
		path := filepath.Join(dir, e.Name())
		if err := files.RemoveAll(path); err != nil {
			errs = append(errs, Explain("remove left-over", path, err))
		}
	}
	return errors.Join(errs...)
}

// Missing returns the folders that have to be made for dir to be there: dir first, and those above it. A link is there,
// wherever it leads.
func Missing(dir string) (missing []string) {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			return missing
		}
		missing = append(missing, dir)
	}
}
