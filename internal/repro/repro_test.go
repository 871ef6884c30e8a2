package repro

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// fakeEnv is the variable that has the test binary be a go command: its value is what it prints, and its exit code is in exitEnv. With
// -v it prints what is in verboseEnv.
const (
	fakeEnv    = "GNAW_REPRO_FAKE"
	verboseEnv = "GNAW_REPRO_VERBOSE"
	exitEnv    = "GNAW_REPRO_EXIT"
)

func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv(fakeEnv); ok {
		if slices.Contains(os.Args, "-v") {
			text = os.Getenv(verboseEnv)
		}
		fmt.Print(text)
		code := 0
		_, _ = fmt.Sscan(os.Getenv(exitEnv), &code)
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func TestAFindingWithoutAFileGetsThePathOfOne(t *testing.T) {
	const text = "go test fuzz v1\nbyte('a')\n"
	for _, tt := range []struct {
		name string
		r    finding.Record
		want string
	}{
		{"a file", finding.Record{Path: "p/x", Input: text}, "p/x"},
		{"a seed of F.Add", finding.Record{Folder: "p", Target: "FuzzX", Seed: "seed#0", Input: text}, "p/testdata/fuzz/FuzzX/0927932202d86d41"},
		{"no input", finding.Record{Folder: "p", Target: "FuzzX"}, ""},
	} {
		if got := WithFile(tt.r).Path; got != tt.want {
			t.Errorf("%s: the path is %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTheInputIsThereForTheTimeOfARun(t *testing.T) {
	root := t.TempDir()
	m := project.Module{Root: root}
	r := finding.Record{Path: "p/testdata/fuzz/FuzzX/1f", Input: "text"}
	if err := os.Mkdir(filepath.Join(root, "p"), 0o777); err != nil {
		t.Fatal(err)
	}
	var notices bytes.Buffer
	put := func() func() {
		t.Helper()
		remove, err := PutInput(m, r, &notices)
		if err != nil {
			t.Fatal(err)
		}
		return remove
	}
	remove := put()
	if text, err := os.ReadFile(m.Abs(r.Path)); err != nil || string(text) != "text" {
		t.Errorf("the file has %q (%v)", text, err)
	}
	remove()
	if files, err := os.ReadDir(filepath.Join(root, "p")); err != nil || len(files) != 0 {
		t.Errorf("what stays is %v (%v)", files, err)
	}

	for name, text := range map[string]string{"a file of the user's": "text", "a file that the user has changed": "other"} {
		file := m.Abs(r.Path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
		put()()
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%s has %q (%v)", name, got, err)
		}
	}
	if remove, err := PutInput(m, finding.Record{}, &notices); err != nil {
		t.Errorf("a finding without a file: %v", err)
	} else {
		remove()
	}
	if notices.Len() > 0 {
		t.Errorf("the notices are %q", notices.String())
	}

	// A file takes the place of a folder.
	r.Path = "p/testdata/fuzz/FuzzX/1f/2f"
	if _, err := PutInput(m, r, &notices); err == nil || !strings.HasPrefix(err.Error(), "put the input where go test looks for it: ") {
		t.Errorf("a file that cannot be written: %v", err)
	}
}

// runFake runs goTest with the test binary as the go command.
func runFake(ctx context.Context, path, text, verbose string, code int) (Result, string, error) {
	var stdout bytes.Buffer
	o := Options{Record: finding.Record{Target: "FuzzX"}, ID: "5870", Stdout: &stdout, Stderr: &stdout}
	env := append(os.Environ(), fakeEnv+"="+text, verboseEnv+"="+verbose, fmt.Sprintf("%s=%d", exitEnv, code))
	res, err := o.goTest(ctx, gocommand.Toolchain{Go: path, Env: env}, "")
	return res, stdout.String(), err
}

func TestTheResultIsThatOfGoTest(t *testing.T) {
	for _, tt := range []struct {
		name, text, verbose string
		code                int
		want                Result
		wantErr             string
	}{
		{"a failure", "FAIL\n", "", 1, Result{Failed: true, Code: 1}, ""},
		{"another exit code", "no\n", "", 2, Result{Failed: true, Code: 2}, ""},
		{"an input that passes", "ok\n", "=== RUN   FuzzX/1f\n", 0, Result{}, ""},
		{"an input that is not run", "ok\n", "=== RUN   FuzzX\n", 0, Result{}, "go test passes, but it does not run the input of 5870: "},
	} {
		got, printed, err := runFake(t.Context(), os.Args[0], tt.text, tt.verbose, tt.code)
		if got != tt.want || printed != tt.text {
			t.Errorf("%s: %+v, and it prints %q; want %+v and %q", tt.name, got, printed, tt.want, tt.text)
		}
		if (err != nil) != (tt.wantErr != "") || err != nil && !strings.HasPrefix(err.Error(), tt.wantErr) {
			t.Errorf("%s: the error is %v, want %q", tt.name, err, tt.wantErr)
		}
	}
	if _, _, err := runFake(t.Context(), filepath.Join(t.TempDir(), "go"), "", "", 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no go command: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, _, err := runFake(ctx, os.Args[0], "", "", 0); !errors.Is(err, context.Canceled) {
		t.Errorf("after an interrupt the result is %+v (%v)", got, err)
	}
}

func TestAFolderThatIsGoneIsAnError(t *testing.T) {
	o := Options{Module: project.Module{Root: filepath.Join(t.TempDir(), "none")}, Record: finding.Record{Kind: finding.Panic, Target: "FuzzX"}, Environ: os.Environ()}
	if got, err := Run(t.Context(), o); err == nil {
		t.Errorf("Run = %+v without an error", got)
	}
}

func TestAFindingThatGoTestDoesNotShowIsRefused(t *testing.T) {
	measured := finding.Record{Kind: finding.Leak, Target: "FuzzX", Measure: &finding.Measure{Limit: 1}}
	for _, tt := range []struct {
		name, want string
		o          Options
		usage      bool
	}{
		{"with flags of go test", "go test does not show the failure of 5870, so gnaw runs the input itself", Options{ID: "5870", Record: measured, Flags: []string{"-v"}}, true},
		{"without a measurement", "the history does not say what was measured for 5870; find it again", Options{ID: "5870", Record: finding.Record{Kind: finding.Leak}}, false},
		{
			"with a measurement of another version", "the history does not say what was measured for 5870; find it again",
			Options{ID: "5870", Record: finding.Record{Kind: finding.Leak, Measure: &finding.Measure{}}},
			false,
		},
		{"without an input", "read the input in the history: ", Options{ID: "5870", Record: measured}, false},
	} {
		got, err := Run(t.Context(), tt.o)
		var request *usage.Error
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || errors.As(err, &request) != tt.usage {
			t.Errorf("%s: Run = %+v, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestAFindingBringsTheVariablesThatAreNotSet(t *testing.T) {
	got := WithVariables([]string{"A=1", "GODEBUG=mine=1", "GOARCH="}, []string{"GOEXPERIMENT=jsonv2", "GODEBUG=x=1", "GOARCH=386"})
	if want := []string{"A=1", "GODEBUG=mine=1", "GOARCH=", "GOEXPERIMENT=jsonv2"}; !slices.Equal(got, want) {
		t.Errorf("the environment is %q, want %q", got, want)
	}
}
