package puzzles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A result is what one run of a puzzle gave.
type result struct {
	solved     bool
	executions int           // until it was solved, or of the whole run
	time       time.Duration // from the start of the worker until it was solved
	entries    int           // of the corpus cache afterwards
	bytes      int           // of all their files
}

// measured returns what a puzzle of that unit is about.
func (r result) measured(unit string) int {
	if unit == unitBytes {
		return r.bytes / max(r.entries, 1)
	}
	return r.entries
}

var execsLine = regexp.MustCompile(`(?m)^fuzz: elapsed: .*, execs: (\d+)`)

// reportEnv is the variable that tells package verdict of the targets where to write.
const reportEnv = "PUZZLE_REPORT"

// patience is how long a run may take, with minimizing what it finds.
const patience = 3 * time.Minute

// program is the test binary of a puzzle, which a fuzzer has linked once for all its runs.
type program struct {
	path string
	dir  string // folder of the package, where a run writes what it finds
	name string // of the target
	gnaw bool   // gnaw's engine fuzzes, and not the stock one
}

// build links a puzzle. The tool is a path of gnaw, or "go".
func build(t *testing.T, p puzzle, tool string) program {
	t.Helper()
	b := program{filepath.Join(t.TempDir(), p.name+".test"), filepath.Join(host.targets, p.name), p.target, tool != "go"}
	cmd := exec.CommandContext(t.Context(), tool, "test", "-c", "-vet=off", "-fuzz=.", "-o", b.path, "./"+p.name)
	cmd.Dir = host.targets
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GODEBUG=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return b
}

// run fuzzes a puzzle with one worker and no corpus. The variables are settings of gnaw.
func (b program) run(t *testing.T, fuzztime string, variables ...string) result {
	t.Helper()
	dir := t.TempDir()
	cache, report := filepath.Join(dir, "cache"), filepath.Join(dir, "report")
	if err := os.RemoveAll(filepath.Join(b.dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.path, "-test.run=^$", "-test.fuzz=^"+b.name+"$", "-test.parallel=1", "-test.fuzztime="+fuzztime,
		"-test.fuzzcachedir="+cache)
	cmd.Dir = b.dir
	cmd.Env = append(append(os.Environ(), "GODEBUG=", "GNAW="+host.gnaw, reportEnv+"="+report), variables...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	out, runErr := cmd.CombinedOutput()
	r, err := readResult(report, cache, out)
	if err != nil {
		t.Fatal(err)
	}
	// The stock engine may fail for want of time at the very end. Without a report, gnaw has no reason to fail.
	if runErr != nil && !r.solved && b.gnaw {
		t.Fatalf("%s %s: %v\n%s", strings.Join(variables, " "), strings.Join(cmd.Args, " "), runErr, out)
	}
	return r
}

// readResult collects what a run has left behind.
func readResult(report, cache string, out []byte) (r result, err error) {
	if lines := execsLine.FindAllSubmatch(out, -1); lines != nil {
		if r.executions, err = strconv.Atoi(string(lines[len(lines)-1][1])); err != nil {
			return r, err
		}
	}
	text, err := os.ReadFile(report)
	switch {
	case err == nil:
		var seconds float64
		if _, err := fmt.Sscan(string(text), &r.executions, &seconds); err != nil {
			return r, fmt.Errorf("report %q: %w", text, err)
		}
		r.solved, r.time = true, time.Duration(seconds*float64(time.Second))
	case !errors.Is(err, fs.ErrNotExist):
		return r, err
	}
	err = filepath.WalkDir(cache, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			r.entries++
			r.bytes += int(info.Size())
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // nothing was kept
	}
	return r, err
}
