package scaffold

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

var (
	update   = flag.Bool("scaffold.update", false, "write the golden files")
	versions = flag.String("scaffold.go", "", "also run the targets with these versions of Go, such as 1.27.3,1.25.0, which the go command fetches")
)

// module copies the module testdata/shapes, and returns options for the copy.
func module(t *testing.T) Options {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/shapes")); err != nil {
		t.Fatal(err)
	}
	environ := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local")
	return Options{Source: code.Source{Go: "go", Dir: dir, Environ: environ}, Patterns: []string{"./..."}, Scratch: t.TempDir()}
}

func TestPackagesGetTheirTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tests of more than twenty packages")
	}
	o := module(t)
	list, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var summary strings.Builder
	for _, p := range list {
		summarize(&summary, p)
		name := strings.TrimPrefix(p.Path, "example.com/shapes/")
		if p.File == "" {
			continue
		}
		got, err := os.ReadFile(filepath.Join(p.Dir, p.File))
		if err != nil || !bytes.Equal(got, p.Source) {
			t.Errorf("%s has other content than the result, or none: %v", p.File, err)
		}
		golden(t, name+".go.txt", got)
	}
	golden(t, "summary.txt", []byte(summary.String()))
	t.Run("a second time changes nothing", func(t *testing.T) { isUnchanged(t, o) })
	t.Run("the targets pass go test, but for the one that panics", func(t *testing.T) { passes(t, o) })
	for version := range strings.SplitSeq(*versions, ",") {
		if version != "" {
			t.Run("and with Go "+version, func(t *testing.T) {
				o.Environ = append(slices.Clone(o.Environ), "GOTOOLCHAIN=go"+version)
				passes(t, o)
			})
		}
	}
}

// summarize writes the result for a package.
func summarize(w *strings.Builder, p Package) {
	fmt.Fprintf(w, "%s %s%s\n", strings.TrimPrefix(p.Path, "example.com/shapes/"), p.File, p.Problem)
	for _, target := range p.Targets {
		fmt.Fprintf(w, "\t%s %s %s\n", target.Kind, target.Name, strings.Join(target.Covers, " "))
	}
	for _, s := range p.Skipped {
		fmt.Fprintf(w, "\tskipped %s: %s\n", s.Key, s.Reason)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(w, "\t%s %s %s: %s\n", n.Verdict, n.Target, n.Seed, n.Why)
	}
	if p.Unchecked != "" {
		fmt.Fprintf(w, "\tunchecked: %s\n", p.Unchecked)
	}
}

// golden compares data with a golden file.
func golden(t *testing.T, name string, data []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, data, want)
	}
}

func isUnchanged(t *testing.T, o Options) {
	list, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if len(p.Targets) > 0 || p.File != "" {
			t.Errorf("%s has new targets in %s: %v", p.Path, p.File, p.Targets)
		}
	}
}

func passes(t *testing.T, o Options) {
	cmd := exec.Command("go", "test", "./...")
	cmd.Dir, cmd.Env = o.Dir, o.Environ
	out, _ := cmd.CombinedOutput()
	failed := regexp.MustCompile(`(?m)^FAIL\s+example.com/shapes/(\S+)`).FindAllSubmatch(out, -1)
	if len(failed) != 1 || string(failed[0][1]) != "panics" {
		t.Errorf("go test failed in %q, want in panics only:\n%s", failed, out)
	}
}

