package disk_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

func TestALockIsOfOneAtATime(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no locks")
	}
	for _, path := range []string{t.TempDir(), folder(t, "file", old)} {
		unlock, err := disk.Lock(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok, err := disk.TryLock(path); ok || err != nil {
			t.Errorf("TryLock of what is locked = %v, %v", ok, err)
		}
		if _, err := disk.Lock(path, 10*time.Millisecond); err == nil || !strings.Contains(err.Error(), "another process has locked "+path) {
			t.Errorf("Lock of what is locked: %v", err)
		}
		unlock()
		unlock, ok, err := disk.TryLock(path)
		if !ok || err != nil {
			t.Fatalf("TryLock of what was unlocked = %v, %v", ok, err)
		}
		unlock()
	}
}

// Locks belong to open files, so that two of one process are as good as those of two.
func TestASharedLockIsOfSeveral(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no locks")
	}
	path := folder(t, "file", old)
	open := func() *os.File {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	a, b, c := open(), open(), open()
	disk.LockShared(a)
	if err := disk.TryLockShared(b); err != nil {
		t.Errorf("TryLockShared beside another: %v", err)
	}
	if disk.TryLockAlone(c) || disk.TryLockAlone(b) {
		t.Error("TryLockAlone locks what another has locked")
	}
	a.Close()
	if !disk.TryLockAlone(c) {
		t.Error("TryLockAlone fails when the others have given up theirs")
	}
	if err := disk.TryLockShared(b); err == nil {
		t.Error("TryLockShared locks what another has locked alone")
	}
	b.Close()
	c.Close()
}
