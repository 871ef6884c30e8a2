package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// longPatience is how long a test waits for something that comes after test binaries are built, or after a browser has started.
const longPatience = 6 * patience

// process is one of a test's processes.
type process struct {
	pid  int
	args []string
}

func (p process) String() string { return fmt.Sprintf("%d %s", p.pid, strings.Join(p.args, " ")) }

// processes finds all processes of the test that live, by the mark in their environment. Only Linux tells them; on
// other systems there is none.
func (w *world) processes() (found []process) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is well-formed
	mark := []byte("\x00" + markEnv + "=" + w.dir + "\x00")
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, environ...), mark) {
			continue
		}
		cmdline, err := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		pid, convErr := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err == nil && convErr == nil && len(cmdline) > 0 { // a zombie has none
			args := strings.Split(strings.TrimSuffix(string(cmdline), "\x00"), "\x00")
			found = append(found, process{pid, args})
		}
	}
	return found
}

// isWorker reports whether p executes inputs.
func (p process) isWorker() bool { return p.has("-test.fuzzworker") }

// isCoordinator reports whether p is gnaw, started by a test process.
func (p process) isCoordinator() bool { return len(p.args) == 2 && p.args[1] == "coordinate" }

// isTest reports whether p is a test process that waits for a coordinator.
func (p process) isTest() bool { return strings.HasSuffix(p.args[0], ".test") && !p.isWorker() }

// isGo reports whether p is `go test`.
func (p process) isGo() bool {
	return len(p.args) > 1 && filepath.Base(p.args[0]) == "go"+exeSuffix() && p.args[1] == "test"
}

func (p process) has(arg string) bool {
	return slices.Contains(p.args, arg)
}

// killAll ends the processes of the test.
func (w *world) killAll() {
	for _, p := range w.processes() {
		if p, err := os.FindProcess(p.pid); err == nil {
			_ = p.Kill() // it may be gone
		}
	}
}

// wantNoProcess fails the test if a process of it lives on.
func (w *world) wantNoProcess(t *testing.T) {
	t.Helper()
	var left []process
	if !eventually(func() bool { left = w.processes(); return len(left) == 0 }) {
		t.Errorf("processes are left over: %v", left)
		w.killAll()
	}
}

// eventually waits until condition holds; it gives up after patience.
func eventually(condition func() bool) bool { return within(patience, condition) }

// within waits until condition holds; it gives up after limit. It is for conditions that nothing signals: the state of other processes, their
// files and their answers.
func within(limit time.Duration, condition func() bool) bool {
	pause := 5 * time.Millisecond
	for end := time.Now().Add(limit); !condition(); pause = min(2*pause, 50*time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}

// running is a command whose output goes to a file, so that nothing but its own end ends it.
type running struct {
	cmd    *exec.Cmd
	output string // path of the file
	done   chan struct{}
}

// start starts a command in a process group of its own.
func (w *world) start(t *testing.T, dir string, env []string, name string, args ...string) *running {
	t.Helper()
	out, err := os.CreateTemp(w.dir, "output-*")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r := &running{cmd: exec.Command(name, args...), output: out.Name(), done: make(chan struct{})}
	r.cmd.Dir, r.cmd.Env, r.cmd.Stdout, r.cmd.Stderr = dir, env, out, out
	ownGroup(r.cmd)
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { defer close(r.done); _ = r.cmd.Wait() }() // the state tells how it ended
	return r
}

// read returns what was printed so far.
func (r *running) read(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(r.output)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wait waits for the end and returns the exit code, -1 after a signal.
func (r *running) wait(t *testing.T, limit time.Duration) (code int, output string) {
	t.Helper()
	select {
	case <-r.done:
	case <-time.After(limit):
		_ = killGroup(r.cmd)
		<-r.done
		t.Errorf("%s did not end within %v:\n%s", strings.Join(r.cmd.Args, " "), limit, r.read(t))
	}
	return r.cmd.ProcessState.ExitCode(), r.read(t)
}

// waitFor waits until text is printed, or a file is there, if it is given.
func (r *running) waitFor(t *testing.T, text, file string) {
	t.Helper()
	ready := func() bool {
		_, err := os.Stat(file)
		return strings.Contains(r.read(t), text) && (file == "" || err == nil)
	}
	ended := func() bool {
		select {
		case <-r.done:
			return true
		default:
			return false
		}
	}
	if eventually(func() bool { return ready() || ended() }); !ready() {
		t.Fatalf("%s did not get to print %q:\n%s", strings.Join(r.cmd.Args, " "), text, r.read(t))
	}
}
