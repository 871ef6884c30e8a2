package repro

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// fakeProcess answers all calls alike and keeps the last request.
type fakeProcess struct {
	failure *finding.Finding
	result  executor.OracleResult
	err     error
	asked   wire.Measure
}

func (p *fakeProcess) Execute(context.Context, input.Args) (*finding.Finding, error) {
	return p.failure, p.err
}

func (p *fakeProcess) RunOracles(_ context.Context, m wire.Measure) (executor.OracleResult, error) {
	p.asked = m
	return p.result, p.err
}

var (
	notRun   = finding.Record{Kind: finding.Panic, NotRun: "the target is skipped"}
	leak     = finding.Record{Kind: finding.Leak, Measure: &finding.Measure{Limit: 1}}
	someArgs = input.Args{{Kind: input.String, Data: []byte("a")}}
)

func TestTheInputIsRunAsItWasFound(t *testing.T) {
	broken := errors.New("no process")
	var reported, failing executor.OracleResult
	reported.Reports = append(reported.Reports, oracle.Report{Message: "2 goroutines", Detail: "goroutine 7\x1b\n\n"})
	failing.Failed = &wire.Failed{Output: "panic: no\n"}
	for _, tt := range []struct {
		name string
		r    finding.Record
		p    fakeProcess
		want Result
	}{
		{"a failure that go test does not show", notRun, fakeProcess{failure: &finding.Finding{Output: "panic: a\x1b[31m\n\n"}}, Result{Process, true, 0, finding.Clean("panic: a\x1b[31m")}},
		{"no failure", notRun, fakeProcess{}, Result{Method: Process}},
		{"no process", notRun, fakeProcess{err: broken}, Result{Method: Process}},
		{"a report", leak, fakeProcess{result: reported}, Result{Oracle, true, 0, finding.Clean("2 goroutines\n\ngoroutine 7\x1b")}},
		{"a failure in place of a report", leak, fakeProcess{result: failing}, Result{Oracle, true, 0, "panic: no"}},
		{"no report", leak, fakeProcess{}, Result{Method: Oracle}},
		{"no process to measure", leak, fakeProcess{err: broken}, Result{}},
	} {
		if got, err := again(t.Context(), &tt.p, tt.r, someArgs); got != tt.want || !errors.Is(err, tt.p.err) {
			t.Errorf("%s: %+v, %v; want %+v", tt.name, got, err, tt.want)
		}
	}
}

func TestTheOracleMeasuresAsItDid(t *testing.T) {
	r := finding.Record{Kind: finding.Growth, Measure: &finding.Measure{Limit: uint64(time.Second), Piece: finding.Piece{Arg: 1, From: 2, To: 3}}}
	var p fakeProcess
	if _, err := again(t.Context(), &p, r, someArgs); err != nil {
		t.Fatal(err)
	}
	want := oracle.Limits{On: oracle.Growth}
	want.Set(oracle.Growth, uint64(time.Second))
	if p.asked.Limits != want {
		t.Errorf("the limits are %+v, want %+v", p.asked.Limits, want)
	}
	if want := (oracle.Piece{Arg: 1, From: 2, To: 3}); p.asked.Piece != want {
		t.Errorf("the piece is %+v, want %+v", p.asked.Piece, want)
	}
	if got, _, err := input.Decode(p.asked.Input, []input.Kind{input.String}); err != nil || !got.Equal(someArgs) {
		t.Errorf("the input is %v (%v)", got, err)
	}
}
