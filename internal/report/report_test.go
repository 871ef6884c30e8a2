package report

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

const source = `package parser

type reader struct{ buf []byte; pos int }

func (r *reader) field() []byte {
	n := int(r.buf[r.pos])
	f := r.buf[r.pos+1 : r.pos+1+n]
	r.pos += 1 + n
	return f
}
`

// module makes a module with a package "parser" that has a header.go.
func module(t *testing.T) Source {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "parser")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "header.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	return Source{Root: root, Module: "example.com/m", Package: "example.com/m/parser", Dir: dir}
}

// writeFile writes a file and makes its folder.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestLocate(t *testing.T) {
	s, lib := module(t), t.TempDir()
	writeFile(t, filepath.Join(s.Root, "vendor", "modules.txt"), "# example.com/x v1.2.0\n## explicit\nexample.com/x/deep\n# example.com/x/y v1.0.0\n")
	writeFile(t, filepath.Join(s.Root, "check", "check.go"), "package check\n\nfunc Even() {\n\tlog()\n}\n")
	writeFile(t, filepath.Join(lib, "go.mod"), "module example.com/lib\n")
	name := "example.com/m/parser.(*reader).field"
	tests := []struct {
		name       string
		call, want finding.Call
	}{
		{
			"absolute path",
			finding.Call{Func: name, File: filepath.Join(s.Dir, "header.go"), Line: 7},
			finding.Call{Func: name, File: "parser/header.go", Line: 7, Offset: 3},
		},
		{
			"line that was logged",
			finding.Call{File: "header.go", Line: 8},
			finding.Call{Func: "example.com/m/parser.field", File: "parser/header.go", Line: 8, Offset: 4},
		},
		{
			"trimmed path",
			finding.Call{Func: name, File: "example.com/m/parser/header.go", Line: 7},
			finding.Call{Func: name, File: "parser/header.go", Line: 7, Offset: 3},
		},
		{
			"outside of a function",
			finding.Call{Func: name, File: "example.com/m/parser/header.go", Line: 3},
			finding.Call{Func: name, File: "parser/header.go", Line: 3},
		},
		{
			"a line of a grammar",
			finding.Call{Func: name, File: "header.y", Line: 7},
			finding.Call{Func: name, File: "parser/header.y", Line: 7},
		},
		{
			"a line of a grammar, in an external test package",
			finding.Call{Func: "example.com/m/parser_test.FuzzX", File: "header.y", Line: 7},
			finding.Call{Func: "example.com/m/parser_test.FuzzX", File: "parser/header.y", Line: 7},
		},
		{
			"a line of a grammar of another package",
			finding.Call{Func: "example.com/m/go%2ev2.F[example.com/m.T]", File: "x.y", Line: 7},
			finding.Call{Func: "example.com/m/go%2ev2.F[example.com/m.T]", File: "go.v2/x.y", Line: 7},
		},
		{
			"a line of a grammar of another module",
			finding.Call{Func: "example.com/x.F", File: "x.y", Line: 7},
			finding.Call{Func: "example.com/x.F", File: "x.y", Line: 7, Foreign: true},
		},
		{
			"a file that is not there",
			finding.Call{Func: "x.F", File: "/nosuchfolder/x.go", Line: 3},
			finding.Call{Func: "x.F", File: "/nosuchfolder/x.go", Line: 3, Foreign: true},
		},
		{
			"a trimmed path of another module",
			finding.Call{Func: "example.com/x.F", File: "example.com/x@v1.0.0/x.go", Line: 3},
			finding.Call{Func: "example.com/x.F", File: "example.com/x@v1.0.0/x.go", Line: 3, Foreign: true, Module: "example.com/x@v1.0.0"},
		},
		{
			"a trimmed path of the standard library",
			finding.Call{Func: "strconv.Atoi", File: "strconv/atoi.go", Line: 3},
			finding.Call{Func: "strconv.Atoi", File: "strconv/atoi.go", Line: 3, Foreign: true},
		},
		{
			"a vendored dependency",
			finding.Call{Func: "example.com/x/deep.F", File: filepath.Join(s.Root, "vendor", "example.com", "x", "deep", "x.go"), Line: 3},
			finding.Call{Func: "example.com/x/deep.F", File: "vendor/example.com/x/deep/x.go", Line: 3, Foreign: true, Module: "example.com/x@v1.2.0"},
		},
		{
			"a module cache below the root",
			finding.Call{Func: "example.com/X/deep.F", File: filepath.Join(s.Root, ".go", "pkg", "mod", "example.com", "!x@v1.0.0", "deep", "x.go"), Line: 3},
			finding.Call{Func: "example.com/X/deep.F", File: ".go/pkg/mod/example.com/!x@v1.0.0/deep/x.go", Line: 3, Foreign: true, Module: "example.com/X@v1.0.0"},
		},
		{
			"a module in a folder elsewhere",
			finding.Call{Func: "example.com/lib/deep.F", File: filepath.Join(lib, "deep", "x.go"), Line: 3},
			finding.Call{Func: "example.com/lib/deep.F", File: filepath.Join(lib, "deep", "x.go"), Line: 3, Foreign: true, Module: "example.com/lib"},
		},
		{
			"generated code of the module that names a file elsewhere",
			finding.Call{Func: name, File: "/build/gen/expr.y", Line: 7},
			finding.Call{Func: name, File: "/build/gen/expr.y", Line: 7},
		},
		{
			"a line that a helper in another package logged",
			finding.Call{In: "example.com/m/check.Even", File: filepath.Join(s.Root, "check", "check.go"), Line: 4},
			finding.Call{In: "example.com/m/check.Even", Func: "example.com/m/check.Even", File: "check/check.go", Line: 4, Offset: 2},
		},
		{
			"a line that was logged in a file that is not of the package",
			finding.Call{File: "helper.go", Line: 3},
			finding.Call{File: "parser/helper.go", Line: 3},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := s.Locate([]finding.Call{tt.call}); got[0] != tt.want {
				t.Errorf("Locate(%+v) = %+v, want %+v", tt.call, got[0], tt.want)
			}
		})
	}
}

