package frontier

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// sourceHead is the beginning of each source.
const sourceHead = "package p\n\nimport (\n\t\"os\"; \"reflect\"; \"time\"\n\t\"strings\"\n)\n\nvar _, _ = os.Args, strings.Fields\n"

// findIn finds the rows of a source. A line that ends in a comment is a block of one statement: the digits of the comment are the indexes of the
// inputs that reach the block, and a minus means that no input reaches it.
func findIn(t *testing.T, src string, inputs ...string) *Frontier {
	t.Helper()
	src = sourceHead + src
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	r := &coverage.Replayed{Target: fuzz.Name{Package: "m/p", Func: "FuzzP"}}
	for i := range 3 {
		e := coverage.Entry{Name: fmt.Sprintf("seed#%d", i), Args: input.Args{{Kind: input.String}}}
		if i < len(inputs) {
			e.Args[0].Data, e.Size = []byte(inputs[i]), len(inputs[i])
		}
		r.Entries = append(r.Entries, e)
	}
	reached := make([][]byte, 3)
	for i, line := range strings.Split(src, "\n") {
		code, mark, ok := strings.Cut(line, " // ")
		if !ok {
			continue
		}
		start := len(code) - len(strings.TrimLeft(code, "\t")) + 1
		if at := strings.Index(code, "} else if"); at >= 0 {
			start = at + len("} else") + 1
		}
		n := len(r.Blocks)
		r.Blocks = append(r.Blocks, coverage.Block{
			Package: "m/p", File: "m/p/p.go", Function: "F", Start: coverage.Position{Line: i + 1, Column: start},
			End: coverage.Position{Line: i + 1, Column: len(code) + 1}, Statements: 1,
		})
		for _, digit := range strings.TrimSuffix(mark, "-") {
			reached[digit-'0'] = append(reached[digit-'0'], byte(n))
		}
	}
	for i, list := range reached {
		last := byte(0)
		for _, n := range list {
			r.Entries[i].Blocks = append(r.Entries[i].Blocks, n-last)
			last = n
		}
	}
	return Find([]*coverage.Replayed{r}, loadIn(t, dir))
}

// standard has the types of the standard library.
var standard = importer.ForCompiler(token.NewFileSet(), "source", nil)

// loadIn loads the file p.go of a folder as the package m/p.
func loadIn(t *testing.T, dir string) []*packages.Package {
	t.Helper()
	file, fset := filepath.Join(dir, "p.go"), token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p := &packages.Package{PkgPath: "m/p", Name: "p", GoFiles: []string{file}, Fset: fset, Syntax: []*ast.File{tree}, TypesInfo: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}}
	conf := types.Config{Importer: standard, Error: func(error) {}} // an import that is not used is an error
	p.Types, _ = conf.Check("m/p", fset, p.Syntax, p.TypesInfo)
	return []*packages.Package{p}
}

// findOne is findIn for a source with one row.
func findOne(t *testing.T, src string, inputs ...string) (*Frontier, *Row) {
	t.Helper()
	f := findIn(t, src, inputs...)
	if len(f.Rows) != 1 {
		t.Fatalf("there are %d rows, want 1", len(f.Rows))
	}
	return f, f.Rows[0]
}

