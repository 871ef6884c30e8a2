package frontier

import (
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestARowSaysHowTheTargetCallsItsFunction(t *testing.T) {
	src := "type P struct{}\n\nfunc (p *P) parse(a int) { F(a) }\n\nfunc FuzzP() { new(P).parse(2) }\n\nfunc F(a int) { // 0\n\tif a > 1" + body
	f, r := findOne(t, src)
	f.Explain(nil)
	if got := strings.Join(r.Chain, " > "); got != "FuzzP > P.parse > F" {
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
			f = Find([]*coverage.Replayed{again}, loadIn(t, filepath.Dir(r.Path)))
			if len(f.Rows) != 1 {
				t.Fatalf("there are %d rows, want 1", len(f.Rows))
			}
			if got := f.Rows[0].Times; got != tt.want {
				t.Errorf("%d evaluations, want %d", got, tt.want)
			}
		})
	}
}