func TestTrimmedPathsOfAWorkspaceAreBelowItsRoot(t *testing.T) {
	s := module(t)
	s.Module = s.Root // there is no module in the root
	for name, want := range map[string]string{
		"example.com/m/parser/header.go":      "parser/header.go",
		"example.com/m/other/deep/x.go":       "other/deep/x.go",
		"example.com/m/other@v1.0.0/x.go":     "example.com/m/other@v1.0.0/x.go",
		"example.com/n/other.go":              "example.com/n/other.go",
		"strconv/atoi.go":                     "strconv/atoi.go",
		filepath.Join(s.Root, "a", "main.go"): "a/main.go",
	} {
		if got := s.Locate([]finding.Call{{File: name, Line: 1}})[0].File; got != want {
			t.Errorf("%s is located at %s, want %s", name, got, want)
		}
	}
}

func TestThePlaceIsTheTopLineThatIsNotOfTheStandardLibrary(t *testing.T) {
	s := module(t)
	own := finding.Call{Func: "example.com/m/parser.Parse", File: filepath.Join(s.Dir, "header.go"), Line: 7}
	for _, tt := range []struct{ name, function, file, want string }{
		{"a file of the module", "m.F", filepath.Join(s.Root, "x.go"), "x.go"},
		{"below the standard library", "strconv.Atoi", "/usr/local/go/src/strconv/atoi.go", "parser/header.go"},
		{"below the standard library with -trimpath", "encoding/json.(*Decoder).Decode", "encoding/json/stream.go", "parser/header.go"},
		{"below a dependency of the standard library", "vendor/golang.org/x/net/idna.F", "/usr/local/go/src/vendor/golang.org/x/net/idna/x.go", "parser/header.go"},
		{"a dependency with -trimpath", "github.com/dep.F", "github.com/dep@v1.0.0/x.go", "github.com/dep@v1.0.0/x.go"},
		{"a vendored dependency", "github.com/dep.F", filepath.Join(s.Root, "vendor", "github.com", "dep", "x.go"), "vendor/github.com/dep/x.go"},
		{"a dependency in a folder src", "github.com/dep.F", "/home/src/github.com/dep/x.go", "/home/src/github.com/dep/x.go"},
	} {
		if got, ok := Main(s.Locate([]finding.Call{{Func: tt.function, File: tt.file, Line: 3}, own})); !ok || got.File != tt.want {
			t.Errorf("%s: the place is in %s, %v, want %s", tt.name, got.File, ok, tt.want)
		}
	}
	if got, ok := Main(s.Locate([]finding.Call{{Func: "strconv.Atoi", File: "strconv/atoi.go", Line: 3}})); !ok || got.Func != "strconv.Atoi" {
		t.Errorf("with no line of the module the place is %+v, %v", got, ok)
	}
	older := []finding.Call{{Func: "strconv.Atoi", File: "/usr/local/go/src/strconv/atoi.go", Line: 3}, {Func: "m.F", File: "x.go", Line: 1}}
	if got, ok := Main(older); !ok || got.Func != "m.F" {
		t.Errorf("of a history that does not say whose code it is, the place is %+v, %v", got, ok)
	}
	if _, ok := Main(nil); ok {
		t.Error("without a call there is a place")
	}
}

