package event

import (
	"slices"
	"sync"
	"time"
)

// Stamped is an event with the time at which it was published.
type Stamped struct {
	At    time.Time // with the reading of the monotonic clock, so that differences are right after somebody sets the clock
	Event Event
}

// Bus delivers each event to every subscriber, in the order of publication. A slow subscriber delays neither Publish nor other
// subscribers: its events wait in its own queue. The queue keeps only the newest [Status], and the newest [Progress] and [Loading] of each target. It
// never drops another event.
//
// The zero value is a bus without subscribers. Its methods may be called from any goroutine.
type Bus struct {
	mu        sync.Mutex
	listeners []*listener
	closed    bool
}

// Subscribe calls a function for each event that is published from now on, one at a time, on a goroutine of its own, until Close.
func (b *Bus) Subscribe(f func(Stamped)) {
	l := &listener{done: make(chan struct{})}
	l.more = sync.NewCond(&l.mu)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.listeners = append(b.listeners, l)
	go l.run(f)
}

// Publish queues an event for each subscriber and returns. After Close it does nothing.
func (b *Bus) Publish(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	s := Stamped{time.Now(), e}
	for _, l := range b.listeners {
		l.add(s)
	}
}

// Close returns when each subscriber has handled all its events and its goroutine has ended.
func (b *Bus) Close() {
	b.mu.Lock()
	b.closed = true
	listeners := b.listeners
	b.mu.Unlock()
	for _, l := range listeners {
		l.close()
		<-l.done
	}
}

// listener is a subscriber.
type listener struct {
	done chan struct{} // closed when the goroutine ends

	mu    sync.Mutex
	more  *sync.Cond
	queue []Stamped
	over  bool // no event is added any more
}

// add appends an event to the queue. It removes an event that this one replaces.
func (l *listener) add(s Stamped) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if isState(s.Event) {
		l.queue = slices.DeleteFunc(l.queue, func(waiting Stamped) bool { return replaces(s.Event, waiting.Event) })
	}
	l.queue = append(l.queue, s)
	l.more.Signal()
}

// isState reports whether an event replaces earlier ones.
func isState(e Event) bool { return replaces(e, e) }

// replaces reports whether a subscriber that gets an event does not need an earlier one.
func replaces(e, earlier Event) bool {
	switch e := e.(type) {
	case Status:
		_, ok := earlier.(Status)
		return ok
	case Progress:
		old, ok := earlier.(Progress)
		return ok && old.Target == e.Target
	case Loading:
		old, ok := earlier.(Loading)
		return ok && old.Target == e.Target
	}
	return false
}

func (l *listener) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	l.more.Signal()
}

// run calls f for each event until the listener is closed and its queue is empty.
func (l *listener) run(f func(Stamped)) {
	defer close(l.done)
	for {
		l.mu.Lock()
		for len(l.queue) == 0 && !l.over {
			l.more.Wait()
		}
		if len(l.queue) == 0 {
			l.mu.Unlock()
			return
		}
		s := l.queue[0]
		l.queue = l.queue[1:]
		l.mu.Unlock()
		f(s)
	}
}
