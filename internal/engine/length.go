package engine

import (
	"sync"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

const (
	// minLen, hardLen: mutants are at most 256 bytes long at first, or as the largest seed and a quarter, and at most
	// 64 KiB unless a seed is longer. Short inputs execute faster and nearly always suffice to find new edges.
	minLen  = 256
	hardLen = 64 << 10
	// longIn: 1/longIn of the requests make mutants of up to that length. The others make mutants of up to longBy times the length
	// of the entry, or of the longest seed. A mutant of 64 KiB takes the time of hundreds, and hardly any shows something new:
	// docs/experiments/2026-11-23-long-mutants.md.
	longIn = 8
	longBy = 2
)

// lengths limits the length of mutants.
type lengths struct {
	opts *Options

	mu      sync.Mutex
	limit   int       // current limit
	usual   int       // up to which mutants of any entry are not long
	grownAt timestamp // when limit became larger
	given   uint64    // limits that were given to requests
}

func newLengths(opts *Options) *lengths {
	l := &lengths{opts: opts}
	l.limit, l.usual = l.bounded(minLen), l.bounded(minLen)
	if l.isOff() {
		l.limit = l.most()
	}
	return l
}

// most returns the limit that lengths grow to.
func (l *lengths) most() int {
	if l.opts.MaxLen > 0 {
		return l.opts.MaxLen
	}
	return hardLen
}

// bounded returns a length, or that which the user has set if it is less.
func (l *lengths) bounded(n int) int {
	if l.opts.MaxLen > 0 {
		return min(n, l.opts.MaxLen)
	}
	return n
}

// isOff reports whether the technique is not used.
func (l *lengths) isOff() bool { return l.opts.Without.Has(technique.LengthLimit) }

// allow allows mutants as long as an input that is mutated, and a quarter. isSeed says that the user gave it.
func (l *lengths) allow(a input.Args, isSeed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range a {
		n := len(v.Data)
		if !l.isOff() {
			n += n / 4
		}
		n = l.bounded(n)
		l.limit = max(l.limit, n)
		if isSeed {
			l.usual = max(l.usual, n)
		}
	}
}

// changed returns when the limit became larger; it may do so again.
func (l *lengths) changed() (at timestamp, mayGrow bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.grownAt, l.limit < l.most()
}

// grow makes the limit a quarter larger.
func (l *lengths) grow(now timestamp) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limit, l.grownAt = min(l.most(), l.limit+max(1, l.limit/4)), now
}

// next returns how long mutants of an entry may become in the next request.
func (l *lengths) next(e *schedule.Entry) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.given++
	if l.given%longIn == 0 || l.isOff() {
		return l.limit
	}
	return min(l.limit, max(l.usual, longBy*e.Args.Size()))
}

// current returns the current limit.
func (l *lengths) current() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limit
}
