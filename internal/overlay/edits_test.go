package overlay

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

func readStd(t *testing.T, tc gocommand.Toolchain, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(tc.Root, "src", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEditsKeepEverythingElse(t *testing.T) {
	want := map[string][]string{
		"testing/fuzz.go": {
			"	case fuzzWorker: if gnawWork(f, fn, types, run) { break };\n",
			"	if false || f.parent == nil {\n", "		root.w = os.Stderr\n",
			"go tRunner(t, func(t *T) { if gnawLoop != nil { gnawLoop(t); return }; gnawReplay(t);\n",
		},
		"testing/testing.go": {
			"Context() context.Context { gnawContextUsed.Store(true);\n",
			"c.failed = true\ngnawFail(c) }\n",
			"		if gnawCalls(frame.Function) { return prevFrame }; if frame.Function == c.runner {\n",
			"err := recover(); if err == nil && gnawGoesOn(t, fn) { return }; err = gnawPanicValue(err)\n", "if gnawSpared(t, true) { return }; t.runCleanup(normalPanic)\n",
		},
		"testing/internal/testdeps/deps.go": {
			"cacheDir string) (err error) { return gnawCoordinate(timeout, limit, minimizeTimeout, minimizeLimit, " +
				"parallel, seed, types, corpusDir, cacheDir)\n",
		},
		"internal/fuzz/trace.go": {
			"package fuzz; import compare \"internal/fuzz/gnaw/probe/compare\"\n",
			"//go:nosplit\n//go:norace\nfunc libfuzzerTraceCmp1(arg0, arg1 uint8, fakePC uint)  { compare.Cmp1(arg0, arg1, fakePC) }\n",
			"func libfuzzerTraceConstCmp8(arg0, arg1 uint64, fakePC uint) { compare.ConstCmp8(arg0, arg1, fakePC) }\n",
			"func libfuzzerHookStrCmp(arg0, arg1 string, fakePC uint)    { compare.StrCmp(arg0, arg1, fakePC) }\n",
			"func libfuzzerHookEqualFold(arg0, arg1 string, fakePC uint) { compare.EqualFold(arg0, arg1, fakePC) }\n",
		},
	}
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		out, missing, err := editStd(tc.Root, tc.Version, edits, features(gocommand.Toolchain{Plain: true}))
		if err != nil || len(missing) > 0 {
			t.Fatal(err, missing)
		}
		if len(out) != len(want) {
			t.Errorf("%d files edited, want %d", len(out), len(want))
		}
		for file, parts := range want {
			testkit.Contains(t, file, string(out[file]), parts...)
			old := strings.Split(readStd(t, tc, file), "\n")
			now := strings.Split(strings.ReplaceAll(string(out[file]), hookPragmas, ""), "\n")
			if len(now) != len(old) {
				t.Errorf("%s has %d lines, want %d as before", file, len(now), len(old))
				continue
			}
			inBody := false // of the function that is replaced as a whole
			for i := range old {
				inBody = (inBody || strings.Contains(old[i], ") CoordinateFuzzing(")) && old[i] != "}"
				ours := strings.Contains(now[i], "gnaw") || strings.Contains(now[i], "compare.")
				ours = ours || slices.Contains(parts, now[i]+"\n")
				if now[i] != old[i] && !ours && !inBody {
					t.Errorf("%s:%d is %q, want %q as before", file, i+1, now[i], old[i])
				}
			}
		}
	})
}

