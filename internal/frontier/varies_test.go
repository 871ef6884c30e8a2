package frontier

import (
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// asserted is the rest of a source behind the condition of an if whose body begins with an assertion.
const asserted = " { // 012\n\t\tpanic(\"no\") // -\n\t}\n}\n"

// missed is the rest of a source behind the condition of an if that three inputs evaluate.
const missed = " { // 012\n\t\treturn // -\n\t}\n}\n"

// number is a comparison of an integer with a constant.
func number(constant, v uint64) wire.Comparison {
	return wire.Comparison{Site: 1, Op: compare.ConstInt, Width: 8, A: constant, B: v}
}

func TestWhatExecutionsShowDecidesWhetherTheInputDecides(t *testing.T) {
	const assertion = "; the side panics"
	for _, tt := range []struct {
		name, src  string
		compared   [][]wire.Comparison // by each input
		kind, text string
	}{
		{
			"a panic behind a number that differs", "func F(v int) {\n\tif v == 4711" + asserted,
			[][]wire.Comparison{{number(4711, 1)}, {number(4711, 2)}},
			Number, "an input for which v == 4711" + assertion,
		},
		{
			"a panic behind a text that differs", "func F(s string) {\n\tif s == \"secret\"" + asserted,
			[][]wire.Comparison{{texts(compare.Str, "one", "secret")}, {texts(compare.Str, "two", "secret")}},
			Word, `the dictionary word "secret"` + assertion,
		},
		{
			"a panic in a case of a tag that differs", "func F(v int) {\n\tswitch v { // 012\n\tcase 4711:\n\t\tpanic(\"no\") // -\n\t}\n}\n",
			[][]wire.Comparison{{number(4711, 1)}, {number(4711, 2)}},
			Number, "an input for which v == 4711" + assertion,
		},
		{
			"a panic in the default of a tag that differs", "func F(v int) {\n\tswitch v { // 012\n\tcase 1, 2:\n\t\tv++ // 012\n\tdefault:\n\t\tpanic(\"no\") // -\n\t}\n}\n",
			[][]wire.Comparison{{number(1, 1)}, {number(2, 2), number(1, 2)}},
			Seed, "an input, or another call by the target, with a value that matches no case" + assertion,
		},
		{
			"a panic behind a length that differs", "func F(s string) {\n\tif len(s) == 4711" + asserted,
			[][]wire.Comparison{{number(4711, 1)}, {number(4711, 2)}},
			Length, "an input for which len(s) == 4711" + assertion,
		},
		{
			"a panic behind values that differ within an input only", "func F(v int) {\n\tif v == 4711" + asserted,
			[][]wire.Comparison{{number(4711, 1), number(4711, 2)}, {number(4711, 1), number(4711, 2)}},
			Guard, "perhaps nothing: the side panics; otherwise an input for which v == 4711",
		},
		{
			"a panic behind a condition without comparisons", "func F(f func() bool) {\n\tif f()" + asserted, nil,
			Guard, "perhaps nothing: the side panics; otherwise an input, or another call by the target, for which f() is true",
		},
		{
			"a text that differs", "func F(config string) {\n\tif config == \"json\"" + missed,
			[][]wire.Comparison{{texts(compare.Str, "one", "json")}, {texts(compare.Str, "two", "json")}},
			Word, `the dictionary word "json"`,
		},
		{
			"the default of a switch whose cases list all constants",
			"type K int\n\nconst (\n\tA K = iota\n\tB\n)\n\nfunc F(k K) {\n\tswitch k { // 012\n\tcase A, B:\n\t\tk++ // 012\n\tdefault:\n\t\tk-- // -\n\t}\n}\n", nil,
			Guard, "perhaps nothing: the cases list all constants of the type; otherwise an input, or another call by the target, with a value that matches no case",
		},
		{
			"a side that calls a function that panics", "func bug() { panic(\"bug\") }\n\nfunc F(f func() bool) {\n\tif f() { // 012\n\t\tbug() // -\n\t}\n}\n", nil,
			Guard, "perhaps nothing: the side panics; otherwise an input, or another call by the target, for which f() is true",
		},
		{
			"a length and a field", "type T struct{ opts struct{ max int } }\n\nfunc (t *T) F(s string) {\n\tif len(s) > t.opts.max" + missed, nil,
			Length, "an input, or another call by the target, for which len(s) > t.opts.max",
		},
		{
			"a field that no code sets and that differs", "type T struct{ size int }\n\nfunc (t *T) F() {\n\tif t.size == 4711" + missed,
			[][]wire.Comparison{{number(4711, 1)}, {number(4711, 2)}},
			Number, "an input for which t.size == 4711",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, r := findOne(t, tt.src)
			facts, at := Facts{}, line{r.File, r.Line}
			if r.branch.owner != nil { // the comparisons are those of the tag
				at.line = r.source.at(r.branch.owner.Pos()).Line
			}
			if !slices.Contains(r.lines(), at.line) {
				t.Errorf("the comparisons of line %d are not recorded", at.line)
			}
			for i, list := range tt.compared {
				for _, c := range list {
					facts[at] = append(facts[at], fact{c, f.reach.inputs[i], address{site: c.Site}})
				}
			}
			if f.Explain(facts); r.Help.Kind != tt.kind || r.Help.Text != tt.text {
				t.Errorf("the help is %s: %s\nwant %s: %s", r.Help.Kind, r.Help.Text, tt.kind, tt.text)
			}
		})
	}
}

func TestTheComparisonsOfAnInputAreKeptTogether(t *testing.T) {
	f, r := findOne(t, recorded, "a", "b", "c")
	here := wire.Frame{Function: "m/p.F", File: "p.go", Line: recordedLine}
	many := func(frames ...wire.Frame) wire.Compared {
		c := compares(1, false, frames...)
		for range maxOfLine {
			c.List = append(c.List, c.List[0])
		}
		return c
	}
	p := &pretend{replies: map[string]reply{"a": {compared: many(here)}, "b": {compared: many()}}}
	facts := Facts{}
	if err := f.Record(t.Context(), p, f.Targets()[0], facts, nil); err != nil {
		t.Fatal(err)
	}
	if got := len(facts[line{r.File, r.Line}]); got != maxOfLine+1 {
		t.Errorf("there are %d comparisons, want the %d of the first input", got, maxOfLine+1)
	}
}
