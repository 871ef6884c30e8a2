//go:build unix

package scaffold

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/check"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

var (
	modules = flag.Bool("scaffold.modules", false, "fetch the modules of testdata/modules.txt and write targets for them")
	only    = flag.String("scaffold.only", "", "take only modules whose paths match this `regexp`")
	fuzz    = flag.Duration("scaffold.fuzz", 0, "then fuzz each target for this time")
)

// moduleLimit is the CPU time that gnaw init may take for one module. Unlike the time that passes, it does not depend on what else the
// machine does. Fetching the module and its dependencies does not count.
const moduleLimit = 3 * time.Minute

// outcome is the result for one module.
type outcome struct {
	path, version string
	packages      int           // packages for which targets are planned
	compiling     int           // of these packages, those whose tests compile with the targets
	left          int           // targets that were not written because they do not compile
	targets       int           // targets that were written
	passing       int           // of these targets, those that pass with the texts of the package
	panicking     []string      // targets that panic as Run says
	failing       []string      // targets that fail
	took, busy    time.Duration // time that passed, and CPU time
}

// TestModules writes targets for published modules that have none.
//
//	go test ./internal/scaffold -run=TestModules -timeout=2h -v -scaffold.modules [-scaffold.only=regexp] [-scaffold.fuzz=60s]
func TestModules(t *testing.T) {
	if !*modules {
		t.Skip("fetches forty modules and takes twenty minutes; -scaffold.modules runs it")
	}
	list, err := os.ReadFile(filepath.Join("testdata", "modules.txt"))
	if err != nil {
		t.Fatal(err)
	}
	chosen := regexp.MustCompile(*only)
	gnaw := ""
	if *fuzz > 0 {
		gnaw = buildGnaw(t)
	}
	var all []outcome
	for line := range strings.Lines(string(list)) {
		path, version, ok := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(line, "#") || !ok || !chosen.MatchString(path) {
			continue
		}
		t.Run(path, func(t *testing.T) {
			o := tryModule(t, path, version, gnaw)
			all = append(all, o)
			t.Log(o.row())
		})
	}
	if len(all) == 0 {
		t.Fatalf("no module has a result; -scaffold.only is %q", *only)
	}
	t.Log("\n" + table(all))
	packages, compiling := 0, 0
	for _, o := range all {
		packages, compiling = packages+o.packages, compiling+o.compiling
	}
	if 100*compiling < 95*packages {
		t.Errorf("%d of %d packages compile with their targets, want 95 %%", compiling, packages)
	}
}

// buildGnaw builds the command and returns its path.
func buildGnaw(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gnaw")
	if err := testkit.BuildGnaw(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// tryModule writes targets for one module, and runs them.
func tryModule(t *testing.T, path, version, gnaw string) outcome {
	environ := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	o := outcome{path: path, version: version}
	dir := fetch(t, environ, path+"@"+version)
	if name := shipsTarget(t, dir); name != "" {
		t.Errorf("%s has a fuzz target, so the module does not belong in this list", name)
	}
	begin, before := time.Now(), processorTime(t)
	list, err := Run(t.Context(), Options{Source: code.Source{Go: "go", Dir: dir, Environ: environ}, Patterns: []string{"./..."}, Scratch: t.TempDir()})
	o.took, o.busy = time.Since(begin), processorTime(t)-before
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		o.add(t, environ, p)
	}
	slices.Sort(o.panicking)
	slices.Sort(o.failing)
	if !slices.Equal(o.panicking, o.failing) {
		t.Errorf("the targets %q fail with texts of the package, want those that Run reports: %q", o.failing, o.panicking)
	}
	if o.busy > moduleLimit {
		t.Errorf("took %v of the processors, want %v at most", o.busy, moduleLimit)
	}
	if gnaw != "" && o.targets > 0 {
		cmd := exec.Command(gnaw, "fuzz", "-each="+fuzz.String(), "-oracles=none", "./...")
		cmd.Dir, cmd.Env = dir, environ
		out, _ := cmd.CombinedOutput() // gnaw exits with 1 if it finds bugs
		t.Logf("gnaw fuzz:\n%s", out)
	}
	return o
}

// processorTime returns the CPU time of this process and of the processes that it has waited for.
func processorTime(t *testing.T) (d time.Duration) {
	t.Helper()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			t.Fatal(err)
		}
		d += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return d
}

