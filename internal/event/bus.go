package event

import (
	"sync"
	"time"
)

// Stamped is an event with the time at which it was published.
type Stamped struct {
	At    time.Time
	Event Event
}

// Bus delivers each event to every subscriber, in the order of publication. A slow subscriber delays neither Publish nor other
// subscribers: its events wait in its own queue. The queue keeps only the newest [Status], and never drops another event.
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
	s := Stamped{time.Now().UTC(), e}
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
	done chan struct{} // closed when it has got all events

	mu    sync.Mutex
	more  *sync.Cond
	queue []Stamped
	over  bool // nothing is added any more
}

// add appends an event to the queue. A status replaces the one in the queue, and goes to its end.
func (l *listener) add(s Stamped) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, isStatus := s.Event.(Status); isStatus {
		for i, waiting := range l.queue {
			if _, old := waiting.Event.(Status); old {
				l.queue = append(l.queue[:i], l.queue[i+1:]...)
				break
			}
		}
	}
	l.queue = append(l.queue, s)
	l.more.Signal()
}

func (l *listener) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	l.more.Signal()
}

// run calls f for each event until the listener is closed and has got all.
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
