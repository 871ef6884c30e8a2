package gocommand_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

func TestMain(m *testing.M) { os.Exit(testkit.RunWithOwnCache(m)) }

func TestFindToolchain(t *testing.T) {
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		if want := t.Name()[strings.LastIndex(t.Name(), "/")+1:]; want != "local" && tc.Version != want {
			t.Errorf("version = %s, want %s", tc.Version, want)
		}
		if gocommand.Below(tc.Root, tc.ModCache) {
			t.Errorf("root %s is in the module cache %s", tc.Root, tc.ModCache)
		}
		if _, err := os.Stat(filepath.Join(tc.Root, "src", "testing", "fuzz.go")); err != nil {
			t.Error(err)
		}
		root, err := tc.Output(t.Context(), t.TempDir(), "env", "GOROOT")
		if got := strings.TrimSpace(string(root)); err != nil || got != tc.Root {
			t.Errorf("go env GOROOT = %q, %v, want what the overlay names, %q", got, err, tc.Root)
		}
		if tc.OS == "" || tc.Arch == "" || tc.Cache == "" || !strings.Contains(tc.Flags, "buildvcs") {
			t.Errorf("settings are missing: %+v", tc)
		}
	})
}

func TestFindToolchainChosenByModule(t *testing.T) {
	old := toolchain.Find(t, "go1.25.0")
	dir := testkit.Unpack(t, "-- go.mod --\nmodule m\n\ngo 1.20\n\ntoolchain go1.25.0\n")
	env := append(os.Environ(), "GOTOOLCHAIN=go1.24.0+auto", "GOWORK=off")
	tc, err := gocommand.FindToolchain(t.Context(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	if tc.Version != old.Version {
		t.Errorf("version = %s, want %s, as go.mod says", tc.Version, old.Version)
	}
}
