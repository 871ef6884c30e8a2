package frontier

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// target is the source of a function that a target may call, because an input reaches it.
const target = "\nfunc T(s string) { // 0\n\tF(1)\n}\n"

// Parts of sources.
const (
	errorType = "type E int\n\nfunc (E) Error() string { return \"\" }\n\n"
	ifError   = "\n\nfunc F(a int) { // 0\n\terr := g(a)\n\tif err != nil" + body
	kinds     = "type K int\n\nconst (\n\tA K = iota + 1\n\tB\n)\n\n"
	ifB       = "\n\nfunc F(a int) { // 0\n\tk := kind(a)\n\tif k == B" + body
	strict    = "type D struct{ strict bool }\n\nfunc (d *D) Strict() { d.strict = true }\n\n"
	ifStrict  = "\n\nfunc g(strict bool) {\n\tif strict" + body
)

func TestTheProgramDecidesWhatNoInputDoes(t *testing.T) {
	for _, tt := range []struct{ name, src, why string }{
		{
			"a parameter that each call passes as the same constant",
			"func F(a int) { // 0\n\tg(a, false)\n\tg(2, false)\n}\n\nfunc g(a int, strict bool) {\n\tif strict" + body, "each call of g that the target may reach passes false",
		},
		{"a parameter that calls pass as different constants", "func F(a int) { // 0\n\tg(false)\n\tg(true)\n}" + ifStrict, ""},
		{"a parameter of a function that is used as a value", "func F(a int) { // 0\n\tg(false)\n\th := g\n\th(a > 1)\n}" + ifStrict, ""},
		{"a parameter that a function in a variable of the package passes", "func F(a int) { // 0\n\tg(false)\n}\n\nvar strictly = func() { g(true) }" + ifStrict, ""},
		{"a case of which one operand is decided, and the other one is not", "const debug = false\n\nfunc F(a int) {\n\tswitch { // 0\n\tcase debug || a > 3:\n\t\ta = 2 // -\n\t}\n}\n", ""},
		{"a case that needs an operand that is decided", "const debug = false\n\nfunc F(a int) {\n\tswitch { // 0\n\tcase debug && a > 3:\n\t\ta = 2 // -\n\t}\n}\n", "debug is a constant"},
		{"a default, if the cases list all constants of a type that an input is converted to", "type K int\n\nconst A K = 1\n\nfunc F(a int) {\n\tswitch K(a) { // 0\n\tcase A:\n\t\ta = 2 // 0\n\tdefault:\n\t\ta = 3 // -\n\t}\n}\n", ""},
		{"a parameter that the function sets", "func F(a int) { // 0\n\tg(false)\n}\n\nfunc g(strict bool) {\n\tstrict = len(os.Args) > 1\n\tif strict" + body, ""},
		{
			"a field that only a function sets that the target does not call",
			strict + "func F(a int) { // 0\n\td := &D{}\n\tif d.strict" + body, "the target does not call *D.Strict, and no other code sets d.strict",
		},
		{
			"a field that two functions set that the target does not call",
			strict + "func (d *D) Lax() { d.strict = false }\n\nfunc F(a int) { // 0\n\td := &D{}\n\tif d.strict" + body, "the target does not call *D.Strict or *D.Lax, and no other code sets d.strict",
		},
		{
			"a field that four functions set that the target does not call",
			strict + "func (d *D) A() { d.strict = true }\n\nfunc (d *D) B() { d.strict = true }\n\nfunc (d *D) C() { d.strict = true }\n\nfunc F(a int) { // 0\n\td := &D{}\n\tif d.strict" + body,
			"the target does not call the functions that set d.strict, such as *D.Strict",
		},
		{
			"a field that code sets that the target may call",
			strict + "func F(a int) { // 0\n\td := &D{}\n\tif a > 1 { // 0\n\t\td.Strict() // 0\n\t}\n\tif d.strict" + body, "",
		},
		{
			"a field that is set to a value that is decided",
			"type D struct{ strict bool }\n\nvar mode bool\n\nfunc F(a int) { // 0\n\td := &D{strict: mode}\n\tif d.strict" + body, "mode is set by the program, not by an input",
		},
		{"a method that returns a field that no code sets", "type D struct{ on bool }\n\nfunc (d *D) isOn() bool { return d.on }\n\nfunc F(a int) { // 0\n\td := &D{}\n\tif d.isOn()" + body, "no code sets d.on to another value"},
		{"a variable of the package that a function sets that the target may call", "var depth int\n\nfunc F(a int) { // 0\n\tdepth++\n\tif depth > 4" + body, ""},
		{"a local variable that is set once", "const limit = 4\n\nfunc F(a int) { // 0\n\tn := limit + 1\n\tif n > 9" + body, "n > 9 always has the same value"},
		{"a local variable that is set once, but not where it is declared", "func F(a int) { // 0\n\tvar negative bool\n\tif a < 0 { // 0\n\t\tnegative = true // 0\n\t}\n\tif negative" + body, ""},
		{"a result that is set once", "func F(a int) (ok bool) { // 0\n\tif a < 0 { // 0\n\t\tok = true // 0\n\t}\n\tif ok" + body, ""},
		{"a local variable that a method changes", "type N int\n\nfunc (n *N) add(a int) { *n += N(a) }\n\nfunc F(a int) { // 0\n\tn := N(0)\n\tn.add(a)\n\tif n > 9" + body, ""},
		{"a local variable that is set twice", "func F(a int) { // 0\n\tn := 4\n\tn = a\n\tif n > 9" + body, ""},
		{
			"a call of a function that returns no errors but those of the environment",
			"func g(a int) error {\n\tif _, err := os.Stat(\"x\"); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}" + ifError, "g returns no errors but those of the environment",
		},
		{"a call of a function that returns an error", errorType + "func g(a int) error { return E(a) }" + ifError, ""},
		{"a call of a function that returns an element of a list of errors", "func g(list []error) error {\n\tfor _, err := range list {\n\t\treturn err\n\t}\n\treturn nil\n}\n\nfunc F(a int) { // 0\n\terr := g(nil)\n\tif err != nil" + body, ""},
		{"a call of a function that returns the error of a type switch", "func g(v any) error {\n\tswitch e := v.(type) {\n\tcase error:\n\t\treturn e\n\t}\n\treturn nil\n}" + ifError, ""},
		{"a call of a function that declares its error with a value", errorType + "func g(a int) error {\n\tvar err error = E(a)\n\treturn err\n}" + ifError, ""},
		{"an error of a function that parses a text", "func F(s string) { // 0\n\t_, err := time.ParseDuration(s)\n\tif err != nil" + body, ""},
		{
			"an error of a method that writes, whose code fails because of its argument",
			errorType + "type W struct{}\n\nfunc (W) Write(s string) error { return E(len(s)) }\n\nfunc F(s string) { // 0\n\terr := W{}.Write(s)\n\tif err != nil" + body, "",
		},
		{
			"a constant that no code sets a value to",
			kinds + "func kind(a int) K { return A }" + ifB, "no code that the target may call sets a value to B",
		},
		{"a constant that some code returns", kinds + "func kind(a int) K { return B }" + ifB, ""},
		{"a constant that some code counts up to", kinds + "func F(a int) { // 0\n\tk := A\n\tfor range a { // 0\n\t\tk++ // 0\n\t}\n\tif k == B" + body, ""},
		{"a constant that some code computes", kinds + "func kind(k K) K { return k + 1 }\n\nfunc F(a int) { // 0\n\tk := kind(A)\n\tif k == B" + body, ""},
		{"a constant in a loop over the numbers of its type", "type K int\n\nconst (\n\tA K = iota\n\tB\n\tall\n)\n\nfunc kind(a int) (k K) {\n\tfor k = range all {\n\t}\n\treturn k\n}" + ifB, ""},
		{
			"a constant that a byte cannot be converted to",
			"type K int\n\nconst B K = 300\n\nfunc kind(a byte) K { return K(a) }\n\nfunc F(a int) { // 0\n\tk := kind(byte(a))\n\tif k == B" + body, "no code that the target may call sets a value to B",
		},
		{"a number that its type does not have", "func F(a uint8) { // 0\n\tif a > 255" + body, "no value of type uint8 fulfills a > 255"},
		{"a number that its type has", "func F(a int) { // 0\n\tb := uint8(len(os.Args[0]))\n\tif b >= 255" + body, ""},
		{"a number below all of its type", "func F(a uint16) { // 0\n\tif a < 0" + body, "no value of type uint16 fulfills a < 0"},
		{"a constant that a number can be converted to", "type K int\n\nconst B K = 300\n\nfunc kind(a int) K { return K(a) }" + ifB, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := findIn(t, tt.src+target)
			f.Explain(nil)
			if len(f.Rows) != 1 {
				t.Fatalf("there are %d rows, want 1", len(f.Rows))
			}
			got, isNothing := strings.CutPrefix(f.Rows[0].Help.Text, "no input helps: ")
			if isNothing != (tt.why != "") || isNothing && got != tt.why {
				t.Errorf("the help is %q, want %q", f.Rows[0].Help.Text, tt.why)
			}
		})
	}
}

