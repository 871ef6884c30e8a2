package engine

import (
	"sync"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// Imported is an entry that another process has found, for [Target.Import].
type Imported struct {
	Args  input.Args  // which the target keeps
	Path  string      // its file in the corpus cache; empty: there is none yet
	Shown cover.Shown // the features that it shows; zero: they are not known
}

// imports holds the entries of other processes that wait for their execution. One is executed at a time, so that other workers fuzz
// meanwhile.
type imports struct {
	mu      sync.Mutex
	waiting []*importEntry
	busy    bool // one is being executed
}

// importEntry is an entry that waits.
type importEntry struct {
	Imported
	name    string // of its file
	claimed bool   // the name was not that of another entry
	killed  bool   // something outside has killed the process that executed it
}

// add adds entries.
func (i *imports) add(list []*importEntry) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.waiting = append(i.waiting, list...)
}

// next takes the next entry; nil: none waits, or another one is being executed. The caller calls done or putBack.
func (i *imports) next() *importEntry {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.busy || len(i.waiting) == 0 {
		return nil
	}
	e := i.waiting[0]
	i.waiting, i.busy = i.waiting[1:], true
	return e
}

// done notes that an entry is done with.
func (i *imports) done() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.busy = false
}

// putBack puts an entry back that was not executed.
func (i *imports) putBack(e *importEntry) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.waiting, i.busy = append([]*importEntry{e}, i.waiting...), false
}