// mutilations spoil one anchor each.
var mutilations = []struct{ file, anchor, old, new, reason string }{
	{"testing/fuzz.go", "F.Fuzz case fuzzWorker", "case fuzzWorker:", "case fuzzLaborer:", "not found"},
	{"testing/fuzz.go", "F.Fuzz case fuzzWorker", "switch f.fstate.mode {", "switch mode := f.fstate.mode; mode {", "not found"},
	{"testing/fuzz.go", "F.Fuzz case fuzzWorker", "\tswitch f.fstate.mode {", "\tswitch f.fstate.mode { case fuzzWorker: }\n\tswitch f.fstate.mode {", "more than once"},
	{"testing/fuzz.go", "F.Fuzz case fuzzWorker", "func (f *F) Fuzz(", "func (f *F) Fuzzy(", "(*F).Fuzz: not found"},
	{"testing/fuzz.go", "F.Fuzz case fuzzWorker", "run := func(", "walk := func(", "no local variable run"},
	{"testing/fuzz.go", "F.Fuzz case fuzzWorker", "var types []", "var kinds []", "no local variable types"},
	{"testing/fuzz.go", "F.Fuzz case fuzzWorker", "fn := reflect", "f2 := reflect", "no local variable fn"},
	{"testing/fuzz.go", "F.Fuzz tRunner", "go tRunner(t, func(t *T) {", "go tWalker(t, func(t *T) {", "not found"},
	{"testing/fuzz.go", "F.Fuzz tRunner", "go tRunner(t, func(t *T) {", "go tRunner(t, func(u *T) {", "not found"},
	{"testing/fuzz.go", "runFuzzing io.Discard", "root.w = io.Discard", "root.v = io.Discard", "root.w = io.Discard: not found"},
	{"testing/fuzz.go", "F.report", "if *isFuzzWorker || f.parent == nil {", "if f.parent == nil {", "*isFuzzWorker: not found"},
	{"testing/testing.go", "tRunner", "func tRunner(", "func tWalker(", "not found"},
	{"testing/testing.go", "tRunner", "func tRunner(t *T, fn func(t *T))", "func tRunner(t *T, f func(t *T))", "parameters are (t, f)"},
	{"testing/testing.go", "tRunner", "\t\terr := recover()\n\t\tsignal := true\n", "\t\tsignal := true\n", "err := recover(): not found"},
	{"testing/testing.go", "tRunner", "\t\t\tt.runCleanup(normalPanic)\n", "", "t.runCleanup(normalPanic): not found"},
	{"testing/testing.go", "common.Context", "func (c *common) Context()", "func (c *common) Contents()", "not found"},
	{"testing/testing.go", "common.Output", ") Output() io.Writer", ") XOutput() io.Writer", "not found"},
	{"testing/testing.go", "common.Output", "func (c *common) flushPartial(", "func (c *common) xflushPartial(", "not found"},
	{"testing/testing.go", "common.Context", "func (c *common) Context()", "func (c *common) Context() {}\nfunc (c *common) Context()", "more than once"},
	{"testing/testing.go", "common.Fail", "func (c *common) Fail()", "func (c *common) Flop()", "not found"},
	{"testing/testing.go", "common.Fail", "\tdefer c.mu.Unlock()\n\t// c.done needs", "\tc.mu.Unlock()\n\t// c.done needs", "does not hold c.mu"},
	{"testing/testing.go", "common.frameSkip", ") frameSkip(", ") frameJump(", "not found"},
	{"testing/testing.go", "common.frameSkip", "if frame.Function == c.runner {", "if c.runner == frame.Function {", "frame.Function == c.runner: not found"},
	{"testing/testing.go", "common.frameSkip", "\t\t\treturn prevFrame\n", "\t\t\treturn frame\n", "does not return prevFrame"},
	{"testing/internal/testdeps/deps.go", "TestDeps.CoordinateFuzzing", ") CoordinateFuzzing(", ") SortOutFuzzing(", "not found"},
	{"testing/internal/testdeps/deps.go", "TestDeps.CoordinateFuzzing", "minimizeLimit int64,", "minimiseLimit int64,", "parameters are (timeout, limit, minimizeTimeout, minimiseLimit"},
	{"testing/internal/testdeps/deps.go", "TestDeps.CoordinateFuzzing", "timeout time.Duration,", "timeout time.Duration, extra int,", "parameters are (timeout, extra"},
	{"internal/fuzz/trace.go", "libfuzzerTraceCmp4", "func libfuzzerTraceCmp4(arg0, arg1 uint32, fakePC uint)", "func libfuzzerTraceCmp4(arg0, arg1 uint32)", "parameters are (arg0, arg1)"},
}

