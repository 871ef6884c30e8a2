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

// patience is how much longer than its budget a run may take: it has to be built, and what it finds is minimized.
const patience = 3 * time.Minute

// run fuzzes a puzzle with one worker and nothing in the cache. The tool is a path of gnaw, or "go".
func run(t *testing.T, p puzzle, tool, fuzztime string, flags ...string) result {
	t.Helper()
	dir := t.TempDir()
	cache, report := filepath.Join(dir, "cache"), filepath.Join(dir, "report")
	if err := errors.Join(newCache(cache), os.RemoveAll(filepath.Join(host.targets, p.name, "testdata"))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	args := []string{"test", "-vet=off", "-run=^$", "-fuzz=^" + p.target + "$", "-parallel=1", "-fuzztime=" + fuzztime}
	cmd := exec.CommandContext(ctx, tool, append(append(args, flags...), "./"+p.name)...)
	cmd.Dir = host.targets
	cmd.Env = append(os.Environ(), "GOCACHE="+cache, "GOWORK=off", "GOFLAGS=", "GODEBUG=", reportEnv+"="+report)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	out, runErr := cmd.CombinedOutput()
	r, err := readResult(report, cache, out)
	if err != nil {
		t.Fatal(err)
	}
	// The stock engine may fail for want of time at the very end. Without a report, gnaw has no reason to fail.
	if runErr != nil && !r.solved && tool != "go" {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), runErr, out)
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
	err = filepath.WalkDir(filepath.Join(cache, "fuzz"), func(_ string, d fs.DirEntry, err error) error {
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

// newCache makes a build cache at dir. Its shards are links to those of the user's cache, so nothing is compiled anew,
// but it has a corpus of its own, which the go command keeps beside them.
func newCache(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i := range 256 {
		shard := fmt.Sprintf("%02x", i)
		if err := os.Symlink(filepath.Join(host.cache, shard), filepath.Join(dir, shard)); err != nil {
			return err
		}
	}
	// The go command looks for old files to remove when this date is a day ago.
	return os.WriteFile(filepath.Join(dir, "trim.txt"), fmt.Appendf(nil, "%d", time.Now().Unix()), 0o666)
}
