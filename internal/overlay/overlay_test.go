package overlay

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

func pretendOverlay(t *testing.T, tc gocommand.Toolchain, cache string) Overlay {
	t.Helper()
	tc.Plain = true
	o, err := pretender(pretend).overlay(tc, cache, "/bin/gnaw")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOverlayOnDisk(t *testing.T) {
	tc := toolchain.Find(t, "")
	o := pretendOverlay(t, tc, t.TempDir())
	text, err := os.ReadFile(o.File)
	if err != nil {
		t.Fatal(err)
	}
	var in gocommand.OverlayFile
	if err := json.Unmarshal(text, &in); err != nil {
		t.Fatal(err)
	}
	if len(in.Replace) != len(o.Replace) || len(in.Replace) != 19 {
		t.Errorf("overlay.json has %d files, Overlay %d, want 19", len(in.Replace), len(o.Replace))
	}
	for from, to := range in.Replace {
		if !gocommand.Below(from, filepath.Join(tc.Root, "src")) {
			t.Errorf("%s is not in the distribution", from)
		}
		info, err := os.Stat(to)
		if err != nil {
			t.Error(err)
		} else if time.Since(info.ModTime()) < time.Hour {
			t.Errorf("%s looks %v old", to, time.Since(info.ModTime()))
		}
	}
	built, err := os.ReadFile(o.Replace[filepath.Join(tc.Root, "src/internal/fuzz/gnaw/probe/host/built.go")])
	if err != nil {
		t.Fatal(err)
	}
	testkit.Contains(t, "built.go", string(built), "package host\n", `"/bin/gnaw"`, pretender(pretend).protocol())
}

func TestOverlayKey(t *testing.T) {
	tc, cache := toolchain.Find(t, ""), t.TempDir()
	base := pretendOverlay(t, tc, cache)
	if again := pretendOverlay(t, tc, cache); again.File != base.File {
		t.Errorf("overlay = %s, then %s", base.File, again.File)
	}
	other := tc
	other.Version = "go1.26.99"
	byVersion := pretendOverlay(t, other, cache)
	tc.Plain = true
	byPath, err := pretender(pretend).overlay(tc, cache, "/opt/gnaw")
	if err != nil {
		t.Fatal(err)
	}
	bySource, err := pretender(strings.Replace(pretend, `"linux"`, `"Linux"`, 1)).overlay(tc, cache, "/bin/gnaw")
	if err != nil {
		t.Fatal(err)
	}
	tc.Plain = false
	byHooks, err := pretender(pretend).overlay(tc, cache, "/bin/gnaw")
	if err != nil {
		t.Fatal(err)
	}
	for what, o := range map[string]Overlay{
		"version": byVersion, "path of gnaw": byPath, "source": bySource, "choice of hooks": byHooks,
	} {
		if o.File == base.File {
			t.Errorf("another %s gives the same overlay", what)
		}
	}
}

func TestOverlayBehindALinkIsMadeOnce(t *testing.T) {
	tc, cache, other := toolchain.Find(t, ""), t.TempDir(), t.TempDir()
	base := pretendOverlay(t, tc, cache)
	testkit.Symlink(t, filepath.Join(cache, "overlay"), filepath.Join(other, "overlay"))
	before, err := os.Stat(base.File)
	if err != nil {
		t.Fatal(err)
	}
	pretendOverlay(t, tc, other)
	after, err := os.Stat(base.File)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("a gnaw that reaches the folder by another name has replaced the overlay")
	}
}

func TestOverlayIsRepaired(t *testing.T) {
	tc, cache := toolchain.Find(t, ""), t.TempDir()
	for name, spoil := range map[string]func(file string) error{
		"file cut short": func(file string) error { return os.Truncate(file, 10) },
		"file removed":   os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			o := pretendOverlay(t, tc, cache)
			file := o.Replace[filepath.Join(tc.Root, "src", "testing", "gnaw.go")]
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(file); err != nil {
				t.Fatal(err)
			}
			pretendOverlay(t, tc, cache)
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("file after repair = %q, %v", got, err)
			}
		})
	}
}

func TestOverlayCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := pretender(pretend).overlay(toolchain.Find(t, ""), file, "")
	if err == nil {
		t.Fatal("no error")
	}
	testkit.Contains(t, "error", err.Error(), file, "make gnaw's cache folder writable")
}

