package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

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
