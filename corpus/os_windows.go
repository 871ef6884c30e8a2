package corpus

import (
	"os"
	"syscall"
)

// Error codes of Windows that package syscall has no names for.
const (
	errorWriteProtect   syscall.Errno = 19
	errorHandleDiskFull syscall.Errno = 39
	errorDiskFull       syscall.Errno = 112
)

var hints = []hint{
	{errorDiskFull, "the disk is full: free some space, or remove entries that are not needed"},
	{errorHandleDiskFull, "the disk is full: free some space, or remove entries that are not needed"},
	{errorWriteProtect, "the disk is read only: choose another directory"},
}

// syncDir does nothing: Windows cannot sync a directory, and NTFS has a journal for names.
func syncDir(string) error { return nil }

func ignoreUnsupported(err error) error { return err }

// lockShared and lockAlone do nothing: gnaw does not fuzz here.
func lockShared(*os.File) {}

func lockAlone(*os.File) bool { return true }
