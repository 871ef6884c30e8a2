package ci

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// files of a module in which the test binary of a executes b.
var files = map[string]string{
	"go.mod":                      "module example.com/m\n\ngo 1.25\n",
	"a/a.go":                      "package a\n\nimport \"example.com/m/b\"\n\nfunc A(s string) string { return b.B(s) }\n",
	"a/a_test.go":                 "package a\n\nimport \"testing\"\n\nfunc FuzzA(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { A(s) }) }\n",
	"a/testdata/fuzz/FuzzA/seed":  "go test fuzz v1\nstring(\"\")\n",
	"b/b.go":                      "package b\n\nimport _ \"embed\"\n\n//go:embed words.txt\nvar words string\n\nfunc B(s string) string { return s + words }\n",
	"b/old.go":                    "package b\n",
	"b/words.txt":                 "words",
	"c/c.go":                      "package c\n",
	"README.md":                   "a module\n",
	"a/internal_windows.go":       "package a\n",
	"a/testdata/other/of_no_fuzz": "",
	"b/testdata/fuzz/FuzzB/seed":  "go test fuzz v1\nstring(\"\")\n",
	"b/b_test.go":                 "package b\n",
	".gitignore":                  "*.ignored\n",
	"a/a.ignored":                 "",
}

// repository makes a module with one commit on the branch main, and returns its folder without links.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	testkit.Git(t, dir, "init", "--quiet", "--initial-branch=main")
	for name, text := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	testkit.Commit(t, dir, "start")
	testkit.Git(t, dir, "checkout", "--quiet", "-b", "change")
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

func TestTheBaseIsWhereAChangeStarts(t *testing.T) {
	dir := repository(t)
	start := testkit.Git(t, dir, "rev-parse", "HEAD")
	write(t, filepath.Join(dir, "c", "c.go"), "package c // changed\n")
	testkit.Commit(t, dir, "change")
	testkit.Git(t, dir, "checkout", "--quiet", "main")
	write(t, filepath.Join(dir, "README.md"), "main goes on\n")
	testkit.Commit(t, dir, "main goes on")
	testkit.Git(t, dir, "update-ref", "refs/remotes/origin/main", "main")
	testkit.Git(t, dir, "update-ref", "refs/remotes/origin/next", "main")
	testkit.Git(t, dir, "checkout", "--quiet", "change")
	for _, tt := range []struct {
		name, given string
		environ     map[string]string
		revision    string
		err         string
	}{
		{"a branch that the user names", "main", nil, "main", ""},
		{"a commit that the user names", start, nil, start, ""},
		{"the branch of a pull request on GitHub", "", map[string]string{"GITHUB_BASE_REF": "next"}, "origin/next", ""},
		{"the commit of a merge request on GitLab", "", map[string]string{"CI_MERGE_REQUEST_DIFF_BASE_SHA": start}, start, ""},
		{"the default branch of the remote repository", "", nil, "origin/main", ""},
		{"a revision that does not exist", "nothing", nil, "", "-base nothing: git does not know this revision"},
		{"a branch that was not fetched", "", map[string]string{"GITHUB_BASE_REF": "gone"}, "", "(tried refs/remotes/origin/gone); write -base REVISION"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := FindBase(t.Context(), os.Environ(), dir, tt.given, func(name string) string { return tt.environ[name] })
			if tt.err != "" {
				if refused := (*usage.Error)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("the error is %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil || got != (Base{tt.revision, start}) {
				t.Errorf("the base is %+v (%v), want %s in %s", got, err, tt.revision, start)
			}
		})
	}
}

func TestAShallowCloneHasNoBase(t *testing.T) {
	origin := repository(t)
	write(t, filepath.Join(origin, "c", "c.go"), "package c // changed\n")
	testkit.Commit(t, origin, "change")
	dir := filepath.Join(t.TempDir(), "shallow")
	testkit.Git(t, origin, "clone", "--quiet", "--depth=1", "file://"+filepath.ToSlash(origin), dir)
	_, err := FindBase(t.Context(), os.Environ(), dir, "origin/main", func(string) string { return "" })
	if refused := (*usage.Error)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), "`git fetch --unshallow` gets them") || !strings.Contains(err.Error(), "fetch-depth: 0") {
		t.Errorf("the error is %v, want one that says how to get the commits", err)
	}
	if _, err := FindBase(t.Context(), os.Environ(), t.TempDir(), "", func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "is in no git work tree") {
		t.Errorf("outside of a repository the error is %v", err)
	}
}

