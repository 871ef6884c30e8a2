package build

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// keptFiles lists the kept binaries.
func keptFiles(t *testing.T, folder string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(folder, cache.Linked, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestABinaryIsLinkedOnceForUnchangedCode(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	folder := testkit.OwnCache(t)
	tc := toolchain.Find(t, "")
	dir := testkit.Unpack(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m_test.go --\npackage m\n\nimport \"testing\"\n\nfunc TestM(t *testing.T) { println(\"first\") }\n")
	build := func() string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "m.test"+gocommand.ExeSuffix)
		if err := Plain(t.Context(), tc, "example.com/m", dir, nil, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	prints := func(path, want string) {
		t.Helper()
		if out, err := exec.Command(path).CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("the binary prints %q, %v; want %q", out, err, want)
		}
	}
	first := build()
	if !disk.Same(first, build()) {
		t.Error("unchanged code is linked again")
	}

	// A kept binary that is not whole is linked again.
	list := keptFiles(t, folder)
	if len(list) != 1 {
		t.Fatalf("the cache has the binaries %q, want one", list)
	}
	if err := os.Remove(list[0]); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(list[0], text[:len(text)/2], 0o700); err != nil {
		t.Fatal(err)
	}
	again := build()
	prints(again, "first")
	if !disk.Same(again, build()) {
		t.Error("the binary in place of one that was not whole is not kept")
	}

	// Changed code has a new binary, which takes the place of the one before.
	source := filepath.Join(dir, "m_test.go")
	if text, err = os.ReadFile(source); err != nil {
		t.Fatal(err)
	}
	if err := disk.Write(source, []byte(strings.Replace(string(text), "first", "other", 1))); err != nil {
		t.Fatal(err)
	}
	prints(build(), "other")
	prints(first, "first")
	if list := keptFiles(t, folder); len(list) != 1 {
		t.Errorf("the cache has the binaries %q, want one", list)
	}
}

func TestBinariesOfAFewFoldersAreKept(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(t.TempDir(), "m.test")
	if err := os.WriteFile(binary, []byte("binary"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, owner := range []string{"a", "b", "c", "d", "e", "e"} {
		kept{dir, owner}.keep(binary, offered{})
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != maxKept || !strings.HasPrefix(list[len(list)-1].Name(), "e-") {
		t.Errorf("%d folders are kept, %v; want %d, with the last one", len(list), err, maxKept)
	}
}

func TestABinaryThatTheGoCommandLeavesIsReadOnce(t *testing.T) {
	for _, tt := range []struct {
		name    string
		later   time.Duration // the time of the file is changed by
		renamed bool          // the binary is read again, so it has the name of its content
	}{
		{"the file is what was offered", 0, false},
		{"the file was written since", time.Second, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, binary := t.TempDir(), filepath.Join(t.TempDir(), "m.test")
			if err := os.WriteFile(binary, []byte("binary"), 0o700); err != nil {
				t.Fatal(err)
			}
			k := kept{dir, "a"}
			k.keep(binary, offered{})
			next := filepath.Join(t.TempDir(), "m.test")
			before := k.offer(next)
			if before.path == "" {
				t.Fatal("the kept binary is not offered")
			}
			// Only a second reading could see this.
			if err := errors.Join(os.WriteFile(next, []byte("BINARY"), 0o700), os.Chtimes(next, time.Time{}, before.info.ModTime().Add(tt.later))); err != nil {
				t.Fatal(err)
			}
			k.keep(next, before)
			list, err := os.ReadDir(dir)
			if err != nil || len(list) != 1 || (list[0].Name() != filepath.Base(before.path)) != tt.renamed {
				t.Errorf("the cache has %v, %v, before it had %s", list, err, before.path)
			}
		})
	}
}