// record is a finding in the module.
func record() finding.Record {
	return finding.Record{
		ID: "3f9a000000000000", Kind: finding.Panic, Message: "runtime error: slice bounds out of range [:9] with capacity 8",
		Calls: []finding.Call{
			{Func: "strings.Repeat", File: "/usr/local/go/src/strings/strings.go", Line: 600, Foreign: true},
			{Func: "example.com/m/parser.(*reader).field", File: "parser/header.go", Line: 7},
			{Func: "example.com/m/parser.Parse[go.shape.[]uint8/x]", File: "parser/parse.go", Line: 12},
		},
		Package: "example.com/m/parser", Folder: "parser", Target: "FuzzParse", Input: "go test fuzz v1\n[]byte(\"HD\\x01\")\nint(7)\n",
		Path: "parser/testdata/fuzz/FuzzParse/1f0c", Size: 11, Original: 212, Minimize: 0.3, Output: "panic: …\n", Replays: 3, Repeats: 3,
		First: time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local), Last: time.Date(2126, 1, 2, 3, 4, 5, 0, time.Local), Times: 2,
		Go: "go1.26.1", Commit: "abcdef", Changed: true,
	}
}

func block(r finding.Record, o Options) string {
	var b strings.Builder
	o.ID = "3f9a"
	Block(&b, r, o)
	return b.String()
}

func TestABlockHasAllThatAPersonNeeds(t *testing.T) {
	root := module(t).Root
	const want = `finding 3f9a  FuzzParse  slice bounds out of range [:9] with capacity 8
  parser/header.go:7 in parser.(*reader).field
        6 | n := int(r.buf[r.pos])
   >    7 | f := r.buf[r.pos+1 : r.pos+1+n]
        8 | r.pos += 1 + n
  down to strings.Repeat /usr/local/go/src/strings/strings.go:600
  via     parser.Parse[go.shape.[]uint8/x] parser/parse.go:12
  what    panic: the code panics with this input, which ends a program that does not recover
  input   []byte("HD\x01")   minimized from 212 bytes in 0.3 s
          int(7)
  proof   3 of 3 replays in a fresh process
  file    parser/testdata/fuzz/FuzzParse/1f0c
  re-run  go test -run=FuzzParse/1f0c ./parser
`
	if got := filepath.ToSlash(block(record(), Options{Root: root, Dir: root})); got != want {
		t.Errorf("the block is\n%s\nwant\n%s", got, want)
	}
}

