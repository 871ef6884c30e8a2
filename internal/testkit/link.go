package testkit

import (
	"os"
	"runtime"
	"testing"
)

// Symlink makes a symbolic link to target. Windows may refuse it to the user, and the test is skipped there; elsewhere it fails.
func Symlink(t *testing.T, target, link string) {
	t.Helper()
	switch err := os.Symlink(target, link); {
	case err == nil:
	case runtime.GOOS == "windows":
		t.Skip(err)
	default:
		t.Fatal(err)
	}
}
