package focus_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/stat"
)

var (
	focusRuns  = flag.Int("focus.runs", 0, "measure -focus with this number of runs of each target, with and without it")
	focusExecs = flag.Int("focus.execs", 5_000_000, "limit for one run of -focus.runs of a package with one target, in executions")
	focusTime  = flag.Duration("focus.time", time.Minute, "limit for one run of -focus.runs of a package with several targets")
	focusOnly  = flag.String("focus.only", "", "targets of -focus.runs, separated by commas (default: all)")
	focusGnaw  = flag.String("focus.gnaw", "", "file of gnaw for -focus.runs (default: build it)")
)

// planted lists the packages of testdata/planted. Each has one line that panics, and -focus names this line. For a package with one target, the
// measurement counts the executions until the first input reaches the line. The executions of several targets take different times, so for
// them it measures the time until the finding is reported.
var planted = []struct {
	name, file string
	several    bool // targets
}{
	{"wide", "wide/wide.go", false},
	{"states", "states/states.go", false},
	{"section", "section/section.go", false},
	{"many", "many/many.go", true},
}

// writeOps writes the other instructions of package wide.
func writeOps(t *testing.T, dir string) {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintln(&b, "package wide")
	fmt.Fprintln(&b, "\nvar ops [200]func([]byte) int\n\nfunc init() {\n\tops = [200]func([]byte) int{")
	for i := range 200 {
		fmt.Fprintf(&b, "\t\top%d,\n", i)
	}
	fmt.Fprintln(&b, "\t}\n}")
	for i := range 200 {
		if i == 137 {
			continue
		}
		fmt.Fprintf(&b, `
func op%[1]d(b []byte) (n int) {
	if b[0] > %[2]d {
		n++
		switch b[1] %% %[3]d {
		case 0:
			n += 2
		case 1, 2:
			if b[2]&%[4]d == 0 {
				n *= 3
			}
		case 3:
			for range b[3] %% 8 {
				n++
			}
		}
	} else if b[4] == b[1]^%[2]d {
		n--
	}
	return n
}
`, i, 20+i%200, 4+i%5, 1<<(i%8))
	}
	if err := os.WriteFile(filepath.Join(dir, "wide", "ops.go"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run fuzzes a package with one worker until an input reaches the planted line, which panics. It returns the executions or, with several
// targets, the seconds; limited says that no input has reached the line.
func run(t *testing.T, gnaw, dir, name string, several bool, seed int, flags ...string) (took float64, limited bool) {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, used := range []string{filepath.Join(strings.TrimSpace(string(cache)), "fuzz", "gnaw.test", "planted", name), filepath.Join(dir, name, "testdata")} {
		if err := os.RemoveAll(used); err != nil {
			t.Fatal(err)
		}
	}
	limit := fmt.Sprintf("-fuzztime=%dx", *focusExecs)
	if several {
		limit = "-fuzztime=" + focusTime.String()
	}
	args := append([]string{
		"fuzz", "-json", "-fresh", "-failfast", "-parallel=1", "-oracles=none", "-fuzzminimizetime=0s", fmt.Sprintf("-seed=%d", seed), limit,
	}, flags...)
	cmd := exec.Command(gnaw, append(args, "./"+name)...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1 && exit.ExitCode() != 4) {
		t.Fatalf("%v: %s\n%s", err, said.String(), out)
	}
	return readRun(out, several)
}

// readRun reads the events of a run.
func readRun(out []byte, several bool) (took float64, limited bool) {
	var began, found time.Time
	var execs float64
	for line := range bytes.Lines(out) {
		var e struct {
			Event string
			At    time.Time
			Execs float64
		}
		if err := json.Unmarshal(line, &e); err != nil {
			continue // a field of another event has another type
		}
		switch e.Event {
		case "start":
			began = e.At
		case "finding":
			found = e.At
		case "status":
			execs = e.Execs
		}
	}
	switch {
	case !several:
		return execs, found.IsZero()
	case found.IsZero():
		return focusTime.Seconds(), true
	}
	return found.Sub(began).Seconds(), false
}

// TestFocusIsFaster measures how long it takes until an input reaches a planted line, with -focus and without it. The runs alternate.
func TestFocusIsFaster(t *testing.T) {
	if *focusRuns == 0 {
		t.Skip("a measurement of many minutes; see -focus.runs")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/planted")); err != nil {
		t.Fatal(err)
	}
	writeOps(t, dir)
	gnaw := *focusGnaw
	if gnaw == "" {
		gnaw = filepath.Join(t.TempDir(), "gnaw")
		if err := testkit.BuildGnaw(gnaw); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Printf("%s/%s, one worker, at most %d executions or %v\n\n", runtime.GOOS, runtime.GOARCH, *focusExecs, *focusTime)
	fmt.Println("| target | without -focus | with -focus | with : without | p |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: |")
	for _, p := range planted {
		if *focusOnly != "" && !slices.Contains(strings.Split(*focusOnly, ","), p.name) {
			continue
		}
		focus := fmt.Sprintf("-focus=%s:%d", p.file, lineOf(t, filepath.Join(dir, p.file), `panic("planted")`))
		without, with := sample{several: p.several}, sample{several: p.several}
		for seed := 1; seed <= *focusRuns; seed++ {
			without.add(run(t, gnaw, dir, p.name, p.several, seed))
			with.add(run(t, gnaw, dir, p.name, p.several, seed, focus))
			t.Logf("%s, seed %d: %.0f without, %.0f with", p.name, seed, without.values[seed-1], with.values[seed-1])
		}
		fmt.Printf("| %s | %v | %v | %.2f | %.4f |\n", p.name, without, with, stat.Median(with.values)/stat.Median(without.values), stat.MannWhitney(without.values, with.values))
	}
}

// lineOf returns the number of the only line of a file with a text.
func lineOf(t *testing.T, file, text string) int {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(source), text)
	if !ok {
		t.Fatalf("%s does not contain %s", file, text)
	}
	return strings.Count(before, "\n") + 1
}

// sample has the results of several runs.
type sample struct {
	several bool // the values are seconds; otherwise executions
	values  []float64
	limited int // runs in which no input reached the line
}

func (s *sample) add(took float64, limited bool) {
	s.values = append(s.values, took)
	if limited {
		s.limited++
	}
}

// String describes the sample by its median, its smallest and its largest value.
func (s sample) String() string {
	unit, scale := "M", 1e6
	if s.several {
		unit, scale = " s", 1
	}
	text := fmt.Sprintf("%.2f%s (%.2f to %.2f)", stat.Median(s.values)/scale, unit, slices.Min(s.values)/scale, slices.Max(s.values)/scale)
	if s.limited > 0 {
		text += fmt.Sprintf(", %d not reached", s.limited)
	}
	return text
}