func TestABlockTellsWhatIsDifferent(t *testing.T) {
	root := module(t).Root
	tests := []struct {
		name   string
		change func(r *finding.Record, o *Options)
		want   []string
		not    []string
	}{
		{"in the folder of the package", func(_ *finding.Record, o *Options) { o.Dir = filepath.Join(root, "parser") }, []string{
			"  header.go:7 in", "re-run  go test -run=FuzzParse/1f0c .\n",
		}, nil},
		{"in another folder", func(_ *finding.Record, o *Options) { o.Dir = filepath.Join(root, "other") }, []string{
			"re-run  go test -run=FuzzParse/1f0c example.com/m/parser\n",
		}, nil},
		{"a seed of F.Add", func(r *finding.Record, _ *Options) { r.Path, r.Seed = "", "seed#1" }, []string{
			"a seed of yours: seed#1", "re-run  go test -run='^FuzzParse$/^seed#1$' ./parser\n",
		}, []string{"  file "}},
		{"a seed with a name of yours", func(r *finding.Record, _ *Options) { r.Path = "parser/testdata/fuzz/FuzzParse/it's a+b" }, []string{
			`re-run  go test -run='FuzzParse/it'\''s\x{20}a\+b' ./parser` + "\n",
		}, nil},
		{"flaky", func(r *finding.Record, _ *Options) { r.Flaky, r.Repeats = true, 1 }, []string{
			"flaky 3f9a  FuzzParse", "1 of 3 replays in a fresh process; it depends on chance", "  output  panic: …\n",
		}, []string{"finding"}},
		{"not replayed", func(r *finding.Record, _ *Options) { r.Replays, r.Repeats = 0, 0 }, []string{"proof   not replayed, so it does not count as a bug\n"}, nil},
		{"the source has changed", func(r *finding.Record, _ *Options) { r.Last = r.First }, []string{"parser/header.go:7 in"}, []string{" | "}},
		{"a remark", func(_ *finding.Record, o *Options) { o.Note = "was known" }, []string{"  known   was known\n"}, nil},
		{"variables that were other than the user's", func(r *finding.Record, _ *Options) {
			r.Environ = []string{"GOTRACEBACK=single", "GORACE=history_size=7 a=b", "EMPTY="}
		}, []string{
			"re-run  GOTRACEBACK=single GORACE='history_size=7 a=b' EMPTY= go test -run=FuzzParse/1f0c ./parser",
		}, nil},
		{"flags of the go command", func(r *finding.Record, _ *Options) { r.Flags = []string{"-tags=a", "-ldflags=-s -w"} }, []string{
			"go test -tags=a '-ldflags=-s -w' -run=FuzzParse/1f0c ./parser",
		}, nil},
		{"a long input", func(r *finding.Record, _ *Options) {
			r.Input = "go test fuzz v1\nstring(\"" + strings.Repeat("a", 4096) + "\")\n"
		}, []string{`  input   string("` + strings.Repeat("a", 64) + `"…)   4096 bytes in all   minimized`}, nil},
		{"a long input in full", func(r *finding.Record, o *Options) {
			r.Input, o.Full = "go test fuzz v1\nstring(\""+strings.Repeat("a", 4096)+"\")\n", true
		}, []string{strings.Repeat("a", 4096) + `")`}, nil},
		{"many arguments", func(r *finding.Record, _ *Options) {
			r.Input = "go test fuzz v1\n" + strings.Repeat("bool(true)\n", 15)
		}, []string{"… 3 arguments more"}, nil},
		{"a message with control characters", func(r *finding.Record, _ *Options) { r.Message = "bad \x1b[31m\xff\u202e" }, []string{
			`bad \x1b[31m\xff\u202e`,
		}, []string{"\x1b"}},
		{"a failure with more to say", func(r *finding.Record, _ *Options) {
			r.Kind, r.Output = finding.Failure, "--- FAIL: FuzzParse\n    x_test.go:1: one\n"+strings.Repeat("    more\n", 20)
		}, []string{"  output  --- FAIL: FuzzParse\n", "… 2 lines more; gnaw show prints them"}, nil},
		{"a failure of an assertion library", func(r *finding.Record, _ *Options) {
			r.Kind, r.Message = finding.Failure, "Not equal:"
			r.Output = "--- FAIL: FuzzParse (0.00s)\n    x_test.go:18: \n        \tError Trace:\t/src/m/x_test.go:18\n" +
				strings.Repeat("        \t            \t\t\t\t/go/src/testing/fuzz.go:328\n", 9) +
				"        \tError:      \tNot equal: \n        \t            \texpected: \"a\"\n        \t            \tactual  : \"b\"\n"
		}, []string{"FuzzParse  Not equal: expected: \"a\", actual: \"b\"\n", "expected: \"a\"\n", "actual  : \"b\"\n"}, []string{"Trace", "fuzz.go", "lines more"}},
		{"a diff with spaces that do not break a line", func(r *finding.Record, _ *Options) {
			r.Kind, r.Message = finding.Failure, "values are not equal"
			r.Output = "--- FAIL: FuzzParse (0.00s)\n    x_test.go:24: \n        error:\n          values are not equal\n        got:\n          1\n" +
				"        want:\n          \u00a0\u00a02\n        stack:\n          /src/m/x_test.go:24\n            qt.Equals(1, 2)\n        \n"
		}, []string{"FuzzParse  values are not equal: got: 1, want: 2\n", "want:\n                      2\n  input"}, []string{"u00a0", "stack", "qt.Equals"}},
		{"a failure that writes one line and logs nothing", func(r *finding.Record, _ *Options) {
			r.Kind, r.Message, r.Output, r.Calls = finding.Failure, "", "--- FAIL: FuzzParse (0.00s)\n    said\n", nil
		}, []string{"  output  --- FAIL: FuzzParse (0.00s)\n              said\n"}, nil},
		{"a failure with nothing to say", func(r *finding.Record, _ *Options) {
			r.Kind, r.Message, r.Output = finding.Failure, "", "--- FAIL: FuzzParse (0.00s)\n"
		}, nil, []string{"output"}},
		{"a flaky hang with much to say before its stacks", func(r *finding.Record, _ *Options) {
			r.Kind, r.Flaky, r.Repeats = finding.Hang, true, 1
			r.Output = "hung\n" + strings.Repeat("words\n", 30) + "SIGQUIT: quit\n" + strings.Repeat("\tframe\n", 20)
		}, []string{"  output  hung\n          …\n          SIGQUIT: quit\n", "… 11 lines more; gnaw show prints them"}, []string{"words"}},
		{"a dependency", func(r *finding.Record, _ *Options) {
			dep := finding.Call{Func: "example.com/dep.F", File: "/mod/example.com/dep@v1.0.0/x.go", Line: 3, Foreign: true, Module: "example.com/dep@v1.0.0"}
			r.Calls = append([]finding.Call{r.Calls[0], dep, dep, dep, dep}, r.Calls[1:]...)
		}, []string{
			"  /mod/example.com/dep@v1.0.0/x.go:3 in dep.F\n  module  example.com/dep@v1.0.0\n  down to strings.Repeat ",
			"  via     dep.F /mod/example.com/dep@v1.0.0/x.go:3\n  via     dep.F /mod/example.com/dep@v1.0.0/x.go:3\n  via     parser.(*reader).field parser/header.go:7\n  what",
		}, nil},
		{"a line of a helper whose function is not known", func(r *finding.Record, _ *Options) {
			r.Kind, r.Calls = finding.Failure, []finding.Call{{File: "parser/fuzz.go", Line: 151}}
		}, []string{"\n  parser/fuzz.go:151\n  what"}, []string{" in \n"}},
		{"no place", func(r *finding.Record, _ *Options) { r.Calls, r.Message = nil, "" }, []string{"finding 3f9a  FuzzParse  panic\n  what"}, nil},
		{"everything", func(_ *finding.Record, o *Options) { o.Full = true }, []string{
			"  id      3f9a000000000000\n", "  package example.com/m/parser\n", "first 2026-01-02 03:04:05, last 2126-01-02 03:04:05, in 2 campaigns\n",
			"  go      go1.26.1\n", "  commit  abcdef, with changes that were not committed\n", "  output\n    panic: …\n",
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, o := record(), Options{Root: root, Dir: root}
			tt.change(&r, &o)
			got := filepath.ToSlash(block(r, o))
			if tt.name == "a message with control characters" {
				got = block(r, o)
			}
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("the block is\n%s\nwithout %q", got, w)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(got, w) {
					t.Errorf("the block is\n%s\nwith %q", got, w)
				}
			}
		})
	}
}

