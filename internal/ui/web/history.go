package web

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// data answers requests that only read.
type data struct {
	Options
	ctx       context.Context // of the server
	kept      kept
	sparks    sparks
	frontiers frontiers
}

// kept is the history. The first request that needs it opens it.
type kept struct {
	mu     sync.Mutex
	db     *store.Store // nil: it is not open
	err    error        // of the last attempt to open it
	at     time.Time    // of the last attempt to open it
	closed bool
}

// againAfter is the time between two attempts to open the history.
const againAfter = 10 * time.Second

// errClosed is the error of a server that is closed.
var errClosed = errors.New("the server is closed")

// history returns a reader of the history. The error is one sentence.
func (s *data) history() (store.Reader, error) {
	k := &s.kept
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.closed:
		return store.Reader{}, errClosed
	case k.db == nil && (k.err == nil || time.Since(k.at) > againAfter):
		k.db, k.err = s.Open(s.ctx)
		k.at = time.Now()
	}
	if k.err != nil {
		return store.Reader{}, k.err
	}
	return k.db.Reader(), nil
}

// close closes the history.
func (k *kept) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	if k.db == nil {
		return nil
	}
	return k.db.Close()
}