func TestTheOrderOfFilesDecidesTheOrderOfSetters(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for _, name := range strings.Fields("A B C D E F G H") {
		text := fmt.Sprintf("package p\n\nfunc %s() { v = 1 }\n", name)
		if err := os.WriteFile(filepath.Join(dir, strings.ToLower(name)+".go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		want = append(want, "m/p."+name)
	}
	if err := os.WriteFile(filepath.Join(dir, "v.go"), []byte("package p\n\nvar v int\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := readSource("m/p", dir, nil, false, loading{})
	for range 20 { // the order of a map is another one each time
		var got []string
		for _, w := range newProgram([]*source{s}).globals[variable{"m/p", "v"}] {
			got = append(got, w.in.name)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the setters are %q, want %q", got, want)
		}
	}
}

func TestARowSaysHowTheTargetCallsItsFunction(t *testing.T) {
	src := "type P struct{}\n\nfunc (p *P) parse(a int) { F(a) }\n\nfunc FuzzP() { new(P).parse(2) }\n\nfunc F(a int) { // 0\n\tif a > 1" + body
	f, r := findOne(t, src)
	f.Explain(nil)
	if got := strings.Join(r.Chain, " > "); got != "FuzzP > *P.parse > F" {
		t.Errorf("the chain is %q", got)
	}
}

func TestAConditionThatOftenHasTheSameValueIsDoubted(t *testing.T) {
	for _, tt := range []struct {
		name          string
		times, inputs int
		seen          uint64
		kind          string
	}{
		{"a few evaluations", 7, 3, 7, Seed},
		{"many evaluations in many inputs", manyTimes, manyInputs, 7, Guard},
		{"many evaluations in few inputs", manyTimes, manyInputs - 1, 7, Seed},
		{"some evaluations that come near to the limit", nearTimes, 1, 1, Guard},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, r := findOne(t, "func F(a int) {\n\tif a < 1"+body)
			r.Times, r.Inputs = uint64(tt.times), tt.inputs
			at := line{r.File, r.Line}
			f.Explain(Facts{at: {fact{Comparison: integers(1, tt.seen, 8), input: f.reach.inputs[0]}}})
			if r.Help.Kind != tt.kind {
				t.Errorf("the help is %s: %s; want %s", r.Help.Kind, r.Help.Text, tt.kind)
			}
		})
	}
}

// observedSource has two operands in line 10, and one of them in line 13.
const observedSource = "func F(a, b int) bool { // 0\n\tif a > 1 && !(b > 2) { // 0\n\t\ta = 1 // -\n\t}\n\treturn a > 3 || b > 4 // 0\n}\n"

func TestObservedSourcesParseAndKeepTheirLines(t *testing.T) {
	f := findIn(t, observedSource)
	texts := f.Observe()
	if len(texts) != 2 {
		t.Fatalf("there are %d sources, want 2", len(texts))
	}
	for name, text := range texts {
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
			t.Error(err)
		}
		if filepath.Base(name) == operandsFile {
			continue
		}
		for _, want := range []string{"if gnawOperand0(a > 1) && !(gnawOperand1(b > 2)) {", "return gnawOperand2(a > 3) || gnawOperand3(b > 4)"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the source lacks %q:\n%s", want, text)
			}
		}
		if got, want := strings.Count(string(text), "\n"), strings.Count(sourceHead+observedSource, "\n"); got != want {
			t.Errorf("the source has %d lines, want %d", got, want)
		}
	}
}

