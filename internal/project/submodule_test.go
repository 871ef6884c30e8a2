package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// nested makes a repository with the submodule of the name "words" in the folder lib, which has the submodule inner, and returns a clone of it with
// both. The repositories that the clone came from are gone.
func nested(t *testing.T) (clone string) {
	t.Helper()
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	add := []string{"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--name"}
	for _, name := range []string{"inner", "lib", "clone"} {
		if err := os.MkdirAll(at(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at(name), "file"), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
		testkit.Git(t, at(name), "init", "--quiet")
		switch name {
		case "lib":
			testkit.Git(t, at(name), append(add, "inner", filepath.ToSlash(at("inner")), "inner")...)
		case "clone":
			testkit.Git(t, at(name), append(add, "words", filepath.ToSlash(at("lib")), "lib")...)
			testkit.Git(t, at(name), "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
		}
		testkit.Commit(t, at(name), name)
	}
	for _, name := range []string{"inner", "lib"} {
		if err := os.RemoveAll(at(name)); err != nil {
			t.Fatal(err)
		}
	}
	return at("clone")
}

func TestSubmodulesComeFromTheCloneOfTheUser(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  func(t *testing.T, clone string)
		missing string // in the sentence
		files   []string
	}{
		{"of a clone that has them", func(*testing.T, string) {}, "", []string{"lib/file", "lib/inner/file"}},
		{"of a clone with the repository in the folder of the submodule", func(t *testing.T, clone string) {
			home := filepath.Join(clone, ".git", "modules", "words")
			testkit.Git(t, clone, "--git-dir="+home, "config", "--unset", "core.worktree")
			own := filepath.Join(clone, "lib", ".git")
			if err := os.Remove(own); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(home, own); err != nil {
				t.Fatal(err)
			}
		}, "", []string{"lib/file", "lib/inner/file"}},
		{"of a clone without the inner one", func(t *testing.T, clone string) {
			if err := os.RemoveAll(filepath.Join(clone, ".git", "modules", "words", "modules")); err != nil {
				t.Fatal(err)
			}
		}, "the submodule lib/inner is missing", []string{"lib/file"}},
		{"of a clone without the commit", func(t *testing.T, clone string) {
			testkit.Git(t, clone, "update-index", "--cacheinfo", "160000,"+strings.Repeat("7", 40)+",lib")
			testkit.Git(t, clone, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "two")
		}, "the submodule lib is missing", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			clone := nested(t)
			tt.change(t, clone)
			settings := testkit.Git(t, clone, "config", "--list", "--local")
			tree, err := AddTree(t.Context(), os.Environ(), clone, "HEAD")
			if err != nil {
				t.Fatal(err)
			}
			missing, err := FillSubmodules(t.Context(), os.Environ(), tree.Dir, clone)
			if err != nil || !strings.Contains(missing, tt.missing) || (missing == "") != (tt.missing == "") {
				t.Errorf("missing is %q (%v), want %q", missing, err, tt.missing)
			}
			var files []string
			for _, name := range []string{"lib/file", "lib/inner/file"} {
				if _, err := os.Stat(filepath.Join(tree.Dir, filepath.FromSlash(name))); err == nil {
					files = append(files, name)
				}
			}
			if strings.Join(files, " ") != strings.Join(tt.files, " ") {
				t.Errorf("the work tree has %q, want %q", files, tt.files)
			}
			if err := EmptySubmodules(t.Context(), os.Environ(), tree.Dir); err != nil {
				t.Error(err)
			}
			if list, err := os.ReadDir(filepath.Join(tree.Dir, "lib")); err != nil || len(list) > 0 {
				t.Errorf("then the folder has %v (%v)", list, err)
			}
			if changed := testkit.Git(t, tree.Dir, "status", "--porcelain"); changed != "" {
				t.Errorf("the work tree has changes:\n%s", changed)
			}
			if err := tree.Remove(t.Context()); err != nil {
				t.Error(err)
			}
			if now := testkit.Git(t, clone, "config", "--list", "--local"); now != settings {
				t.Errorf("the settings of the clone are\n%s\nwere\n%s", now, settings)
			}
		})
	}
}

func TestAWorkTreeWithoutSubmodulesStaysAsItIs(t *testing.T) {
	dir, _ := repository(t)
	if missing, err := FillSubmodules(t.Context(), os.Environ(), dir, dir); missing != "" || err != nil {
		t.Errorf("FillSubmodules = %q, %v", missing, err)
	}
	if err := EmptySubmodules(t.Context(), os.Environ(), dir); err != nil {
		t.Error(err)
	}
	if changed := testkit.Git(t, dir, "status", "--porcelain"); changed != "" {
		t.Errorf("the work tree has changes:\n%s", changed)
	}
}
