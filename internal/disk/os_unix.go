//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"
)

var hints = []hint{
	{syscall.ENOSPC, "the disk is full: free some space"},
	{syscall.EDQUOT, "the disk quota is used up: free some space"},
	{syscall.EROFS, "the disk is read only: mount it for writing, or choose another directory"},
	{syscall.EMFILE, "too many files are open: raise the limit (ulimit -n)"},
}

// dontWait has a pipe opened without anybody at its other end, and a terminal without becoming the process's own.
const dontWait = syscall.O_NONBLOCK | syscall.O_NOCTTY

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(ignoreUnsupported(d.Sync()), d.Close())
}

// LockShared locks a file, as others may at the same time. Closing it unlocks it.
func LockShared(f *os.File) { _ = flock(f, syscall.LOCK_SH) }

// LockAlone locks a file, unless others have locked it. The result is true if it cannot be locked. What was locked before is so no more.
func LockAlone(f *os.File) bool {
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
