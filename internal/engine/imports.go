package engine

import (
	"sync"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// Imported is an entry that another process has found, for [Fuzzer.Import].
type Imported struct {
	Args  input.Args  // which the target keeps
	Path  string      // its file in the corpus cache; empty: there is none yet
	Shown cover.Shown // the features that it shows; zero: they are not known
}

// imports holds the entries of other processes and the boundary inputs that wait for their execution. One is executed at a time, so that
// other workers fuzz meanwhile.
type imports struct {
	mu      sync.Mutex
	waiting []*importEntry
	busy    bool // one is being executed
	bounded bool // the boundary inputs are among them, or were executed
	picks   int  // how often an entry was picked to be mutated
}

// toImport returns entries for inputs.
func toImport(entries []Imported) []*importEntry {
	list := make([]*importEntry, len(entries))
	for i, e := range entries {
		list[i] = &importEntry{Imported: e, name: nameOf(e.Args)}
	}
	return list
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

// addFirst adds entries before those that wait.
func (i *imports) addFirst(list []*importEntry) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.waiting = append(list, i.waiting...)
}

// notePick notes that an entry was picked to be mutated.
func (i *imports) notePick() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.picks++
}

// takeBoundary reports whether the boundary inputs are to be added, which is done once: when an entry was picked so many times.
func (i *imports) takeBoundary(picks int) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.bounded || i.picks < picks {
		return false
	}
	i.bounded = true
	return true
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
