package disk

import (
	"fmt"
	"os"
	"time"
)

// A lock belongs to an open file, and ends when that is closed: also with a process that dies, and on the other side of a
// container that shares the disk. Where the system (Windows, Solaris) or the file system has no locks, everybody gets one;
// only [TryLockShared] fails, for those who must know.

// LockShared locks a file, as others may at the same time. It waits for who has locked it alone.
func LockShared(f *os.File) { _ = flock(f, false, true) }

// TryLockShared is LockShared that does not wait: the error says why the file is not locked.
func TryLockShared(f *os.File) error { return flock(f, false, false) }

// TryLockAlone locks a file, unless others have locked it. A shared lock that the file had is given up in any case.
func TryLockAlone(f *os.File) (ok bool) { return !isLocked(flock(f, true, false)) }

// lockPause is the time between two tries to get a lock.
const lockPause = 5 * time.Millisecond

// Lock locks the file or directory at path, which must be there, for this process alone until unlock. It waits that long for
// another process.
func Lock(path string, wait time.Duration) (unlock func(), err error) {
	for end := time.Now().Add(wait); ; {
		unlock, ok, err := TryLock(path)
		if err != nil || ok {
			return unlock, err
		}
		if !time.Now().Before(end) {
			return nil, fmt.Errorf("another process has locked %s for %v; end that process or try again", path, wait)
		}
		time.Sleep(lockPause)
	}
}

// TryLock is Lock that does not wait. ok is false if another process has the lock.
func TryLock(path string) (unlock func(), ok bool, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|dontWait, 0)
	if err != nil {
		return nil, false, err
	}
	if !TryLockAlone(f) {
		_ = f.Close() // nothing was written
		return nil, false, nil
	}
	return func() { _ = f.Close() }, true, nil // which unlocks it
}
