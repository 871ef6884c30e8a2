package focus

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// module has the files of a module with targets. Tests name a line by its comment.
var module = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.24\n",
	"p/p.go": `package p

import (
	"errors"
	"sort"

	"example.com/m/dep"
)

type Shape interface{ Area() int }

type square int

func (s square) Area() int {
	return int(s * s) // area
}

type byLen []string

func (b byLen) Len() int           { return len(b) }
func (b byLen) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }
func (b byLen) Less(i, k int) bool {
	return len(b[i]) < len(b[k]) // less
}

var table = map[byte]func(int) int{'d': double}

func double(n int) int {
	return 2 * n // double
}

func Parse(b []byte) (int, error) {
	if len(b) < 2 { // first
		return 0, errors.New("short") // short
	}
	n := 0 // long
	for _, c := range b {
		switch c {
		case 'a':
			n++ // case a
		case 'b':
			n += deep(n) // case b
		}
	}
	n++ // behind the loop
	if b[0] == 'x' && b[1] == 'y' {
		n = measure(square(n)) // both
	}
	if f := table[b[0]]; f != nil {
		n = f(n)
	}
	sort.Sort(byLen{"a"})
	return n, nil
}

func measure(s Shape) int { return s.Area() }

func deep(n int) int {
	if n > 3 {
		if dep.Check(n) {
			return 1 // deepest
		}
	}
	return 0 // shallow
}

func Unused() int {
	return 7 // unused
}

// loops has a loop that leaves the function, and code behind it without a condition.
func loops(b []byte) int {
	n := 0
	for _, c := range b {
		if c == 'q' {
			return -1 // leaves
		}
		n++
	}
	n = plain(n)
	return n // end
}

func plain(n int) int {
	return n + 1 // plain
}
`,
	"p/p_test.go": `package p

import "testing"

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { Parse(b) })
}

func FuzzLoops(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		loops(b) // call of loops
		larger(len(b), 7)
		larger(string(b), "seven")
	})
}
`,
	"p/larger.go": `package p

func larger[T int | string](a, b T) T {
	if a > b {
		return a // a is larger
	}
	return b
}
`,
	"dep/dep.go":     "package dep\n\n// Check checks.\nfunc Check(n int) bool {\n\treturn n == 7 // check\n}\n",
	"other/other.go": "package other\n\nfunc Do() {}\n",
	"other/c.go":     "package other\n\nimport \"C\"\n",
	"q/p.go":         "package q\n\ntype round int\n\nfunc (r round) Area() int {\n\treturn int(3 * r * r) // area of round\n}\n\nfunc Parse() int {\n\treturn round(1).Area()\n}\n",
	"q/q_test.go":    "package q\n\nimport \"testing\"\n\nfunc FuzzQ(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, b []byte) { Parse() })\n}\n",
}

// folder contains the module, and loaded is its graph. All tests share them.
var (
	folder string
	loaded *graph
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runAll(m))
}

// runAll writes the module to a temporary folder and runs the tests.
func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "focus")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if folder, err = filepath.EvalSymlinks(dir); err != nil {
		panic(err)
	}
	write(folder, module)
	return m.Run()
}

