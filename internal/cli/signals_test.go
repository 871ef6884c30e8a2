package cli

import (
	"bytes"
	"context"
	"os"
	"syscall"
	"testing"
)

// A signal that arrives while gnaw loads the packages ends it before it has executed anything.
func TestASignalBeforeFuzzingIsNoSuccess(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(&interruption{s})
		var printed bytes.Buffer
		env := Env{Args: []string{"fuzz", "./..."}, Environ: os.Environ(), Dir: t.TempDir(), Stdout: &printed, Stderr: &printed}
		if got, want := Main(ctx, env), 128+int(s); got != want || printed.Len() > 0 {
			t.Errorf("after %v the exit code is %d, want %d; gnaw prints\n%s", s, got, want, printed.String())
		}
	}
}

func TestTheSignalOfAPersonEndsACampaignWithSuccess(t *testing.T) {
	for s, want := range map[syscall.Signal]int{syscall.SIGINT: 0, syscall.SIGPIPE: 0, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		if got := (&interruption{s}).ExitCode(); got != want {
			t.Errorf("%v asks for the exit code %d, want %d", s, got, want)
		}
	}
}