// overlayHelper, if set, makes this test binary a process that makes an overlay in that folder, of the Go distribution in overlayRoot.
const (
	overlayHelper = "GNAW_TEST_OVERLAY"
	overlayRoot   = "GNAW_TEST_OVERLAY_ROOT"
)

func TestOverlayHelper(t *testing.T) {
	cache := os.Getenv(overlayHelper)
	if cache == "" {
		t.Skip("runs in another process, for TestOverlayAtTheSameTime")
	}
	tc := toolchain.Find(t, "")
	tc.Plain, tc.Root = true, os.Getenv(overlayRoot) // each process of a test has its own link to a toolchain that was downloaded
	makeOverlays(t, tc, cache)
}

// makeOverlays makes one overlay eight times at once, and finds it complete each time.
func makeOverlays(t *testing.T, tc gocommand.Toolchain, cache string) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			o, err := pretender(pretend).overlay(tc, cache, "/bin/gnaw")
			if err != nil {
				t.Error(err)
				return
			}
			for _, to := range o.Replace {
				if info, err := os.Stat(to); err != nil || info.Size() == 0 {
					t.Errorf("file %s is not complete: %v", to, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestOverlayAtTheSameTime(t *testing.T) {
	tc, cache := toolchain.Find(t, ""), t.TempDir()
	tc.Plain = true
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	helper := exec.Command(exe, "-test.run=^TestOverlayHelper$")
	helper.Env = append(os.Environ(), overlayHelper+"="+cache, overlayRoot+"="+tc.Root)
	var out bytes.Buffer
	helper.Stdout, helper.Stderr = &out, &out
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	makeOverlays(t, tc, cache)
	if err := helper.Wait(); err != nil {
		t.Errorf("other process: %v\n%s", err, &out)
	}
	entries, err := os.ReadDir(filepath.Join(cache, "overlay"))
	if err != nil || len(entries) != 1 {
		t.Errorf("the cache has %v, %v, want one overlay and nothing else", entries, err)
	}
}

func TestMerge(t *testing.T) {
	cache := t.TempDir()
	dir := testkit.Unpack(t, `
-- good.json --
{"Replace": {"a.go": "sub/b.go", "gone.go": "", "/abs/x.go": "/abs/y.go"}}
-- conflict.json --
{"Replace": {"/goroot/src/testing/fuzz.go": "mine.go"}}
-- twice.json --
{"Replace": {"a.go": "b.go", "./a.go": "c.go"}}
-- empty.json --
{"Replace": {"": "b.go"}}
-- broken.json --
nonsense
`)
	ours := Overlay{File: "ours.json", Replace: map[string]string{"/goroot/src/testing/fuzz.go": "/cache/fuzz.go"}}
	got, err := ours.merge(cache, "good.json", dir)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := ours.merge(cache, "good.json", dir); err != nil || again.File != got.File {
		t.Errorf("merge = %s, then %s, %v", got.File, again.File, err)
	}
	text, err := os.ReadFile(got.File)
	if err != nil {
		t.Fatal(err)
	}
	var in gocommand.OverlayFile
	if err := json.Unmarshal(text, &in); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"/goroot/src/testing/fuzz.go": "/cache/fuzz.go", "/abs/x.go": "/abs/y.go",
		filepath.Join(dir, "a.go"): filepath.Join(dir, "sub", "b.go"), filepath.Join(dir, "gone.go"): "",
	}
	for from, to := range want {
		if v, ok := in.Replace[from]; !ok || v != to {
			t.Errorf("merged[%s] = %q, %v, want %q", from, v, ok, to)
		}
	}
	if len(in.Replace) != len(want) {
		t.Errorf("merged has %d files, want %d", len(in.Replace), len(want))
	}
	for file, want := range map[string]string{
		"conflict.json": "/goroot/src/testing/fuzz.go", "twice.json": "twice", "empty.json": "without a name",
		"broken.json": "Replace", "absent.json": "absent.json",
	} {
		if _, err := ours.merge(cache, file, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("merge of %s: error = %v, want one with %q", file, err, want)
		}
	}
}

func TestBuilder(t *testing.T) {
	if got := builder(""); got != "" {
		t.Errorf("builder of a test binary = %q, want none: the go command deletes it", got)
	}
}
