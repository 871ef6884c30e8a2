package bisect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// goEnv is the variable that has the test binary be a go command, and answerCommand the argument by which git bisect run starts it.
const (
	goEnv         = "GNAW_BISECT_GO"
	answerCommand = "answer"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == answerCommand {
		code, err := Answer(context.Background(), os.Environ(), os.Args[2], os.Stdout)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(code)
	}
	if os.Getenv(goEnv) != "" {
		os.Exit(goTest())
	}
	os.Exit(m.Run())
}

// goTest does what the file "does" in the working directory says. The target is in x_test.go.
func goTest() int {
	text, _ := os.ReadFile("does")
	if _, err := os.Stat("x_test.go"); err != nil {
		text = []byte("no target\n")
	}
	switch does, _, _ := strings.Cut(string(text), "\n"); does {
	case "pass":
		fmt.Println("=== RUN   FuzzX/1f")
		return 0
	case "no target":
		fmt.Println("testing: warning: no tests to run")
		return 0
	case "break":
		fmt.Println("FAIL x [build failed]")
	default:
		fmt.Println("panic: " + does)
	}
	return 1
}

// repository makes a git repository with a commit for each state. A state says what go test does in the commit; a commit with an empty state has
// no target. The package is in the folder p.
func repository(t *testing.T, states ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	testkit.Git(t, dir, "init", "--quiet")
	for i, does := range states {
		commit(t, dir, does, fmt.Sprintf("number %d", i))
	}
	return dir
}

func commit(t *testing.T, dir, does, subject string) {
	t.Helper()
	folder := filepath.Join(dir, "p")
	text := does + "\n" + subject + "\n" // each commit has a change
	err := errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(filepath.Join(folder, "does"), []byte(text), 0o666))
	test := filepath.Join(folder, "x_test.go")
	if does == "" {
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, "does"), []byte("boom\n"+subject), 0o666), os.RemoveAll(test))
	} else {
		err = errors.Join(err, os.WriteFile(test, []byte("package p\n"), 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	testkit.Commit(t, dir, subject)
}

// newBisection looks for the panic "boom" in a repository.
func newBisection(dir, good string, tested *[]string, notices *bytes.Buffer) *bisection {
	return &bisection{
		Options: Options{
			Folder: filepath.Join(dir, "p"), Record: finding.Record{ID: "5870"}, Good: good, Environ: os.Environ(), Notices: notices,
			Answer: []string{os.Args[0], answerCommand},
			Tested: func(c Commit) { *tested = append(*tested, c.Subject+" "+string(c.Verdict)) },
		},
		trial: trial{
			Record: finding.Record{ID: "5870", Kind: finding.Panic, Message: "boom", Target: "FuzzX", Path: "p/testdata/fuzz/FuzzX/1f", Input: "in"},
			Go:     os.Args[0], GoEnv: []string{goEnv + "=1"}, Folder: "p", TestFile: "x_test.go", Test: []byte("package p\n"),
			run: group.RunTests,
		},
	}
}

func TestTheCommitIsFound(t *testing.T) {
	for _, tt := range []struct {
		name   string
		states []string // of the commits, the oldest first
		good   string
		want   []string // subjects
		tested []string
	}{
		{
			"the last one",
			[]string{"pass", "pass", "boom"},
			"",
			[]string{"number 2"},
			[]string{"number 2 fails", "number 1 passes"},
		},
		{
			"behind steps that double",
			[]string{"pass", "pass", "boom", "boom", "boom"},
			"",
			[]string{"number 2"},
			[]string{"number 4 fails", "number 3 fails", "number 2 fails", "number 0 passes", "number 1 passes"},
		},
		{
			"behind a commit that the user names",
			[]string{"pass", "boom", "boom"},
			"HEAD~2",
			[]string{"number 1"},
			[]string{"number 2 fails", "number 0 passes", "number 1 fails"},
		},
		{
			"one that is older than the target",
			[]string{"pass", "", "boom"},
			"",
			[]string{"number 1"},
			[]string{"number 2 fails", "number 1 fails", "number 0 passes"},
		},
		{
			"one of several, between which none can be tested",
			[]string{"pass", "break", "other", "boom"},
			"",
			[]string{"number 3", "number 2", "number 1"},
			[]string{"number 3 fails", "number 2 cannot be tested", "number 1 cannot be tested", "number 0 passes"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := repository(t, tt.states...)
			var tested, subjects []string
			var notices bytes.Buffer
			b := newBisection(dir, tt.good, &tested, &notices)
			found, err := b.inTree(t.Context(), b.search)
			if err != nil {
				t.Fatal(err)
			}
			verdict := Introduced
			if len(tt.want) > 1 {
				verdict = MayIntroduced
			}
			for _, c := range found {
				subjects = append(subjects, c.Subject)
				if c.Verdict != verdict || c.Hash != testkit.Git(t, dir, "rev-parse", c.Hash) || !strings.HasPrefix(c.Stat, c.Name) || !strings.Contains(c.Stat, "does") {
					t.Errorf("a commit is %+v, want that it %s", c, verdict)
				}
			}
			slices.Sort(subjects)
			slices.Sort(tt.want)
			if !slices.Equal(subjects, tt.want) {
				t.Errorf("the commits are %q, want %q", subjects, tt.want)
			}
			slices.Sort(tested)
			slices.Sort(tt.tested)
			if tested = slices.Compact(tested); !slices.Equal(tested, tt.tested) {
				t.Errorf("tested were %q, want %q", tested, tt.tested)
			}
			if trees := testkit.Git(t, dir, "worktree", "list"); strings.Contains(trees, "\n") || notices.Len() > 0 {
				t.Errorf("the work trees are\n%s\nand the notices are %q", trees, notices.String())
			}
			if _, err := os.Stat(b.temp); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the folder of the search: %v", err)
			}
		})
	}
}

func TestAShallowCloneIsNamedWhereCommitsAreMissing(t *testing.T) {
	origin := repository(t, "pass", "boom")
	for good, want := range map[string]string{"": "git has no older commit; the clone is shallow", "HEAD~1": "there is no commit HEAD~1; write one that passes; the clone is shallow"} {
		dir := filepath.Join(t.TempDir(), "shallow")
		testkit.Git(t, origin, "clone", "--quiet", "--depth=1", "file://"+filepath.ToSlash(origin), dir)
		b := newBisection(dir, good, new([]string), new(bytes.Buffer))
		if _, err := b.inTree(t.Context(), b.search); err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "; `git fetch --unshallow` gets them") {
			t.Errorf("with the good commit %q the error is %v, want %q", good, err, want)
		}
	}
}

