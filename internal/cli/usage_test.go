package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

func TestArgumentsThatAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"a size that is none", "fuzz -memlimit=lots", "want a number of bytes or of a unit, such as 512MiB or 2GB"},
		{"a size of nothing", "minimize -memlimit=0 5870", "want a number of bytes or of a unit, such as 512MiB or 2GB"},
		{"a limit of an oracle that is none", "fuzz -oracles=alloc:much", "alloc:much: want a number of bytes or of a unit"},
		{"a seed that is no number", "fuzz -seed=first", "want a whole number, such as 1"},
		{"no time for an execution", "minimize -timeout=0s 5870", "-timeout is 0s; it must be more than 0"},
		{"less than no time for an execution", "minimize -timeout=-1s 5870", "-timeout is -1s; it must be more than 0"},
		{"a number of an input", "show 5870#2", "only repro takes the number of an input; write 5870"},
		{"a last day that is over", "known add 5870 -reason=old -until=2020-01-31", "-until 2020-01-31 is over"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var said bytes.Buffer
			code := Main(t.Context(), Env{Args: strings.Fields(tt.args), Dir: t.TempDir(), Stdout: &said, Stderr: &said})
			if code != ExitUsage || !strings.Contains(said.String(), tt.want) || strings.Contains(said.String(), "strconv") {
				t.Errorf("gnaw %s exits with %d and says\n%s", tt.args, code, said.String())
			}
		})
	}
}

func TestAnInterruptBeforeFuzzingIsNoError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var said bytes.Buffer
	code := Main(ctx, Env{Args: []string{"fuzz"}, Environ: os.Environ(), Dir: t.TempDir(), Stdout: &said, Stderr: &said})
	if code != ExitOK || said.Len() > 0 {
		t.Errorf("gnaw fuzz exits with %d and says\n%s", code, said.String())
	}
}
