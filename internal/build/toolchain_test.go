package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindToolchain(t *testing.T) {
	eachToolchain(t, func(t *testing.T, tc Toolchain) {
		if want := t.Name()[strings.LastIndex(t.Name(), "/")+1:]; want != "local" && tc.Version != want {
			t.Errorf("version = %s, want %s", tc.Version, want)
		}
		if below(tc.Root, tc.ModCache) {
			t.Errorf("root %s is in the module cache %s", tc.Root, tc.ModCache)
		}
		if _, err := os.Stat(filepath.Join(tc.Root, "src", "testing", "fuzz.go")); err != nil {
			t.Error(err)
		}
		root, err := tc.output(t.Context(), t.TempDir(), "env", "GOROOT")
		if got := strings.TrimSpace(string(root)); err != nil || got != tc.Root {
			t.Errorf("go env GOROOT = %q, %v, want what the overlay names, %q", got, err, tc.Root)
		}
		if tc.OS == "" || tc.Arch == "" || tc.Cache == "" || !strings.Contains(tc.Flags, "buildvcs") {
			t.Errorf("settings are missing: %+v", tc)
		}
	})
}

func TestFindToolchainChosenByModule(t *testing.T) {
	old := toolchain(t, "go1.25.0")
	dir := unpack(t, "-- go.mod --\nmodule m\n\ngo 1.20\n\ntoolchain go1.25.0\n")
	env := append(os.Environ(), "GOTOOLCHAIN=go1.24.0+auto", "GOWORK=off")
	tc, err := findToolchain(t.Context(), t.TempDir(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	if tc.Version != old.Version {
		t.Errorf("version = %s, want %s, as go.mod says", tc.Version, old.Version)
	}
}

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
			contains(t, "error", err.Error(), tt.want...)
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
	if err != nil || again != link || !sameFolder(link, root) {
		t.Errorf("linkRoot = %s, %v, want %s, a way to %s", again, err, link, root)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