func TestThereIsNothingToLookFor(t *testing.T) {
	for _, tt := range []struct {
		name   string
		states []string
		good   string
		want   string
	}{
		{"HEAD passes", []string{"boom", "pass"}, "", "5870 passes in HEAD with plain go test"},
		{"HEAD cannot be tested", []string{"pass", "break"}, "", "gnaw cannot test 5870 in HEAD, in a work tree of committed files only:\nFAIL x [build failed]"},
		{"no commit passes", []string{"boom", "boom", "boom"}, "", "gnaw found no commit in which the input passes"},
		{"only one commit", []string{"boom"}, "", "gnaw found no commit in which the input passes"},
		{"the good commit fails", []string{"boom", "boom"}, "HEAD~1", "-good HEAD~1 is not a passing commit: there 5870 fails"},
		{"the good commit does not exist", []string{"pass", "boom"}, "nothing", "there is no commit nothing; write one that passes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var tested []string
			var notices bytes.Buffer
			b := newBisection(repository(t, tt.states...), tt.good, &tested, &notices)
			found, err := b.inTree(t.Context(), b.search)
			var request *usage.Error
			if !errors.As(err, &request) || !strings.HasPrefix(err.Error(), tt.want) || found != nil {
				t.Errorf("the answer is %v (%v), want %q", found, err, tt.want)
			}
		})
	}
}

