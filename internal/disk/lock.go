package disk

import (
	"fmt"
	"os"
	"time"
)

// lockPause is the time between two tries to get a lock.
const lockPause = 5 * time.Millisecond

// Lock locks the file or directory at path, which must be there, for this process alone until unlock. A process that dies
// has unlocked it, also one on the other side of a container that shares the disk. It waits that long for another process.
// Where the system or the file system has no locks, everybody gets one.
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
	if !LockAlone(f) {
		_ = f.Close() // nothing was written
		return nil, false, nil
	}
	return func() { _ = f.Close() }, true, nil // which unlocks it
}
