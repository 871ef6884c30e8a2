package cli

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestOtherProcessesDoNotGetSecrets(t *testing.T) {
	var passed []string
	var printed bytes.Buffer
	env := Env{
		Args: []string{"test", "-run=None", "."}, Environ: append(os.Environ(), notifyVariable+"=https://h.example/S3CRET", tokenVariable+"=S3CRET"), Dir: t.TempDir(),
		Stdout: &printed, Stderr: &printed,
		Exec: func(_ string, _, environ []string) int { passed = environ; return 0 },
	}
	if code := Main(t.Context(), env); code != 0 || passed == nil {
		t.Fatalf("gnaw test exits with %d: %s", code, printed.String())
	}
	if all := strings.Join(passed, "\n"); strings.Contains(all, "S3CRET") {
		t.Errorf("the go command gets %s", all)
	}
	text, rest := takeSecret([]string{"A=1", notifyVariable + "=https://h.example/S3CRET", "B=2"}, notifyVariable)
	if text != "https://h.example/S3CRET" || !slices.Equal(rest, []string{"A=1", "B=2"}) {
		t.Errorf("the URL is %q and the other variables are %q", text, rest)
	}
}
