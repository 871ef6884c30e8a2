package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// A Site is a folder in gnaw's cache that belongs to one process until its end, whatever that end is: the process holds a lock,
// which the kernel releases. Process numbers would not do: two containers with one cache have the same.
type Site struct {
	Dir  string
	lock *os.File
}

// siteLock is the name of the file in the folder of a site that is locked.
const siteLock = "lock"

// allSites returns the folder of all sites.
func allSites() (string, error) {
	cache, err := Dir()
	return filepath.Join(cache, sitesDir), err
}

// OpenSite makes a site for this process, and removes those of processes that are gone.
func OpenSite() (*Site, error) {
	sites, err := allSites()
	if err != nil {
		return nil, err
	}
	fail := func(err error) error {
		return fmt.Errorf("make a folder for what this run builds: %w; make gnaw's cache folder writable", err)
	}
	if err := os.MkdirAll(sites, disk.PrivateDir); err != nil {
		return nil, fail(err)
	}
	s, err := openSite(sites)
	if err != nil {
		return nil, fail(err)
	}
	return s, nil
}

// openSite makes a site below sites, and removes those of processes that are gone.
func openSite(sites string) (*Site, error) {
	sweepSites(sites)
	for {
		if s, err := newSite(sites); s != nil || err != nil {
			return s, err
		}
	}
}

// newSite makes a site below sites. It is nil if another process has taken its folder for that of one that is gone, and removes
// it.
func newSite(sites string) (*Site, error) {
	dir, err := os.MkdirTemp(sites, "")
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, siteLock)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, disk.PrivateFile)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	info, err := f.Stat()
	// Where there are no locks, lockOf fails, and the folder stays.
	if err != nil || !disk.TryLockAlone(f) || !disk.IsAt(info, name) {
		return nil, f.Close()
	}
	return &Site{dir, f}, nil
}

// abandoned is the age from which on a folder without a lock is of a process that is gone. Others are about to make theirs.
const abandoned = time.Hour

// sweepSites removes the folders of processes that are gone. What cannot be removed is tried again by the next process.
func sweepSites(sites string) {
	list, err := os.ReadDir(sites)
	if err != nil {
		return
	}
	for _, e := range list {
		dir := filepath.Join(sites, e.Name())
		f, err := lockOf(dir)
		if err == nil {
			_ = os.RemoveAll(dir)
			_ = f.Close() // no earlier, or another process could take the folder
			continue
		}
		info, statErr := e.Info()
		if errors.Is(err, os.ErrNotExist) && statErr == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.RemoveAll(dir)
		}
	}
}

// SitePath returns the folder of the site with a name, which need not exist.
func SitePath(name string) (string, error) {
	sites, err := allSites()
	return filepath.Join(sites, name), err
}

// SiteInUse reports whether the process lives that has the site with a name. When that cannot be known, it does.
func SiteInUse(name string) bool {
	sites, err := allSites()
	if err != nil {
		return true
	}
	return siteInUse(filepath.Join(sites, name))
}

func siteInUse(dir string) bool {
	f, err := lockOf(dir)
	if err == nil {
		err = f.Close()
	}
	return err != nil && !errors.Is(err, os.ErrNotExist)
}

// lockOf opens and locks the lock of a folder whose process is gone. It is shared: who asks does not look like an owner to others
// who ask.
func lockOf(dir string) (*os.File, error) {
	f, err := os.Open(filepath.Join(dir, siteLock))
	if err != nil {
		return nil, err
	}
	if err := disk.TryLockShared(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Name identifies the site among all.
func (s *Site) Name() string { return filepath.Base(s.Dir) }

// Close removes the site.
func (s *Site) Close() error {
	// The folder first: it is still locked, so nobody takes it for that of a process that is gone.
	return errors.Join(os.RemoveAll(s.Dir), s.lock.Close())
}