func TestTheWorkTreeOfTheUserIsInspected(t *testing.T) {
	dirty := repository(t, "boom")
	if err := os.WriteFile(filepath.Join(dirty, "p", "does"), []byte("other\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	empty := repository(t)
	if err := os.Mkdir(filepath.Join(empty, "p"), 0o777); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	if err := os.Mkdir(filepath.Join(outside, "p"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, dir, want string }{
		{"outside of git", outside, "is not in a git work tree, so there are no commits to look at"},
		{"no commit", empty, "has no commit yet, so there is none to look at"},
		{"changes", dirty, "the work tree has changes that are not committed"},
	} {
		_, err := Run(t.Context(), newBisection(tt.dir, "", nil, nil).Options)
		var request *usage.Error
		if !errors.As(err, &request) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, newBisection(dirty, "", nil, nil).Options); !errors.Is(err, context.Canceled) {
		t.Errorf("after an interrupt: %v", err)
	}
}

func TestAFindingThatGoTestDoesNotRunIsRefused(t *testing.T) {
	_, err := Run(t.Context(), Options{Record: finding.Record{NotRun: "the target is skipped"}})
	var request *usage.Error
	if !errors.As(err, &request) || !strings.HasSuffix(err.Error(), ": the target is skipped") {
		t.Errorf("the error is %v", err)
	}
}

func TestTheTargetHasToBeInHead(t *testing.T) {
	dir := repository(t, "boom")
	if err := os.WriteFile(filepath.Join(dir, "p", "go.mod"), []byte("module example.com/p\n\ngo 1.24\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := newBisection(dir, "", nil, nil).Options
	o.Record.Target = "FuzzGone"
	var none *session.NoTargetError
	if _, err := Run(t.Context(), o); !errors.As(err, &none) {
		t.Errorf("the error is %v, want that there is no target", err)
	}
}

func TestTheWorkTreeIsRemovedAfterAnInterrupt(t *testing.T) {
	dir := repository(t, "boom")
	var notices bytes.Buffer
	b := newBisection(dir, "", nil, &notices)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := b.inTree(ctx, func(ctx context.Context) ([]Commit, error) {
		if _, err := os.Stat(filepath.Join(b.trial.Tree, "p", "does")); err != nil {
			t.Errorf("the work tree: %v", err)
		}
		cancel()
		return nil, ctx.Err()
	})
	if trees := testkit.Git(t, dir, "worktree", "list"); !errors.Is(err, context.Canceled) || strings.Contains(trees, "\n") || notices.Len() > 0 {
		t.Errorf("the error is %v, the work trees are\n%s\nand the notices are %q", err, trees, notices.String())
	}
}

func TestACommitIsAnsweredByTheExitCode(t *testing.T) {
	for does, want := range map[string]struct {
		code    int
		verdict Verdict
	}{
		"pass": {0, Passes}, "boom": {1, Fails}, "other": {125, Untested}, "break": {125, Untested}, "": {1, Fails},
	} {
		dir := repository(t, does)
		b := newBisection(dir, "", nil, nil)
		b.trial.Tree = dir
		job, err := json.Marshal(b.trial)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "trial.json")
		if err := os.WriteFile(file, job, 0o666); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		code, err := Answer(t.Context(), os.Environ(), file, &out)
		var got Commit
		if jsonErr := json.Unmarshal(out.Bytes(), &got); err != nil || jsonErr != nil || code != want.code || got.Verdict != want.verdict || got.Hash == "" {
			t.Errorf("%q: the exit code is %d with %q (%v)", does, code, out.String(), err)
		}
		if changed := testkit.Git(t, dir, "status", "--porcelain"); changed != "" {
			t.Errorf("%q: what stays is %s", does, changed)
		}
	}
}

func TestABrokenTrialEndsTheSearch(t *testing.T) {
	dir := t.TempDir()
	broken, outside := filepath.Join(dir, "broken"), filepath.Join(dir, "outside")
	job, err := json.Marshal(trial{Tree: dir})
	if err = errors.Join(err, os.WriteFile(broken, []byte("{"), 0o666), os.WriteFile(outside, job, 0o666)); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		filepath.Join(dir, "none"): "read how to test a commit: ",
		broken:                     "read how to test a commit: ",
		outside:                    "git rev-parse: ",
	} {
		var out bytes.Buffer
		code, err := Answer(t.Context(), os.Environ(), file, &out)
		if code != exitAbort || err == nil || !strings.HasPrefix(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%s: the exit code is %d with %q (%v)", file, code, out.String(), err)
		}
	}
}

func TestAnswersAreReadBetweenOtherLines(t *testing.T) {
	var got []Commit
	l := &answers{each: func(c Commit) { got = append(got, c) }}
	for _, part := range []string{"Bisecting: 3 revisions left\n{\"commit\":\"a", "b\",\"verdict\":\"fails\"}\n{}\n{\"comm", "it\":\"cd\",\"verdict\":\"passes\"}"} {
		if n, err := l.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	if want := []Commit{{Hash: "ab", Verdict: Fails}}; !slices.Equal(got, want) {
		t.Errorf("the answers are %+v, want %+v: the last line has not ended", got, want)
	}
}
