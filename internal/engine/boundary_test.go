package engine

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// tuple returns the arguments with these values.
func tuple(vals ...any) input.Args {
	a, err := input.FromValues(vals)
	if err != nil {
		panic(err)
	}
	return a
}

func TestBoundaryInputs(t *testing.T) {
	for _, tt := range []struct {
		name  string
		zero  input.Args
		bases []input.Args
		want  []input.Args // without the zero value, which comes first
	}{
		{
			"the only text is empty", tuple(""),
			[]input.Args{tuple("seed")},
			[]input.Args{tuple(""), tuple("\x00"), tuple("\xff")},
		},
		{
			"each argument is zero beside the others of each seed", tuple("", false),
			[]input.Args{tuple("a", true), tuple("b", true)},
			[]input.Args{
				tuple("", true), tuple("a", false), tuple("", true), tuple("b", false),
				tuple("\x00", true), tuple("a", true), tuple("\xff", true),
			},
		},
		{
			"without a seed the others are zero", tuple(uint8(0), []byte{}), nil,
			[]input.Args{tuple(uint8(255), []byte{}), tuple(uint8(0), []byte{0}), tuple(uint8(0), []byte{255})},
		},
		{
			"a signed integer is at both ends of its range, and -1", tuple(int16(0)), nil,
			[]input.Args{tuple(int16(-32768)), tuple(int16(32767)), tuple(int16(-1))},
		},
		{
			"an integer of 64 bits is at the ends of its range", tuple(int64(0), uint64(0)), nil,
			[]input.Args{
				tuple(int64(math.MinInt64), uint64(0)), tuple(int64(0), uint64(math.MaxUint64)),
				tuple(int64(math.MaxInt64), uint64(0)), tuple(int64(-1), uint64(0)),
			},
		},
		{
			"a rune is no character", tuple('\x00'), nil,
			[]input.Args{tuple(int32(math.MinInt32)), tuple(int32(math.MaxInt32)), tuple(rune(-1)), tuple(rune(0xd800)), tuple(rune(0x110000))},
		},
		{
			"a float is no ordinary number", tuple(float32(0)), nil,
			[]input.Args{
				tuple(float32(math.NaN())), tuple(float32(math.Inf(1))), tuple(float32(math.Inf(-1))), tuple(float32(math.Copysign(0, -1))),
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := boundaryInputs(tt.zero.Kinds(), tt.bases)
			want := append([]input.Args{tt.zero}, tt.want...)
			if !slices.EqualFunc(got, want, func(i Imported, a input.Args) bool { return i.Args.Equal(a) }) {
				t.Errorf("the boundary inputs are %v, want %v", got, want)
			}
		})
	}
}

func TestATargetOfManyArgumentsHasALimitOfBoundaryInputs(t *testing.T) {
	many := make(input.Args, 100)
	for i := range many {
		many[i].Kind = input.Int
	}
	if got := boundaryInputs(many.Kinds(), []input.Args{many}); len(got) != maxBoundary {
		t.Errorf("there are %d boundary inputs, want %d", len(got), maxBoundary)
	}
}

// boundaryLab is a lab that executes boundary inputs. It records what is executed before an entry is mutated.
type boundaryLab struct {
	*lab
	first []string
}

func newBoundaryLab(t *testing.T, fails func(data string) bool) *boundaryLab {
	l := &boundaryLab{lab: newLab(t)}
	l.opts.Boundary, l.opts.KeepGoing, l.opts.MaxExecs = true, true, 100
	fuzzing := false
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if !fuzzing {
			l.first = append(l.first, data)
		}
		if fails(data) {
			return ranFailing(failedAt(7)), nil
		}
		return pass, nil
	}
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		fuzzing = true
		return allOf(m), nil
	}
	return l
}

func TestBoundaryInputsAreExecutedBeforeFuzzingBegins(t *testing.T) {
	for _, tt := range []struct {
		name  string
		seeds []string
		want  []string
	}{
		{"after the seeds", []string{"a", "b"}, []string{"a", "b", "", "\x00", "\xff"}},
		{"those that are seeds are executed once", []string{"", "\xff"}, []string{"", "\xff", "\x00"}},
		{"without a seed", nil, []string{"", "\x00", "\xff"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newBoundaryLab(t, func(string) bool { return false })
			l.seeds(tt.seeds...)
			out, err := l.goFuzz(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(l.first, tt.want) || out.Final.Execs != 100 {
				t.Errorf("%q are executed first, and %d inputs in all, want %q and 100", l.first, out.Final.Execs, tt.want)
			}
		})
	}
}

func TestBoundaryInputsAreExecutedWhenTheSeedsWereMutated(t *testing.T) {
	l := newLab(t)
	l.opts.Boundary, l.opts.KeepGoing, l.opts.MaxExecs = true, true, 100*fewExecs
	requests, before := 0, -1
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "" && before < 0 {
			before = requests
		}
		return pass, nil
	}
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		requests++
		return executor.Fuzzed{Done: wire.Done{Execs: fewExecs}}, nil
	}
	l.seeds("seed")
	if _, err := l.goFuzz(t.Context()); err != nil || before != boundaryPicks {
		t.Errorf("the first one is executed after %d requests, %v; want %d", before, err, boundaryPicks)
	}
}

// A worker may find an input while it is imported, and show first what it shows.
func TestAnInputThatIsImportedMayBeFoundMeanwhile(t *testing.T) {
	opts := &Options{}
	c := newEntries(opts, &meter{opts: opts})
	if !c.claimImport(nameOf(args("a"))) || c.claimImport(nameOf(args("a"))) {
		t.Error("an input is not imported exactly once")
	}
	if e, isNew := c.discover(args("a"), wire.New{Nanos: 1}); e == nil || !isNew {
		t.Error("what a worker has found is lost, because it is imported")
	}
	if e, _ := c.discover(args("a"), wire.New{Nanos: 1}); e != nil {
		t.Error("it is found twice")
	}
}

func TestAnEmptyInputThatFailsIsAFindingAlthoughTheSeedPasses(t *testing.T) {
	l := newBoundaryLab(t, func(data string) bool { return data == "" })
	l.seeds("seed")
	out, err := l.goFuzz(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Findings) != 1 || out.Findings[0].Kind != finding.Failure || len(out.Findings[0].Input[0].Data) != 0 {
		t.Errorf("the findings are %+v, want the failure of the empty input", out.Findings)
	}
}

func TestASeedThatFailsIsNoBaseOfBoundaryInputs(t *testing.T) {
	w := newWarmup(&Options{})
	for _, e := range []*warmEntry{
		{args: args("seed"), isSeed: true},
		{args: args("cached")},
		{args: input.Args{{Kind: input.Bytes, Data: make([]byte, maxBaseSize+1)}}, isSeed: true},
	} {
		w.pass(e)
	}
	w.fail(&warmEntry{args: args("fails"), isSeed: true})
	if got := w.basesOfBoundary(); len(got) != 1 || !got[0].Equal(args("seed")) {
		t.Errorf("the bases are %v, want the small seed that passes", got)
	}
}
