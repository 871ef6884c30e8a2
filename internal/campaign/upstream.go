package campaign

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

const (
	// upstreamLimit is the time to run the input of one finding with another version of a module: the go command may have to download and
	// compile modules.
	upstreamLimit = 5 * time.Minute
	// upstreamWait is the time for that after the end of fuzzing, for all findings together.
	upstreamWait = 2 * time.Minute
)

// upstream runs the inputs of findings of dependencies with the newest versions of their modules, one after the other, while the campaign
// fuzzes. The history has a finding before its input runs, and the campaign publishes it afterwards. The methods may be called from any
// goroutine.
type upstream struct {
	run    func(ctx context.Context, r finding.Record) finding.Upstream
	ctx    context.Context // ends with gnaw, or when there is no time left
	cancel func()
	queue  *queue

	mu   sync.Mutex
	left int // number of findings that are not published yet
}

// newUpstream starts a goroutine, which close ends.
func newUpstream(ctx context.Context, run func(context.Context, finding.Record) finding.Upstream) *upstream {
	u := &upstream{run: run, queue: newQueue()}
	u.ctx, u.cancel = context.WithCancel(ctx)
	return u
}

// add runs the input of a finding later, on another goroutine, and calls done with the result there.
func (u *upstream) add(r finding.Record, done func(finding.Upstream)) {
	u.mu.Lock()
	u.left++
	u.mu.Unlock()
	u.queue.add(func() {
		ctx, cancel := context.WithTimeout(u.ctx, upstreamLimit)
		defer cancel()
		done(u.run(ctx, r))
		u.mu.Lock()
		u.left--
		u.mu.Unlock()
	})
}

// close returns when all findings are published. It calls warn with a message if it has to wait, and cancels runs after upstreamWait.
func (u *upstream) close(warn func(text string)) {
	u.mu.Lock()
	left := u.left
	u.mu.Unlock()
	if left > 0 && u.ctx.Err() == nil {
		warn(fmt.Sprintf("before the end, gnaw runs the input of %s with the newest version of the module, for at most %v",
			report.Plural(left, "finding"), upstreamWait))
	}
	end := time.AfterFunc(upstreamWait, u.cancel)
	u.queue.close()
	end.Stop()
	u.cancel()
}

// awaitUpstream runs the input of a finding of a dependency with the newest version of the module, and then records and publishes the
// finding, once if it is called again meanwhile. It returns at once. The caller holds the mutex.
func (l *ledger) awaitUpstream(r finding.Record) {
	if l.waiting[r.ID] {
		return
	}
	l.waiting[r.ID] = true
	l.upstream.add(r, func(u finding.Upstream) {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.waiting, r.ID)
		now, ok := l.reported[r.ID] // which may have a smaller input by now
		if !ok {
			now = r // a killed campaign has found it
		}
		now.Upstream = &u
		l.reported[r.ID] = now
		l.History.Renew(now)
		l.publish(now)
	})
}

// awaits reports whether a finding is published only after its input ran with the newest version of its module. One that does not count is
// published at once.
func (l *ledger) awaits(r finding.Record, what event.Result) bool {
	return l.Upstream != nil && r.Dependency != nil && what == event.Bug
}
