//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shells are how a shell starts in a terminal with the completion of gnaw and without files of the user.
var shells = map[string]string{
	"bash": "bash --norc --noprofile -i",
	"zsh":  "zsh -f -i",
	"fish": "fish --no-config -i",
}

// load are the lines that load the completion, and set a prompt.
var load = map[string][]string{
	"bash": {"PS1='now> '; source <(gnaw completion bash)"},
	"zsh":  {"PS1='now> '; autoload -Uz compinit; compinit -u -D; source <(gnaw completion zsh)"},
	"fish": {"function fish_prompt; echo -n 'now> '; end; gnaw completion fish | source"},
}

// TestShellsCompleteWhatIsTyped types the same keys in each shell.
func TestShellsCompleteWhatIsTyped(t *testing.T) {
	if !*flagLong {
		t.Skip("starts shells in terminals: -e2e.long")
	}
	for shell, command := range shells {
		t.Run(shell, func(t *testing.T) {
			w, dir := module(t, "terminal")
			for _, name := range []string{"parser", "reports"} {
				if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "reports", "old.sarif"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
			term := newTerminal(t, w, dir)
			term.keys("clear; exec "+command, "Enter")
			for _, line := range load[shell] {
				term.keys(line, "Enter")
			}
			term.await("\nnow>")
			for _, tt := range []struct{ typed, want string }{
				{"gnaw fronti", "gnaw frontier Z"},
				{"gnaw fuzz -fuzzt", "gnaw fuzz -fuzztime=Z"},
				{"gnaw fuzz -ui=pl", "gnaw fuzz -ui=plain Z"},
				{"gnaw fuzz -std pl", "gnaw fuzz -std plain Z"},
				{"gnaw fuzz -oracles=alloc,gr", "gnaw fuzz -oracles=alloc,growth Z"},
				{"gnaw fuzz pars", "gnaw fuzz parser/Z"},
				{"gnaw fuzz -sarif=reports/o", "gnaw fuzz -sarif=reports/old.sarif Z"},
				{"gnaw corpus expo", "gnaw corpus export Z"},
				{"gnaw help environ", "gnaw help environment Z"},
			} {
				term.keys("C-l")
				term.tmux("clear-history")
				term.keys(tt.typed, "Tab", "Z") // the last key tells what is typed from what fish suggests
				term.await("now> " + tt.want)
				term.keys("C-u")
			}
		})
	}
}

// TestManualPagesAreWellFormed writes the manual pages, and has mandoc check them.
func TestManualPagesAreWellFormed(t *testing.T) {
	if !*flagLong {
		t.Skip("needs mandoc: -e2e.long")
	}
	w, dir := module(t, "terminal")
	cmd := exec.Command(host.gnaw, "help", "-man", "man")
	cmd.Dir, cmd.Env = dir, w.environ()
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("gnaw help -man: %v\n%s", err, out)
	}
	pages := glob(t, filepath.Join(dir, "man", "gnaw*.[17]"))
	if len(pages) < 20 {
		t.Fatalf("these are the pages: %q", pages)
	}
	out, err := exec.Command("mandoc", append([]string{"-T", "lint", "-W", "warning"}, pages...)...).CombinedOutput()
	if len(out) == 0 && err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "missing date") { // of a build outside of a git work tree
			t.Error(line)
		}
	}
}