func TestEveryKindIsExplained(t *testing.T) {
	names := append([]string{"unknown", "panic", "failure", "goexit", "race", "fatal", "exit", "signal", "hang", "memory"}, oracle.All.Reporting().Names()...)
	for _, name := range names {
		k, _ := finding.KindNamed(name)
		if text := Explanation(k); text == "" || k != finding.Unknown && !strings.HasPrefix(text, k.String()+": ") {
			t.Errorf("%v is explained by %q", k, text)
		}
	}
}

// measured is a finding with which plain go test passes.
func measured(s Source, kind finding.Kind, output string) finding.Record {
	message, _, _ := strings.Cut(output, "\n")
	return finding.Record{
		ID: "3f9a1c2b00000000", Kind: kind, Message: message, Output: output, Package: s.Package, Folder: "parser", Target: "FuzzX",
		Input: "go test fuzz v1\nstring(\"f(a,b)\")\n", Path: "parser/testdata/fuzz/FuzzX/1", Replays: 3, Repeats: 3,
		Measure: &finding.Measure{Piece: finding.Piece{From: 0, To: 2, CloseFrom: 5, CloseTo: 6}},
	}
}

func TestAMeasuredFindingSaysHowToSeeIt(t *testing.T) {
	s := module(t)
	o := Options{Root: s.Root, Dir: s.Root, ID: "3f9a"}
	var b strings.Builder
	Block(&b, measured(s, finding.Growth, `time grows with the power 2.0 of the size of the input

      size       time
    10 KiB      7.5ms  #
    40 KiB      174ms  ########
`+"    50 KiB      290ms   \n"+`
example.com/m/parser.field(...)
	/x/header.go:7
`), o)
	want := `finding 3f9a  FuzzX  time grows with the power 2.0 of the size of the input
  what    growth: if a part of the input repeats, the time grows faster than the input; a large input blocks the program
  curve         size       time
              10 KiB      7.5ms  #
              40 KiB      174ms  ########
              50 KiB      290ms
  repeat  string("f("), bytes 0 to 2 and string(")"), bytes 5 to 6
  input   string("f(a,b)")
  proof   3 of 3 measurements in a fresh process; plain go test passes (gnaw regress writes a test that measures)
  file    parser/testdata/fuzz/FuzzX/1
  re-run  gnaw repro 3f9a
`
	if got := b.String(); got != want {
		t.Errorf("the block is\n%swant\n%s", got, want)
	}
}

