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

// ignoreUnsupported drops the errors by which file systems, most of them on a network, say that they cannot sync.
func ignoreUnsupported(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
