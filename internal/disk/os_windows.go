package disk

import "syscall"

// Error codes of Windows that package syscall has no names for.
const (
	errorWriteProtect   syscall.Errno = 19
	errorHandleDiskFull syscall.Errno = 39
	errorDiskFull       syscall.Errno = 112
)

var hints = []hint{
	{errorDiskFull, "the disk is full: free some space"},
	{errorHandleDiskFull, "the disk is full: free some space"},
	{errorWriteProtect, "the disk is read only: choose another directory"},
}

// dontWait is a flag for opening a file: there is none here.
const dontWait = 0

// syncDir does nothing: Windows cannot sync a directory, and NTFS has a journal for names.
func syncDir(string) error { return nil }

func ignoreUnsupported(err error) error { return err }
