package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/coordinator"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
	"github.com/gnaw-fuzz/gnaw/internal/ui/gotest"
)

// HostCommand is the hidden command by which a test process starts gnaw.
const HostCommand = host.Command

// runCoordinate is `gnaw coordinate`: it fuzzes the target of the test process at the other end of its pipes.
func runCoordinate(ctx context.Context, env Env) (int, error) {
	if env.Result == nil {
		return 0, usagef("test binaries that gnaw has built start gnaw %s; to fuzz, run gnaw fuzz or gnaw test", HostCommand)
	}
	debug := slices.Contains(strings.Split(env.Getenv("GODEBUG"), ","), "fuzzdebug=1")
	bus := &event.Bus{}
	bus.Subscribe(gotest.New(env.Stderr, debug, time.Now()).Event)
	c := coordinator.Connection{
		Jobs: env.Stdin, Results: env.Result, Interrupts: env.Interrupts, Abort: func() { env.Abort(exitcode.Finding) },
	}
	return exitcode.OK, coordinator.Serve(ctx, c, coordinator.Options{
		Dir: env.Dir, Environ: env.Environ, Notices: env.Stderr, Events: bus, Interval: gotest.Interval,
	})
}