func TestARaceShowsBothSides(t *testing.T) {
	s := module(t)
	r := measured(s, finding.Race, "data race: write in parser.(*reader).field, read in parser.read\n")
	name := s.Package + ".(*reader).field"
	r.Last = time.Now().Add(time.Hour)
	r.Calls = []finding.Call{{Func: name, File: "parser/header.go", Line: 7}, {Func: s.Package + ".Parse", File: "parser/parse.go", Line: 3}}
	r.Others = []finding.Call{{Func: s.Package + ".read", File: "parser/header.go", Line: 8}}
	var b strings.Builder
	Block(&b, r, Options{Root: s.Root, Dir: s.Root, ID: "3f9a"})
	want := `finding 3f9a  FuzzX  data race: write in parser.(*reader).field, read in parser.read
  parser/header.go:7 in parser.(*reader).field
        6 | n := int(r.buf[r.pos])
   >    7 | f := r.buf[r.pos+1 : r.pos+1+n]
        8 | r.pos += 1 + n
  via     parser.Parse parser/parse.go:3
  and
  parser/header.go:8 in parser.read
        7 | f := r.buf[r.pos+1 : r.pos+1+n]
   >    8 | r.pos += 1 + n
        9 | return f
  what    race: two goroutines use the same memory at once and one of them writes
`
	if got := b.String(); !strings.HasPrefix(got, want) {
		t.Errorf("the block is\n%swant\n%s", got, want)
	}
}

