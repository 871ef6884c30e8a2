package cache

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

func TestTheCacheIsSomewhere(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	none := func() (string, error) { return "", errors.New("neither $XDG_CACHE_HOME nor $HOME are defined") }
	at := func(dir string) func() (string, error) { return func() (string, error) { return dir, nil } }
	user, gocache, temp := filepath.Join(root, "home", ".cache"), filepath.Join(root, "go-build"), filepath.Join(root, "tmp")
	if err := os.Mkdir(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(user, "gnaw"), 0o777); err != nil { // as others could read it before
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name      string
		userCache func() (string, error)
		gocache   string
		want      string // begins the path
		notice    string // part of it
	}{
		{"a home", at(user), gocache, filepath.Join(user, "gnaw"), ""},
		{"no home", none, gocache, filepath.Join(gocache, "gnaw"), "nor $HOME are defined"},
		{"a home that cannot be written", at(filepath.Join(file, ".cache")), gocache, filepath.Join(gocache, "gnaw"), "so gnaw keeps its files in " + gocache},
		{"no home, and no build cache", none, "", filepath.Join(temp, "gnaw-"), "where they may not last"},
		{"no home, and a build cache that is off", none, "off", filepath.Join(temp, "gnaw-"), "where they may not last"},
		{"no home, and a build cache that cannot be written", none, filepath.Join(file, "go-build"), filepath.Join(temp, "gnaw-"), "where they may not last"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := findCache(tt.userCache, func(string) string { return tt.gocache }, temp)
			if err != nil || !strings.HasPrefix(p.dir, tt.want) || !strings.Contains(p.notice, tt.notice) || (tt.notice == "") != (p.notice == "") {
				t.Errorf("findCache = %+v, %v, want a path that begins with %s and a notice with %q", p, err, tt.want, tt.notice)
			}
			if info, err := os.Stat(p.dir); err != nil || !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm() != disk.PrivateDir {
				t.Errorf("%s is not a folder for the user only: %v, %v", p.dir, info, err)
			}
		})
	}
}

// Anybody may make a folder in the directory for temporary files.
func TestTheTemporaryCacheOfSomebodyElseIsNotUsed(t *testing.T) {
	none := func() (string, error) { return "", errors.New("no home") }
	getenv := func(string) string { return "" }
	temp := t.TempDir()
	p, err := findCache(none, getenv, temp)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(p.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := findCache(none, getenv, temp); err == nil || !strings.Contains(err.Error(), p.dir) {
		t.Errorf("a folder that all may write to is used: %v", err)
	}
	if err := errors.Join(os.Remove(p.dir), os.Symlink(t.TempDir(), p.dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := findCache(none, getenv, temp); err == nil || !strings.Contains(err.Error(), p.dir) {
		t.Errorf("a link is used: %v", err)
	}
}