func TestAPlanExecutesNothing(t *testing.T) {
	o := module(t)
	list, err := Plan(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	targets := 0
	for _, p := range list {
		targets += len(p.Targets)
		if matches, _ := filepath.Glob(filepath.Join(p.Dir, "*fuzz_test.go")); len(matches) > 0 && !strings.HasSuffix(p.Path, "/covered") {
			t.Errorf("%s was written", matches)
		}
	}
	if targets == 0 {
		t.Error("no targets are planned")
	}
}

func TestTargetsAreAddedToAFile(t *testing.T) {
	o := module(t)
	o.Patterns, o.Update = []string{"./covered"}, true
	list, err := Run(context.Background(), o)
	if err != nil || len(list) != 1 || list[0].Problem != "" {
		t.Fatalf("Run = %+v, %v", list, err)
	}
	old, err := os.ReadFile("testdata/shapes/covered/fuzz_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if got := list[0]; got.File != FileName || !bytes.HasPrefix(got.Source, old) || !bytes.Contains(got.Source[len(old):], []byte("func FuzzParseMore(")) {
		t.Errorf("%s is\n%s", got.File, got.Source)
	}
}

func TestOnlySomeFunctionsGetTargets(t *testing.T) {
	o := module(t)
	o.Patterns, o.Only, o.Dry = []string{"./parse"}, regexp.MustCompile("^Digits$"), true
	list, err := Run(context.Background(), o)
	if err != nil || len(list) != 1 || len(list[0].Targets) != 1 || list[0].Targets[0].Name != "FuzzDigits" {
		t.Errorf("Run = %+v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "parse", FileName)); err == nil {
		t.Error("a file was written")
	}
}

func TestAPackageWithCgoGetsNoTargets(t *testing.T) {
	enabled, err := exec.Command("go", "env", "CGO_ENABLED").Output() // without a C compiler, the default is 0
	switch off := strings.TrimSpace(string(enabled)) != "1"; {
	case err != nil, off && runtime.GOOS == "linux":
		t.Fatalf("CGO_ENABLED is %q (%v); install gcc", enabled, err)
	case off:
		t.Skip("cgo is off")
	}
	o := module(t)
	o.Patterns = []string{"./calls"}
	if err := os.WriteFile(filepath.Join(o.Dir, "calls", "cgo.go"), []byte("package calls\n\nimport \"C\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := Run(context.Background(), o)
	if err != nil || len(list) != 1 || list[0].Problem != "it uses cgo" || list[0].Broken || list[0].File != "" {
		t.Errorf("Run = %+v, %v", list, err)
	}
}

func TestAPackageThatDoesNotCompileIsAProblem(t *testing.T) {
	o := module(t)
	o.Patterns = []string{"./parse", "./calls"}
	if err := os.WriteFile(filepath.Join(o.Dir, "parse", "more.go"), []byte("package parse\n\nvar x int = \"\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := Run(context.Background(), o)
	if err != nil || len(list) != 2 || len(list[0].Targets) == 0 || !strings.Contains(list[1].Problem, "more.go:3") {
		t.Errorf("Run = %+v, %v", list, err)
	}
}

func TestTestsThatCannotBeExecutedCheckNothing(t *testing.T) {
	o := module(t)
	o.Patterns, o.Dry = []string{"./printed"}, true
	main := "package printed\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(*testing.M) {\n\tfmt.Println(\"no database\")\n\tos.Exit(1)\n}\n"
	if err := os.WriteFile(filepath.Join(o.Dir, "printed", "main_test.go"), []byte(main), 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := Run(context.Background(), o)
	if err != nil || len(list) != 1 || list[0].Unchecked != "no database" {
		t.Fatalf("Run = %+v, %v", list, err)
	}
	if len(list[0].Targets) == 0 {
		t.Error("there are no targets")
	}
	for _, target := range list[0].Targets {
		if target.Kind != "parse" {
			t.Errorf("%s checks a property that was not tried", target.Name)
		}
	}
}

func TestLawsThatWereNotTriedAreNotWritten(t *testing.T) {
	o := module(t)
	o.Patterns, o.Dry = []string{"./laws"}, true
	main := "package laws\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(*testing.M) { os.Exit(1) }\n"
	if err := os.WriteFile(filepath.Join(o.Dir, "laws", "main_test.go"), []byte(main), 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := Run(context.Background(), o)
	if err != nil || len(list) != 1 || len(list[0].Targets) != 0 {
		t.Errorf("Run = %+v, %v, want no target", list, err)
	}
}

func TestALinkIsLeftAlone(t *testing.T) {
	for _, update := range []bool{false, true} {
		o := module(t)
		o.Patterns, o.Update = []string{"./calls"}, update
		elsewhere := filepath.Join(t.TempDir(), "other_test.go")
		if err := os.WriteFile(elsewhere, []byte("package calls\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(o.Dir, "calls", FileName)
		if err := os.Symlink(elsewhere, link); err != nil {
			t.Fatal(err)
		}
		list, err := Run(context.Background(), o)
		if err != nil || len(list) != 1 || list[0].File != OtherName {
			t.Errorf("with Update %v: Run = %+v, %v", update, list, err)
		}
		if to, err := os.Readlink(link); err != nil || to != elsewhere {
			t.Errorf("the link leads to %q (%v)", to, err)
		}
		if text, err := os.ReadFile(elsewhere); err != nil || string(text) != "package calls\n" {
			t.Errorf("the file behind the link is %q (%v)", text, err)
		}
	}
}

func TestNoTargetsAreAddedToAFileThatTheBuildLeavesOut(t *testing.T) {
	o := module(t)
	o.Patterns, o.Update = []string{"./calls"}, true
	old := "//go:build other\n\npackage calls\n"
	path := filepath.Join(o.Dir, "calls", FileName)
	if err := os.WriteFile(path, []byte(old), 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := Run(context.Background(), o)
	if err != nil || len(list) != 1 || !list[0].Broken || !strings.Contains(list[0].Problem, "the build constraint of fuzz_test.go leaves it out") {
		t.Errorf("Run = %+v, %v", list, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != old {
		t.Errorf("the file is %q (%v)", text, err)
	}
}

func TestAFileThatCannotBeReadIsAProblem(t *testing.T) {
	o := module(t)
	o.Patterns = []string{"./calls"}
	if err := os.Mkdir(filepath.Join(o.Dir, "calls", FileName), 0o777); err != nil {
		t.Fatal(err)
	}
	list, err := Run(context.Background(), o)
	if err != nil || len(list) != 1 || !list[0].Broken || !strings.Contains(list[0].Problem, FileName) || list[0].Targets != nil {
		t.Errorf("Run = %+v, %v", list, err)
	}
}

func TestTheEndOfTheContextLeavesNothing(t *testing.T) {
	o := module(t)
	o.Patterns = []string{"./calls"}
	ctx, cancel := context.WithCancel(context.Background())
	o.OnPackage = func(string, int) { cancel() }
	list, err := Run(ctx, o)
	if !errors.Is(err, context.Canceled) || len(list) > 0 {
		t.Errorf("Run = %+v, %v", list, err)
	}
	left, err := os.ReadDir(o.Scratch)
	if err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "calls", FileName)); err == nil {
		t.Error("a file was written")
	}
}
