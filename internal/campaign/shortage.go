package campaign

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
)

const (
	// shortagePause is how long a target waits for its next turn if the system had no files or processes for it.
	shortagePause = time.Second
	// shortageLimit is how long a target waits in total if its campaign ends by the number of executions, which would never end
	// otherwise.
	shortageLimit = time.Minute
)

// isShortage reports whether an error says that the system has no more files or processes, which is no property of a target.
func isShortage(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.EAGAIN)
}

// shortage is a time in which the system has no files or processes for a target. The zero value says that it has. It is used by one
// goroutine at a time.
type shortage struct{ since time.Time }

// mayWait notes a shortage, and reports whether the target waits for its end. limited says that the campaign ends by the number of
// executions.
func (s *shortage) mayWait(limited bool) bool {
	if s.since.IsZero() {
		s.since = time.Now()
	}
	return !limited || time.Since(s.since) < shortageLimit
}

// end notes that there is no shortage.
func (s *shortage) end() { s.since = time.Time{} }

// awaitResources waits for the time d, or until ctx ends. The first call of all, which once knows, warns about the shortage.
func awaitResources(ctx context.Context, d time.Duration, err error, once *sync.Once, warn func(text string)) {
	once.Do(func() {
		warn(fmt.Sprintf("%v; targets wait until some are free. "+
			"Allow more (ulimit -n, ulimit -u), or fuzz with fewer workers (-parallel)", err))
	})
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
