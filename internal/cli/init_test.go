package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
