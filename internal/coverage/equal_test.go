package coverage

import (
	"bufio"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
)

var goVersions = flag.String("coverage.versions", "", "Go versions for the comparison with go test -cover, with commas between them; empty: the one in PATH")

// equalTargets are the targets that are compared with go test -cover, each with inputs.
var equalTargets = []struct {
	pkg, name string
	covered   []string // as in Options.Packages
	inputs    []string
}{
	{"example.com/equal/expr", "FuzzEval", nil, []string{"1+2", "(3*4)", "-7/2", "1+", "((((", "x", "9999999999999999999", " 1 - 1 "}},
	{"example.com/equal/std", "FuzzJSON", []string{"encoding/json"}, []string{`{"a":[1,2.5e3,null,true]}`, `"\u00e9\ud834"`, `[`, `{"a":}`, "0x", `{"b":"c"}`}},
	{"example.com/equal/kinds", "FuzzKinds", nil, []string{"generic", "closure", "line", "tagged", "generated", "cgo", "none", ""}},
}

func TestStatementsAreThoseOfGoTest(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	for version := range strings.SplitSeq(*goVersions, ",") {
		t.Run("go"+version, func(t *testing.T) {
			env := append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off")
			if version != "" {
				env = append(env, "GOTOOLCHAIN=go"+version)
			}
			compareWithGoTest(t, env)
		})
	}
}

func compareWithGoTest(t *testing.T, env []string) {
	dir := equalModule(t)
	tc, err := build.FindToolchain(t.Context(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	tc.Cache = t.TempDir() // the corpus
	flags := []string{"-tags=special"}
	targets, broken, err := build.List(t.Context(), tc, dir, []string{"./..."}, flags)
	if err != nil || len(broken) > 0 || len(targets) != len(equalTargets) {
		t.Fatalf("targets: %v, %v, %v", targets, broken, err)
	}
	for _, c := range equalTargets {
		target := targets[slices.IndexFunc(targets, func(t build.Target) bool { return t.Name == c.name })]
		// Half of the inputs are seeds.
		cached := filepath.Join(tc.Cache, "fuzz", filepath.FromSlash(c.pkg), c.name)
		seeds := filepath.Join(target.Dir, "testdata", "fuzz", c.name)
		saveInputs(t, cached, c.inputs[:len(c.inputs)/2])
		saveInputs(t, seeds, c.inputs[len(c.inputs)/2:])
		list, failed, err := Run(t.Context(), tc, []build.Target{target}, Options{
			Dir: dir, Environ: env, Packages: c.covered, Flags: flags, Timeout: time.Minute,
		})
		if err != nil || len(failed) > 0 || len(list) != 1 {
			t.Fatalf("%s: %v, %v", c.name, failed, err)
		}
		var text strings.Builder
		if err := WriteProfile(&text, Merge(list, All)); err != nil {
			t.Fatal(err)
		}
		saveInputs(t, seeds, c.inputs)
		covered, err := build.Covered(t.Context(), tc, dir, c.pkg, build.CoverOptions{Patterns: c.covered, Flags: flags})
		if err != nil {
			t.Fatal(err)
		}
		profile := filepath.Join(t.TempDir(), "c.out")
		cmd := exec.Command(tc.Go, "test", flags[0], "-run=^"+c.name+"$", "-covermode=atomic", "-coverpkg="+strings.Join(covered, ","), "-coverprofile="+profile, c.pkg)
		cmd.Dir, cmd.Env = dir, tc.Environ()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go test: %v\n%s", err, out)
		}
		want, err := os.ReadFile(profile)
		if err != nil {
			t.Fatal(err)
		}
		comparesProfiles(t, c.name, text.String(), string(want))
	}
}

// comparesProfiles fails unless two profiles have the same blocks and cover the same ones.
func comparesProfiles(t *testing.T, name, got, want string) {
	t.Helper()
	ours, theirs := coveredBlocks(t, got), coveredBlocks(t, want)
	if len(theirs) < 20 {
		t.Errorf("%s: go test has %d blocks only", name, len(theirs))
	}
	for _, block := range slices.Sorted(maps.Keys(theirs)) {
		if covered, ok := ours[block]; !ok || covered != theirs[block] {
			t.Errorf("%s: %s: covered %v, listed %v; go test says covered %v", name, block, covered, ok, theirs[block])
		}
	}
	if len(ours) != len(theirs) {
		t.Errorf("%s: %d blocks, go test has %d", name, len(ours), len(theirs))
	}
}

// coveredBlocks reads a profile: which blocks, with their statements, are covered.
func coveredBlocks(t *testing.T, profile string) map[string]bool {
	t.Helper()
	blocks := map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(profile)); lines.Scan(); {
		if at := strings.LastIndexByte(lines.Text(), ' '); !strings.HasPrefix(lines.Text(), "mode:") {
			blocks[lines.Text()[:at]] = lines.Text()[at:] != " 0"
		}
	}
	return blocks
}

func saveInputs(t *testing.T, dir string, inputs []string) {
	t.Helper()
	store := corpus.Open(dir, corpus.GoTest([]input.Kind{input.String}))
	for _, s := range inputs {
		h, _, err := store.Take(input.Args{{Kind: input.String, Data: []byte(s)}})
		if err == nil {
			err = h.Keep()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// equalModule writes a module with the targets: a copy of an example of this repository, one of the standard library, and one for each
// kind of file.
func equalModule(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"expr.go", "expr_test.go"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "examples", "expr", name))
		if err != nil {
			t.Fatal(err)
		}
		write("expr/"+name, string(text))
	}
	text, err := os.ReadFile(filepath.Join("testdata", "equal.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq("\n"+string(text), "\n-- ") {
		if name, content, ok := strings.Cut(part, " --\n"); ok {
			write(name, content+"\n")
		}
	}
	write("go.mod", "module example.com/equal\n\ngo 1.24\n")
	return dir
}
