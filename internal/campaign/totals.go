package campaign

import (
	"path/filepath"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// saveTotals records the totals of a campaign, and the entries that it has found since the last call.
func saveTotals(c *Campaign) {
	c.publishProgress()
	var s event.Status
	c.board.Read(time.Now(), func(b *board.State) { s = b.Status(0, false) })
	reached := c.coverer.totals()
	var entries []store.Entry
	for _, t := range c.targets {
		entries = append(entries, t.notes.take()...)
	}
	c.History.SaveTotals(store.Totals{
		Targets: s.Begun, Execs: s.Execs, Edges: s.Edges, Entries: s.Entries, Covered: reached.Covered, Statements: reached.Statements,
	}, entries)
}

// saveResults records the results of the targets for which the history has another one or none. Before the campaign is over, a target has a
// result only if it is set aside.
func saveResults(c *Campaign, over bool) {
	var list []store.Result
	for _, t := range c.targets {
		if r := outcomeOf(t, over); t.notes.isOther(r) {
			list = append(list, r)
		}
	}
	if len(list) > 0 {
		c.History.SaveResults(list)
	}
}

// saveBroken records the packages that cannot be loaded. Their results have no target.
func saveBroken(c *Campaign) {
	var list []store.Result
	for _, b := range c.Broken {
		list = append(list, store.Result{Target: fuzz.Name{Package: b.Package}, Result: string(event.Unusable), Reason: b.Reason})
	}
	if len(list) > 0 {
		c.History.SaveResults(list)
	}
}

// outcomeOf returns the result of a target for the history.
func outcomeOf(t *target, over bool) store.Result {
	s := t.snapshot()
	t.mu.Lock()
	defer t.mu.Unlock()
	r := store.Result{Target: t.Name, Rerun: s.Rerun, Repeated: s.Repeated}
	if t.err != nil {
		r.Reason = t.err.Error()
	}
	if over || t.err != nil {
		r.Result = string(t.result)
	}
	return r
}

// pointOf returns a point of the coverage of a target.
func pointOf(t *target, s engine.Snapshot, reached event.Reached) store.Point {
	return store.Point{
		Target: t.Name, At: time.Now(), Execs: s.Execs, Edges: s.Edges, Buckets: s.Buckets, Entries: s.Entries,
		Covered: reached.Covered, Statements: reached.Statements,
	}
}

// notes has the entries of a target that the history does not have yet, and the last point of the coverage and the result that the history has.
type notes struct {
	mu      sync.Mutex
	result  store.Result
	entries []store.Entry
	run     event.Run
	reached event.Reached
}

// add adds a new entry, unless it has no file.
func (n *notes) add(t build.Target, e event.Entry) {
	if e.Path == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.entries = append(n.entries, store.Entry{
		Target: t.Name, File: filepath.Base(e.Path), At: time.Now(), Size: e.Size, Buckets: e.Buckets, Edges: e.Edges,
		Technique: e.Technique,
	})
}

// take returns the entries that were added since the last call.
func (n *notes) take() (list []store.Entry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	list, n.entries = n.entries, nil
	return list
}

// isNew reports whether a point of the coverage differs from that of the last call.
func (n *notes) isNew(run event.Run, reached event.Reached) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	isNew := run != n.run || reached != n.reached
	n.run, n.reached = run, reached
	return isNew
}

// isOther reports whether a result differs from that of the last call.
func (n *notes) isOther(r store.Result) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	isOther := r != n.result
	n.result = r
	return isOther
}
