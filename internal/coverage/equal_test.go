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
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

var (
	goVersions = flag.String("coverage.versions", "", "Go versions for the comparison with go test -cover, with commas between them; empty: the one in PATH")
	allTargets = flag.Bool("coverage.all", false, "compare all targets with go test -cover (default: three of them)")
)

// equalTarget is a target that is compared with go test -cover.
type equalTarget struct {
	pkg, name string
	module    string   // folder of its module
	covered   []string // as in Options.Packages
	inputs    []string
	always    bool // it is compared without -coverage.all too
	newest    bool // its module needs the newest Go version, so it is not compared with -coverage.versions
}

var equalTargets = []equalTarget{
	{
		pkg: "example.com/equal/expr", name: "FuzzEval",
		inputs: []string{"1+2", "(3*4)", "-7/2", "1+", "((((", "x", "9999999999999999999", " 1 - 1 "},
	},
	{
		pkg: "example.com/equal/std", name: "FuzzJSON", covered: []string{"encoding/json"}, always: true,
		inputs: []string{`{"a":[1,2.5e3,null,true]}`, `"\u00e9\ud834"`, `[`, `{"a":}`, "0x", `{"b":"c"}`},
	},
	{
		pkg: "example.com/equal/kinds", name: "FuzzKinds", always: true,
		inputs: []string{"generic", "closure", "line", "tagged", "generated", "cgo", "none", ""},
	},
	{
		pkg: "example.com/equal/std", name: "FuzzXML", covered: []string{"encoding/xml"},
		inputs: []string{"<a b='c'>d<e/></a>", "<a>", "<!-- x --><?y z?><a>&lt;&#65;</a>", "<![CDATA[x]]>", "<a xmlns:b='c' b:d='e'/>", "&"},
	},
	{
		pkg: "example.com/equal/std", name: "FuzzTemplate", covered: []string{"text/template", "text/template/parse"},
		inputs: []string{"{{.}}", "{{if .}}a{{else}}b{{end}}", "{{range $i, $x := .}}{{$i}}{{end}}", "{{printf \"%d\" 3}}", "{{", "{{define `x`}}{{end}}{{template `x`}}"},
	},
	{
		pkg: "example.com/equal/std", name: "FuzzURL", covered: []string{"net/url", "net/mail"},
		inputs: []string{"http://a:b@c:80/d%20e?f=g&h#i", "//[::1]/", "a <b@c.d>", "%zz", "mailto:x", "?a=b;c", "\"x y\" <x@[1.2.3.4]>"},
	},
	{
		pkg: "example.com/third", name: "FuzzTOML", module: "third", covered: []string{"github.com/BurntSushi/toml/..."}, always: true, newest: true,
		inputs: []string{"a = 1", "[a.b]\nc = [1, 2.5, 'x']", "d = 1979-05-27T07:32:00Z", "a = {b = true}", "[[a]]\nb = 0x1f\n[[a]]", "= 1", "a = \"\\u00e9\""},
	},
	{
		pkg: "example.com/third", name: "FuzzMod", module: "third", covered: []string{"golang.org/x/mod/modfile", "golang.org/x/mod/semver"}, newest: true,
		inputs: []string{"module a\n\ngo 1.24\n", "module a.b/c\nrequire (\n\td.e/f v1.2.3 // indirect\n)\n", "replace a => ../b", "retract [v1.0.0, v1.1.0]", "module", "exclude a v1.0.0-rc.1"},
	},
	{
		pkg: "example.com/vendored", name: "FuzzDep", module: "vendored", covered: []string{".", "example.com/dep"},
		inputs: []string{"", "short", "an input that is long"},
	},
}

func TestStatementsAreThoseOfGoTest(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	for version := range strings.SplitSeq(*goVersions, ",") {
		env := append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off")
		if version != "" {
			env = append(env, "GOTOOLCHAIN=go"+version)
		}
		root := equalModules(t)
		for _, c := range equalTargets {
			if !c.always && !*allTargets || c.newest && version != "" {
				continue
			}
			t.Run("go"+version+" "+c.name, func(t *testing.T) { compareWithGoTest(t, filepath.Join(root, c.module), env, c) })
		}
	}
}

// compareWithGoTest compares the profile of a target with that of go test. For gnaw, half of the inputs are entries of the corpus, and the
// others are seeds. For go test, all inputs are seeds.
func compareWithGoTest(t *testing.T, dir string, env []string, c equalTarget) {
	tc, err := gocommand.FindToolchain(t.Context(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	tc.Cache = t.TempDir() // the corpus
	flags := []string{"-tags=special"}
	targets, broken, err := build.List(t.Context(), tc, dir, []string{c.pkg}, flags)
	if err != nil || len(broken) > 0 {
		t.Fatalf("targets: %v, %v, %v", targets, broken, err)
	}
	target := targets[slices.IndexFunc(targets, func(t build.Target) bool { return t.Func == c.name })]
	cached := filepath.Join(tc.Cache, "fuzz", filepath.FromSlash(c.pkg), c.name)
	seeds := filepath.Join(target.Dir, "testdata", "fuzz", c.name)
	saveInputs(t, cached, c.inputs[:len(c.inputs)/2])
	saveInputs(t, seeds, c.inputs[len(c.inputs)/2:])
	list, failed, err := Run(t.Context(), tc, []build.Target{target}, Options{
		Dir: dir, Environ: env, Packages: c.covered, Flags: flags, Timeout: time.Minute,
	})
	if err != nil || len(failed) > 0 || len(list) != 1 {
		t.Fatalf("%v, %v", failed, err)
	}
	var text strings.Builder
	if err := WriteProfile(&text, Merge(list, All)); err != nil {
		t.Fatal(err)
	}
	saveInputs(t, seeds, c.inputs)
	patterns := c.covered
	if patterns == nil {
		if patterns, err = Packages(t.Context(), tc, dir, c.pkg, build.CoverOptions{Flags: flags}); err != nil {
			t.Fatal(err)
		}
	}
	profile := filepath.Join(t.TempDir(), "c.out")
	cmd := exec.Command(tc.Go, "test", flags[0], "-run=^"+c.name+"$", "-covermode=atomic", "-coverpkg="+strings.Join(patterns, ","), "-coverprofile="+profile, c.pkg)
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

// equalModules writes the modules of equalTargets, and returns the folder of the first one. The first module has a copy of an example of this
// repository, targets for the standard library, and a target with one file of each kind. The modules in its folders third and vendored have
// the requirements of this repository, and a vendored dependency.
func equalModules(t *testing.T) (dir string) {
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
	read := func(path ...string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(path...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, name := range []string{"expr.go", "expr_test.go"} {
		write("expr/"+name, read("..", "..", "examples", "expr", name))
	}
	for part := range strings.SplitSeq("\n"+read("testdata", "equal.txtar"), "\n-- ") {
		if name, content, ok := strings.Cut(part, " --\n"); ok {
			write(name, content+"\n")
		}
	}
	_, requirements, _ := strings.Cut(read("..", "..", "go.mod"), "\n")
	write("third/go.mod", "module example.com/third\n"+requirements)
	write("third/go.sum", read("..", "..", "go.sum"))
	return dir
}
