package survey

import (
	"context"
	"fmt"
	"go/constant"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// load surveys a package that consists of files.
func load(t *testing.T, files map[string]string) *Package {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/p\n\ngo 1.24\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Load(context.Background(), code.Source{Dir: dir, Environ: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}, []string{"."})
	if err != nil || len(list) != 1 {
		t.Fatalf("Load = %v, %v", list, err)
	}
	return list[0]
}

func TestTextsAreThoseOfTheTestsThatCallTheFunction(t *testing.T) {
	p := load(t, map[string]string{
		"p.go": "package p\n\nfunc F(s string, n int, x float64) {}\n\nfunc G(data []byte) {}\n\nfunc H(s string) {}\n",
		"p_test.go": `package p

import "testing"

const word = "const" + "ant"

var table = []struct{ name, in string }{{"a name", "in a table"}, {in: "keyed", name: "another name"}}

func TestF(t *testing.T) {
	for _, tt := range table {
		t.Run("sub"+tt.name, func(t *testing.T) {
			F(tt.in, 10, 1.0/3)
			t.Errorf("a message of %s", tt.in)
		})
	}
	F(word, -2, 0.5)
}

func TestG(t *testing.T) {
	G([]byte{1, 0xff})
	check(t, "through a helper")
}

func check(t *testing.T, s string) {
	t.Helper()
	G([]byte(s))
}
`,
		"x_test.go": "package p_test\n\nimport \"example.com/p\"\n\nfunc ExampleH() {\n\tp.H(`outside`)\n}\n",
	})
	for key, want := range map[string][]string{
		"F": {"constant", "in a table", "keyed"}, "G": {"\x01\xff", "through a helper"}, "H": {"outside"},
	} {
		got := slices.Clone(p.Func(key).Texts)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the texts of %s are %q, want %q", key, got, want)
		}
	}
}

func TestFilesThatTestsNameBecomePatterns(t *testing.T) {
	p := load(t, map[string]string{
		"p.go": "package p\n\nfunc F(data []byte) {}\n",
		"p_test.go": "package p\n\nimport \"os\"\n\nfunc ExampleF() {\n\tdata, _ := os.ReadFile(\"testdata/a.bin\")\n\tF(data)\n\t_, _ = os.ReadDir(\"./testdata/more\")\n" +
			"\t_, _ = os.ReadFile(\"testdata/none.txt\")\n\t_, _ = os.ReadFile(\"testdata/fuzz/FuzzF/x\")\n}\n",
		"testdata/a.bin": "a", "testdata/more/b": "b", "testdata/large.txt": strings.Repeat("x", maxFile+1), "testdata/fuzz/FuzzF/x": "x",
	})
	if got := p.Func("F").Globs; !slices.Equal(got, []string{"testdata/*.bin", "testdata/more/*"}) {
		t.Errorf("the patterns are %q", got)
	}
}

func TestFunctionsWithEffectsAreAvoided(t *testing.T) {
	p := load(t, map[string]string{"p.go": `package p

import (
	"io"
	"net"
	"os"
	"time"
)

type registry struct{ names map[string]bool }

func (r *registry) add(name string) { r.names[name] = true }

func (r *registry) has(name string) bool { return r.names[name] }

var (
	known registry
	count int
)

func Env(s string) string { return os.Getenv(s) }
func Open(s string) { inner(s) }
func inner(s string) { _, _ = os.Open(s) }
func Sleep(s string) { time.Sleep(0) }
func Format(s string) string { return time.Time{}.Format(s) }
func Dial(s string) { _, _ = net.Dial("tcp", s) }
func IP(s string) net.IP { return net.ParseIP(s).To4() }
func Add(s string) { known.add(s) }
func Has(s string) bool { return known.has(s) }
func Count(s string) { count++ }
func Loop(s string) { Again(s) }
func Again(s string) { Loop(s) }
func Visit(s string) { Leave(s); Open(s) }
func Leave(s string) { Visit(s) }
func Copy(r io.Reader) { _, _ = io.Copy(io.Discard, r) }
`})
	for key, want := range map[string]string{
		"Env": "", "Open": "it calls os.Open through inner", "Sleep": "it calls time.Sleep", "Format": "", "Dial": "it calls net.Dial", "IP": "",
		"Add": "it changes a variable of the package", "Has": "", "Count": "it changes a variable of the package", "Loop": "", "Copy": "",
		"Visit": "it calls os.Open through Open", "Leave": "it calls os.Open through Visit",
	} {
		if got := p.Func(key).Avoid; got != want {
			t.Errorf("%s is avoided because %q, want %q", key, got, want)
		}
	}
}

