package gocommand

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

func TestFindToolchainErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  []string
		want []string
	}{
		{"no go in PATH", []string{"PATH=" + t.TempDir()}, []string{"PATH", "install Go"}},
		{"no PATH", nil, []string{"PATH", "install Go"}},
		{"go says no", append(os.Environ(), "GOTOOLCHAIN=nonsense"), []string{"ask the go command", "nonsense"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := findToolchain(t.Context(), t.TempDir(), t.TempDir(), tt.env)
			if err == nil {
				t.Fatal("no error")
			}
			testkit.Contains(t, "error", err.Error(), tt.want...)
		})
	}
}

func TestSupported(t *testing.T) {
	for version, want := range map[string]bool{
		"go1.23.9": false, "go1.9": false, "go1.24": true, "go1.24rc1": true, "go1.26.8": true, "go1.30": true,
		"devel go1.27-abc": true, "go1.26.1 X:nodwarf5": true,
	} {
		if err := supported(version); (err == nil) != want {
			t.Errorf("supported(%q) = %v, want ok = %v", version, err, want)
		}
	}
}

func TestLinkRootReplacesStaleLink(t *testing.T) {
	folder, root := t.TempDir(), t.TempDir()
	link, err := linkRoot(folder, "go1.99", root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := makeLink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	again, err := linkRoot(folder, "go1.99", root)
	if err != nil || again != link || !disk.Same(link, root) {
		t.Errorf("linkRoot = %s, %v, want %s, a way to %s", again, err, link, root)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
