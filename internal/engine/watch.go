package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
	"time"
)

// watchPulse is how often the cache directory is read again.
const watchPulse = 10 * time.Second

// watch imports the entries that other processes write to the cache directory.
type watch struct {
	*state
	listed map[string]bool // files that were read, or that the warm-up reads; used by one goroutine at a time
	warned atomic.Bool     // the user knows that the directory cannot be listed
}

// skip leaves out the files that are there now.
func (w *watch) skip() {
	names, err := storeIn(w.CacheDir, nil).List()
	if err != nil {
		return // loading the directory reports it
	}
	for _, name := range names {
		w.listed[name] = true
	}
}

// run reads the directory at the beginning of a turn and from time to time, until the turn ends. A repeatable run does not depend on
// other processes.
func (w *watch) run() {
	if w.CacheDir == "" || w.Repeatable {
		return
	}
	pulse := time.NewTicker(watchPulse)
	defer pulse.Stop()
	for {
		w.read()
		select {
		case <-pulse.C:
		case <-w.turn.ctx.Done():
			return
		}
	}
}

// read imports what is new in the directory.
func (w *watch) read() {
	store := w.cache(w.entries.argumentKinds())
	names, err := store.List()
	if err != nil {
		w.events.warnOnce(&w.warned, fmt.Sprintf("entries of other processes are not read: %v", err))
		return
	}
	var list []Imported
	var problems []error
	for _, name := range names {
		if w.listed[name] || w.entries.hasName(name) {
			continue
		}
		if w.turn.ctx.Err() != nil {
			break
		}
		a, err := store.Read(name)
		if err != nil && isBeingWritten(store.Path(name)) {
			continue // the next read has all of it
		}
		w.listed[name] = true
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			problems = append(problems, err)
		default:
			list = append(list, Imported{Args: a, Path: store.Path(name)})
		}
	}
	w.events.warnSkipped(problems)
	if len(list) > 0 {
		w.importEntries(list)
	}
}

// isBeingWritten reports whether a file has changed so recently that not all of it may be there: go test does not write a corpus file
// at once.
func isBeingWritten(path string) bool {
	info, err := os.Stat(path)
	return err == nil && time.Since(info.ModTime()) < watchPulse
}
