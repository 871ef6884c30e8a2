package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/ci"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/share"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

func TestFlagsOfCIThatContradictEachOtherAreErrors(t *testing.T) {
	for _, tt := range []struct {
		name, args, want string
	}{
		{"executions and a time", "-execs=10 -budget=1m", "leave -budget out"},
		{"executions and workers", "-execs=10 -parallel=4", "leave -parallel out"},
		{"executions and a limit for minimizing", "-execs=10 -fuzzminimizetime=1s", "leave -fuzzminimizetime out"},
		{"a night and a revision", "-nightly -base=main", "takes neither -base nor -execs"},
		{"a night and JSON", "-nightly -json", "prints no JSON"},
		{"a place without a night", "-corpus=x", "-corpus needs -nightly"},
		{"private and verbose", "-private -v", "contradict each other"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := parseCIFlags(strings.Fields(tt.args)); !isUsage(err) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
}

func TestWithExecsNothingDependsOnTheMachine(t *testing.T) {
	f, err := parseCIFlags([]string{"-execs=10"})
	if err != nil {
		t.Fatal(err)
	}
	if f.seed != defaultSeed || !f.repeatable || f.parallel != 1 || f.time != 0 || f.memLimit != decidedMemory || f.oracles.On.Timed() != 0 {
		t.Errorf("the flags are %+v", f)
	}
	if f, err = parseCIFlags([]string{"-execs=10", "-seed=7", "-memlimit=256MiB"}); err != nil || f.seed != 7 || f.memLimit != 256<<20 {
		t.Errorf("the flags with a seed and a limit are %+v (%v)", f, err)
	}
}

func TestANightGoesOnAfterAStepThatFails(t *testing.T) {
	for _, tt := range []struct {
		name string
		code int
		err  error
		want int
	}{
		{"it ends well", exitcode.OK, nil, exitcode.OK},
		{"it finds a bug", exitcode.Finding, nil, exitcode.Finding},
		{"it fails", 0, errors.New("no disk"), exitcode.Internal},
		{"there is no corpus to pull yet", 0, usage.Errorf("there is %w", share.ErrNone), exitcode.OK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, said bytes.Buffer
			n := &night{env: Env{Stdout: &out, Stderr: &said}}
			next := false
			n.run(context.Background(), "one", func() (int, error) { return tt.code, tt.err })
			n.run(context.Background(), "two", func() (int, error) { next = true; return exitcode.OK, nil })
			if n.code != tt.want || !next {
				t.Errorf("the exit code is %d and the next step ran: %v, want %d", n.code, next, tt.want)
			}
			if failed := said.Len() > 0; failed != (tt.want == exitcode.Internal) {
				t.Errorf("the error output is %q", said.String())
			}
		})
	}
}

func TestTheVerdictAboutAChange(t *testing.T) {
	fresh, old := judged{}, judged{Verdict: ci.Verdict{Old: true}}
	chosen := func(r event.Result) []checked { return []checked{{chosen: true, result: r}} }
	for _, tt := range []struct {
		name string
		c    change
		want int
	}{
		{"nothing was to be fuzzed", change{}, exitcode.OK},
		{"nothing is found", change{targets: chosen(event.Clean)}, exitcode.OK},
		{"a new finding", change{findings: []judged{old, fresh}, code: exitcode.Finding}, exitcode.Finding},
		{"an old finding", change{findings: []judged{old}, targets: chosen(event.Bug), code: exitcode.Finding}, exitcode.OK},
		{"seeds fail, and none of them alone", change{failing: []string{"FAIL"}}, exitcode.Finding},
		{"a target fails in plain go test", change{end: event.End{Fails: 1}, code: exitcode.Finding}, exitcode.Finding},
		{"vet has errors", change{end: event.End{Vet: 1}, code: exitcode.Finding}, exitcode.Finding},
		{"a package does not build", change{broken: []build.PackageError{{}}}, exitcode.Internal},
		{"a target could not be fuzzed, beside an old finding", change{findings: []judged{old}, end: event.End{Unusable: 1}, code: exitcode.Finding}, exitcode.Internal},
		{"a target had no time", change{targets: chosen(event.Unreached), code: exitcode.Unreached}, exitcode.Unreached},
		{"a new finding, and a target had no time", change{findings: []judged{fresh}, targets: chosen(event.Unreached)}, exitcode.Finding},
		{"the campaign fails in another way", change{code: exitcode.Internal}, exitcode.Internal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, verdict := tt.c.exitCode(t.Context()); got != tt.want || verdict == "" {
				t.Errorf("the exit code is %d, %q, want %d", got, verdict, tt.want)
			}
		})
	}
}

func TestWhatIsPrivateIsNotPrinted(t *testing.T) {
	const secret = "the input"
	c := change{
		base: ci.Base{Revision: "main", Commit: "0123456789abcdef"}, failing: []string{secret}, broken: []build.PackageError{{Package: "p", Reason: secret}},
		targets:  []checked{{chosen: true, result: event.Fails, reason: secret}},
		findings: []judged{{Record: finding.Record{ID: "0123456789abcdef", Message: "boom", Kind: finding.Panic, Input: secret, Output: secret}}},
	}
	for _, private := range []bool{false, true} {
		c.private = private
		var lines bytes.Buffer
		c.printVerdict(&lines, "1 new finding")
		object, err := json.Marshal(c.summary(exitcode.Finding, "1 new finding"))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{lines.String(), string(object)} {
			if strings.Contains(text, secret) == private || !strings.Contains(text, "boom") {
				t.Errorf("with private %v it prints %s", private, text)
			}
		}
	}
}