func TestASideIsMissingIfNoInputReachesIt(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string // condition: missing side, statements behind it, inputs
	}{
		{
			"the body of an if",
			"func F(a int) {\n\tif a > 1 { // 01\n\t\ta = 1 // -\n\t\ta = 2 // -\n\t}\n\ta = 3 // 01\n}\n",
			[]string{"a > 1: true 2 2"},
		}, {
			"an else",
			"func F(a int) {\n\tif a > 1 { // 0\n\t\ta = 1 // 0\n\t} else {\n\t\ta = 2 // -\n\t}\n}\n",
			[]string{"a > 1: false 1 1"},
		}, {
			"the code after a body that returns",
			"func F(a int) int {\n\tif a > 1 { // 0\n\t\treturn 1 // 0\n\t}\n\ta++ // -\n\treturn a // -\n}\n",
			[]string{"a > 1: false 2 1"},
		}, {
			"a body, with the code after it if the else panics",
			"func F(a int) int {\n\tif a > 1 { // 0\n\t\ta = 1 // -\n\t} else {\n\t\tpanic(a) // 0\n\t}\n\treturn a // -\n}\n",
			[]string{"a > 1: true 2 1"},
		}, {
			"no side, if an input reaches the body and another one the code after it",
			"func F(a int) int {\n\tif a > 1 { // 0\n\t\treturn 1 // 0\n\t}\n\treturn a // 1\n}\n",
			nil,
		}, {
			"an else if whose condition an input evaluates",
			"func F(a int) {\n\tif a > 1 { // 01\n\t\ta = 1 // 0\n\t} else if a > 2 { // 1\n\t\ta = 2 // -\n\t}\n}\n",
			[]string{"a > 2: true 1 1"},
		}, {
			"the first condition of two, if no input evaluates the second one",
			"func F(a int) {\n\tif a > 1 { // 0\n\t\ta = 1 // 0\n\t} else if a > 2 { // -\n\t\ta = 2 // -\n\t}\n}\n",
			[]string{"a > 1: false 2 1"},
		}, {
			"the body of a loop",
			"func F(a int) {\n\tfor a > 1 { // 0\n\t\ta-- // -\n\t}\n}\n",
			[]string{"a > 1: true 1 1"},
		}, {
			"the code after a loop without a break",
			"func F(a int) int {\n\tfor a > 1 { // 0\n\t\treturn 2 // 0\n\t}\n\treturn a // -\n}\n",
			[]string{"a > 1: false 1 1"},
		}, {
			"not the code after a loop with a break",
			"func F(a int) int {\n\tfor a > 1 { // 0\n\t\tif a > 2 { // 0\n\t\t\tbreak // -\n\t\t}\n\t\treturn 2 // 0\n\t}\n\treturn a // -\n}\n",
			[]string{"a > 2: true 1 1"},
		}, {
			"the code after a loop in which a switch has a break",
			"func F(a int) int {\n\tfor a > 1 { // 0\n\t\tswitch { // 0\n\t\tdefault:\n\t\t\tbreak // 0\n\t\t}\n\t\treturn 2 // 0\n\t}\n\treturn a // -\n}\n",
			[]string{"a > 1: false 1 1"},
		}, {
			"not the code after a loop with a break to its label",
			"func F(a int) int {\nL:\n\tfor a > 1 { // 0\n\t\tfor { // 0\n\t\t\tbreak L // -\n\t\t}\n\t}\n\treturn a // -\n}\n",
			nil,
		}, {
			"the code after a body that continues the loop",
			"func F(a []int) {\n\tfor _, x := range a { // 0\n\t\tif x > 1 { // 0\n\t\t\tcontinue // 0\n\t\t}\n\t\tx++ // -\n\t}\n}\n",
			[]string{"x > 1: false 1 1"},
		}, {
			"the body of a range that has no elements",
			"func F(a []int) {\n\tfor range a { // 0\n\t\tF(nil) // -\n\t}\n}\n",
			[]string{"range a: an element 1 1"},
		}, {
			"a case, if an input matches no case before it",
			"func F(a int) {\n\tswitch a { // 01\n\tcase 1:\n\t\ta = 1 // 0\n\tcase 2:\n\t\ta = 2 // -\n\tcase 3:\n\t\ta = 3 // 1\n\t}\n}\n",
			[]string{"switch a: case 2 1 1"},
		}, {
			"no case after one that all inputs match",
			"func F(a int) {\n\tswitch { // 0\n\tcase a > 1:\n\t\ta = 1 // 0\n\tcase a > 2:\n\t\ta = 2 // -\n\t}\n}\n",
			nil,
		}, {
			"a default",
			"func F(a int) {\n\tswitch a { // 0\n\tcase 1:\n\t\ta = 1 // 0\n\tdefault:\n\t\ta = 2 // -\n\t}\n}\n",
			[]string{"switch a: default 1 1"},
		}, {
			"the code after a switch whose cases all return",
			"func F(a int) int {\n\tswitch a { // 0\n\tcase 1:\n\t\treturn 1 // 0\n\t}\n\treturn 2 // -\n}\n",
			[]string{"switch a: none of the cases 1 1"},
		}, {
			"the only case that does not return, with the code after the switch",
			"func F(a int) int {\n\tswitch a { // 0\n\tcase 1:\n\t\ta = 3 // -\n\tdefault:\n\t\treturn 1 // 0\n\t}\n\treturn 2 // -\n}\n",
			[]string{"switch a: case 1 2 1"},
		}, {
			"a case without the code after the switch, if another case breaks",
			"func F(a int) int {\n\tswitch a { // 0\n\tcase 1:\n\t\ta = 3 // -\n\tdefault:\n\t\tif a > 7 { // 0\n\t\t\tbreak // -\n\t\t}\n\t\treturn 1 // 0\n\t}\n\treturn 2 // -\n}\n",
			[]string{"a > 7: true 1 1", "switch a: case 1 1 1"},
		}, {
			"a case of a type switch",
			"func F(a any) {\n\tswitch a.(type) { // 0\n\tcase int:\n\t\ta = 1 // -\n\tdefault:\n\t\ta = 2 // 0\n\t}\n}\n",
			[]string{"switch a.(type): case int 1 1"},
		}, {
			"a case of a select",
			"func F(a chan int) {\n\tselect { // 0\n\tcase <-a:\n\t\ta = nil // -\n\tdefault:\n\t\ta = nil // 0\n\t}\n}\n",
			[]string{"select: case <-a 1 1"},
		}, {
			"a branch in a function literal",
			"func F(a int) {\n\tf := func() { // 0\n\t\tif a > 1 { // 0\n\t\t\ta = 1 // -\n\t\t}\n\t}\n\tf() // 0\n}\n",
			[]string{"a > 1: true 1 1"},
		}, {
			"a branch in a generic function",
			"func F[T ~int | ~string](a T, b map[T]int) {\n\tif b[a] > 1 { // 0\n\t\tdelete(b, a) // -\n\t}\n}\n",
			[]string{"b[a] > 1: true 1 1"},
		}, {
			"no side without statements",
			"func F(a int) {\n\tif a > 1 { // 0\n\t\ta = 1 // 0\n\t}\n\ta = 2 // 0\n}\n",
			nil,
		}, {
			"no side of a condition that no input evaluates",
			"func F(a int) {\n\tif a > 1 { // -\n\t\ta = 1 // -\n\t}\n}\n",
			nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range findIn(t, tt.src).Rows {
				got = append(got, fmt.Sprintf("%s: %s %d %d", r.Condition, r.Missing, r.Behind, r.Inputs))
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("the rows are\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

// body is the rest of a source after the condition of an if: the first input evaluates the condition, and no input reaches the body.
const body = " { // 0\n\t\t_ = 1 // -\n\t}\n}\n"

// integers returns the comparison of a constant with another number.
func integers(constant, seen uint64, width uint8) wire.Comparison {
	return wire.Comparison{Op: compare.ConstInt, Width: width, A: constant, B: seen}
}

// texts returns the comparison of two strings.
func texts(op compare.Op, a, b string) wire.Comparison {
	return wire.Comparison{Op: op, SA: []byte(a), SB: []byte(b)}
}

func TestARowSaysWhatWouldHelp(t *testing.T) {
	for _, tt := range []struct {
		name, src, input string
		compared         []wire.Comparison // in the line of the condition
		kind, text       string
		nearest          string // seen, wanted, place; empty: nothing is compared
	}{
		{
			"a word for a string", "func F(s string) {\n\tif s == \"MAGIC\"" + body, "xMAGIK",
			[]wire.Comparison{texts(compare.Str, "MAGIK", "MAGIC"), texts(compare.Str, "other", "MAGIC")},
			Word, `the dictionary word "MAGIC" in place of "MAGIK" (argument 1, bytes 1 to 5)`, `"MAGIK" "MAGIC" &{1 1 6 text}`,
		},
		{
			"a word for a prefix that was never compared", "func F(s string) {\n\tif strings.HasPrefix(s, \"magic\")" + body, "x", nil,
			Word, `the dictionary word "magic"`, "",
		},
		{
			"a word for a key", "var keys map[string]int\n\nfunc F(s string) {\n\tif _, ok := keys[s]; ok" + body, "some",
			[]wire.Comparison{texts(compare.Map, "some", "other"), texts(compare.Map, "some", "same")},
			Word, `the dictionary word "same" in place of "some" (argument 1, bytes 0 to 3)`, `"some" "same" &{1 0 4 text}`,
		},
		{
			"the beginning of a key that was cut", "var keys map[string]int\n\nfunc F(s string) {\n\tif _, ok := keys[s]; ok" + body, "some",
			[]wire.Comparison{texts(compare.Map, "some", strings.Repeat("k", maxString))},
			Seed, `an input with a text that begins with "` + strings.Repeat("k", maxString) + `"`,
			`"some" "` + strings.Repeat("k", maxString) + `" &{1 0 4 text}`,
		},
		{
			"a number with its place", "func F(n uint16) {\n\tif n == 0x1234" + body, "a\x12\x35",
			[]wire.Comparison{integers(0x1234, 0x1235, 2), integers(7, 0x1234, 2)},
			Number, "an input for which n == 0x1234, in place of 4661 (argument 1, bytes 1 to 2)", "4661 4660 &{1 1 3 big endian}",
		},
		{
			"a number with a sign", "func F(n int32) {\n\tif n < -5" + body, "",
			[]wire.Comparison{integers(0xfffffffb, 0xffffffff, 4), integers(0xfffffffb, 3, 4)},
			Number, "an input for which n < -5", "-1 -5 <nil>",
		},
		{
			"a character", "func F(b byte) {\n\tif b == 'x'" + body, "ywz",
			[]wire.Comparison{integers('x', 'y', 1), integers('x', 'w', 1), integers('x', 'z', 1)},
			Number, "an input for which b == 'x', in place of 121 (argument 1, byte 0)", "121 120 &{1 0 1 byte}",
		},
		{
			"an input for a number that no character has", "func F(r rune) {\n\tif r == -1" + body, "ywz",
			[]wire.Comparison{integers(1<<32-1, 'y', 4), integers(1<<32-1, 'w', 4), integers(1<<32-1, 'z', 4)},
			Seed, "an input for which r == -1", "119 -1 &{1 1 2 byte}",
		},
		{
			"a longer input", "func F(s string) {\n\tif len(s) >= 10" + body, "abc",
			[]wire.Comparison{integers(10, 3, 8)},
			Length, "an input for which len(s) >= 10, in place of 3 (the length of argument 1)", "3 10 &{1 0 0 length}",
		},
		{
			"a shorter input", "func F(s string) {\n\tif 10 > len(s)" + body, "", nil,
			Length, "an input, or another call by the target, for which len(s) < 10", "",
		},
		{
			"a shorter input for the operand that is its length", "func F(s, prefix string, end int) {\n\tif end <= len(prefix)" + body, "ftp://b",
			[]wire.Comparison{{Op: compare.Int, Width: 8, A: 7, B: 6}},
			Length, "an input for which end <= len(prefix), in place of 7 (the length of argument 1)", "7 6 &{1 0 0 length}",
		},
		{
			"an input, and no length, for a comparison with the length of a constant", "func F(s string, i int) {\n\tif i >= len(\"[CDATA[\")" + body, "ab",
			[]wire.Comparison{integers(7, 0, 8), integers(7, 1, 8)},
			Number, "an input for which i >= len(\"[CDATA[\")", "1 7 <nil>",
		},
		{
			"the comparisons of the condition without those of other code in the line", "func F(c string) {\n\tif _ = c[0] == '-'; c[1] == '-'" + body, "D-",
			[]wire.Comparison{
				{Site: 1, Op: compare.ConstInt, Width: 1, A: '-', B: '-'},
				{Site: 1, Op: compare.ConstInt, Width: 1, A: '-', B: ','},
				{Site: 2, Op: compare.ConstInt, Width: 1, A: '-', B: 'D'},
			},
			Seed, "an input, or another call by the target, for which c[1] == '-'", "68 45 <nil>",
		},
		{
			"a word without the texts that other code in the line compares", "func F(k, v string) {\n\tif k == \"type\" && strings.EqualFold(v, \"hidden\")" + body, "type",
			[]wire.Comparison{texts(compare.Str, "type", "type")},
			Word, `the dictionary word "hidden"`, "",
		},
		{
			"the part that was never met", "func F(a, b byte) {\n\tif a == 'x' && b == 'z'" + body, "",
			[]wire.Comparison{integers('x', 'x', 1), integers('z', 'w', 1)},
			Seed, "an input, or another call by the target, for which b == 'z'", "119 122 <nil>",
		},
		{
			"a part that is negated", "func F(a, b byte) {\n\tif !(a != 'x' || b == 'z')" + body, "",
			[]wire.Comparison{integers('x', 'y', 1)},
			Seed, "an input, or another call by the target, for which a == 'x'", "121 120 <nil>",
		},
		{
			"an input for a constant of a type with a name, which need not be in an input", "type K string\n\nconst Bytes K = \"Bytes\"\n\nfunc F(k K) {\n\tif k == Bytes" + body, "", nil,
			Seed, "an input, or another call by the target, for which k == Bytes", "",
		},
		{
			"a word for such a constant if the input has the compared text", "type K string\n\nfunc F(k K) {\n\tif k == \"bytes\"" + body, "text",
			[]wire.Comparison{texts(compare.Str, "text", "bytes")},
			Word, `the dictionary word "bytes" in place of "text" (argument 1, bytes 0 to 3)`, `"text" "bytes" &{1 0 4 text}`,
		},
		{
			"a call that has to fail", "func read() error { return strings.NewReader(os.Args[0]).UnreadByte() }\n\nfunc F() {\n\terr := read()\n\tif err != nil" + body, "", nil,
			Failure, "an input with which read fails", "",
		},
		{
			"a type", "func F(a any) {\n\tif _, ok := a.(int); ok" + body, "", nil,
			Type, "another type: a target with a value, or an input, for which this is true: a.(int)", "",
		},
		{
			"anything else", "func F(a func() bool) {\n\tif !a()" + body, "", nil,
			Seed, "an input, or another call by the target, for which a() is false", "",
		},
		{
			"an input, with the expression that a number comes from", "func size() int { return len(os.Args) }\n\nfunc F() {\n\tif n := size(); n > 4" + body, "", nil,
			Seed, "an input, or another call by the target, for which n > 4, which comes from size()", "",
		},
		{
			"another type for a call of package reflect", "func F(v reflect.Value) {\n\tif v.IsNil()" + body, "", nil,
			Type, "another type: a target with a value, or an input, for which v.IsNil() is true", "",
		},
		{
			"the whole condition, if it is not known which part is missing", "func F(a, b func() bool) {\n\tif a() && b()" + body, "", nil,
			Seed, "an input, or another call by the target, for which this is true: a() && b()", "",
		},
		{
			"an input for a panic with an error, with which some programs return it", "func F(a int, err error) {\n\tif a > 1 { // 0\n\t\tpanic(err) // -\n\t}\n}\n", "", nil,
			Seed, "an input, or another call by the target, for which a > 1", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, r := findOne(t, tt.src, tt.input)
			facts := Facts{}
			for _, c := range tt.compared {
				at := line{r.File, r.Line}
				facts[at] = append(facts[at], fact{c, f.reach.inputs[0], address{site: c.Site}})
			}
			f.Explain(facts)
			if r.Help.Kind != tt.kind || r.Help.Text != tt.text {
				t.Errorf("the help is %s: %s\nwant %s: %s", r.Help.Kind, r.Help.Text, tt.kind, tt.text)
			}
			got := ""
			if c := r.Compared; c != nil {
				got = fmt.Sprintf("%s %s %v", c.Seen, c.Wanted, c.Place)
			}
			if got != tt.nearest {
				t.Errorf("the nearest comparison is %q, want %q", got, tt.nearest)
			}
		})
	}
}

func TestARowHasTheWordsOfWhichOneIsEnough(t *testing.T) {
	for _, tt := range []struct{ name, src, text, words string }{
		{
			"of a case", "func F(s string) {\n\tswitch s { // 0\n\tcase \"one\", \"two\", \"3\", \"one\"+\"\":\n\t\t_ = 1 // -\n\t}\n}\n",
			`the dictionary word "one", or another word of the case`, `one two`,
		},
		{"of operands", "func F(s string) {\n\tif s == \"one\" || strings.HasPrefix(s, \"two\")" + body, `the dictionary word "one", or another word of the condition`, `one two`},
		{"not if all of them are needed", "func F(s, t string) {\n\tif s == \"one\" && t == \"two\"" + body, `the dictionary word "one"`, `one`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, r := findOne(t, tt.src)
			f.Explain(nil)
			if got := string(bytes.Join(f.Words("m/p", "FuzzP"), []byte(" "))); r.Help.Text != tt.text || got != tt.words {
				t.Errorf("the help is %q with the words %q, want %q with %q", r.Help.Text, got, tt.text, tt.words)
			}
		})
	}
}

func TestNoInputHelpsForABranchThatDoesNotDependOnIt(t *testing.T) {
	for _, tt := range []struct{ name, src, why string }{
		{"a constant", "const debug = false\n\nfunc F(a bool) {\n\tif a && debug" + body, "debug is a constant"},
		{"an error of the environment", "func F() {\n\tdir, err := os.Getwd()\n\tif err != nil" + strings.Replace(body, "_ = 1", "_ = dir", 1), "the error of os.Getwd comes from the environment"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, r := findOne(t, tt.src)
			f.Explain(Facts{})
			if r.Help.Kind != Nothing || r.Help.Text != "no input helps: "+tt.why || r.Compared != nil {
				t.Errorf("the help is %s: %s\nwant %s: no input helps: %s", r.Help.Kind, r.Help.Text, Nothing, tt.why)
			}
		})
	}
}
