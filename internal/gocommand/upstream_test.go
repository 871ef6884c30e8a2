package gocommand

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTheSettingsOfGodebugInAGoMod(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"the go line", "module m\n\ngo 1.20\n", []string{"default=go1.20"}},
		{"a go line with a release", "module m\n\ngo 1.26.1\n", []string{"default=go1.26"}},
		{"no go line", "module m\n", []string{"default=go1.16"}},
		{"lines of its own", "module m\n\ngo 1.24\n\ngodebug (\n\tdefault=go1.21\n\tpanicnil=1\n)\n", []string{"default=go1.21", "panicnil=1"}},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := DebugOf(dir); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: the settings are %q (%v), want %q", tt.name, got, err, tt.want)
		}
	}
	if _, err := DebugOf(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a go.mod the error is %v, want os.ErrNotExist", err)
	}
}

func TestTheSettingsOfGodebugAreReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "go.mod")
	if err := os.WriteFile(name, []byte("module m\n\ngo 1.24\n\ngodebug (\n\tdefault=go1.21\n\tpanicnil=1\n)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	want := []string{"default=go1.20", "tlsrsakex=1"}
	if err := setDebug(name, want); err != nil {
		t.Fatal(err)
	}
	if got, err := DebugOf(filepath.Dir(name)); err != nil || !slices.Equal(got, want) {
		t.Errorf("the settings are %q (%v), want %q", got, err, want)
	}
}