func TestDocumentationStatesConditionsForArguments(t *testing.T) {
	number, failure := types.NewVar(0, nil, "", types.Typ[types.Int]), types.NewVar(0, nil, "", types.Universe.Lookup("error").Type())
	for _, tt := range []struct {
		name, doc string
		result    *types.Var
		want      string
	}{
		{"nothing", "Parse reads a text.", failure, ""},
		{"a panic", "It panics if s is empty.", failure, "panics"},
		{"no panic", "It does not panic.", failure, ""},
		{"the panic of another function", "It returns an error instead of panicking, unlike F, which panics.", failure, "panics"},
		{"a condition", "The text must be valid.", number, "must be"},
		{"a condition that is checked", "The text must be valid.", failure, ""},
		{"a condition that is checked, and advice", "The text must be valid. Deprecated: use F.", failure, "deprecated"},
		{"a name", "Mustbe is a name.", number, ""},
	} {
		f := &Func{Doc: tt.doc, Obj: types.NewFunc(0, nil, "F", types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(tt.result), false))}
		if got := f.Precondition(); got != tt.want {
			t.Errorf("%s: the condition in %q is %q, want %q", tt.name, tt.doc, got, tt.want)
		}
	}
}

func TestManyTextsAreSpread(t *testing.T) {
	var list []string
	for i := range 100 {
		list = append(list, fmt.Sprint(i))
	}
	got := Spread(list, maxTexts)
	if len(got) != maxTexts || got[0] != "0" || got[maxTexts-1] != "95" {
		t.Errorf("picked are %q", got)
	}
	if got := texts([]string{"a", "", "a", strings.Repeat("x", maxText+1), "testdata/a"}); !slices.Equal(got, []string{"a"}) {
		t.Errorf("the texts are %q", got)
	}
}

func TestConstantsAreWrittenAsGo(t *testing.T) {
	runeType := types.Universe.Lookup("rune").Type()
	for _, tt := range []struct {
		typ   types.Type
		value constant.Value
		want  string
	}{
		{types.Typ[types.Int], constant.MakeInt64(10), "10"},
		{types.Typ[types.String], constant.MakeString("a\n"), `"a\n"`},
		{types.Typ[types.Bool], constant.MakeBool(true), "true"},
		{types.Typ[types.Float64], constant.MakeFloat64(0.25), "0.25"},
		{runeType, constant.MakeInt64(','), "','"},
		{runeType, constant.MakeInt64(-1), "-1"},
		{types.Typ[types.Int32], constant.MakeInt64(','), "44"},
	} {
		if got := expression(types.TypeAndValue{Type: tt.typ, Value: tt.value}); got != tt.want {
			t.Errorf("the expression is %s, want %s", got, tt.want)
		}
	}
}

func TestTheHeaderIsThatOfAllTestFiles(t *testing.T) {
	const license = "// Copyright 2026 A. B.\n// SPDX-License-Identifier: MIT\n\n"
	for _, tt := range []struct{ name, first, second, want string }{
		{"the same", license, license, strings.TrimSpace(license)},
		{"only one has it", license, "", ""},
		{"a comment about the package", "// Package p is Copyright 2026 A. B.\n", "// Package p is Copyright 2026 A. B.\n", ""},
		{"none", "", "", ""},
	} {
		p := load(t, map[string]string{"p.go": "package p\n", "a_test.go": tt.first + "package p\n", "b_test.go": tt.second + "package p\n"})
		if p.Header != tt.want {
			t.Errorf("%s: the header is %q, want %q", tt.name, p.Header, tt.want)
		}
	}
}
