package input

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTextAgreesWithGoTest holds Marshal and Unmarshal against the fuzzing of the installed Go, through corpus files
// that one side writes and the other reads.
func TestTextAgreesWithGoTest(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a test binary")
	}
	m := newGoModule(t)
	t.Run("it rejects the same files", m.testRejects)
	t.Run("it reads the same values", m.testReads)
	t.Run("it writes the same bytes", m.testWrites)
}

// goModule is a throw-away module with fuzz targets: FuzzNone takes a uint16 and never runs; FuzzKind1 and so on take one
// kind each, FuzzAll takes all of them, and all of these print what they get; FuzzFail fails for every tuple but those
// described in its file known.
type goModule struct{ dir, bin string }

const moduleHead = `package x

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

var _ = math.NaN

func FuzzNone(f *testing.F) { f.Fuzz(func(*testing.T, uint16) {}) }

func got(t *testing.T, vals ...any) { fmt.Printf("got %s%s\n", t.Name(), describe(vals)) }

func check(t *testing.T, vals ...any) {
	known, err := os.ReadFile("known")
	if err != nil || !strings.Contains(string(known), describe(vals)+"\n") {
		t.Error("not known")
	}
}

`

func newGoModule(t *testing.T) *goModule {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	src := moduleHead
	var params, names []string
	for i, k := range allKinds() {
		src += fmt.Sprintf("func FuzzKind%d(f *testing.F) { f.Fuzz(func(t *testing.T, v %v) { got(t, v) }) }\n", k, k)
		params, names = append(params, fmt.Sprintf("v%d %v", i, k)), append(names, fmt.Sprintf("v%d", i))
	}
	for name, call := range map[string]string{"FuzzAll": "got", "FuzzFail": "check"} {
		src += fmt.Sprintf("func %s(f *testing.F) { f.Fuzz(func(t *testing.T, %s) { %s(t, %s) }) }\n",
			name, strings.Join(params, ", "), call, strings.Join(names, ", "))
	}
	own, err := os.ReadFile("random_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, function, _ := strings.Cut(string(own), "\nfunc describe(")
	dir := t.TempDir()
	m := &goModule{dir, filepath.Join(dir, "x.test.exe")}
	m.write(t, "go.mod", "module x\n\ngo 1.24\n")
	m.write(t, "x_test.go", src+"\nfunc describe("+function)
	cmd := exec.Command(goTool, "test", "-c", "-o", m.bin)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	return m
}

func (m *goModule) write(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// run runs the test binary and returns its output and whether it passed.
func (m *goModule) run(t *testing.T, args ...string) (out string, passed bool) {
	t.Helper()
	cmd := exec.Command(m.bin, args...)
	cmd.Dir = m.dir
	b, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return string(b), err == nil
}

// allOddFiles returns the tables of this package and many random files.
func allOddFiles() []string {
	files := append([]string{}, oddFiles...)
	for _, line := range oddLines {
		files = append(files, header+line+"\n")
	}
	r := rand.New(rand.NewPCG(8, 8))
	for range 6000 {
		files = append(files, header+randomLine(r)+"\n")
	}
	return files
}

// errorLine is how `go test` reports a bad corpus file.
var errorLine = regexp.MustCompile(`(?m)"testdata.fuzz.FuzzNone.(\d+)": (.*)$`)

func (m *goModule) testRejects(t *testing.T) {
	files := allOddFiles()
	for i, file := range files {
		m.write(t, fmt.Sprintf("testdata/fuzz/FuzzNone/%05d", i), file)
	}
	out, _ := m.run(t, "-test.run=^FuzzNone$")
	reports := map[string]string{}
	for _, match := range errorLine.FindAllStringSubmatch(out, -1) {
		reports[match[1]] = match[2]
	}
	accepted := 0
	for i, file := range files {
		report := reports[fmt.Sprintf("%05d", i)]
		a, err := Unmarshal([]byte(file))
		if rejected := strings.HasPrefix(report, "unmarshal: "); rejected != (err != nil) {
			t.Errorf("%q: Unmarshal = %v, %v; go test says %q", file, a, err, report)
		} else if err == nil {
			accepted++
			want := ""
			if err := CheckKinds(a, []Kind{Uint16}); err != nil {
				want = err.Error()
			}
			if report != want {
				t.Errorf("%q: CheckKinds says %q, go test says %q", file, want, report)
			}
		}
	}
	t.Logf("%d of %d files are accepted", accepted, len(files))
	if accepted < len(files)/20 || len(reports) < len(files)/2 {
		t.Errorf("the files are one-sided: %d are accepted of %d, go test reports %d", accepted, len(files), len(reports))
	}
}

func (m *goModule) testReads(t *testing.T) {
	want := map[string]bool{}
	for i, file := range allOddFiles() {
		if a, err := Unmarshal([]byte(file)); err == nil && len(a) == 1 {
			name := fmt.Sprintf("FuzzKind%d/odd%d", a[0].Kind, i)
			m.write(t, "testdata/fuzz/"+name, file)
			want["got "+name+describe(a.Values())] = true
		}
	}
	r := rand.New(rand.NewPCG(9, 9))
	for i := range 1500 {
		a, name := randomArgs(r, allKinds()), fmt.Sprintf("FuzzAll/%d", i)
		m.write(t, "testdata/fuzz/"+name, string(Marshal(a)))
		want["got "+name+describe(a.Values())] = true
	}
	total := len(want)
	out, passed := m.run(t, "-test.run=^(FuzzKind.*|FuzzAll)$")
	if !passed {
		t.Fatalf("go test fails: %.2000s", out)
	}
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "got ") && !want[line] {
			t.Errorf("go test %s, which is not what Unmarshal returns", line)
		}
		delete(want, line)
	}
	for line := range want {
		t.Errorf("go test has not %s", line)
	}
	t.Logf("%d files have the same values", total)
}

// testWrites lets `go test -fuzz` write crashers: tuples of which all but a few mutated values are those of a seed.
func (m *goModule) testWrites(t *testing.T) {
	const name = "testdata/fuzz/FuzzFail"
	r := rand.New(rand.NewPCG(10, 10))
	for round := range 40 {
		known := ""
		for i := range 4 {
			a := randomArgs(r, allKinds())
			m.write(t, fmt.Sprintf("%s/seed%d", name, i), string(Marshal(a)))
			known += describe(a.Values()) + "\n"
		}
		m.write(t, "known", known)
		out, passed := m.run(t, "-test.run=^$", "-test.fuzz=^FuzzFail$", "-test.fuzzcachedir="+filepath.Join(m.dir, "cache"),
			"-test.fuzztime=1000x", "-test.fuzzminimizetime=0x", "-test.parallel=1")
		files, err := filepath.Glob(filepath.Join(m.dir, name, "[0-9a-f]*[0-9a-f]"))
		if passed || err != nil || len(files) != 1 {
			t.Fatalf("round %d: go test -fuzz leaves the crashers %v, %v: %s", round, files, err, out)
		}
		file, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		a, err := Unmarshal(file)
		if again := Marshal(a); err != nil || !bytes.Equal(again, file) {
			t.Errorf("go test -fuzz wrote\n%s\nread and written again (%v):\n%s", file, err, again)
		}
		if got, want := filepath.Base(files[0]), fmt.Sprintf("%x", sha256.Sum256(Marshal(a)))[:16]; got != want {
			t.Errorf("go test -fuzz named its file %s, the hash of Marshal is %s", got, want)
		}
		if err := os.Remove(files[0]); err != nil {
			t.Fatal(err)
		}
	}
}
