package campaign

import (
	"path/filepath"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// saveTotals records the totals of a campaign, and the entries that it has found since the last call.
func saveTotals(c *Campaign) {
	s := c.totals()
	var entries []store.Entry
	for _, t := range c.targets {
		entries = append(entries, t.notes.take()...)
	}
	c.history.saveTotals(store.Totals{
		Targets: s.Begun, Execs: s.Execs, Edges: s.Edges, Entries: s.Entries, Covered: s.Covered, Statements: s.Statements,
	}, entries)
}

// notes has the entries of a target that the history does not have yet, and the last point of the coverage that the history has.
type notes struct {
	mu      sync.Mutex
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
		Package: t.Package, Target: t.Name, Name: filepath.Base(e.Path), At: time.Now(), Size: e.Size, Buckets: e.Buckets, Edges: e.Edges,
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