func TestAFindingOfADependencySaysHowItsMaintainersSeeIt(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    finding.Dependency
		want []string
	}{
		{
			"a module",
			finding.Dependency{Module: "example.com/d", Version: "v1.2.0", Line: 7, Folder: "p"},
			[]string{
				"  module  example.com/d@v1.2.0, go.mod line 7\n", "  clone   the repository of example.com/d at v1.2.0\n",
				"put the file at p/testdata/fuzz/FuzzF/1\n", "go test -run=FuzzF/1 ./p\n", "  re-run  gnaw repro 3f9a\n",
				"  newest  gnaw repro 3f9a@latest runs the input with the newest version\n",
			},
		},
		{
			"the root of a module that go.mod does not require",
			finding.Dependency{Module: "example.com/d", Version: "v1.2.0", Folder: "."},
			[]string{"  module  example.com/d@v1.2.0\n", "put the file at testdata/fuzz/FuzzF/1\n", "go test -run=FuzzF/1 .\n"},
		},
		{
			"the standard library",
			finding.Dependency{Module: "std", Version: "go1.26.1", Folder: "archive/zip"},
			[]string{"  clone   the Go repository at go1.26.1, and change to its folder src\n", "go test -run=FuzzF/1 ./archive/zip\n"},
		},
		{
			"a folder that replaces a module",
			finding.Dependency{Module: "example.com/d", Version: "local", Line: 7, Folder: "p"},
			[]string{"  clone   not needed: example.com/d is in the folder that go.mod replaces it with\n"},
		},
	} {
		r := record()
		r.Package = path.Join(tt.d.Module, tt.d.Folder)
		r.Target, r.Path, r.Dependency = "FuzzF", ".gnaw/deps/x/testdata/fuzz/FuzzF/1", &tt.d
		got := block(r, Options{ID: "3f9a", Full: true})
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%s", tt.name, want, got)
			}
		}
	}
}

func TestAFindingOfAModuleThatReplacesAnotherHasNoNewestVersion(t *testing.T) {
	r := record()
	r.Package, r.Dependency = "example.com/d/p", &finding.Dependency{Module: "example.com/fork", Version: "v1.2.0", Folder: "p"}
	r.Calls = []finding.Call{{Func: "example.com/d/p.F", File: "/mod/example.com/fork@v1.2.0/p/x.go", Line: 3, Foreign: true, Module: "example.com/d@v1.2.0"}}
	got := block(r, Options{ID: "3f9a", Full: true})
	if !strings.Contains(got, "  clone   the repository of example.com/fork at v1.2.0\n") || strings.Contains(got, "example.com/d@") || strings.Contains(got, "@latest") {
		t.Errorf("the finding is shown as\n%s", got)
	}
}

