//go:build unix

package group

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"
)

func TestTheEndOfTheContextEndsTheGroup(t *testing.T) {
	for name, script := range map[string]string{
		"it ends by an interrupt":        "sleep 600 & echo started; wait",
		"it ignores interrupts":          "trap '' INT; sleep 600 & echo started; wait",
		"what it has started ignores it": "(trap '' INT; exec sleep 600) & echo started; wait",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			cmd := exec.Command("sh", "-c", script)
			cmd.Stdout = w
			done := make(chan error, 1)
			go func() {
				err := Run(ctx, cmd)
				w.Close()
				done <- err
			}()
			out := bufio.NewReader(r)
			if _, err := out.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v, want that of the context", err)
			}
			// The pipe is closed when the last process has ended.
			if _, err := io.Copy(io.Discard, out); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheEndOfALeashedCommandEndsItsGroup(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("sh", "-c", "trap '' INT TERM; sleep 600 & exit 3")
	cmd.Stdout = w
	err = RunLeashed(cmd)
	w.Close()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("exit 3: %v", err)
	}
	if _, err := io.Copy(io.Discard, r); err != nil { // as above
		t.Error(err)
	}
}

func TestWithoutAnEndTheCommandSaysHowItWas(t *testing.T) {
	if err := Run(t.Context(), exec.Command("true")); err != nil {
		t.Errorf("true: %v", err)
	}
	var exit *exec.ExitError
	if err := Run(t.Context(), exec.Command("sh", "-c", "exit 3")); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("exit 3: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(ctx, exec.Command("no-such-command")); !errors.Is(err, context.Canceled) {
		t.Errorf("when the context has ended: %v", err)
	}
}
