package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// OwnCache gives the test a cache folder of gnaw of its own, and leaves those of the go command where they are. It returns the folder, which
// may not exist.
func OwnCache(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := ownCache(dir, func(name, value string) error { t.Setenv(name, value); return nil }); err != nil {
		t.Fatal(err)
	}
	user, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(user, "gnaw")
}

// RunWithOwnCache runs the tests of a package with a cache folder of gnaw that they share, and returns the exit code. It is called from
// TestMain.
func RunWithOwnCache(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gnaw-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := ownCache(dir, os.Setenv); err != nil {
		panic(err)
	}
	return m.Run()
}

// ownCache sets the variables that name the user's cache directory to dir, and those of the go command to what they are.
func ownCache(dir string, setenv func(name, value string) error) error {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		return err
	}
	goCache, modCache, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	name := "XDG_CACHE_HOME"
	switch runtime.GOOS {
	case "windows":
		name = "LocalAppData"
	case "darwin", "ios":
		name = "HOME"
	}
	for _, v := range [][2]string{{"GOCACHE", goCache}, {"GOMODCACHE", strings.TrimSpace(modCache)}, {name, dir}} {
		if err := setenv(v[0], v[1]); err != nil {
			return err
		}
	}
	return nil
}
