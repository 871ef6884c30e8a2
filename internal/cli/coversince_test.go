package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// gitFolder returns the root of a git work tree with two folders: committed, which the only commit contains, and new.
func gitFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "committed"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "committed", "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	testkit.Git(t, dir, "init", "--quiet")
	testkit.Commit(t, dir, "one")
	if err := os.Mkdir(filepath.Join(dir, "new"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestARevisionIsFoundInTheGitRepository(t *testing.T) {
	dir := gitFolder(t)
	for _, tt := range []struct{ name, dir, revision, want string }{
		{"a revision", dir, "HEAD", ""},
		{"a revision, in a subfolder that it contains", filepath.Join(dir, "committed"), "HEAD", ""},
		{"a subfolder that the revision does not contain", filepath.Join(dir, "new"), "HEAD", "the revision HEAD does not contain the folder " + filepath.Join(dir, "new")},
		{"an unknown name", dir, "nothing", `"nothing" is not last, the number of a campaign or a git revision`},
		{"a tree", dir, "HEAD^{tree}", `"HEAD^{tree}" is not last, the number of a campaign or a git revision`},
		{"a flag", dir, "--all", `"--all" is not last, the number of a campaign or a git revision`},
		{"the reason of git", dir, "HEAD@{upstream}", "no upstream configured"},
		{"no repository", t.TempDir(), "HEAD", "git cannot find it as a revision: git rev-parse: exit status 128: fatal: not a git repository"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := findEarlier(t.Context(), Env{Dir: tt.dir, Environ: os.Environ()}, tt.revision)
			switch {
			case tt.want == "":
				if err != nil || len(got.revision) != 40 || got.title != "the revision "+tt.revision || !got.began.IsZero() {
					t.Errorf("it is %+v (%v)", got, err)
				}
			case !isUsage(err) || !strings.Contains(err.Error(), tt.want):
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
}

func TestARevisionWithoutGitIsAnErrorAboutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := findEarlier(t.Context(), Env{Dir: t.TempDir()}, "HEAD")
	if !isUsage(err) || !strings.Contains(err.Error(), "executable file not found") {
		t.Errorf("the error is %v", err)
	}
}

func TestFlagsThatConflictWithSinceAreErrors(t *testing.T) {
	campaign, revision := earlier{began: time.Now()}, earlier{revision: "abc"}
	absolute, err := filepath.Abs("p")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		flags coverFlags
		want  string // part of the error; empty: there is none
	}{
		{"seeds and a revision", coverFlags{earlier: revision, by: coverage.Seeds}, ""},
		{"the corpus and a campaign", coverFlags{earlier: campaign, by: coverage.Corpus}, ""},
		{"an absolute path and a campaign", coverFlags{earlier: campaign, patterns: []string{absolute}}, ""},
		{"seeds and a campaign", coverFlags{earlier: campaign, by: coverage.Seeds}, "-by=seeds leaves them out"},
		{"functions", coverFlags{earlier: revision, functions: true}, "-func has no effect with -since"},
		{"an absolute path and a revision", coverFlags{earlier: revision, patterns: []string{absolute}}, "takes packages as import paths"},
		{"an absolute path of covered packages and a revision", coverFlags{earlier: revision, covered: []string{absolute}}, "takes packages as import paths"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.flags.checkSince()
			if tt.want == "" && err != nil || tt.want != "" && (!isUsage(err) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
}

func TestSinceNeedsAValue(t *testing.T) {
	if _, err := parseCoverFlags(Env{}, []string{"-since="}); !isUsage(err) || !strings.Contains(err.Error(), "it takes last, the number") {
		t.Errorf("the error is %v", err)
	}
}
