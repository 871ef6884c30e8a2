package testkit

import (
	"os/exec"
	"strings"
	"testing"
)

// Git runs git in a folder and returns what it prints, without white space around it. The test ends if git fails.
func Git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Commit commits all files of a git work tree.
func Commit(t *testing.T, dir, subject string) {
	t.Helper()
	Git(t, dir, "add", "--all")
	Git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", subject)
}
