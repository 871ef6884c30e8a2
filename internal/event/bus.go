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
// subscribers: its events wait in its own queue. The queue keeps only the newest [Status], the newest [Building] of each kind, and the newest
// [Progress] and [Loading] of each target. It never drops another event.
//
// The zero value is a bus without subscribers. Its methods may be called from any goroutine.
type Bus struct {
	mu          sync.Mutex
	observers   []func(Stamped)
	subscribers []*subscriber
	ended       bool // an End was published
	closed      bool
}

// Subscribe calls a function for each event that is published from now on, one at a time, on a goroutine of its own, until Close.
func (b *Bus) Subscribe(f func(Stamped)) {
	sub := &subscriber{done: make(chan struct{})}
	sub.more = sync.NewCond(&sub.mu)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.subscribers = append(b.subscribers, sub)
	go sub.run(f)
}

// Observe calls a function for each event that is published from now on, in the order of publication, before Publish returns. The function
// must be quick and must not use the bus: whoever publishes waits for it.
func (b *Bus) Observe(f func(Stamped)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.observers = append(b.observers, f)
}

// Publish queues an event for each subscriber and returns true. After Close, and after an [End], which is the last event, it returns false and
// does nothing else.
func (b *Bus) Publish(e Event) (ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended || b.closed {
		return false
	}
	_, b.ended = e.(End)
	s := Stamped{time.Now(), e}
	for _, f := range b.observers {
		f(s)
	}
	for _, sub := range b.subscribers {
		sub.add(s)
	}
	return true
}

// Close returns when each subscriber has handled all its events and its goroutine has ended.
func (b *Bus) Close() {
	b.mu.Lock()
	b.closed = true
	subscribers := b.subscribers
	b.mu.Unlock()
	for _, sub := range subscribers {
		sub.close()
		<-sub.done
	}
}

// subscriber is the queue of a subscriber, and the goroutine that empties it.
type subscriber struct {
	done chan struct{} // closed when the goroutine ends

	mu    sync.Mutex
	more  *sync.Cond
	queue []Stamped
	over  bool // no event is added any more
}

// add appends an event to the queue. It removes an event that this one replaces.
func (sub *subscriber) add(s Stamped) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if isState(s.Event) {
		sub.queue = slices.DeleteFunc(sub.queue, func(waiting Stamped) bool { return replaces(s.Event, waiting.Event) })
	}
	sub.queue = append(sub.queue, s)
	sub.more.Signal()
}

// isState reports whether an event replaces earlier ones.
func isState(e Event) bool { return replaces(e, e) }

// replaces reports whether a subscriber that gets an event does not need an earlier one.
func replaces(e, earlier Event) bool {
	switch e := e.(type) {
	case Status:
		_, ok := earlier.(Status)
		return ok
	case Building:
		old, ok := earlier.(Building)
		return ok && old.Race == e.Race && old.Cover == e.Cover
	case Progress:
		old, ok := earlier.(Progress)
		return ok && old.Subject == e.Subject
	case Loading:
		old, ok := earlier.(Loading)
		return ok && old.Subject == e.Subject
	}
	return false
}

func (sub *subscriber) close() {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.over = true
	sub.more.Signal()
}

// run calls f for each event until the subscriber is closed and its queue is empty.
func (sub *subscriber) run(f func(Stamped)) {
	defer close(sub.done)
	for {
		sub.mu.Lock()
		for len(sub.queue) == 0 && !sub.over {
			sub.more.Wait()
		}
		if len(sub.queue) == 0 {
			sub.mu.Unlock()
			return
		}
		s := sub.queue[0]
		sub.queue = sub.queue[1:]
		sub.mu.Unlock()
		f(s)
	}
}
