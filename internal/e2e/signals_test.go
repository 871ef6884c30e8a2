//go:build linux

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEveryCommandEndsBySignals sends INT, TERM and HUP to gnaw alone, as kill does, while each command waits for a process: a
// test that sleeps, or a go command that does. It must end with the exit code that shells give, and leave nothing.
func TestEveryCommandEndsBySignals(t *testing.T) {
	t.Parallel()
	if !*flagLong {
		t.Skip("takes a minute: -e2e.long")
	}
	// What runs the tests may ignore SIGHUP, as nohup does, and gnaw would. A signal that is caught here is not ignored there.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	w, dir := module(t, "signals")
	s := &signaling{w, dir, filepath.Join(w.dir, "begun")}
	s.commit(t)
	id := s.finding(t)
	for _, tt := range []struct {
		args   []string
		fakeGo bool // the go command sleeps
	}{
		{[]string{"repro", id}, false},
		{[]string{"bisect", id}, false},
		{[]string{"minimize", id}, false},
		{[]string{"fuzz"}, true},
		{[]string{"init"}, true},
		{[]string{"cover"}, true},
		{[]string{"list"}, true},
		{[]string{"corpus", "stat", ".", "FuzzWait"}, true},
		{[]string{"build", "-o", "fuzzer", ".", "FuzzWait"}, true},
		{[]string{"regress", id}, true},
		{[]string{"test", "-fuzz=FuzzWait"}, true},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			t.Run(fmt.Sprintf("%s, %v", tt.args[0], sig), func(t *testing.T) { s.end(t, tt.args, tt.fakeGo, sig) })
		}
	}
}

// signaling is the state of TestEveryCommandEndsBySignals.
type signaling struct {
	*world
	dir   string
	begun string // file that is there when the process sleeps that the command waits for
}

// git runs git in the module.
func (s *signaling) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.dir, s.environ("GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", args[0], err, out)
	}
	return string(out)
}

// commit makes the module a git work tree.
func (s *signaling) commit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal(err)
	}
	s.git(t, "init", "-q", ".")
	s.git(t, "add", ".")
	s.git(t, "-c", "user.name=A Person", "-c", "user.email=person@example.com", "commit", "-q", "-m", "begin")
}

// finding finds a failure, of which the input is in the history only then.
func (s *signaling) finding(t *testing.T) string {
	t.Helper()
	code, output := s.start(t, s.dir, s.environ(), host.gnaw, "fuzz", "-json", "-failfast", "-fuzztime=100x", "-parallel=1").wait(t, patience)
	_, rest, found := strings.Cut(output, `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	if code != 1 || !found {
		t.Fatalf("exit code %d, and no finding:\n%s", code, output)
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	return id
}

// end runs a command, and ends it by a signal when it waits.
func (s *signaling) end(t *testing.T, args []string, fakeGo bool, sig syscall.Signal) {
	t.Helper()
	if err := os.RemoveAll(s.begun); err != nil {
		t.Fatal(err)
	}
	env := s.environ("BEGUN=" + s.begun)
	if fakeGo {
		env = append(env, "PATH="+filepath.Join(s.dir, "fake")+":"+os.Getenv("PATH"))
	}
	r := s.start(t, s.dir, env, host.gnaw, args...)
	r.waitFor(t, "", s.begun)
	if err := r.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	code, output := r.wait(t, patience)
	if want := 128 + int(sig); code != want || strings.Count(output, "gnaw: ") != 1 || !strings.Contains(output, "gnaw: stopping; ") {
		t.Errorf("exit code %d, want %d, and one line of gnaw\n%s", code, want, output)
	}
	s.wantNoProcess(t)
	if left := s.git(t, "status", "--porcelain"); left != "" {
		t.Errorf("files are left:\n%s", left)
	}
	if trees := s.git(t, "worktree", "list"); strings.Count(trees, "\n") != 1 {
		t.Errorf("a work tree is left:\n%s", trees)
	}
	if left := glob(t, filepath.Join(s.temp, "*")); len(left) > 0 {
		t.Errorf("temporary files are left: %q", left)
	}
}
