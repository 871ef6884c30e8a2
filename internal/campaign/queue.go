package campaign

import "sync"

// queue runs functions in order on one goroutine. Findings are replayed, recorded and published there, so that no worker waits for a
// replay, for source files or for the history.
type queue struct {
	done chan struct{} // closed when the goroutine ends

	mu      sync.Mutex
	changed *sync.Cond // a field below has
	waiting []func()
	running bool // a function is
	closed  bool // no function is added any more
}

// newQueue starts the goroutine, which close ends.
func newQueue() *queue {
	q := &queue{done: make(chan struct{})}
	q.changed = sync.NewCond(&q.mu)
	go q.run()
	return q
}

// add adds a function and returns.
func (q *queue) add(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, f)
	q.changed.Broadcast()
}

// flush returns when all functions have run.
func (q *queue) flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) > 0 || q.running {
		q.changed.Wait()
	}
}

// close returns when all functions have run and the goroutine has ended.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.changed.Broadcast()
	q.mu.Unlock()
	<-q.done
}

func (q *queue) run() {
	defer close(q.done)
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for len(q.waiting) == 0 && !q.closed {
			q.changed.Wait()
		}
		if len(q.waiting) == 0 {
			return
		}
		f := q.waiting[0]
		q.waiting, q.running = q.waiting[1:], true
		q.mu.Unlock()
		f()
		q.mu.Lock()
		q.running = false
		q.changed.Broadcast()
	}
}
