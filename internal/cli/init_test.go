package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/check"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

// A cut is a writer that calls end when a text is written to it.
type cut struct {
	at  string
	end func()
}

func (c cut) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(c.at)) {
		c.end()
	}
	return len(p), nil
}

func TestTargetsThatAreWrittenBeforeAnInterruptAreNamed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"a/a.go": "package a\n\nfunc Parse(s string) (byte, error) { return s[0], nil }\n",
		"b/b.go": "package b\n\nfunc Parse(s string) (byte, error) { return s[0], nil }\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stdout strings.Builder
	env := Env{Dir: dir, Environ: append(os.Environ(), "GOWORK=off", "GOFLAGS="), Stdout: &stdout, Stderr: cut{"example.com/m/b: trying", cancel}}
	if _, err := runInit(ctx, env, nil); err == nil {
		t.Error("runInit returns no error after the interrupt")
	}
	if got := stdout.String(); !strings.HasPrefix(got, "a/fuzz_test.go: 1 target\n") || !strings.Contains(got, "\nwrote 1 target in 1 package\n") {
		t.Errorf("runInit prints %q, want the file in a", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "a", "fuzz_test.go")); err != nil {
		t.Error(err)
	}
}

func TestMissingTargetsAreExplained(t *testing.T) {
	skipped := scaffold.Package{Path: "x.org/a", Skipped: []plan.Skipped{{Key: "F", Reason: "FuzzF calls it"}}}
	for _, tt := range []struct {
		name    string
		pkg     scaffold.Package
		verbose bool
		want    string
	}{
		{"reasons that are not printed", skipped, false, "no function gets a new target; -v says why\n"},
		{"reasons that are printed", skipped, true, "no targets for x.org/a:\n  no target for F: FuzzF calls it\nno function gets a new target\n"},
		{"a package that cannot get targets", scaffold.Package{Problem: "it is a program"}, false, "no function gets a new target; -v says why\n"},
		{"a target that does not compile", scaffold.Package{Notes: []check.Note{{Verdict: check.Dropped}}}, false, "no function gets a new target; -v says why\n"},
		{"a package that does not compile", scaffold.Package{Problem: "it does not compile", Broken: true}, false, "no function gets a new target\n"},
		{"no reasons", scaffold.Package{}, false, "no function gets a new target\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			r := initReport{env: Env{Stdout: &stdout, Stderr: &stderr}, flags: initFlags{verbose: tt.verbose}}
			if err := r.print([]scaffold.Package{tt.pkg}); err != nil {
				t.Fatal(err)
			}
			if got := stdout.String(); got != tt.want {
				t.Errorf("print writes %q, want %q", got, tt.want)
			}
		})
	}
}
