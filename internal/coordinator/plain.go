package coordinator

import (
	"context"
	"fmt"
	"io"

	"github.com/gnaw-fuzz/gnaw/internal/build"
)

// plainBinary keeps copies of the sources of the running test binary. If an execution hangs, the binary without instrumentation is
// built from them.
type plainBinary struct {
	cancel  func()
	ready   chan struct{} // closed when builder or err is set
	builder *build.Builder
	err     error // why there is no builder
	dir     string
	flags   []string
}

// prepare copies the sources in a goroutine of its own, so that fuzzing does not wait for it.
func prepare(ctx context.Context, o Options, plain build.PlainBuild) *plainBinary {
	ctx, cancel := context.WithCancel(ctx)
	b := &plainBinary{cancel: cancel, ready: make(chan struct{}), dir: o.Dir, flags: plain.Flags}
	go func() {
		defer close(b.ready)
		b.builder, b.err = plain.Builder(ctx, o.Environ, o.Dir)
	}()
	return b
}

// build builds the test binary without instrumentation and returns its path.
func (b *plainBinary) build(ctx context.Context) (string, error) {
	builder, err := b.wait(ctx)
	if err != nil {
		return "", err
	}
	return builder.Plain(ctx, b.dir, b.flags)
}

// wait waits for the copies of the sources.
func (b *plainBinary) wait(ctx context.Context) (*build.Builder, error) {
	select {
	case <-b.ready:
		return b.builder, b.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// close removes the copies.
func (b *plainBinary) close(notices io.Writer) {
	b.cancel()
	<-b.ready
	if b.builder == nil {
		return
	}
	if err := b.builder.Close(); err != nil {
		fmt.Fprintf(notices, "gnaw: copies of the sources stay: %v\n", err)
	}
}
