package frontier

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// reply is what a pretend process does with an input.
type reply struct {
	compared wire.Compared
	ends     bool // the process ends
	err      error
}

// pretend is a Process that has a reply to each input.
type pretend struct {
	replies  map[string]reply
	executed []string
	running  bool
}

func (p *pretend) Running() bool { return p.running }

func (p *pretend) Compare(_ context.Context, a input.Args) (c wire.Compared, ok bool, err error) {
	in := string(a[0].Data)
	p.executed = append(p.executed, in)
	r := p.replies[in]
	p.running = !r.ends && r.err == nil
	return r.compared, p.running, r.err
}

// compares is a message with one comparison at site 1, which the message describes if there are frames.
func compares(a uint64, stack bool, frames ...wire.Frame) (c wire.Compared) {
	if len(frames) > 0 {
		c.Sites = []wire.Site{{ID: 1, Stack: stack, Frames: frames}}
	}
	c.List = []wire.Comparison{{Site: 1, Op: compare.Int, Width: 8, A: a}}
	return c
}

// recorded is a source whose condition is in line recordedLine, and which three inputs evaluate.
const (
	recorded     = "func F(a int) {\n\tif a > 1 { // 012\n\t\ta = 1 // -\n\t}\n}\n"
	recordedLine = 10
)

func TestAComparisonBelongsToTheLineThatMakesIt(t *testing.T) {
	here := wire.Frame{Function: "m/p.F", File: "/folder/p.go", Line: recordedLine}
	for _, tt := range []struct {
		name   string
		stack  bool
		frames []wire.Frame
		want   bool // the comparison is one of the condition
	}{
		{"the line of the condition", false, []wire.Frame{here}, true},
		{"a path of Windows", false, []wire.Frame{{Function: "m/p.F", File: `C:\folder\p.go`, Line: recordedLine}}, true},
		{"a method of a generic type", false, []wire.Frame{{Function: "m/p.(*T[...]).F", File: "p.go", Line: recordedLine}}, true},
		{"another line", false, []wire.Frame{{Function: "m/p.F", File: "p.go", Line: recordedLine + 1}}, false},
		{"a file of another package", false, []wire.Frame{{Function: "m/q.F", File: "p.go", Line: recordedLine}}, false},
		{"a function that is inlined into the line", false, []wire.Frame{{Function: "m/p.G", File: "p.go", Line: 1}, here}, true},
		{"a function of the standard library that the line calls", true, []wire.Frame{{Function: "strings.Index", File: "strings.go", Line: 7}, here}, true},
		{"a covered function that the line calls", true, []wire.Frame{{Function: "m/p.G", File: "p.go", Line: 1}, here}, false},
		{"a site that no message describes", true, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, r := findOne(t, recorded, "a")
			facts := Facts{}
			p := &pretend{replies: map[string]reply{"a": {compared: compares(7, tt.stack, tt.frames...)}}}
			if err := f.Record(t.Context(), p, f.Targets()[0], facts, nil); err != nil {
				t.Fatal(err)
			}
			if list := facts[line{r.File, r.Line}]; r.Line != recordedLine || tt.want != (len(list) == 1 && list[0].A == 7) {
				t.Errorf("line %d has the comparisons %+v", r.Line, list)
			}
		})
	}
}

func TestSitesAreThoseOfOneProcess(t *testing.T) {
	here := wire.Frame{Function: "m/p.F", File: "p.go", Line: recordedLine}
	for _, tt := range []struct {
		name string
		ends bool // the second input ends the process
		want []uint64
	}{
		{"one process", false, []uint64{1, 2, 3}},
		{"another process for the third input", true, []uint64{1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, r := findOne(t, recorded, "a", "b", "c")
			p := &pretend{replies: map[string]reply{
				"a": {compared: compares(1, false, here)}, "b": {compared: compares(2, false), ends: tt.ends}, "c": {compared: compares(3, false)},
			}}
			facts, progress := Facts{}, 0
			if err := f.Record(t.Context(), p, f.Targets()[0], facts, func(int, int) { progress++ }); err != nil {
				t.Fatal(err)
			}
			var got []uint64
			for _, x := range facts[line{r.File, r.Line}] {
				got = append(got, x.A)
			}
			if !slices.Equal(got, tt.want) || progress != 3 {
				t.Errorf("the comparisons are %v after %d executions, want %v after 3", got, progress, tt.want)
			}
		})
	}
}

func TestInputsThatFailAreNotRecorded(t *testing.T) {
	f, _ := findOne(t, recorded, "a", "b", "c")
	f.reach.inputs[1].entry.Failed = "panic"
	p := &pretend{}
	if err := f.Record(t.Context(), p, f.Targets()[0], Facts{}, nil); err != nil || !slices.Equal(p.executed, []string{"a", "c"}) {
		t.Errorf("Record executes %q (%v), want a and c", p.executed, err)
	}
}

func TestRecordReturnsTheErrorOfTheProcess(t *testing.T) {
	f, _ := findOne(t, recorded, "a", "b", "c")
	broken := errors.New("broken")
	p := &pretend{replies: map[string]reply{"b": {err: broken}}}
	if err := f.Record(t.Context(), p, f.Targets()[0], Facts{}, nil); !errors.Is(err, broken) || len(p.executed) != 2 {
		t.Errorf("Record = %v after %d executions, want %v after 2", err, len(p.executed), broken)
	}
}

func TestOnlyKeepsTheOperandsWithAName(t *testing.T) {
	const src = "func F(a, b int) bool { // 0\n\treturn a > 1 || b > 2 // 0\n}\n"
	for name, want := range map[string]int{"F": 2, "G": 0, "p.go": 2, "q.go": 0} {
		f := findIn(t, src)
		for _, o := range f.operands {
			o.seen[true] = true
		}
		f.Only(name)
		if f.Explain(nil); len(f.Rows) != want {
			t.Errorf("there are %d rows of %s, want %d", len(f.Rows), name, want)
		}
	}
}

func TestOnlyKeepsTheRowsWithAName(t *testing.T) {
	for _, tt := range []struct {
		name, function string
		known, kept    bool
	}{
		{"F", "F", true, true},
		{"G", "F", false, false},
		{"p.go", "F", true, true},
		{"m/p/p.go", "F", true, true},
		{"./p/p.go", "F", true, true},
		{"../p.go", "F", true, true},
		{"q.go", "F", false, false},
		{"Read", "*Reader.Read", true, true},
		{"Reader.Read", "*Reader.Read", true, true},
		{"(*Reader).Read", "*Reader.Read", true, true},
		{"Writer.Read", "*Reader.Read", false, false},
		{"ead", "*Reader.Read", false, false},
	} {
		t.Run(tt.name+" for "+tt.function, func(t *testing.T) {
			f, r := findOne(t, recorded)
			r.Function = tt.function
			for _, h := range f.reach.files[r.File] {
				h.Function = tt.function
			}
			if known := f.Only(tt.name); known != tt.known || tt.kept != (len(f.Rows) == 1) {
				t.Errorf("Only = %v and keeps %d rows, want %v and %v", known, len(f.Rows), tt.known, tt.kept)
			}
		})
	}
}
