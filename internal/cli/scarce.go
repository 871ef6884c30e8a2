package cli

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/engine"
)

// scarceFor is how long a target waits for its next turn if the system has not had what a process takes.
const scarceFor = time.Second

// scarceMost is how long a target waits in all if its campaign ends by the number of executions: else it would never end.
const scarceMost = time.Minute

// scarce reports whether an error says that the system has no more files or processes to give, which is no property of a target.
func scarce(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.EAGAIN)
}

// mayWait reports whether the target waits for what is scarce, or is given up.
func (m *member) mayWait() bool {
	if m.scarceSince.IsZero() {
		m.scarceSince = time.Now()
	}
	return m.limit() == 0 || time.Since(m.scarceSince) < scarceMost
}

// wait waits for so long, or until ctx ends, because something is scarce, and says that once in a campaign.
func (m *member) wait(ctx context.Context, d time.Duration, err error) {
	m.console.warnScarce.Do(func() {
		m.event(engine.Warning{Text: fmt.Sprintf("%v; targets wait until there are some again. "+
			"Allow more (ulimit -n, ulimit -u), or fuzz with fewer workers (-parallel)", err)})
	})
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
