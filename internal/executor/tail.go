package executor

import (
	"strings"
	"sync"
)

// stderrKept is how much of the error output of a process is kept, in bytes: the first and the last half of it. The
// stacks of a hundred goroutines fit.
const stderrKept = 256 << 10

// tail keeps the beginning and the end of what is written to it. It is safe for concurrent use.
type tail struct {
	mu    sync.Mutex
	limit int
	head  []byte
	last  []byte // at most limit bytes, of which the newest limit/2 count
	lost  bool
}

// Write implements io.Writer and never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if room := t.limit/2 - len(t.head); room > 0 {
		k := min(room, len(p))
		t.head, p = append(t.head, p[:k]...), p[k:]
	}
	if len(p) > t.limit/2 {
		p, t.lost = p[len(p)-t.limit/2:], true
	}
	if t.last = append(t.last, p...); len(t.last) > t.limit {
		t.lost = true
		t.last = append(t.last[:0], t.last[len(t.last)-t.limit/2:]...)
	}
	return n, nil
}

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	b.Write(t.head)
	if t.lost {
		b.WriteString("\n... (output left out) ...\n")
	}
	b.Write(t.last)
	return b.String()
}
