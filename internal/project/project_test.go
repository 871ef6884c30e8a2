package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

func TestTheModuleIsLookedForUpwards(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	if p := Find(deep); p.Root != deep || p.Path != deep {
		t.Errorf("without a module it is %+v", p)
	}
	for _, f := range []struct {
		name, text string
		want       Module
	}{
		{"go.work", "go 1.24\n", Module{root, root}},
		{"go.mod", "// the module x\n\nmodule \"example.com/m\" // ours\n", Module{root, "example.com/m"}},
	} {
		if err := os.WriteFile(filepath.Join(root, f.name), []byte(f.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if p := Find(deep); p != f.want {
			t.Errorf("with %s it is %+v, want %+v", f.name, p, f.want)
		}
	}
}

func TestFoldersWithTheSameModulePathShareAHistoryOnlyIfTheyAreOneProject(t *testing.T) {
	const path = "example.com/m"
	folder := func(name, module string) string {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+module+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	own, stranger := folder("own", path), folder("stranger", path)
	testkit.Git(t, own, "init", "--quiet")
	testkit.Commit(t, own, "one")
	tree, clone := filepath.Join(t.TempDir(), "tree"), filepath.Join(t.TempDir(), "clone")
	testkit.Git(t, own, "worktree", "add", "--quiet", "--detach", tree)
	testkit.Git(t, own, "clone", "--quiet", own, clone)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(own, link); err != nil {
		link = own // Windows may not allow it
	}
	for _, tt := range []struct {
		name, root string
		want       bool
	}{
		{"the same folder", own, true},
		{"a link to the folder", link, true},
		{"a folder that was not recorded", "", true},
		{"a folder that does not exist", filepath.Join(own, "gone"), true},
		{"a folder that has another module by now", folder("other", "example.com/other"), true},
		{"another work tree of the repository", tree, true},
		{"another folder", stranger, false},
		{"a clone of the repository", clone, false},
	} {
		if got := (Module{own, path}).Shares(t.Context(), os.Environ(), tt.root); got != tt.want {
			t.Errorf("%s shares the history: %v, want %v", tt.name, got, tt.want)
		}
	}
}
