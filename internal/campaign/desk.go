package campaign

import "sync"

// desk runs functions in order on one goroutine. Findings are proved, recorded and published there, so workers do not wait for a replay,
// for source files or for the history.
type desk struct {
	done chan struct{} // closed when all is done

	mu    sync.Mutex
	more  *sync.Cond // something in the fields below changed
	queue []func()
	busy  bool // something is being done
	over  bool // nothing is added any more
}

func openDesk() *desk {
	d := &desk{done: make(chan struct{})}
	d.more = sync.NewCond(&d.mu)
	go d.run()
	return d
}

// add queues a function and returns.
func (d *desk) add(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue = append(d.queue, f)
	d.more.Broadcast()
}

// flush returns when all queued functions have run.
func (d *desk) flush() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.queue) > 0 || d.busy {
		d.more.Wait()
	}
}

// close returns when all queued functions have run and the goroutine has ended.
func (d *desk) close() {
	d.mu.Lock()
	d.over = true
	d.more.Broadcast()
	d.mu.Unlock()
	<-d.done
}

func (d *desk) run() {
	defer close(d.done)
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		for len(d.queue) == 0 && !d.over {
			d.more.Wait()
		}
		if len(d.queue) == 0 {
			return
		}
		f := d.queue[0]
		d.queue, d.busy = d.queue[1:], true
		d.mu.Unlock()
		f()
		d.mu.Lock()
		d.busy = false
		d.more.Broadcast()
	}
}
