package cache

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// userEnv makes the test binary a process that uses a part of the cache in this folder, until its input ends.
const userEnv = "GNAW_BUILD_TEST_USER"

// usePart is that process. It uses the links to toolchains too.
func usePart(cache string) {
	Use(cache, "bin/used")
	Use(cache, Roots)
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// startUser starts a process that uses bin/used of a cache.
func startUser(t *testing.T, cache string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), userEnv+"="+cache)
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the process says %q, %v", line, err)
	}
	return cmd
}

// fill makes a cache with files of ten bytes, which are that old.
func fill(t *testing.T, files map[string]time.Duration) (cache string) {
	t.Helper()
	cache = t.TempDir()
	now := time.Now()
	for name, age := range files {
		path := filepath.Join(cache, filepath.FromSlash(name))
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte("0123456789"), 0o666))
		if err != nil {
			t.Fatal(err)
		}
		for p := path; p != cache; p = filepath.Dir(p) {
			if err := os.Chtimes(p, now.Add(-age), now.Add(-age)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return cache
}

// names lists the files of a cache but for those that say what is used.
func names(t *testing.T, cache string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(cache, func(path string, d os.DirEntry, err error) error {
		if d.IsDir() && d.Name() == usersDir {
			return filepath.SkipDir
		}
		if rel, _ := filepath.Rel(cache, path); !d.IsDir() {
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTheCacheStaysWithinItsBounds(t *testing.T) {
	const day = 24 * time.Hour
	for _, tt := range []struct {
		name  string
		limit int64
		files map[string]time.Duration
		want  []string
	}{
		{"what is old", 1000, map[string]time.Duration{
			"bin/old/a.test": 20 * day, "bin/new/a.test": 2 * day, "overlay/old/x": 20 * day, "overlay/new/x": 2 * day,
			"merged/old.json": 20 * day, "merged/new.json": 2 * day, "history.db": 20 * day, "std/mark": 20 * day,
		}, []string{"bin/new/a.test", "history.db", "merged/new.json", "overlay/new/x", "std/mark"}},
		{"what is too much, the oldest first", 25, map[string]time.Duration{
			"bin/a/a.test": 3 * day, "bin/b/b.test": 2 * day, "overlay/c/x": 5 * day, "bin/d/d.test": time.Minute,
		}, []string{"bin/b/b.test", "bin/d/d.test"}},
		{
			"not what was made in this hour", 0,
			map[string]time.Duration{"bin/a/a.test": time.Minute, "overlay/.tmp-1/new/x": time.Minute},
			[]string{"bin/a/a.test", "overlay/.tmp-1/new/x"},
		},
		{"what killed builds have left", 1000, map[string]time.Duration{
			"bin/a/a.test": 2 * day, "bin/a/.tmp-1/a.test": 2 * day, "overlay/.tmp-2/new/x": 2 * day, "merged/.gnaw-3/x.json": 2 * day,
			"goroot/.tmp-4/goroot": 2 * day, "std/.gnaw-5/mark": 2 * day,
		}, []string{"bin/a/a.test"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cache := fill(t, tt.files)
			trim(cache, time.Now(), tt.limit)
			if got := names(t, cache); !slices.Equal(got, tt.want) {
				t.Errorf("left are %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWhatARunningGnawUsesStays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no locks")
	}
	const old = 1000 * time.Hour
	files := map[string]time.Duration{"bin/used/a.test": old, "bin/used/.tmp-1/a.test": old, "bin/other/a.test": old, "goroot/go1.99/VERSION": old, "history.db": old}
	cache := fill(t, files)
	cmd := startUser(t, cache)
	for path := filepath.Join(cache, "bin", "used"); path != cache; path = filepath.Dir(path) {
		then := time.Now().Add(-old) // as if it had not said that it is used
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	used := []string{"bin/used/.tmp-1/a.test", "bin/used/a.test", "goroot/go1.99/VERSION"}
	trim(cache, time.Now(), 0)
	if got := names(t, cache); !slices.Equal(got, append(slices.Clone(used), "history.db")) {
		t.Errorf("after trim there is %q", got)
	}
	cleaned, err := Clean(cache, false)
	if got := names(t, cache); err != nil || !slices.Equal(got, used) || !Busy(cache) {
		t.Errorf("CleanCache = %+v, %v, left is %q", cleaned, err, got)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if _, err := Clean(cache, true); err != nil || len(names(t, cache)) != len(used) {
		t.Errorf("a dry run leaves %q, %v", names(t, cache), err)
	}
	cleaned, err = Clean(cache, false)
	if got := names(t, cache); err != nil || len(got) > 0 || Busy(cache) {
		t.Errorf("when the process is dead: CleanCache = %+v, %v, left is %q", cleaned, err, got)
	}
}

// A file of a process that cannot be read, as without a free descriptor, may name any part. Here the file leads to itself.
func TestNothingIsRemovedIfItIsNotKnownWhatIsInUse(t *testing.T) {
	cache := testkit.OwnCache(t)
	part := filepath.Join(cache, "overlay", "old")
	file := filepath.Join(cache, usersDir, "gnaw-1")
	if err := errors.Join(os.MkdirAll(part, 0o777), os.MkdirAll(filepath.Dir(file), 0o777)); err != nil {
		t.Fatal(err)
	}
	testkit.Symlink(t, file, file)
	trim(cache, time.Now().Add(2*trimAge), 0)
	if _, err := os.Stat(part); err != nil {
		t.Errorf("a part that may be in use is removed: %v", err)
	}
	if cleaned, err := Clean(cache, false); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("CleanCache = %+v, %v, want an error", cleaned, err)
	}
	if !Busy(cache) {
		t.Error("no gnaw is running, although that is not known")
	}
}

func TestTheOverlayOfAGoCommandThatBuildsStays(t *testing.T) {
	cache := testkit.OwnCache(t)
	part := filepath.Join(cache, "overlay", "used")
	if err := os.MkdirAll(part, 0o777); err != nil {
		t.Fatal(err)
	}
	HandOver([]string{"overlay/used"})
	for _, tt := range []struct {
		after time.Duration
		busy  bool
	}{{0, true}, {handedFor - time.Minute, true}, {handedFor + time.Minute, false}} {
		leave, err := enter(cache)
		if err != nil {
			t.Fatal(err)
		}
		got, err := inUse(cache, time.Now().Add(tt.after))
		if err != nil {
			t.Fatal(err)
		}
		if got["overlay/used"] != tt.busy {
			t.Errorf("after %v in use are %v, want it: %v", tt.after, got, tt.busy)
		}
		leave()
	}
}
