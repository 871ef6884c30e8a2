package campaign

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/store"
)

const (
	// outsideShare is the part of the time of a campaign, as 1/outsideShare, for builds of targets outside of the main modules: there may
	// be hundreds, and some take a quarter of a minute.
	outsideShare = 5
	// leastOutside is the least time for these builds.
	leastOutside = 30 * time.Second
)

// errLate says that the test binary of a target outside of the main modules is not built, because the time for builds is over.
var errLate = errors.New("its test binary was not built in the time for builds of dependencies")

// buildLimit limits the time for builds of targets outside of the main modules. Its methods may be called from any goroutine.
type buildLimit struct {
	time time.Duration

	mu    sync.Mutex
	begun time.Time // the end of the first build; zero: it has not ended
}

// begin starts the time at the end of the first build, which also builds the instrumented standard library.
func (l *buildLimit) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.begun.IsZero() {
		l.begun = time.Now()
	}
}

// over reports whether the time is over.
func (l *buildLimit) over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.begun.IsZero() && time.Since(l.begun) >= l.time
}

// prepareOutside makes the folder of a target outside of the main modules. The error is errLate if its binary is not to be built any more.
func (c *Campaign) prepareOutside(ctx context.Context, t *target) error {
	if t.Outside == nil {
		return nil
	}
	if c.Limits.Time > 0 && c.outside.over() && !c.binaries.begun(t.Package, Instrumented) {
		return errLate
	}
	return c.Copies.Make(ctx, t.Target)
}

// noteFuzzed records that a target outside of the main modules was fuzzed with this version of its module.
func (c *Campaign) noteFuzzed(t *target) {
	if t.Outside == nil || t.ran() == 0 {
		return
	}
	c.History.SaveFuzzed(store.Dependency{
		Target: t.Name, Version: t.Outside.Version, Go: c.Toolchain.Version, Arch: c.Toolchain.Arch, Last: time.Now(),
	})
}
