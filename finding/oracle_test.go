package finding

import (
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

const leakedStack = `4 executions leave 4 goroutines behind, blocked in chan receive

goroutine 18 [chan receive]:
example.com/m/pool.(*Pool).work(0x1)
	/src/pool/pool.go:33 +0x1d
created by example.com/m/pool.New in goroutine 13
	/src/pool/pool.go:21 +0x116
`

func TestTheCallsOfALeakEndWhereTheGoroutineWasStarted(t *testing.T) {
	want := []Call{
		{Func: "example.com/m/pool.(*Pool).work", File: "/src/pool/pool.go", Line: 33},
		{Func: "example.com/m/pool.New", File: "/src/pool/pool.go", Line: 21},
	}
	if got := Calls(Leak, leakedStack); !slices.Equal(got, want) {
		t.Errorf("Calls = %v, want %v", got, want)
	}
	if got := Clean(leakedStack); got != leakedStack {
		t.Errorf("Clean takes something away:\n%s", got)
	}
}

func TestAStackComesBackAsItWasWritten(t *testing.T) {
	calls := []Call{{Func: "m/p.(*T[...]).f", File: "/src/p.go", Line: 3}, {Func: "m/p.F", File: "/src/p.go", Line: 9}}
	if got := Calls(Modify, "something writes\n\n"+Stack(calls)); !slices.Equal(got, calls) {
		t.Errorf("Calls = %v, want %v", got, calls)
	}
}

func TestMeasuredAreTheKindsThatPass(t *testing.T) {
	for k, name := range kindNames {
		_, _, want := oracle.Named(name)
		if got := Kind(k).Measured(); got != want {
			t.Errorf("%v.Measured() = %v, want %v", Kind(k), got, want)
		}
	}
}

func TestMeasurementsAreNoPartOfAKey(t *testing.T) {
	for _, name := range oracle.All.Reporting().Names() {
		k, _ := KindNamed(name)
		calls := []Call{call("Parse", 7)}
		if a, b := Key(k, "m.FuzzX", calls, "4 executions"), Key(k, "m.FuzzX", calls, "something else"); a != b {
			t.Errorf("%v: the words of the message make two bugs of one: %q and %q", k, a, b)
		}
		if a, b := Key(k, "m.FuzzX", nil, "m"), Key(k, "m.FuzzY", nil, "m"); a == b {
			t.Errorf("%v: without a place two targets are one bug", k)
		}
	}
}

func TestAMeasureWithoutTheLimitOfItsOracleIsNone(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    Record
		want bool
	}{
		{"a limit", Record{Kind: Alloc, Measure: &Measure{Limit: 1}}, true},
		{"no limit", Record{Kind: Alloc, Measure: &Measure{}}, false},
		{"no limit of an oracle that has none", Record{Kind: Modify, Measure: &Measure{}}, true},
		{"no measure", Record{Kind: Modify}, false},
		{"a kind without an oracle", Record{Kind: Panic, Measure: &Measure{Limit: 1}}, false},
	} {
		if got := tt.r.HasMeasure(); got != tt.want {
			t.Errorf("%s: HasMeasure = %v", tt.name, got)
		}
	}
}