func TestAPlacedComparisonHasTheAddressOfItsCaller(t *testing.T) {
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		out, missing, err := editStd(tc.Root, tc.Version, edits, features(gocommand.Toolchain{Plain: true, Placed: true}))
		if err != nil || len(missing) > 0 {
			t.Fatal(err, missing)
		}
		const file = "internal/fuzz/trace.go"
		testkit.Contains(t, file, string(out[file]),
			`import compare "internal/fuzz/gnaw/probe/compare"; import "internal/runtime/sys"`+"\n",
			"func libfuzzerTraceCmp1(arg0, arg1 uint8, fakePC uint)  { compare.Cmp1(arg0, arg1, uint(sys.GetCallerPC())) }\n",
			"{ compare.StrCmp(arg0, arg1, uint(sys.GetCallerPC())) }\n",
		)
	})
}

// mutilated edits the files of a distribution, one of which has another text.
func mutilated(tc gocommand.Toolchain, file, text string) *editor {
	return &editor{"go1.99.1", func(name string) ([]byte, error) {
		if name == file {
			return []byte(text), nil
		}
		return os.ReadFile(filepath.Join(tc.Root, "src", filepath.FromSlash(name)))
	}, map[string]*source{}}
}

func TestMutilatedAnchors(t *testing.T) {
	cases := mutilations
	for _, h := range hooks {
		cases = append(cases, struct{ file, anchor, old, new, reason string }{
			"internal/fuzz/trace.go", h.name, "func " + h.name + "(", "func x" + h.name + "(", "not found",
		})
	}
	tested := map[string]bool{"package clause": true} // every file has one
	features, essential := features(gocommand.Toolchain{Plain: true}), map[string]edit{}
	for _, e := range edits {
		essential[e.anchor] = e
	}
	tc := toolchain.Find(t, "")
	for _, m := range cases {
		tested[m.anchor] = true
		t.Run(m.anchor+" "+m.reason, func(t *testing.T) {
			text := readStd(t, tc, m.file)
			if strings.Count(text, m.old) != 1 {
				t.Fatalf("%s has %q %d times", m.file, m.old, strings.Count(text, m.old))
			}
			e := mutilated(tc, m.file, strings.Replace(text, m.old, m.new, 1))
			out, missing, err := e.all(edits, features)
			if _, ok := essential[m.anchor]; !ok { // costs one gain, and nothing else
				if err != nil || len(missing) != 1 || out == nil {
					t.Fatalf("all = %v, %v, want one missing feature", missing, err)
				}
				err = missing[0]
			}
			var anchor *AnchorError
			if !errors.As(err, &anchor) {
				t.Fatalf("error = %v, want an AnchorError", err)
			}
			testkit.Contains(t, "error", err.Error(), "go1.99.1", m.file, m.anchor, m.reason, "go1.25 to go1.27")
		})
	}
	for _, e := range slices.Concat(edits, slices.Concat(features...)) {
		if !tested[e.anchor] {
			t.Errorf("anchor %q is not tested", e.anchor)
		}
	}
}

func TestEditStdWithoutSource(t *testing.T) {
	_, _, err := editStd(t.TempDir(), "go1.99.1", edits, nil)
	if err == nil {
		t.Fatal("no error")
	}
	testkit.Contains(t, "error", err.Error(), "go1.99.1", "fuzz.go", "install")
}

func TestBlankUnused(t *testing.T) {
	const in = `package p

import (
	"os"
	sig "os/signal"
	"io"
	. "strings"
	_ "embed"
	"math/rand/v2"
)

var _ io.Reader
var _ = rand.N[int]
`
	out, err := blankUnused("p.go", []byte(in))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(`	"os"`, `	_ "os"`, "sig ", "_ ").Replace(in)
	if !bytes.Equal(out, []byte(want)) {
		t.Errorf("blankUnused =\n%s\nwant\n%s", out, want)
	}
}

// TestAFileOfANewerToolchain has a file of the standard library that does not parse.
func TestAFileOfANewerToolchain(t *testing.T) {
	tc := toolchain.Find(t, "")
	for version, newer := range map[string]bool{tc.Version: false, "go1.99.1": true} {
		t.Run(version, func(t *testing.T) {
			e := mutilated(tc, "testing/fuzz.go", "package testing\n\nnew syntax\n")
			e.version = version
			_, _, err := e.all(edits, nil)
			if wanted := (*gocommand.NewerError)(nil); err == nil || errors.As(err, &wanted) != newer {
				t.Errorf("all = %v, want a NewerError: %v", err, newer)
			}
		})
	}
}
