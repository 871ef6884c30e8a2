//go:build linux

package e2e

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// terminal is a window of tmux with a shell in the folder of a module.
type terminal struct {
	t      *testing.T
	socket string
}

// newTerminal starts a terminal of 80 columns and 24 lines.
func newTerminal(t *testing.T, w *world, dir string, environ ...string) *terminal {
	t.Helper()
	term := &terminal{t, filepath.Join(w.dir, "tmux")}
	cmd := exec.Command("tmux", "-S", term.socket, "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "env PS1='ready> ' sh -i")
	cmd.Dir, cmd.Env = dir, w.environ(environ...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", term.socket, "kill-server").Run() }) // if it has not ended
	return term
}

// tmux runs a command of tmux and returns its output.
func (term *terminal) tmux(args ...string) string {
	out, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Errorf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// keys presses keys, as tmux names them.
func (term *terminal) keys(names ...string) { term.tmux(append([]string{"send-keys"}, names...)...) }

// lines returns what the terminal shows, with what was scrolled out of it.
func (term *terminal) lines() string { return term.tmux("capture-pane", "-p", "-S", "-") }

// await waits until the terminal shows a text.
func (term *terminal) await(text string) {
	term.t.Helper()
	if !within(longPatience, func() bool { return strings.Contains(term.lines(), text) }) {
		term.t.Fatalf("%q does not appear on the terminal:\n%s", text, term.lines())
	}
}

// expect waits until a format of tmux, such as #{alternate_on}, has a value: the terminal may show a text before it has read the escape codes
// that follow.
func (term *terminal) expect(format, want string) {
	term.t.Helper()
	got := ""
	if !eventually(func() bool {
		got = strings.TrimSpace(term.tmux("display-message", "-p", format))
		return got == want
	}) {
		term.t.Errorf("%s is %q, want %q", format, got, want)
	}
}

// TestTheTerminalInterface runs a campaign in a terminal, and looks at each page and at what is left at the end.
func TestTheTerminalInterface(t *testing.T) {
	if !*flagLong {
		t.Skip("takes a minute: -e2e.long")
	}
	for _, way := range []string{"^C", "^C ^C", "SIGTERM", "SIGKILL", "SIGQUIT"} {
		t.Run(way, func(t *testing.T) {
			w, dir := module(t, "terminal")
			term := newTerminal(t, w, dir)
			term.keys(host.gnaw+" fuzz -std=plain -parallel=1 -http=127.0.0.1:0; code=$?", "Enter")
			term.await("1 finding ")
			term.await("FuzzFine")
			term.expect("#{alternate_on}", "1")
			if way == "^C" {
				term.pages()
				term.suspend()
			}
			term.end(w, way)
		})
	}
}

// TestACampaignEndsWithItsTerminal closes the terminal of a campaign.
func TestACampaignEndsWithItsTerminal(t *testing.T) {
	if !*flagLong {
		t.Skip("takes some seconds: -e2e.long")
	}
	w, dir := module(t, "terminal")
	term := newTerminal(t, w, dir)
	term.keys(host.gnaw+" fuzz -std=plain -parallel=1", "Enter")
	term.await("1 finding ")
	term.tmux("kill-session")
	if !eventually(func() bool { return len(w.processes()) == 0 }) {
		t.Errorf("these processes are left: %v", w.processes())
	}
}

// pages opens each page and resizes the terminal.
func (term *terminal) pages() {
	term.keys("2")
	term.await(" bug ")
	term.keys("Enter")
	term.await("re-run  go test -run=FuzzCodes/")
	term.keys("c")
	term.await("copied: go test")
	term.keys("1", "Enter")
	term.await("edges over time")
	term.keys("Escape") // alone: with another key behind it, it is Alt
	term.await(" share new edges")
	term.keys("/", "n", "o", "n", "e")
	term.await("no target passes the filter")
	term.keys("BSpace", "BSpace", "BSpace", "BSpace", "c", "o", "d", "Enter", "m")
	term.await(">. FuzzCodes")
	term.expect("#{mouse_any_flag}", "1")
	term.keys("m", "Escape")
	term.await("FuzzFine")
	term.expect("#{mouse_any_flag}", "0")
	term.keys("?")
	term.await("States of a target")
	term.keys("3", "Home")
	term.await("fuzzing 2 targets with 1 worker")
	term.await("gnaw: dashboard: http://127.0.0.1:")
	term.tmux("resize-window", "-x", "60", "-y", "20")
	term.await("needs a terminal of 80×24")
	term.tmux("resize-window", "-x", "120", "-y", "40")
	term.await(strings.Repeat("─", 120))
	term.expect("#{pane_title}", strings.TrimSpace(term.tmux("display-message", "-p", "#{host}")))
}

// suspend stops the campaign and resumes it.
func (term *terminal) suspend() {
	term.keys("C-z")
	term.await("Stopped")
	term.expect("#{alternate_on}", "0")
	term.keys("fg", "Enter")
	term.await(strings.Repeat("─", 120))
	term.expect("#{alternate_on}", "1")
}

// ends are ways to end gnaw, with the exit code and what the terminal has at the end.
var ends = map[string]struct {
	signal syscall.Signal // 0: ^C is pressed, once or twice
	code   string
	left   []string
}{
	"^C":      {0, "1", plainOutput},
	"^C ^C":   {0, "130", []string{"finding ", "FuzzCodes  \\x1b]2;owned", "gnaw: stopping"}}, // without the results
	"SIGTERM": {syscall.SIGTERM, "1", plainOutput},
	"SIGKILL": {syscall.SIGKILL, "137", []string{"gnaw ended unexpectedly"}},
	"SIGQUIT": {syscall.SIGQUIT, "2", []string{"gnaw ended unexpectedly", "goroutine 1"}}, // it ends with the stacks of all goroutines, as after a panic
}

// plainOutput is what a campaign leaves in the terminal.
var plainOutput = []string{"finding ", "FuzzCodes  \\x1b]2;owned", "gnaw: stopping", "next edge  target", "2 targets: 1 with a bug"}

// end ends gnaw, and checks that the terminal is as before.
func (term *terminal) end(w *world, way string) {
	how := ends[way]
	switch way {
	case "^C":
		term.keys("C-c")
	case "^C ^C":
		for _, p := range w.processes() {
			if p.isWorker() { // a worker that does not answer delays the end of the campaign
				_ = syscall.Kill(p.pid, syscall.SIGSTOP)
			}
		}
		term.keys("C-c", "C-c")
	}
	for _, p := range w.processes() {
		if how.signal != 0 && p.args[0] == host.gnaw && p.has("fuzz") {
			if err := syscall.Kill(p.pid, how.signal); err != nil {
				term.t.Error(err)
			}
		}
	}
	for _, want := range how.left {
		term.await(want)
	}
	// The process that restores the terminal may be the last one. What the shell prints before that is lost.
	ended := func() bool {
		return !slices.ContainsFunc(w.processes(), func(p process) bool { return p.args[0] == host.gnaw })
	}
	if !eventually(ended) {
		term.t.Errorf("these processes are left: %v", w.processes())
	}
	term.expect("#{alternate_on}", "0")
	term.keys("echo exit code $code", "Enter")
	term.await("exit code " + how.code)
	term.keys("stty -a", "Enter")
	term.await(" icanon ")
	term.await(" echo ")
}
