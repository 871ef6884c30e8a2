//go:build unix

package corpus

import (
	"errors"
	"os"
	"syscall"
)

var hints = []hint{
	{syscall.ENOSPC, "the disk is full: free some space, or remove entries that are not needed"},
	{syscall.EDQUOT, "the disk quota is used up: free some space, or remove entries that are not needed"},
	{syscall.EROFS, "the disk is read only: mount it for writing, or choose another directory"},
	{syscall.EMFILE, "too many files are open: raise the limit (ulimit -n)"},
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(ignoreUnsupported(d.Sync()), d.Close())
}

// lockShared locks a file, as others may at the same time. Closing it unlocks it.
func lockShared(f *os.File) { _ = flock(f, syscall.LOCK_SH) }

// lockAlone locks a file, unless others have locked it. The result is true if it cannot be locked. What was locked before is so no more.
func lockAlone(f *os.File) bool {
	return !errors.Is(flock(f, syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

func flock(f *os.File, how int) (err error) {
	for err = syscall.EINTR; err == syscall.EINTR; {
		err = syscall.Flock(int(f.Fd()), how)
	}
	return err
}

// ignoreUnsupported drops the errors by which file systems, most of them on a network, say that they cannot sync.
func ignoreUnsupported(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
