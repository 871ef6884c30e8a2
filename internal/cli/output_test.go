package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// Whatever a command prints comes to the terminal without escape codes.
func TestNoCommandPrintsEscapeCodes(t *testing.T) {
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	env := Env{Args: []string{"no\x1b[31msuch\u202ecommand\u009b"}, Dir: dir, Stdout: &stdout, Stderr: &stderr}
	if code := Main(t.Context(), env); code != exitcode.Usage {
		t.Errorf("the exit code is %d, want %d", code, exitcode.Usage)
	}
	if got := stderr.String(); strings.ContainsAny(got, "\x1b\u202e\u009b") || !strings.Contains(got, "such") {
		t.Errorf("the error output is %q", got)
	}
}

// brokenWriter writes some bytes and fails.
type brokenWriter struct{ n int }

func (w brokenWriter) Write([]byte) (int, error) { return w.n, errors.New("the disk is full") }

func TestOutputReportsOnceThatItIsIncomplete(t *testing.T) {
	var notices bytes.Buffer
	o := &output{to: brokenWriter{12}, notices: &notices}
	for range 2 {
		if n, err := o.Write([]byte("\x1b\x1b\x1b\x1b")); n != 4 || err == nil {
			t.Errorf("Write = %d, %v, want 4 and the reason", n, err)
		}
	}
	if o.failure() == nil || strings.Count(notices.String(), "the disk is full") != 1 {
		t.Errorf("the failure is %v, the notices are %q", o.failure(), notices.String())
	}
	silent := &output{to: brokenWriter{0}}
	if n, err := silent.Write([]byte("x")); n != 0 || err == nil {
		t.Errorf("Write = %d, %v, want 0 and the reason", n, err)
	}
}