func TestATestBinaryHasTheFilesOfAChange(t *testing.T) {
	for _, tt := range []struct {
		name    string
		changed map[string]string // content by name; "": the file is removed
		want    string            // the changed file
		isCode  bool
	}{
		{"nothing", nil, "", false},
		{"a file of no package", map[string]string{"README.md": "other\n"}, "", false},
		{"another package", map[string]string{"c/c.go": "package c // changed\n"}, "", false},
		{"code", map[string]string{"a/a.go": files["a/a.go"] + "\n"}, "a/a.go", true},
		{"code of an import", map[string]string{"b/b.go": files["b/b.go"] + "\n"}, "b/b.go", true},
		{"code for another system", map[string]string{"a/internal_windows.go": "package a // changed\n"}, "", false},
		{"code that git does not track", map[string]string{"b/new.go": "package b\n"}, "b/new.go", false},
		{"code that is gone", map[string]string{"b/old.go": ""}, "b/old.go", false},
		{"a test", map[string]string{"a/a_test.go": files["a/a_test.go"] + "\n"}, "a/a_test.go", false},
		{"a test of an import", map[string]string{"b/b_test.go": "package b // changed\n"}, "", false},
		{"a committed input", map[string]string{"a/testdata/fuzz/FuzzA/more": files["a/testdata/fuzz/FuzzA/seed"]}, "a/testdata/fuzz/FuzzA/more", false},
		{"an input of an import", map[string]string{"b/testdata/fuzz/FuzzB/seed": "other"}, "", false},
		{"an embedded file", map[string]string{"b/words.txt": "other words"}, "b/words.txt", false},
		{"go.mod", map[string]string{"go.mod": files["go.mod"] + "\n"}, "go.mod", false},
		{"a file that git ignores", map[string]string{"a/x.ignored": "text"}, "", false},
		{"code and a test", map[string]string{"a/a.go": files["a/a.go"] + "\n", "a/a_test.go": files["a/a_test.go"] + "\n"}, "a/a_test.go", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t)
			for name, text := range tt.changed {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if text != "" {
					write(t, path, text)
				} else if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			base, err := FindBase(t.Context(), os.Environ(), dir, "main", func(string) string { return "" })
			if err != nil {
				t.Fatal(err)
			}
			changes, err := FindChanges(t.Context(), os.Environ(), dir, base)
			if err != nil {
				t.Fatal(err)
			}
			const a = "example.com/m/a"
			src := code.Source{Dir: dir, Environ: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}
			tests, err := FindTests(t.Context(), src, dir, []string{a}, changes)
			if err != nil {
				t.Fatal(err)
			}
			want := Test{Code: tt.isCode}
			if tt.want != "" {
				want.Changed = filepath.Join(dir, filepath.FromSlash(tt.want))
			}
			if tests[a] != want {
				t.Errorf("the test binary has %+v, want %+v", tests[a], want)
			}
		})
	}
}

func TestAWorkflowIsWrittenOnce(t *testing.T) {
	for system, name := range map[string]string{GitHub: ".github/workflows/gnaw.yml", GitLab: ".gitlab/gnaw.yml"} {
		root := t.TempDir()
		path, err := WriteWorkflow(system, root)
		if want := filepath.Join(root, filepath.FromSlash(name)); err != nil || path != want {
			t.Errorf("for %s it is %s (%v), want %s", system, path, err, want)
		}
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "gnaw\" ci -budget") && !strings.Contains(string(text), "gnaw ci -budget") {
			t.Errorf("the workflow for %s is %s (%v)", system, text, err)
		}
		if _, err := WriteWorkflow(system, root); err == nil || !strings.Contains(err.Error(), "exists") {
			t.Errorf("a second one for %s: %v", system, err)
		}
	}
	root, elsewhere := t.TempDir(), t.TempDir()
	testkit.Symlink(t, elsewhere, filepath.Join(root, ".github"))
	if _, err := WriteWorkflow(GitHub, root); err == nil || !strings.Contains(err.Error(), ".github is a link") {
		t.Errorf("through a link: %v", err)
	}
	if list, err := os.ReadDir(elsewhere); err != nil || len(list) > 0 {
		t.Errorf("there is %v (%v) behind the link", list, err)
	}
}
