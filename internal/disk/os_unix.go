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

// ignoreUnsupported drops the errors by which file systems, most of them on a network, say that they cannot sync.
func ignoreUnsupported(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
