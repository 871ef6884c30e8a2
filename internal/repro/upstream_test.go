package repro

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

func TestTheReasonWhyAnInputWasNotTried(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	<-late.Done()
	failed := errors.New("exit status 1")
	for _, tt := range []struct {
		name string
		ctx  context.Context
		err  error
		want string
	}{
		{"gnaw ends", ended, failed, "gnaw ended"},
		{"there is no time", late, failed, "there was no time left"},
		{"no network", t.Context(), errors.New("go: module lookup disabled by GOPROXY=off"), "GOPROXY=off"},
		{"the target is gone", t.Context(), fmt.Errorf("open: %w", &session.NoTargetError{Target: "FuzzX", Place: "p"}), "it has no FuzzX"},
		{"the package does not compile", t.Context(), &build.BuildError{Output: "# d [d.test]\nd.go:1:1: undefined: x\n", Err: failed}, "it does not build: d.go:1:1: undefined: x"},
		{"the go command prints nothing", t.Context(), &build.BuildError{Err: failed}, "it does not build: exit status 1"},
		{"several lines", t.Context(), errors.New("go: one\n\tgo: two"), "go: one go: two"},
	} {
		if got := reason(tt.ctx, tt.err); got != tt.want {
			t.Errorf("%s: the reason is %q, want %q", tt.name, got, tt.want)
		}
	}
}
