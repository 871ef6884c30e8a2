package cache

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// A process of gnaw writes down which parts of the cache it uses, in a file of its own below usersDir that it keeps locked.
// What a living process uses is not removed. A lock ends with the process, whatever ends that, and holds between containers
// that share the folder, where process numbers say nothing.
const (
	usersDir = "users"
	// gateName is the file that is locked while somebody writes down what is used, or removes what is not.
	gateName = "gate"
	// handedOver begins the names of files that are not locked, because gnaw has become the go command. They hold for
	// handedFor: until what it builds is built.
	handedOver = "handed-"
	handedFor  = 30 * time.Minute
	// gateWait is how long a process waits for the gate. To remove many files takes a while.
	gateWait = time.Minute
)

// user is the file of this process in one cache folder.
type user struct {
	mu     sync.Mutex
	file   string          // empty: there is none yet
	unlock func()          // is not called: the file is locked as long as this is reachable
	parts  map[string]bool // that are in it
}

// users are the files of this process, by cache folder: one, except in tests.
var users sync.Map

// Use writes down that this process uses a part of the cache, a path below cache with slashes, until it ends. The caller makes
// the part afterwards, or looks whether it is there. If that cannot be written, the part is made and used all the same: it is
// only that another process may remove it.
func Use(cache, part string) {
	v, _ := users.LoadOrStore(cache, &user{parts: map[string]bool{}})
	u := v.(*user)
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.parts[part] {
		u.parts[part] = u.add(cache, part) == nil
	}
	now := time.Now()
	_ = os.Chtimes(filepath.Join(cache, filepath.FromSlash(part)), now, now) // that it was used; it may not be there yet
}

// add writes a part into the file, which is locked, so that another file cannot take its place.
func (u *user) add(cache, part string) error {
	leave, err := enter(cache)
	if err != nil {
		return err
	}
	defer leave()
	if u.file == "" {
		if u.file, u.unlock, err = newUser(cache); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(u.file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(part + "\n")
	return errors.Join(err, f.Close())
}

// newUser makes the file of this process and locks it.
func newUser(cache string) (path string, unlock func(), err error) {
	f, err := os.CreateTemp(filepath.Join(cache, usersDir), "gnaw-*")
	if err != nil {
		return "", nil, err
	}
	if err := f.Close(); err != nil {
		return "", nil, err
	}
	unlock, err = disk.Lock(f.Name(), 0)
	return f.Name(), unlock, err
}

// HandOver writes down that the go command, which this process becomes, uses parts of the cache, and most likely a link to its toolchain.
func HandOver(parts []string) {
	cache, err := Dir()
	if err != nil {
		return // as with use
	}
	leave, err := enter(cache)
	if err != nil {
		return
	}
	defer leave()
	text := strings.Join(parts, "\n") + "\n" + Roots + "\n"
	_ = disk.Write(filepath.Join(cache, usersDir, handedOver+Digest(parts...)), []byte(text))
}

// enter waits until no other process writes down what is used, or removes what is not, until leave.
func enter(cache string) (leave func(), err error) {
	dir := filepath.Join(cache, usersDir)
	gate := filepath.Join(dir, gateName)
	if err := os.MkdirAll(dir, disk.PrivateDir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(gate, os.O_CREATE|os.O_WRONLY, disk.PrivateFile)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return disk.Lock(gate, gateWait)
}

// inUse returns the parts of the cache that living processes use, and removes the files of the others. The caller has entered. After an error,
// such as that of a process without a free descriptor, any part may be in use.
func inUse(cache string, now time.Time) (parts map[string]bool, err error) {
	parts = map[string]bool{}
	list, err := readFolder(filepath.Join(cache, usersDir))
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		path := filepath.Join(cache, usersDir, e.Name())
		if e.IsDir() || e.Name() == gateName || e.Name() == trimMark || !lives(path, now) {
			continue
		}
		text, err := disk.Read(path, disk.MaxList)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		for part := range strings.Lines(string(text)) {
			parts[strings.TrimSuffix(part, "\n")] = true
		}
	}
	sites, err := readFolder(filepath.Join(cache, sitesDir))
	if err != nil {
		return nil, err
	}
	for _, e := range sites {
		if siteInUse(filepath.Join(cache, sitesDir, e.Name())) {
			parts[sitesDir+"/"+e.Name()] = true
		}
	}
	return parts, nil
}

// readFolder lists a folder. One that does not exist is empty.
func readFolder(dir string) ([]os.DirEntry, error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// lives reports whether the process of a file is alive, or the go command that it has become may be. Otherwise the file is removed.
func lives(path string, now time.Time) bool {
	if strings.HasPrefix(filepath.Base(path), handedOver) {
		info, err := os.Stat(path)
		if err != nil {
			return !errors.Is(err, os.ErrNotExist)
		}
		if now.Sub(info.ModTime()) < handedFor {
			return true
		}
		_ = os.Remove(path) // or the next one does
		return false
	}
	unlock, ok, err := disk.TryLock(path)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	if !ok {
		return true
	}
	_ = os.Remove(path)
	unlock()
	return false
}