func TestAFindingOfATargetThatTheDependencyDoesNotHaveShowsIt(t *testing.T) {
	const file = ".gnaw/deps/example.com/d@v1.2.0/p/fuzz_test.go"
	root := t.TempDir()
	r := record()
	r.Package, r.Target = "example.com/d/p", "FuzzF"
	r.Dependency = &finding.Dependency{Module: "example.com/d", Version: "v1.2.0", Folder: "p", File: file}
	shown := filepath.FromSlash(file)
	for _, tt := range []struct{ name, text, want string }{
		{
			"its file has it", "package p\n\n// FuzzF checks F.\nfunc FuzzF(f *testing.F) {\n\tF()\n}\n\nfunc FuzzG(f *testing.F) {}\n",
			"  target\n    // FuzzF checks F.\n    func FuzzF(f *testing.F) {\n        F()\n    }\n  output\n",
		},
		{"its file does not have it", "package p\n", "  target  " + shown + " has no FuzzF any more\n"},
		{"its file is no Go", "FuzzF", "  target  " + shown + " has no FuzzF any more\n"},
	} {
		writeFile(t, filepath.Join(root, shown), tt.text)
		got := block(r, Options{ID: "3f9a", Full: true, Root: root, Dir: root})
		for _, want := range []string{tt.want, "put a copy of the target, " + shown + ", in its folder p\n"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%s", tt.name, want, got)
			}
		}
	}
	if err := os.Remove(filepath.Join(root, shown)); err != nil {
		t.Fatal(err)
	}
	if got := block(r, Options{ID: "3f9a", Full: true, Root: root, Dir: root}); !strings.Contains(got, "  target  its file cannot be read: ") {
		t.Errorf("without its file it is shown as\n%s", got)
	}
}

func TestACallInACopyIsShownInTheOriginal(t *testing.T) {
	s := module(t)
	kept := filepath.Join(s.Root, ".gnaw", "deps", "d@v1.0.0", "fuzz_test.go")
	writeFile(t, kept, "package d\n\nfunc FuzzF() {\n}\n")
	s.Original = func(file string) string {
		return map[string]string{"/copy/d@v1.1.0/fuzz_test.go": kept, "/copy/d@v1.1.0/d.go": "/mod/d@v1.1.0/d.go"}[file]
	}
	got := s.Locate([]finding.Call{
		{Func: "example.com/d.F", File: "/copy/d@v1.1.0/d.go", Line: 3}, {Func: "example.com/d.FuzzF", File: "/copy/d@v1.1.0/fuzz_test.go", Line: 4},
	})
	if got[0].File != "/mod/d@v1.1.0/d.go" || got[0].Module == "" {
		t.Errorf("the call in the module is %+v", got[0])
	}
	if got[1].File != ".gnaw/deps/d@v1.0.0/fuzz_test.go" || got[1].Offset != 2 || got[1].Module != "" {
		t.Errorf("the call in a target that is kept is %+v", got[1])
	}
}

func TestAFunctionIsShownWithItsPackage(t *testing.T) {
	for name, want := range map[string]string{
		"main.main":                               "main.main",
		"example.com/m/parser.(*reader).field":    "parser.(*reader).field",
		"example.com/m/parser.F[example.com/m.T]": "parser.F[example.com/m.T]",
		"gopkg.in/yaml%2ev3.(*parser).peek":       "yaml.v3.(*parser).peek",
		"example.com/uuid/v5.FromString":          "uuid/v5.FromString",
		"example.com/uuid/v5_test.FuzzX.func1":    "uuid/v5_test.FuzzX.func1",
		"k8s.io/api/core/v1.(*Pod).Unmarshal":     "core/v1.(*Pod).Unmarshal",
		"example.com/hcl/v2/syntax.Parse":         "syntax.Parse",
		"v5.F":                                    "v5.F",
	} {
		if got := ShortFunc(name); got != want {
			t.Errorf("ShortFunc(%s) = %s, want %s", name, got, want)
		}
	}
}
