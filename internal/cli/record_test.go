package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
)

func TestAProcessThatEndsWithoutAWordHasAMessage(t *testing.T) {
	p := project{t.TempDir(), "example.com/m"}
	r := recordOf(p, build.Target{Package: "example.com/m", Dir: p.root, Name: "FuzzX"}, &finding.Finding{
		Kind: finding.Exit, Output: "fuzzing process hung or terminated unexpectedly: exit status 3\n", Path: "testdata/fuzz/FuzzX/1", Replays: 3, Failures: 2,
	})
	if r.Message != "exit status 3" || r.Path != "testdata/fuzz/FuzzX/1" || r.Folder != "." || r.Replays != 3 || r.Repeats != 2 {
		t.Errorf("the record is %+v", r)
	}
}

// The target does not count for the ID of what fails in a helper.
func TestAFailureWithoutAWordHasNone(t *testing.T) {
	p := project{t.TempDir(), "example.com/m"}
	r := recordOf(p, build.Target{Package: "example.com/m", Dir: p.root, Name: "FuzzX"}, &finding.Finding{
		Kind: finding.Failure, Place: "x_test.go:3", Output: "--- FAIL: FuzzX (0.00s)\n    x_test.go:3: \n", Replays: 3, Failures: 3,
	})
	if r.Message != "" || r.Title() != "failure" {
		t.Errorf("the message is %q, the title %q", r.Message, r.Title())
	}
	b := bisection{record: r}
	if !b.isThis("--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/a (0.00s)\n        x_test.go:9: \nFAIL\n") {
		t.Error("bisect does not recognize it")
	}
	if b.isThis("--- FAIL: FuzzX (0.00s)\npanic: no [recovered]\nFAIL\n") || b.isThis("x.go:3: undefined: y\nFAIL\tx [build failed]\n") {
		t.Error("bisect takes another failure for it")
	}
}

func TestBisectRecognizesAnExit(t *testing.T) {
	exit := bisection{record: finding.Record{Kind: finding.Exit, Message: "exit status 1"}}
	for output, want := range map[string]bool{
		"exit status 3\nFAIL\tx\t0.003s\nFAIL\n":                                                true,
		"2026/11/25 13:00:00 no line\nFAIL\tx\t0.003s\nFAIL\n":                                  true,
		"panic: is what it says\nFAIL\tx\t0.003s\nFAIL\n":                                       true,
		"--- FAIL: FuzzX (0.00s)\n    x_test.go:9: no\nFAIL\nFAIL\tx\t0.003s\nFAIL\n":           false,
		"panic: no\n\ngoroutine 7 [running]:\nx.f()\n\t/x/x.go:1 +0x1\nFAIL\tx\t0.003s\nFAIL\n": false,
		"fatal error: all goroutines are asleep - deadlock!\nFAIL\tx\t0.003s\nFAIL\n":           false,
		"x.go:3: undefined: y\nFAIL\tx [build failed]\n":                                        false,
	} {
		if exit.isThis(output) != want {
			t.Errorf("that this is an exit is %v:\n%s", !want, output)
		}
	}
}

func TestTheModuleIsLookedForUpwards(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	if p := findProject(deep); p.root != deep || p.module != deep {
		t.Errorf("without a module it is %+v", p)
	}
	for _, f := range []struct {
		name, text string
		want       project
	}{
		{"go.work", "go 1.24\n", project{root, root}},
		{"go.mod", "// the module x\n\nmodule \"example.com/m\" // ours\n", project{root, "example.com/m"}},
	} {
		if err := os.WriteFile(filepath.Join(root, f.name), []byte(f.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if p := findProject(deep); p != f.want {
			t.Errorf("with %s it is %+v, want %+v", f.name, p, f.want)
		}
	}
}
