package disk_test

import (
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
