package campaign

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
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
func (t *target) mayWait() bool {
	if t.scarceSince.IsZero() {
		t.scarceSince = time.Now()
	}
	return t.limit() == 0 || time.Since(t.scarceSince) < scarceMost
}

// wait waits for so long, or until ctx ends, because something is scarce, and says that once in a campaign.
func (t *target) wait(ctx context.Context, d time.Duration, err error) {
	t.campaign.warnScarce.Do(func() {
		t.notice(event.Warning, fmt.Sprintf("%v; targets wait until there are some again. "+
			"Allow more (ulimit -n, ulimit -u), or fuzz with fewer workers (-parallel)", err))
	})
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
