package cli

import (
	"context"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/build"
)

// sparing keeps the sources of the test binary that `gnaw test` runs, so that the one without instrumentation, which a hang needs,
// can be built from the same ones later.
type sparing struct {
	cancel  func()
	ready   chan struct{} // closed when what follows is set
	builder *build.Builder
	err     error // why there is none
	pkg     string
	flags   []string
}

// beginSparing begins to copy the sources, beside fuzzing.
func beginSparing(ctx context.Context, env Env, plain build.PlainBuild) *sparing {
	ctx, cancel := context.WithCancel(ctx)
	s := &sparing{cancel: cancel, ready: make(chan struct{}), pkg: env.Dir, flags: plain.Flags} // the go command starts tests there
	go func() {
		defer close(s.ready)
		s.builder, s.err = plain.Builder(ctx, env.Environ, env.Dir)
	}()
	return s
}

// build builds the test binary without instrumentation.
func (s *sparing) build(ctx context.Context) (string, error) {
	select {
	case <-s.ready:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if s.err != nil {
		return "", s.err
	}
	return s.builder.Plain(ctx, s.pkg, s.flags)
}

// end removes the copies.
func (s *sparing) end(env Env) {
	s.cancel()
	<-s.ready
	if s.builder == nil {
		return
	}
	if err := s.builder.Close(); err != nil {
		fmt.Fprintf(env.Stderr, "gnaw: copies of the sources stay: %v\n", err)
	}
}
