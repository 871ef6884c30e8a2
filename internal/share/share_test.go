package share

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

const target = "example.com/p/FuzzX"

// machine returns the corpus of a machine that has found the inputs.
func machine(t *testing.T, texts ...string) Corpus {
	t.Helper()
	c := Corpus{Target: target, Dir: filepath.Join(t.TempDir(), "FuzzX")}
	for _, text := range texts {
		if _, _, err := corpus.Open(c.Dir, corpus.GoTest(nil)).Save(text1(text)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func text1(text string) input.Args { return input.Args{{Kind: input.String, Data: []byte(text)}} }

// has returns the inputs of a machine.
func has(t *testing.T, c Corpus) string {
	t.Helper()
	var list []string
	if _, err := corpus.LoadFolder(t.Context(), c.Dir, func(_ string, a input.Args) error {
		list = append(list, string(a[0].Data))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// world returns a git work tree whose remote "origin" is an empty bare repository, and sets the folder for temporary files to an empty one,
// which must be empty in the end.
func world(t *testing.T) (w World, bare string) {
	t.Helper()
	temp := t.TempDir()
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(variable, temp)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	t.Cleanup(func() {
		if list, err := os.ReadDir(temp); err != nil || len(list) > 0 {
			t.Errorf("the temporary folder has %v (%v)", list, err)
		}
	})
	dir := t.TempDir()
	bare = filepath.Join(dir, "bare.git")
	testkit.Git(t, dir, "init", "--quiet", "--bare", bare)
	testkit.Git(t, dir, "init", "--quiet", "tree")
	testkit.Git(t, filepath.Join(dir, "tree"), "remote", "add", "origin", bare)
	return World{Dir: filepath.Join(dir, "tree"), Environ: os.Environ()}, bare
}

func TestPlacesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"dir": "/abs/dir", "git:origin#corpus": "git:origin#corpus", "git:#corpus": "git:origin#corpus",
		"git:https://host/a#b.git#corpus": "git:https://host/a#b.git#corpus",
		"git:origin":                      "", "git:origin#": "", "git:--upload-pack=x#b": "", "git:origin#-x": "", "": "",
	} {
		p, err := Parse(text, func(name string) string { return "/abs/" + name })
		var request *usage.Error
		if want == "" && !errors.As(err, &request) || want != "" && (err != nil || p.String() != want) {
			t.Errorf("%q is %v (%v), want %q", text, p, err, want)
		}
	}
}

func TestAPlaceHasTheUnionOfWhatWritersHave(t *testing.T) {
	w, bare := world(t)
	for name, p := range map[string]Place{
		"a folder": {Path: filepath.Join(t.TempDir(), "shared")}, "a zip": {Path: filepath.Join(t.TempDir(), "shared.zip")},
		"a branch of a remote": {Remote: "origin", Branch: "corpus"}, "a branch of a path": {Remote: bare, Branch: "other/corpus"},
		"a branch of a relative path": {Remote: filepath.Join("..", "bare.git"), Branch: "third"},
	} {
		t.Run(name, func(t *testing.T) {
			one, two, three := machine(t, "a", "b"), machine(t, "b", "c"), machine(t, "d")
			for _, step := range []struct {
				c   Corpus
				new int
			}{{one, 2}, {two, 1}, {one, 0}} {
				if r, err := Push(t.Context(), w, p, step.c); r.Inputs != 2 || r.New != step.new || err != nil {
					t.Fatalf("a push has %+v (%v), want %d new", r, err, step.new)
				}
			}
			if r, err := Pull(t.Context(), w, p, three); r.Inputs != 3 || r.New != 3 || err != nil || has(t, three) != "a b c d" {
				t.Errorf("a pull has %+v (%v), and then there is %q", r, err, has(t, three))
			}
			if r, err := Pull(t.Context(), w, p, three); r.New != 0 || err != nil {
				t.Errorf("the next pull has %+v (%v)", r, err)
			}
			other := machine(t)
			other.Target = "example.com/p/FuzzOther"
			var request *usage.Error
			if _, err := Pull(t.Context(), w, p, other); !errors.As(err, &request) || !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "there is no corpus of example.com/p/FuzzOther in "+p.String()) {
				t.Errorf("a target that it does not have: %v", err)
			}
		})
	}
}

func TestWritersAtTheSameTimeLoseNothing(t *testing.T) {
	w, _ := world(t)
	for name, p := range map[string]Place{
		"a folder": {Path: filepath.Join(t.TempDir(), "shared")}, "a zip": {Path: filepath.Join(t.TempDir(), "shared.zip")}, "a branch": {Remote: "origin", Branch: "corpus"},
	} {
		t.Run(name, func(t *testing.T) {
			if corpus.IsZip(p.Path) { // it takes a while to copy a large one, in which others come
				many := make([]corpus.File, 3000)
				for i := range many {
					many[i] = corpus.File{Name: fmt.Sprint("example.com/p/FuzzOther/", i), Data: []byte("x")}
				}
				if _, err := corpus.Add(p.Path, many); err != nil {
					t.Fatal(err)
				}
			}
			var group sync.WaitGroup
			want := []string{}
			for i := range 12 {
				c := machine(t, fmt.Sprint("x", i), fmt.Sprint("y", i))
				want = append(want, fmt.Sprint("x", i), fmt.Sprint("y", i))
				group.Go(func() {
					if _, err := Push(t.Context(), w, p, c); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			all := machine(t)
			if _, err := Pull(t.Context(), w, p, all); err != nil {
				t.Fatal(err)
			}
			if slices.Sort(want); has(t, all) != strings.Join(want, " ") {
				t.Errorf("it has %q", has(t, all))
			}
		})
	}
}

func TestABranchThatCannotBeUsedIsOneError(t *testing.T) {
	w, bare := world(t)
	c := machine(t, "a")
	for _, tt := range []struct {
		name string
		p    Place
		pull bool
		want string
	}{
		{"no such branch", Place{Remote: "origin", Branch: "missing"}, true, "there is no branch missing in origin; gnaw corpus push makes it"},
		{"no such repository", Place{Remote: filepath.Join(bare, "missing"), Branch: "x"}, false, "look for the branch x: git ls-remote: "},
		{"a name that is no branch", Place{Remote: "origin", Branch: "a..b"}, false, `git knows no branch of the name "a..b"`},
	} {
		do := Push
		if tt.pull {
			do = Pull
		}
		if _, err := do(t.Context(), w, tt.p, c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	hook := filepath.Join(bare, "hooks", "pre-receive")
	if err := os.MkdirAll(filepath.Dir(hook), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\necho not today >&2\nexit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Push(t.Context(), w, Place{Remote: "origin", Branch: "corpus"}, c); err == nil || !strings.Contains(err.Error(), "push to the branch corpus: git push") || !strings.Contains(err.Error(), "not today") {
		t.Errorf("a push that the server refuses: %v", err)
	}
}

func TestAHostileBranchWritesNothingElsewhere(t *testing.T) {
	w, _ := world(t)
	folder := filepath.Join(w.Dir, filepath.FromSlash(target))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	good := string(input.Marshal(text1("good")))
	for name, content := range map[string]string{
		"good": good, "damaged": "nonsense", "attributes/x": good, "../../../.gitattributes": "* export-ignore text eol=crlf\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Symlink(t, "/etc/passwd", filepath.Join(folder, "link"))
	testkit.Commit(t, w.Dir, "hostile")
	testkit.Git(t, w.Dir, "push", "--quiet", "origin", "HEAD:refs/heads/corpus")
	p, c := Place{Remote: "origin", Branch: "corpus"}, machine(t)
	r, err := Pull(t.Context(), w, p, c)
	if err != nil || has(t, c) != "good" {
		t.Fatalf("it has %q (%v)", has(t, c), err)
	}
	names := []string{}
	for _, s := range r.Skipped {
		names = append(names, filepath.Base(s.Name))
	}
	if slices.Sort(names); strings.Join(names, " ") != "damaged link" {
		t.Errorf("skipped are %q", names)
	}
	before := testkit.Git(t, w.Dir, "ls-tree", "-r", "--name-only", "HEAD")
	if _, err := Push(t.Context(), w, p, machine(t, "new")); err != nil {
		t.Fatal(err)
	}
	testkit.Git(t, w.Dir, "fetch", "--quiet", "origin", "corpus")
	after := testkit.Git(t, w.Dir, "ls-tree", "-r", "--name-only", "FETCH_HEAD")
	for name := range strings.SplitSeq(before, "\n") {
		if !strings.Contains(after, name) {
			t.Errorf("a push loses %s", name)
		}
	}
}

func TestSettingsOfTheRepositoryReachTheRemote(t *testing.T) {
	w, bare := world(t)
	testkit.Git(t, w.Dir, "config", "url."+filepath.Dir(bare)+"/.insteadOf", "https://example.invalid/")
	testkit.Git(t, w.Dir, "config", "user.name", "A Person")
	testkit.Git(t, w.Dir, "config", "user.email", "person@example.com")
	if _, err := Push(t.Context(), w, Place{Remote: "https://example.invalid/bare.git", Branch: "corpus"}, machine(t, "a")); err != nil {
		t.Fatal(err)
	}
	if got := testkit.Git(t, bare, "log", "--format=%an %ae %s", "corpus"); got != "A Person person@example.com corpus of example.com/p/FuzzX: 1 new" {
		t.Errorf("the commit is %q", got)
	}
}
