package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// A temporary file, which is there only until nobody holds it any more, was changed last on this day. It distinguishes such a file
// from one that stays, also for another process, and after its own has been killed. Each has another time: the go command takes a
// file with the same time for the same one, and would not run a test again.
var temporaryDay = time.Unix(46_923_847, 0)

const day = 24 * time.Hour

func temporaryTime() time.Time { return temporaryDay.Add(time.Duration(time.Now().UnixNano()) % day) }

func isTemporaryTime(at time.Time) bool {
	return !at.Before(temporaryDay) && at.Before(temporaryDay.Add(day))
}

// Hold is the use of a file of a store: by a process that runs tests with it, or makes a finding of it. As long as one process holds a
// file, no other one removes it. Where files cannot be locked, a process knows nothing of others.
type Hold struct {
	path string
	data []byte
	file *os.File
	seen time.Time // of the last change, as this process has left or found it
}

// Take holds the file of the arguments in the store, and makes it, and the directory, if it is not there. The file appears at once
// and complete, and has reached the disk when Take returns without an error. It stays, also if it was temporary until now. own
// reports whether it is gnaw's: it was not there before, or was temporary.
func (s Store) Take(a input.Args) (h *Hold, own bool, err error) {
	data, err := s.codec.Marshal(a)
	if err != nil {
		return nil, false, err
	}
	return hold(filepath.Join(s.dir, Name(data)), data, false)
}

// TakeTemporary is Take for a file that is there only until nobody holds it any more, if it was not there before.
func (s Store) TakeTemporary(a input.Args) (*Hold, error) {
	data, err := s.codec.Marshal(a)
	if err != nil {
		return nil, err
	}
	return TakeTemporaryFile(filepath.Join(s.dir, Name(data)), data)
}

// TakeTemporaryFile is [Store.TakeTemporary] for a file with any name and content.
func TakeTemporaryFile(path string, data []byte) (*Hold, error) {
	h, _, err := hold(path, data, true)
	return h, err
}

// hold holds a file, and makes it if it is not there.
func hold(path string, data []byte, temporary bool) (h *Hold, own bool, err error) {
	files := disk.OS{}
	if err := disk.CheckLinks(filepath.Dir(path)); err != nil {
		return nil, false, disk.Explain("save corpus file", path, err)
	}
	if err := files.MkdirAll(filepath.Dir(path)); err != nil {
		return nil, false, disk.Explain("save corpus file", path, err)
	}
	defer guard(filepath.Dir(path))()
	has, err := disk.Has(files, path, data)
	if err != nil {
		return nil, false, disk.Explain("save corpus file", path, err)
	}
	draft := []disk.File{{Path: path, Data: data}}
	if !has {
		if err := write(files, filepath.Dir(path), draft); err != nil {
			return nil, false, err
		}
	}
	h = &Hold{path: path, data: data}
	defer func() {
		if err != nil && draft[0].Done {
			_ = os.Remove(path) // the caller gets err
		}
	}()
	if h.file, err = disk.Open(path); err != nil {
		return nil, false, disk.Explain("read corpus file", path, err)
	}
	disk.LockShared(h.file)
	wasTemporary := isTemporaryTime(h.changed())
	switch {
	case temporary && draft[0].Done:
		err = h.mark(temporaryTime())
	case !temporary && wasTemporary:
		err = h.mark(time.Now())
	}
	if err != nil {
		_ = h.file.Close()
		return nil, false, err
	}
	h.seen = h.changed()
	return h, draft[0].Done || wasTemporary, nil
}

// Path is that of the file.
func (h *Hold) Path() string { return h.path }

// changed returns the time of the last change of the file; zero: it is gone.
func (h *Hold) changed() time.Time {
	info, err := os.Stat(h.path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// mark sets the time of the last change. A file of another user cannot be marked, and is not temporary.
func (h *Hold) mark(at time.Time) error {
	err := os.Chtimes(h.path, at, at)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return disk.Explain("mark corpus file", h.path, err)
	}
	return nil
}

// Keep ends the hold. The file stays, whatever others who hold it do with it.
func (h *Hold) Keep() error {
	defer guard(filepath.Dir(h.path))()
	isAlone := h.close()
	switch now := h.changed(); {
	case now.IsZero(): // somebody has cleaned up
		return write(disk.OS{}, filepath.Dir(h.path), []disk.File{{Path: h.path, Data: h.data}})
	case !isAlone, isTemporaryTime(now):
		return h.mark(time.Now())
	}
	return nil
}

// Release ends the hold. If the file is temporary and nobody else holds it, it is removed.
func (h *Hold) Release() error {
	defer guard(filepath.Dir(h.path))()
	if isAlone := h.close(); isAlone && isTemporaryTime(h.changed()) {
		return Remove(h.path)
	}
	return nil
}

// Discard ends the hold and removes the file. If others hold it, the last one of them does, unless it keeps it.
func (h *Hold) Discard() error {
	defer guard(filepath.Dir(h.path))()
	isAlone := h.close()
	switch now := h.changed(); {
	case !now.Equal(h.seen) && !isTemporaryTime(now): // somebody keeps it
		return nil
	case !isAlone:
		return h.mark(temporaryTime())
	}
	return Remove(h.path)
}

// close gives the lock back and reports whether nobody else has one.
func (h *Hold) close() (isAlone bool) {
	isAlone = disk.TryLockAlone(h.file)
	_ = h.file.Close() // it was only read
	return isAlone
}

// Discard removes a file, unless another process holds it, which removes it in the end. That it is gone already is no error.
func Discard(path string) error {
	f, err := disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return Remove(path)
	}
	disk.LockShared(f)
	h := &Hold{path: path, file: f}
	h.seen = h.changed()
	return h.Discard()
}

// IsTemporary reports whether a file is temporary, or is gone already.
func IsTemporary(path string) bool {
	at := (&Hold{path: path}).changed()
	return at.IsZero() || isTemporaryTime(at)
}

// guard has one process at a time look who holds the files of a folder and decide what becomes of them. It waits for a while only: a
// process that stands still must not stop all others.
func guard(dir string) (release func()) {
	d, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	for begin := time.Now(); !disk.TryLockAlone(d) && time.Since(begin) < guardTime; {
		time.Sleep(time.Millisecond)
	}
	return func() { _ = d.Close() } // which gives the lock back
}

// guardTime is how long guard waits.
const guardTime = 2 * time.Second

// SweepTemporary removes the temporary files of killed processes. A store that does not exist is clean.
func SweepTemporary(dir string) error {
	list, err := candidates(disk.OS{}, dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range list {
		path := filepath.Join(dir, f.Name())
		if !IsTemporary(path) {
			continue
		}
		if f, err := disk.Open(path); err == nil {
			errs = append(errs, (&Hold{path: path, file: f}).Release())
		}
	}
	return errors.Join(errs...)
}
