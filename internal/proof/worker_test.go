package proof

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// fakeWorker is a process in which each execution has the same result.
type fakeWorker struct {
	ran     wire.Ran
	err     error
	refused string
	newest  bool
}

func (w *fakeWorker) Run(context.Context, input.Args, wire.Run) (wire.Ran, error) {
	return w.ran, w.err
}

func (w *fakeWorker) Refused() (action string, newest bool) { return w.refused, w.newest }

func TestAnExecutionInAProcessSaysHowItsInputFails(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, tt := range []struct {
		name    string
		w       fakeWorker
		kind    finding.Kind // Unknown: it passes
		refused string
		exits   bool
		isErr   bool
	}{
		{"it passes", fakeWorker{}, finding.Unknown, "", false, false},
		{"it passes after a refusal", fakeWorker{refused: "remove a file", newest: true}, finding.Unknown, "remove a file", false, false},
		{"it passes after a refusal of another input", fakeWorker{refused: "remove a file"}, finding.Unknown, "", false, false},
		{"it fails", fakeWorker{ran: wire.Ran{Failed: true, Output: "    x_test.go:3: no\n"}}, finding.Failure, "", false, false},
		{"it fails after a refusal", fakeWorker{ran: wire.Ran{Failed: true}, refused: "remove a file", newest: true}, finding.Failure, "remove a file", false, false},
		{"the process exits", fakeWorker{err: &executor.Exit{Refused: "remove a file"}}, finding.Exit, "remove a file", true, false},
		{"the process needs too much memory", fakeWorker{err: &executor.Exit{Cause: shm.Memory}}, finding.Memory, "", true, false},
		{"the process hangs", fakeWorker{err: &executor.Exit{Hang: true}}, finding.Hang, "", true, false},
		{"the process hangs and is killed", fakeWorker{err: &executor.Exit{Hang: true, External: true}}, finding.Hang, "", true, false},
		{"something outside has ended the process", fakeWorker{err: &executor.Exit{Err: errors.New("signal: killed"), External: true}}, finding.Signal, "", true, true},
		{"the process cannot be asked", fakeWorker{err: broken, refused: "remove a file", newest: true}, finding.Unknown, "", false, true},
	} {
		x := Execution{Args: text("in")}
		r, err := Execute(t.Context(), &tt.w, x, wire.Run{})
		if (err != nil) != tt.isErr || (r.Exit != nil) != tt.exits || r.Refused != tt.refused || (r.Failure != nil) != (tt.kind != finding.Unknown) {
			t.Errorf("%s: Execute = %+v, %v", tt.name, r, err)
			continue
		}
		if f := r.Failure; f != nil && (f.Kind != tt.kind || f.Refused != tt.refused || !f.Input.Equal(x.Args) || !f.Original.Equal(x.Args)) {
			t.Errorf("%s: the failure is %+v, want one of the kind %v", tt.name, f, tt.kind)
		}
	}
}

func TestAFindingIsRunAgainInAFuzzingProcessWhereGoTestDoesNotRunIt(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name   string
		f      finding.Finding
		v      Verdict // of plain go test
		err    error
		apart  bool // it fails in a fuzzing process
		want   Verdict
		runs   []string
		notRun string
		isErr  bool
	}{
		{"it fails in plain go test", finding.Finding{}, Fails, nil, false, Fails, []string{"go test"}, "", false},
		{"it passes in plain go test", finding.Finding{}, Passes, nil, true, Passes, []string{"go test"}, "", false},
		{"go test cannot run it", finding.Finding{}, 0, broken, true, Passes, []string{"go test"}, "", true},
		{"go test does not run it", finding.Finding{}, 0, &NotRunError{"it is skipped"}, true, Fails, []string{"go test", "process"}, "it is skipped", false},
		{"go test has not run it before", finding.Finding{NotRun: "it is skipped"}, Fails, nil, false, Passes, []string{"process"}, "it is skipped", false},
		{"it has no file", finding.Finding{Why: "read-only file system"}, Fails, nil, true, Fails, []string{"process"}, "", false},
	} {
		var runs []string
		got, err := Again(t.Context(), Execution{Name: "a"}, &tt.f, func(_ context.Context, x Execution, _ *finding.Finding) (Verdict, error) {
			runs = append(runs, "go test")
			if x.Name != "a" {
				t.Errorf("%s: go test runs %q", tt.name, x.Name)
			}
			return tt.v, tt.err
		}, func(context.Context, *finding.Finding) (bool, error) {
			runs = append(runs, "process")
			return tt.apart, nil
		})
		if got != tt.want || (err != nil) != tt.isErr || !reflect.DeepEqual(runs, tt.runs) || tt.f.NotRun != tt.notRun {
			t.Errorf("%s: Again = %v, %v by %q, and NotRun is %q", tt.name, got, err, runs, tt.f.NotRun)
		}
	}
}

func TestAFailureShowsAFindingThatItIsLike(t *testing.T) {
	want := &finding.Finding{Kind: finding.Failure, Place: "x_test.go:3", Message: "no", Output: "    x_test.go:3: no\n"}
	other := &finding.Finding{Kind: finding.Failure, Place: "x_test.go:9", Message: "never", Output: "    x_test.go:9: never\n"}
	for _, tt := range []struct {
		name    string
		got     *finding.Finding
		alike   func(want, got *finding.Finding) bool
		shows   bool
		refused bool
	}{
		{"the same failure", want, Same, true, false},
		{"another one", other, Same, false, false},
		{"another one, by the kind", other, SameKind, true, false},
		{"another kind", &finding.Finding{Kind: finding.Panic}, SameKind, false, false},
		{"none", nil, Same, false, false},
		{"one after a refusal", &finding.Finding{Kind: finding.Failure, Refused: "remove a file"}, SameKind, false, true},
	} {
		shows, err := Shows(want, tt.got, tt.alike)
		var refused *RefusedError
		if shows != tt.shows || errors.As(err, &refused) != tt.refused || (err != nil) != tt.refused {
			t.Errorf("%s: Shows = %v, %v", tt.name, shows, err)
		}
	}
}