func TestAnOperandWithOneValueIsARow(t *testing.T) {
	// observe makes the process report that operands have values: operand 0 is true, 1 is true, 2 has both values, 3 is false.
	observe := func(operand int, value bool) wire.Compared {
		at := observersLine + 2*operand
		if !value {
			at++
		}
		id := uint64(at)
		return wire.Compared{
			Sites: []wire.Site{{ID: id, Frames: []wire.Frame{{Function: fmt.Sprintf("m/p.gnawOperand%d[...]", operand), File: "/x/" + operandsFile, Line: at}}}},
			List:  []wire.Comparison{{Site: id, Op: compare.ConstInt, Width: 4, A: 77}},
		}
	}
	f := findIn(t, observedSource, "a")
	var all wire.Compared
	for _, c := range []wire.Compared{observe(0, true), observe(1, true), observe(2, true), observe(2, false), observe(3, false)} {
		all.Sites, all.List = append(all.Sites, c.Sites...), append(all.List, c.List...)
	}
	p := &pretend{replies: map[string]reply{"a": {compared: all}}}
	facts := Facts{}
	if err := f.Record(t.Context(), p, f.Targets()[0], facts, nil); err != nil {
		t.Fatal(err)
	}
	f.Explain(facts)
	var got []string
	for _, r := range f.Rows {
		got = append(got, fmt.Sprintf("%d:%d %s never %s in %s: %d", r.Line, r.Column, r.Condition, r.Missing, r.Of, r.Behind))
	}
	slices.Sort(got)
	want := []string{
		"10:16 b > 2 never false in a > 1 && !(b > 2): 1",
		"10:5 a > 1 never false in a > 1 && !(b > 2): 0",
		"13:18 b > 4 never true in a > 3 || b > 4: 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the rows are\n%q\nwant\n%q", got, want)
	}
}

