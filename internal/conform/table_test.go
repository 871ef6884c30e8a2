package conform

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A result is the outcome of one script with one version of Go.
type result struct {
	status  string // "pass", "fail", "skip", or "" if the script did not run
	note    string // the line that skipped the script or that it failed at
	seconds float64
}

// A table collects results. It is safe for concurrent use.
type table struct {
	mu       sync.Mutex
	versions []string
	scripts  []string
	results  map[[2]string]result // by version and script
}

// expect reserves a cell, so that a script filtered out by -run shows as such.
func (tb *table) expect(version, script string) { tb.set(version, script, result{}) }

func (tb *table) set(version, script string, r result) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if !slices.Contains(tb.versions, version) {
		tb.versions = append(tb.versions, version)
	}
	if !slices.Contains(tb.scripts, script) {
		tb.scripts = append(tb.scripts, script)
		slices.Sort(tb.scripts)
	}
	if tb.results == nil {
		tb.results = make(map[[2]string]result)
	}
	tb.results[[2]string{version, script}] = r
}

// String is the table script by version, the sums, and a note for each script that did not pass.
func (tb *table) String() string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "script\t%s\n", strings.Join(tb.versions, "\t"))
	var notes strings.Builder
	for _, script := range tb.scripts {
		row := []string{script}
		for _, version := range tb.versions {
			r := tb.results[[2]string{version, script}]
			row = append(row, r.String())
			if r.note != "" {
				fmt.Fprintf(&notes, "%s %s: %s: %s\n", version, script, r.status, r.note)
			}
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	sums := []string{"sum"}
	for _, version := range tb.versions {
		sums = append(sums, tb.sum(version))
	}
	fmt.Fprintln(w, strings.Join(sums, "\t"))
	w.Flush()
	return out.String() + notes.String()
}

func (r result) String() string {
	switch r.status {
	case "":
		return "-"
	case "skip":
		return "skip"
	}
	return fmt.Sprintf("%s %.1fs", r.status, r.seconds)
}

func (tb *table) sum(version string) string {
	count := make(map[string]int)
	seconds := 0.0
	for key, r := range tb.results {
		if key[0] == version {
			count[r.status]++
			seconds += r.seconds
		}
	}
	return fmt.Sprintf("%d pass, %d fail, %d skip in %.0fs", count["pass"], count["fail"], count["skip"], seconds)
}

// scriptT is the T that testscript runs on: a *testing.T that files the outcome of every script in a table.
type scriptT struct {
	*testing.T
	version string
	results *table
	note    string
}

func (t *scriptT) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(sub *testing.T) {
		child := &scriptT{T: sub, version: t.version, results: t.results}
		start := time.Now()
		defer func() {
			status := "pass"
			if sub.Failed() {
				status = "fail"
			} else if sub.Skipped() {
				status = "skip"
			}
			child.results.set(t.version, name, result{status, child.note, time.Since(start).Seconds()})
		}()
		f(child)
	})
}

// Parallel does nothing: the scripts of a version run one after the other, because some are about time.
func (t *scriptT) Parallel() {}

func (t *scriptT) Verbose() bool { return testing.Verbose() }

// Log gets the transcript of the script at its end.
func (t *scriptT) Log(args ...any) {
	log := fmt.Sprint(args...)
	t.T.Log(log)
	if note := lastLine(log, t.Failed()); note != "" && (t.Failed() || t.Skipped()) {
		t.note = note
	}
}

// lastLine finds the line of a transcript that failed or skipped the script.
func lastLine(log string, failed bool) string {
	prefix := "> "
	if failed {
		prefix = "FAIL: "
	}
	lines := strings.Split(log, "\n")
	for _, line := range slices.Backward(lines) {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			if failed {
				rest = rest[strings.LastIndexAny(rest[:strings.Index(rest+": ", ": ")], `/\`)+1:]
			}
			return rest
		}
	}
	return ""
}
