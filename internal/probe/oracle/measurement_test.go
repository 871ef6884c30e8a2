package oracle

import (
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// fakeRunner calls a function with each input.
type fakeRunner struct {
	t      *testing.T
	call   func(a input.Args) bool // false: it fails
	calls  int
	orders int
	failed bool
	fault  string
}

func (f *fakeRunner) Execute(a input.Args) (left input.Args, ok bool) {
	left = a.Clone()
	return left, f.Pass(left)
}

func (f *fakeRunner) Pass(a input.Args) bool {
	f.calls++
	f.failed = !f.call(a)
	return !f.failed
}

func (f *fakeRunner) Fault(input.Args) string { return f.fault }
func (f *fakeRunner) Reorder()                { f.orders++ }
func (f *fakeRunner) Over() bool              { return f.failed }
func (f *fakeRunner) Stack() string           { return "" }
func (f *fakeRunner) Go(func())               { f.t.Error("a goroutine is started") }

func TestMeasureReportsEachOracleOnce(t *testing.T) {
	pass := func(input.Args) bool { return true }
	write := func(a input.Args) bool { a[0].Data[0]++; return true }
	tests := []struct {
		name    string
		on      Set
		call    func(a input.Args) bool
		reports Set
		calls   int // 0: any number
	}{
		{"a target that does nothing", Modify | Flaky, pass, 0, 1 + orders},
		{"a target that writes, each time", Modify | Flaky, write, Modify, 1 + orders},
		{"a target that writes, without the oracle", Flaky, write, 0, 1 + orders},
		{"a target that fails at once", All, func(input.Args) bool { return false }, 0, 1},
		{"a target that does nothing, without oracles", 0, pass, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := &fakeRunner{t: t, call: tt.call}
			limits := Defaults()
			limits.On = tt.on
			var found Set
			for _, r := range Measure(run, Request{Args: bytesOf("abc"), Limits: limits}) {
				if found.Has(r.Oracle) || r.Message == "" {
					t.Errorf("the report %+v is empty, or a second one", r)
				}
				found |= r.Oracle
			}
			if found != tt.reports || run.calls != tt.calls {
				t.Errorf("%q report after %d executions, want %q after %d", found, run.calls, tt.reports, tt.calls)
			}
		})
	}
}

func TestLocateReportsThePlaceOnly(t *testing.T) {
	run := &fakeRunner{t: t, fault: "panic: …\n"}
	reports := Measure(run, Request{Args: bytesOf("abc"), Limits: Defaults(), Locate: true})
	if run.calls > 0 || len(reports) != 1 || reports[0].Oracle != Modify || !strings.Contains(reports[0].Detail, "panic") {
		t.Errorf("the reports are %+v after %d executions", reports, run.calls)
	}
}

func bytesOf(data string) input.Args { return input.Args{{Kind: input.Bytes, Data: []byte(data)}} }
