package overlay

import (
	"bufio"
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/probe"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

var flagSafepoints = flag.Bool("build.safepoints", false, "disassemble the hooks for each architecture, build mode, and version of -build.go")

// comparing makes every kind of comparison that the compiler reports.
const comparing = `
-- go.mod --
module example.com/m

go 1.24
-- m_test.go --
package m

import (
	"strings"
	"testing"
)

func FuzzM(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b string, i1, j1 int8, i2, j2 int16, i4, j4 int32, i8, j8 int64) {
		variables := a == b || strings.EqualFold(a, b) || i1 == j1 || i2 == j2 || i4 == j4 || i8 == j8
		constants := i1 == 42 || i2 == 4242 || i4 == 424242 || i8 == 42424242
		if variables && constants {
			t.Log(a)
		}
	})
}
`

// mode is one way to build a test binary.
type mode struct {
	name  string
	flags []string
	plain bool // -std=plain
	race  bool
}

var modes = []mode{
	{name: "default"},
	{name: "without optimization", flags: []string{"-gcflags=internal/fuzz/...=-N -l"}},
	{name: "std=plain", plain: true},
	{name: "race", flags: []string{"-race"}, race: true},
	{name: "race without optimization", flags: []string{"-race", "-gcflags=internal/fuzz/...=-N -l"}, race: true},
}

// TestTheCompilersHooksAreNoSafePoints disassembles the functions that the compiler calls by itself, and all that they
// call. None may have a stack check or call anything that has one, and each must be marked go:nosplit, which also keeps the
// runtime from preempting it by a signal: see package compare for what happens otherwise.
func TestTheCompilersHooksAreNoSafePoints(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	if !*flagSafepoints {
		for _, m := range modes[:2] { // without optimization nothing is inlined, so more functions are seen
			checkSafepoints(t, toolchain.Find(t, ""), m)
		}
		return
	}
	for _, arch := range []string{"amd64", "arm64"} {
		for _, version := range toolchain.Versions() {
			for _, m := range modes {
				t.Run(strings.Join([]string{"linux", arch, version, m.name}, " "), func(t *testing.T) {
					tc := toolchain.Find(t, version)
					tc.Env = append(slices.Clone(tc.Env), "GOOS=linux", "GOARCH="+arch)
					tc.OS, tc.Arch = "linux", arch
					if m.race {
						tc.Env = append(tc.Env, crossCompiler(t, arch)...)
					}
					checkSafepoints(t, tc, m)
				})
			}
		}
	}
}

// crossCompiler returns the environment for building with cgo, as the race detector needs, for an architecture.
func crossCompiler(t *testing.T, arch string) []string {
	t.Helper()
	if arch == runtime.GOARCH {
		return nil
	}
	cc := map[string]string{"amd64": "x86_64-linux-gnu-gcc", "arm64": "aarch64-linux-gnu-gcc"}[arch]
	if _, err := exec.LookPath(cc); err != nil {
		t.Fatalf("%v; install the cross compiler (Debian: gcc-%s)", err, strings.TrimSuffix(strings.ReplaceAll(cc, "_", "-"), "-gcc"))
	}
	return []string{"CGO_ENABLED=1", "CC=" + cc}
}

func checkSafepoints(t *testing.T, tc gocommand.Toolchain, m mode) {
	t.Helper()
	tc.Plain = m.plain
	o, err := own.overlay(tc, t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "m.test")
	link(t, tc, o, testkit.Unpack(t, comparing), m.flags, out)
	calls := disassemble(t, tc, out, `^(runtime\.libfuzzer|`+regexp.QuoteMeta(injectedPath(comparePackage))+`\.)`)
	nosplit := pragmas(t)
	reached := map[string]bool{}
	var walk func(name, from string)
	walk = func(name, from string) {
		if harmless(name) || reached[name] {
			return
		}
		reached[name] = true
		targets, ok := calls[name]
		if !ok {
			t.Errorf("%s calls %s, which may be a safe point", from, name)
			return
		}
		if short, ours := strings.CutPrefix(name, injectedPath(comparePackage)+"."); ours && !nosplit[short] {
			t.Errorf("%s calls %s, which is not marked go:nosplit and go:norace", from, short)
		}
		for _, target := range targets {
			walk(target, name)
		}
	}
	for _, h := range hooks {
		if calls["runtime."+h.name] == nil {
			t.Fatalf("there is no function runtime.%s in the binary; found %d functions", h.name, len(calls))
		}
		walk("runtime."+h.name, "the compiler")
	}
}

// harmless reports whether a function that hooks call is no safe point. The functions that report an index that is out of range end
// the process; without optimization the compiler calls them behind checks that never fail. The others are short routines in assembly
// that clear and copy.
func harmless(name string) bool {
	for _, prefix := range []string{
		"runtime.panicBounds", "runtime.panicIndex", "runtime.panicSlice", "runtime.panicshift",
		"runtime.duffzero", "runtime.duffcopy", "runtime.memmove",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

var (
	textLine = regexp.MustCompile(`^TEXT (\S+)\(SB\)`)
	// callLine matches a call, and a jump to another function. What is called through a register has no name; the walk finds
	// it nowhere, and so it is an error.
	callLine = regexp.MustCompile(`\s(?:CALL|BL|JMP|B)\s+(\S+)`)
)

// disassemble returns the names of all functions that each function whose name matches pattern calls.
func disassemble(t *testing.T, tc gocommand.Toolchain, binary, pattern string) map[string][]string {
	t.Helper()
	out, err := tc.Output(t.Context(), t.TempDir(), "tool", "objdump", "-s", pattern, binary)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]string{}
	name := ""
	for sc := bufio.NewScanner(bytes.NewReader(out)); sc.Scan(); {
		if m := textLine.FindStringSubmatch(sc.Text()); m != nil {
			name = m[1]
			calls[name] = []string{}
			continue
		}
		m := callLine.FindStringSubmatch(sc.Text())
		if m == nil {
			continue
		}
		target, named := strings.CutSuffix(m[1], "(SB)")
		if !named && strings.HasPrefix(target, "0x") || strings.HasSuffix(target, "(PC)") {
			continue // a jump within the function
		}
		calls[name] = append(calls[name], target)
	}
	return calls
}

// pragmas returns which functions of package compare are marked go:nosplit and go:norace, by the names that the linker has.
func pragmas(t *testing.T) map[string]bool {
	t.Helper()
	marked := map[string]bool{}
	files, err := fs.Glob(probe.Source, "compare/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files of package compare:", err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(probe.Source, file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Doc == nil {
				continue
			}
			name := fn.Name.Name
			if recv := receiver(fn); recv != "" {
				name = "(*" + recv + ")." + name
			}
			has := func(pragma string) bool {
				return slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return c.Text == pragma })
			}
			marked[name] = has("//go:nosplit") && has("//go:norace")
		}
	}
	return marked
}