// write writes files to a folder.
func write(folder string, files map[string]string) {
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			panic(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
}

// line returns the number of the line with a comment.
func line(t *testing.T, file, comment string) int {
	t.Helper()
	for i, l := range strings.Split(module[file], "\n") {
		if strings.HasSuffix(l, "// "+comment) {
			return i + 1
		}
	}
	t.Fatalf("%s has no comment %q", file, comment)
	return 0
}

// at returns the value of -focus for the line with a comment.
func at(t *testing.T, file, comment string) string {
	t.Helper()
	return fmt.Sprintf("%s:%d", file, line(t, file, comment))
}

func targets() []Root {
	return []Root{
		{fuzz.Name{Package: "example.com/m/p", Func: "FuzzParse"}, filepath.Join(folder, "p")},
		{fuzz.Name{Package: "example.com/m/p", Func: "FuzzLoops"}, filepath.Join(folder, "p")},
		{fuzz.Name{Package: "example.com/m/q", Func: "FuzzQ"}, filepath.Join(folder, "q")},
	}
}

func source() Source {
	return Source{Source: code.Source{Dir: folder, Go: "go", Environ: os.Environ()}, Root: folder, Packages: []string{"example.com/m/p", "example.com/m/q"}}
}

// find returns a plan for values of -focus.
func find(t *testing.T, where []string, git Git) (*Plan, error) {
	t.Helper()
	if err := checkForms(where); err != nil {
		return nil, err
	}
	src := source()
	if loaded == nil {
		g, err := src.graph(t.Context(), where)
		if err != nil {
			t.Fatal(err)
		}
		loaded = g
	}
	return newPlan(t.Context(), loaded, src, targets(), where, git)
}

// plan returns a plan for values of -focus.
func plan(t *testing.T, where ...string) *Plan {
	t.Helper()
	p, err := find(t, where, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// build builds the test binary of package p with counters in the packages of the module.
func build(t *testing.T, flags ...string) string {
	t.Helper()
	file := filepath.Join(folder, fmt.Sprintf("p%x.test", strings.Join(flags, " ")))
	if _, err := os.Stat(file); err == nil {
		return file
	}
	args := slices.Concat([]string{"test", "-c", "-gcflags=example.com/m/...=-d=libfuzzer", "-o", file}, flags, []string{"./p"})
	cmd := exec.Command("go", args...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

func TestSpotsAreFound(t *testing.T) {
	for _, tt := range []struct{ name, where, want string }{
		{"a file relative to the working directory", at(t, "p/p.go", "double"), "p/p.go:29 example.com/m/p.double"},
		{"a suffix of a file", at(t, "dep/dep.go", "check")[len("dep/"):], "dep/dep.go:5 example.com/m/dep.Check"},
		{"a line of a case is the code behind it", fmt.Sprintf("p/p.go:%d", line(t, "p/p.go", "case a")-1), "p/p.go:39 example.com/m/p.Parse"},
		{"a line with a function", "p/p.go:14", "p/p.go:14 example.com/m/p.square.Area"},
		{"the import path of a function", "example.com/m/p.Parse", "p/p.go:32 example.com/m/p.Parse"},
		{"the last element of an import path", "dep.Check", "dep/dep.go:4 example.com/m/dep.Check"},
		{"a folder and a function", "./p.Parse", "p/p.go:32 example.com/m/p.Parse"},
		{"a method", "p.square.Area", "p/p.go:14 example.com/m/p.square.Area"},
		{"a method with parentheses, a star and type parameters", "p.(*square[E]).Area", "p/p.go:14 example.com/m/p.square.Area"},
		{"a method with parentheses", "p.(square).Area", "p/p.go:14 example.com/m/p.square.Area"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := plan(t, tt.where).Spots()[0]
			rel, _ := filepath.Rel(folder, s.File)
			if got := fmt.Sprintf("%s:%d %s", filepath.ToSlash(rel), s.Line, s.Function); got != tt.want {
				t.Errorf("%s is %s, want %s", tt.where, got, tt.want)
			}
		})
	}
}

func TestWrongValuesAreExplained(t *testing.T) {
	for _, tt := range []struct{ name, where, want string }{
		{"no such file", "p/none.go:3", `there is no file p/none\.go in`},
		{"a file that no target uses", "other/other.go:3", `no target uses this file`},
		{"a file that uses cgo", "other/c.go:3", `the file imports "C"`},
		{"a file name that two packages have", "p.go:3", `several files have this name: p/p\.go, q/p\.go`},
		{"a line without code", "p/p.go:2", `line 2 has no code; the nearest lines? with code`},
		{"a line behind the end", "p/p.go:1000", `line 1000 has no code; the nearest line with code is [0-9]+`},
		{"a function that does not exist", "p.None", `no package that a target uses has this function`},
		{"a function of another package", "q.deep", `no target uses a function of this name; there is example\.com/m/p\.deep`},
		{"a function that nothing calls", "p.Unused", `no target calls example\.com/m/p\.Unused`},
		{"no form of a value", "Parse", `want file\.go:120, pkg\.Func, pkg\.Type\.Method, or a git range`},
		{"a folder without a function", "./p", `want file\.go:120`},
		{"a file without a line", "p/p.go", `want file\.go:120`},
		{"a line with a column", "p/p.go:12:5", `want file\.go:120`},
		{"lines of a file", "p/p.go:12-15", `want file\.go:120`},
		{"a range without a first revision", "..HEAD", `the range has no first revision; write HEAD~3\.\. for example`},
		{"a folder above, with all folders below it", "../...", `want file\.go:120`},
		{"a target", "p.FuzzLoops", `is executed before the inputs; name code that the argument of F\.Fuzz executes`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := find(t, []string{tt.where}, nil)
			var wrong *usage.Error
			if !errors.As(err, &wrong) || !regexp.MustCompile(tt.want).MatchString(err.Error()) {
				t.Errorf("New = %v, want a *usage.Error that matches %s", err, tt.want)
			}
		})
	}
}

func TestTheStandardLibraryHasNoSpots(t *testing.T) {
	src := source()
	for _, where := range []string{"strings.Index", "strings.Builder.Len", "sort/sort.go:40"} {
		_, err := New(t.Context(), src, targets(), []string{where}, nil)
		var wrong *usage.Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "the standard library has no counters") {
			t.Errorf("New(%s) = %v, want a *usage.Error", where, err)
		}
	}
}

// The call graph has edges for calls of methods of interfaces, for function values, for tables of functions, and for callbacks.
func TestTargetsReachWhatTheyCallInSomeWay(t *testing.T) {
	for _, tt := range []struct{ name, where string }{
		{"a call", at(t, "p/p.go", "shallow")},
		{"a call in another package", at(t, "dep/dep.go", "check")},
		{"a method of an interface", at(t, "p/p.go", "area")},
		{"a function in a table", at(t, "p/p.go", "double")},
		{"a method that package sort calls", at(t, "p/p.go", "less")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, all := plan(t, tt.where), targets()
			if !p.Reaches(all[0]) || p.Reaches(all[1]) || p.Reaches(all[2]) {
				t.Errorf("FuzzParse, FuzzLoops and FuzzQ reach %s: %v, %v, %v, want only the first", tt.where, p.Reaches(all[0]), p.Reaches(all[1]), p.Reaches(all[2]))
			}
		})
	}
}

func TestASpotInADependencyIsFound(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(dir, map[string]string{
		"go.mod":     "module example.com/app\n\ngo 1.24\n\nrequire example.com/lib v1.0.0\n\nreplace example.com/lib => ./lib\n",
		"app.go":     "package app\n\nimport \"example.com/lib\"\n\nfunc Do(n int) int {\n\treturn lib.Do(n)\n}\n",
		"a_test.go":  "package app\n\nimport \"testing\"\n\nfunc FuzzDo(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, n int) { Do(n) })\n}\n",
		"lib/go.mod": "module example.com/lib\n\ngo 1.24\n",
		"lib/lib.go": "package lib\n\nfunc Do(n int) int {\n\treturn n + 1\n}\n",
	})
	src := Source{Source: code.Source{Dir: dir, Go: "go", Environ: os.Environ()}, Root: dir, Packages: []string{"example.com/app"}}
	target := Root{fuzz.Name{Package: "example.com/app", Func: "FuzzDo"}, dir}
	for _, tt := range []struct {
		where, file string
		loaded      bool
	}{{"app.Do", "app.go", false}, {"lib.Do", "lib/lib.go", true}, {"lib/lib.go:4", "lib/lib.go", true}} {
		t.Run(tt.where, func(t *testing.T) {
			p, err := New(t.Context(), src, []Root{target}, []string{tt.where}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if s := p.Spots()[0]; s.File != filepath.Join(dir, tt.file) || !p.Reaches(target) {
				t.Errorf("the spot is in %s, and the target reaches it: %v", s.File, p.Reaches(target))
			}
			if p.packages["example.com/lib"] != tt.loaded {
				t.Errorf("the source of the dependency is loaded: %v, want %v", !tt.loaded, tt.loaded)
			}
		})
	}
}

func TestATargetReachesOnlyPackagesOfItsTestBinary(t *testing.T) {
	p, all := plan(t, at(t, "q/p.go", "area of round")), targets()
	if p.Reaches(all[0]) || !p.Reaches(all[2]) {
		t.Errorf("FuzzParse, whose test binary does not contain package q, reaches its method: %v; FuzzQ: %v", p.Reaches(all[0]), p.Reaches(all[2]))
	}
}

// nodesByLine describes the counters of a function: the line of the counter, the kind of its block, and the line of the code of the block. It
// leaves out the counters of the functions that are inlined into it.
func nodesByLine(t *testing.T, p *Plan, binary, symbol string) (list []string) {
	t.Helper()
	sites, err := readSites(binary)
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range p.nodesOf(sites) {
		if sites[i].symbol != symbol {
			continue
		}
		text := "unknown"
		if id >= 0 {
			switch n := p.nodes[id]; {
			case n.function.name != symbol:
				continue
			case n.part != nil:
				text = "part"
			case len(n.block.Nodes) > 0:
				text = fmt.Sprintf("%v %d", n.block.Kind, p.fset.Position(n.block.Nodes[0].Pos()).Line)
			default:
				text = n.block.Kind.String()
			}
		}
		list = append(list, fmt.Sprintf("%d: %s", sites[i].at.line, text))
	}
	return list
}

func TestCountersBelongToCode(t *testing.T) {
	p := plan(t, "p.Parse")
	at := func(comment string) int { return line(t, "p/p.go", comment) }
	want := []string{
		fmt.Sprintf("%d: Body %d", at("first"), at("first")),
		fmt.Sprintf("%d: IfThen %d", at("short"), at("short")),
		fmt.Sprintf("%d: IfDone %d", at("short"), at("long")),
		fmt.Sprintf("%d: RangeBody %d", at("case a")-2, at("case a")-2),
		fmt.Sprintf("%d: SwitchCaseBody %d", at("case a"), at("case a")),
		fmt.Sprintf("%d: SwitchCaseBody %d", at("case b"), at("case b")),
		fmt.Sprintf("%d: SwitchDone", at("case b")),
		fmt.Sprintf("%d: part", at("both")-1),
		fmt.Sprintf("%d: IfThen %d", at("both"), at("both")),
		fmt.Sprintf("%d: IfDone %d", at("both"), at("both")+2),
		fmt.Sprintf("%d: IfThen %d", at("both")+3, at("both")+3),
		fmt.Sprintf("%d: IfDone %d", at("both")+3, at("both")+5),
	}
	for _, flags := range [][]string{nil, {"-trimpath"}, {"-gcflags=example.com/m/...=-l -d=libfuzzer"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			got := nodesByLine(t, p, build(t, flags...), "example.com/m/p.Parse")
			if !slices.Equal(got, want) {
				t.Errorf("the counters of Parse belong to\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// read returns the aim of a plan for the test binary that build builds with the flags.
func read(t *testing.T, p *Plan, flags ...string) *Aim {
	t.Helper()
	a, err := p.Read(build(t, flags...))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// features returns the features of an input that executes the lines of p/p.go.
func features(a *Aim, lines ...int) []cover.Feature { return featuresIn(a, "p/p.go", lines...) }

// featuresIn returns the features of an input that executes the lines of a file.
func featuresIn(a *Aim, file string, lines ...int) (list []cover.Feature) {
	for counter, id := range a.nodes {
		if id >= 0 && a.plan.nodes[id].function.file == filepath.Join(folder, file) && slices.Contains(lines, a.plan.codeLine(id)) {
			list = append(list, cover.Feature(8*counter))
		}
	}
	return list
}

// codeLine returns the line of the first code of a node; 0: it has none, or is a part of a condition.
func (p *Plan) codeLine(id int) int {
	if b := p.nodes[id].block; b != nil && len(b.Nodes) > 0 {
		return p.fset.Position(b.Nodes[0].Pos()).Line
	}
	return 0
}

func TestATestBinaryIsReadOnce(t *testing.T) {
	p := plan(t, "p.Parse")
	if first, second := read(t, p), read(t, p); first != second {
		t.Error("a second call of Read returns another Aim for the same test binary")
	}
}

func TestTheDistanceFallsWithEachCondition(t *testing.T) {
	p := plan(t, at(t, "p/p.go", "deepest"))
	a := read(t, p)
	last := far
	for _, comment := range []string{"first", "long", "case b", "deepest"} {
		d, ok := a.Distance(features(a, line(t, "p/p.go", comment)))
		if !ok || d >= last {
			t.Errorf("the distance of an input that executes the line %q is %d, %v, want less than %d", comment, d, ok, last)
		}
		last = d
	}
	if last != 0 {
		t.Errorf("the distance of the spot itself is %d", last)
	}
	if d, ok := a.Distance(nil); ok {
		t.Errorf("the distance of an input that shows nothing is %d, want none", d)
	}
}

func TestEntriesReachSpots(t *testing.T) {
	p := plan(t, at(t, "p/p.go", "deepest"), at(t, "p/p.go", "case a"))
	a := read(t, p)
	entry := func(text string, comments ...string) Entry {
		var lines []int
		for _, c := range comments {
			lines = append(lines, line(t, "p/p.go", c))
		}
		return Entry{Target: targets()[0], Args: input.Args{{Kind: input.Bytes, Data: []byte(text)}}, Features: features(a, lines...)}
	}
	if news := a.Note(entry("ab", "first", "long")); len(news) != 0 || p.Left() != 2 {
		t.Errorf("an input that is near reaches %v, %d spots are left", news, p.Left())
	}
	r := p.Results()[0]
	if r.Reached || r.Entry == nil || r.Distance == 0 || r.Met.File == "" {
		t.Errorf("the result of a spot that is not reached is %+v, want the nearest entry and a condition", r)
	}
	if news := a.Note(entry("aaa", "first", "long", "case a")); len(news) != 1 || p.Left() != 1 {
		t.Errorf("an input reaches %v, and %d spots are left, want one each", news, p.Left())
	}
	if news := a.Note(entry("a", "first", "long", "case a")); len(news) != 0 || p.Results()[1].Entry.Args.Size() != 1 {
		t.Error("a smaller input that reaches the spot does not take the place of the larger one")
	}
	news := p.Failed(entry("bbbb"), []string{filepath.Join(folder, "p/p.go")}, []int{line(t, "p/p.go", "deepest")})
	if len(news) != 1 || p.Left() != 0 || !p.Results()[0].Finding {
		t.Errorf("an input that fails at the spot reaches %v, and %d spots are left", news, p.Left())
	}
	if a.Note(entry("bbbbb", "first", "deepest")); p.Results()[0].Finding || p.Results()[0].Entry.Args.Size() != 5 {
		t.Errorf("after an entry reaches the spot too, the result is %+v, want that entry", p.Results()[0])
	}
	if d, ok := a.Distance(entry("", "first", "deepest").Features); ok {
		t.Errorf("the distance is %d after all spots are reached, want none", d)
	}
	if p.Reaches(targets()[0]) {
		t.Error("Reaches returns true after all spots are reached")
	}
}

func TestACallOfAFunctionValueIsNoCondition(t *testing.T) {
	p := plan(t, at(t, "p/p.go", "double"))
	a := read(t, p)
	a.Note(Entry{Features: features(a, line(t, "p/p.go", "both")+3)})
	if r := p.Results()[0]; r.Reached || r.Distance != 1 || r.Met != (Condition{}) {
		t.Errorf("the result for an input that calls another function of the table is %+v, want the distance 1 and no condition", r)
	}
}

// Code behind a loop has no counter. It is reached if the function is executed and does not return within the loop.
func TestCodeBehindALoopIsReachedWithoutACounter(t *testing.T) {
	p := plan(t, at(t, "p/p.go", "end"))
	a := read(t, p, "-gcflags=example.com/m/...=-l -d=libfuzzer")
	begin, leaves := line(t, "p/p.go", "leaves")-3, line(t, "p/p.go", "leaves")
	if list := a.Unseen(targets()[1]); len(list) != 0 {
		t.Fatalf("the spots without counters are %v, want none", list)
	}
	if news := a.Note(Entry{Features: features(a, begin, begin+2, leaves)}); len(news) != 0 {
		t.Errorf("an input with which the loop leaves the function reaches %v", news)
	}
	if news := a.Note(Entry{Features: features(a, begin, begin+2, leaves+2)}); len(news) != 1 {
		t.Errorf("an input with which the loop ends reaches %v, want the spot", news)
	}
}

// The compiler makes a copy of the function for each of the two types, with counters of its own.
func TestEachCopyOfAGenericFunctionReachesTheSpot(t *testing.T) {
	p := plan(t, at(t, "p/larger.go", "a is larger"))
	a := read(t, p)
	spots := featuresIn(a, "p/larger.go", line(t, "p/larger.go", "a is larger"))
	if len(spots) != 2 || len(a.Unseen(targets()[1])) != 0 {
		t.Fatalf("the spot has the counters %v, want two", spots)
	}
	for _, f := range spots {
		if d, ok := a.Distance([]cover.Feature{f}); !ok || d != 0 {
			t.Errorf("the distance of an input that hits the counter %d is %d, %v, want 0", f.Counter(), d, ok)
		}
	}
}

// The compiler inlines a function without conditions, and makes no counter for it.
func TestASpotInAFunctionWithoutCountersIsUnseen(t *testing.T) {
	p := plan(t, at(t, "p/p.go", "plain"))
	a := read(t, p)
	if list := a.Unseen(targets()[1]); len(list) != 1 {
		t.Errorf("the spots without counters are %v, want the line of the function", list)
	}
}

func TestARangeOfRevisionsIsItsChangedLines(t *testing.T) {
	diff := func(file string, line int) string {
		return fmt.Sprintf("--- a/%s\n+++ b/%s\n@@ -%d,1 +%d,1 @@ func\n-old\n+new\n", file, file, line, line)
	}
	answer := map[string]string{
		"good":    diff("p/p.go", line(t, "p/p.go", "case b")) + diff("p/p_test.go", 3) + diff("q/p.go", line(t, "q/p.go", "area of round")),
		"test":    diff("p/p_test.go", 3),
		"unused":  diff("p/p.go", line(t, "p/p.go", "unused")),
		"comment": diff("dep/dep.go", 3),
		"main":    diff("p/p.go", line(t, "p/p.go", "case a")),
		// Since the common ancestor, main has changes that HEAD does not have.
		"main-fork": diff("p/p.go", line(t, "p/p.go", "case b")),
	}
	git := func(_ context.Context, args ...string) (string, error) {
		revision := strings.TrimSuffix(args[len(args)-1], "^{commit}")
		switch {
		case revision == "--is-inside-work-tree":
			return "true", nil
		case args[1] == "--show-cdup", args[1] == "--show-prefix":
			return "", nil
		case args[0] == "merge-base" && revision == "HEAD":
			return args[1] + "-fork", nil
		case args[0] == "merge-base":
			return "", errors.New("exit status 1")
		case args[0] == "rev-parse":
			if _, ok := answer[revision]; !ok {
				return "", errors.New("unknown")
			}
			return "1", nil
		}
		return answer[args[slices.Index(args, "--")-1]], nil
	}
	spotsOf := func(where string) ([]Spot, error) {
		p, err := find(t, []string{where}, git)
		if err != nil {
			return nil, err
		}
		return p.Spots(), nil
	}
	spots, err := spotsOf("good..")
	if err != nil || len(spots) != 2 || spots[0].Line != line(t, "p/p.go", "case b") || filepath.Base(filepath.Dir(spots[1].File)) != "q" {
		t.Errorf("good.. is %v, %v, want a line of p/p.go and one of q/p.go", spots, err)
	}
	spots, err = spotsOf("main...")
	if err != nil || len(spots) != 1 || spots[0].Line != line(t, "p/p.go", "case b") {
		t.Errorf("main... is %v, %v, want the lines that HEAD changes since the common ancestor", spots, err)
	}
	for _, tt := range []struct{ name, where, want string }{
		{"no common ancestor", "good...test", `git finds no common ancestor of good and test in`},
		{"an unknown revision", "none..", `git does not know the revision none`},
		{"an unknown second revision", "good..none", `git does not know the revision none`},
		{"only tests are changed", "test..", `the range changes no line of a Go file that is no test`},
		{"code that no target reaches is changed", "unused..", `the range changes no code that a target can reach: 1 changed line in 1 file$`},
		{"a comment is changed", "comment..", `the range changes no code that a target can reach`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := spotsOf(tt.where)
			var wrong *usage.Error
			if !errors.As(err, &wrong) || !regexp.MustCompile(tt.want).MatchString(err.Error()) {
				t.Errorf("New = %v, want a *usage.Error that matches %s", err, tt.want)
			}
		})
	}
}

func TestLinesThatLookLikeHeadsAreNoHeads(t *testing.T) {
	const out = `--- a/p.go
+++ b/p.go
@@ -3,2 +3 @@ const text =
--- a/old.go
-@@ -1 +1 @@
+++ b/new.go
\ No newline at end of file
@@ -9,0 +9,2 @@
+@@ -1 +1 @@
+x
--- a/gone.go
+++ /dev/null
@@ -1 +0,0 @@
-package gone
`
	got := parseDiff(repository{root: "m"}, out)
	want := []hunk{{3, 2, 3, 1}, {9, 0, 9, 2}}
	if file := filepath.Join("m", "p.go"); len(got) != 1 || !slices.Equal(got[file], want) {
		t.Errorf("the changes are %v, want %v in %s", got, want, file)
	}
}

func TestLinesAreFollowedThroughChanges(t *testing.T) {
	changes := []hunk{{old: 3, count: 2, line: 3, added: 5}, {old: 10, count: 0, line: 14, added: 1}, {old: 20, count: 1, line: 24, added: 0}}
	for _, tt := range []struct {
		name     string
		line, at int
		ok       bool
	}{
		{"before all changes", 2, 2, true},
		{"in a replaced line", 4, 0, false},
		{"behind replaced lines", 5, 8, true},
		{"before an inserted line", 10, 13, true},
		{"behind an inserted line", 11, 15, true},
		{"a removed line", 20, 0, false},
		{"behind all changes", 21, 24, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if at, ok := follow(tt.line, changes); at != tt.at || ok != tt.ok {
				t.Errorf("follow(%d) = %d, %v, want %d, %v", tt.line, at, ok, tt.at, tt.ok)
			}
		})
	}
}

func TestCountersAreFoundInMachineCode(t *testing.T) {
	const text, first = 0x401000, 0x505010
	for _, tt := range []struct {
		name, arch string
		code       []byte
		want       map[uint64]uint64 // addresses of instructions by those of counters
	}{
		{"amd64: CMPB $0xff", "amd64", []byte{0x90, 0x80, 0x3d, 0x08, 0x40, 0x10, 0, 0xff, 0x90, 0x90}, map[uint64]uint64{first: text + 1}},
		{"amd64: MOVBLZX", "amd64", []byte{0x0f, 0xb6, 0x0d, 0x0b, 0x40, 0x10, 0, 0x90, 0x90}, map[uint64]uint64{first + 2: text}},
		{"amd64: INCB", "amd64", []byte{0xfe, 0x05, 0x0b, 0x40, 0x10, 0, 0x90, 0x90}, map[uint64]uint64{first + 1: text}},
		{"amd64: another address", "amd64", []byte{0xfe, 0x05, 0x0b, 0x50, 0x10, 0, 0x90, 0x90}, map[uint64]uint64{}},
		{"arm64: ADRP and LDRB", "arm64", arm64(0x90000000|0x104>>2<<5|27, 0x39400000|0x12<<10|27<<5), map[uint64]uint64{first + 2: text}},
		{"arm64: ADRP and ADD", "arm64", arm64(0xb0000000|0x100>>2<<5|0x1<<5|27, 0x91000000|0x11<<10|27<<5|1), map[uint64]uint64{}},
		{"arm64: ADRP with low bits", "arm64", arm64(0x90000000|0x104>>2<<5|3, 0xd503201f, 0x91000000|0x11<<10|3<<5|3), map[uint64]uint64{first + 1: text}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := map[uint64]uint64{}
			scan := map[string]func(image, func(counter, pc uint64)){"amd64": scanAMD64, "arm64": scanARM64}[tt.arch]
			scan(image{text: tt.code, textAddr: text, first: first, last: first + 16}, func(counter, pc uint64) { got[counter] = pc })
			if !maps.Equal(got, tt.want) {
				t.Errorf("the counters are at %x, want %x", got, tt.want)
			}
		})
	}
}

// arm64 returns instructions as bytes.
func arm64(words ...uint32) (code []byte) {
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	return code
}