func TestAnOperandLeadsToTheErrorOfItsSide(t *testing.T) {
	f := findIn(t, errorType+"func g(a, b int) error { // 0\n\tif a > 1 && b > 2 { // 0\n\t\treturn nil // 0\n\t}\n\treturn E(1) // -\n}\n\nfunc F(a int) { // 0\n\terr := g(a, a)\n\tif err != nil"+body)
	for _, o := range f.operands {
		o.seen[true] = true
	}
	f.Explain(nil)
	var got []string
	for _, r := range f.Rows {
		if r.Help.Kind == Failure {
			got = append(got, r.Help.Text)
		}
	}
	if want := "an input with which g fails, by the branch in p.go:14"; len(got) != 1 || got[0] != want {
		t.Errorf("the help is %q, want %q", got, want)
	}
}

func TestARowCountsEvaluations(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		counts    [][]byte // of the blocks that each input reaches
		want      uint64
	}{
		{"of an if", "func F(a int) {\n\tif a > 1 { // 0\n\t\ta = 1 // -\n\t}\n}\n", [][]byte{{7}}, 7},
		{"of a loop, which include its rounds", "func F(a int) int {\n\tfor a > 1 { // 0\n\t\ta-- // 0\n\t}\n\treturn a // -\n}\n", [][]byte{{2, 9}}, 11},
		{
			"of a case, without those that match a case before it",
			"func F(a int) {\n\tswitch a { // 01\n\tcase 1:\n\t\ta = 1 // 0\n\tcase 2:\n\t\ta = 2 // -\n\t}\n\tF(a) // 01\n}\n",
			[][]byte{{9, 4, 9}, {3, 3}},
			8,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, r := findOne(t, tt.src)
			again := &coverage.Replayed{Target: f.reach.inputs[0].target}
			for i, in := range f.reach.inputs {
				e := *in.entry
				if i < len(tt.counts) {
					e.Counts = tt.counts[i]
				}
				again.Entries = append(again.Entries, e)
			}
			for _, h := range f.reach.files[r.File] {
				again.Blocks = append(again.Blocks, h.Block)
			}
			f = Find([]*coverage.Replayed{again}, map[string]string{"m/p": filepath.Dir(r.Path)}, nil, nil)
			if len(f.Rows) != 1 {
				t.Fatalf("there are %d rows, want 1", len(f.Rows))
			}
			if got := f.Rows[0].Times; got != tt.want {
				t.Errorf("%d evaluations, want %d", got, tt.want)
			}
		})
	}
}
