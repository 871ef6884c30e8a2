package engine

import (
	"sync"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// keys distinguishes the failures of a target. Its methods may be called by several goroutines. The lock guards places; the source code is
// read while it is held.
type keys struct {
	opts *Options

	mu     sync.Mutex
	places map[finding.Call][]finding.Format // by the call on top
}

// of returns what distinguishes a failure, by [proof.Key].
func (k *keys) of(f *finding.Finding) string { return proof.Key(f, k.formats(f)) }

// formats returns the messages that the code at the place of a failure makes. Each place is read once: a target may fail with each input.
func (k *keys) formats(f *finding.Finding) []finding.Format {
	calls := f.Calls()
	if k.opts.Formats == nil || len(calls) == 0 {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	formats, ok := k.places[calls[0]]
	if !ok {
		formats = k.opts.Formats(calls[0])
		k.places[calls[0]] = formats
	}
	return formats
}