// fetch downloads a module, adds the dependencies of its tests to the go.mod of a copy, and returns the folder of the copy.
func fetch(t *testing.T, environ []string, module string) string {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) []byte {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, environ
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, exit.Stderr)
		} else if err != nil {
			t.Fatal(err)
		}
		return out
	}
	var from struct{ Dir string }
	if err := json.Unmarshal(run("mod", "download", "-json", module), &from); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(from.Dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		path, _, _ := strings.Cut(module, "@")
		run("mod", "init", path)
	}
	run("mod", "tidy", "-e")
	run("mod", "download")
	return dir
}

var targetDecl = regexp.MustCompile(`(?m)^func Fuzz\w*\(\w+ \*testing\.F\)`)

// shipsTarget returns a file of the module that contains a fuzz target; empty: there is none.
func shipsTarget(t *testing.T, dir string) (file string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		if targetDecl.Match(src) {
			file = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// add compiles and runs the targets of a package, and adds the results.
func (o *outcome) add(t *testing.T, environ []string, p Package) {
	t.Helper()
	for _, n := range p.Notes {
		switch {
		case n.Verdict == check.Panics:
			o.panicking = append(o.panicking, p.Path+"."+n.Target)
		case n.Verdict == check.Dropped && n.Seed == "":
			o.left++
			t.Logf("%s: %s does not compile: %s", p.Path, n.Target, n.Why)
		}
	}
	if p.Broken {
		t.Logf("%s: %s", p.Path, p.Problem)
		if !strings.HasPrefix(p.Problem, "it does not compile") { // the package compiles without targets
			o.packages++
		}
	}
	if p.Unchecked != "" {
		t.Logf("%s is not checked: %s", p.Path, p.Unchecked)
	}
	if p.File == "" {
		return
	}
	o.packages++
	o.targets += len(p.Targets)
	binary := filepath.Join(t.TempDir(), "p.test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-o", binary, ".") // vet refuses some tests of these modules
	cmd.Dir, cmd.Env = p.Dir, environ
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("%s does not compile: %v\n%s", p.Path, err, out)
		return
	}
	o.compiling++
	for _, target := range p.Targets {
		cmd := exec.Command(binary, "-test.run=^"+target.Name+"$", "-test.timeout=1m")
		cmd.Dir, cmd.Env = p.Dir, environ
		if out, err := cmd.CombinedOutput(); err != nil {
			o.failing = append(o.failing, p.Path+"."+target.Name)
			t.Logf("%s fails: %s", target.Name, bytes.TrimSpace(out[:min(len(out), 400)]))
		} else {
			o.passing++
		}
	}
}

// row returns the row of the table for a module.
func (o outcome) row() string {
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %d | %.0f | %.0f |", o.path, o.version, o.packages, o.compiling, o.targets, o.left, o.passing, len(o.panicking), o.took.Seconds(), o.busy.Seconds())
}

// table returns a Markdown table of modules and the sums.
func table(all []outcome) string {
	var b strings.Builder
	b.WriteString("| module | version | packages | compile | targets | left out by the compiler | pass | announced to panic | seconds | of processors |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	sum := outcome{path: "all"}
	for _, o := range all {
		fmt.Fprintln(&b, o.row())
		sum.packages, sum.compiling, sum.targets, sum.left, sum.passing = sum.packages+o.packages, sum.compiling+o.compiling, sum.targets+o.targets, sum.left+o.left, sum.passing+o.passing
		sum.panicking, sum.took, sum.busy = append(sum.panicking, o.panicking...), sum.took+o.took, sum.busy+o.busy
	}
	fmt.Fprintln(&b, sum.row())
	return b.String()
}
