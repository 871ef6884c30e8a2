package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// wordy are the targets that end their process: gnaw prints what the process has said, which the stock engine keeps to
// itself. All that the stock engine prints must be there as well.
var wordy = []string{"FuzzPanicInGoroutine"}

// TestMethodsOfT executes each target of testdata/methods with the same inputs by the stock engine and by gnaw's, and
// compares what they print, how they exit and what the target has seen.
//
// The input is a seed in the first round. In the second, if it fails, it is a file of the corpus cache: then the failure
// is a new one, and written to testdata.
func TestMethodsOfT(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	w, dir := module(t, "methods")
	stock, ours := filepath.Join(w.dir, "stock.test"), filepath.Join(w.dir, "gnaw.test")
	w.compile(t, "go", dir, stock)
	w.compile(t, host.gnaw, dir, ours)
	targets := w.targets(t, ours)
	if testing.Short() {
		targets = []string{"FuzzCleanupOrder", "FuzzError", "FuzzIsolation", "FuzzPanic"}
	}
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			for _, cached := range []bool{false, true} {
				want := w.execute(t, dir, stock, target, cached)
				got := w.execute(t, dir, ours, target, cached)
				if slices.Contains(wordy, target) && got != want {
					got = onlyLinesOf(got, want)
				}
				if got != want {
					t.Errorf("go test -fuzz, input cached %v:\n%s\n\ngnaw test -fuzz:\n%s", cached, want, got)
				}
				if strings.HasPrefix(want, "exit code 0") {
					break
				}
			}
		})
	}
}

// onlyLinesOf is text without the lines that model does not have.
func onlyLinesOf(text, model string) string {
	lines := strings.Split(model, "\n")
	return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		return !slices.Contains(lines, line)
	}), "\n")
}

// enough is the number of executions that every target gets at least: gnaw repeats what is new, so it needs some more
// than there are seeds.
const enough = "40x"

// execute runs a target and returns what can be seen of that.
func (w *world) execute(t *testing.T, dir, binary, target string, cached bool) string {
	t.Helper()
	corpus, file := filepath.Join(w.dir, "corpus"), filepath.Join(w.dir, "notes")
	for _, path := range []string{corpus, file, filepath.Join(dir, "testdata")} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	env := w.environ("NOTES="+file, "GOTRACEBACK=none")
	if cached {
		env = append(env, "CACHED=yes")
		writeFile(t, filepath.Join(corpus, target, "entry"), "go test fuzz v1\nstring(\"seed\")\n")
	}
	r := w.start(t, dir, env, binary, "-test.run=^$", "-test.fuzz=^"+target+"$",
		"-test.fuzztime="+enough, "-test.parallel=1", "-test.fuzzcachedir="+corpus, "-test.fuzzminimizetime=0")
	code, output := r.wait(t, time.Minute)
	w.wantNoProcess(t)
	return fmt.Sprintf("exit code %d\n%s\nnotes:\n%s", code, normal(output), readNotes(t, file))
}

// readNotes returns the blocks of a file of notes, sorted, and each once: the engines execute an input several times.
func readNotes(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	blocks := strings.SplitAfter(string(text), "---\n")
	slices.Sort(blocks)
	return strings.Join(slices.Compact(blocks), "")
}

// writeFile writes a file whose directories it makes.
func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}
