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
	total int // bytes written
	head  []byte
	last  []byte // at most limit bytes, of which the newest limit/2 count
}

// Write implements io.Writer and never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	t.total += n
	if room := t.limit/2 - len(t.head); room > 0 {
		k := min(room, len(p))
		t.head, p = append(t.head, p[:k]...), p[k:]
	}
	p = p[max(0, len(p)-t.limit/2):]
	if t.last = append(t.last, p...); len(t.last) > t.limit {
		t.last = append(t.last[:0], t.last[len(t.last)-t.limit/2:]...)
	}
	return n, nil
}

// written returns how many bytes were written.
func (t *tail) written() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total
}

// since returns what was kept of what was written behind the first from bytes.
func (t *tail) since(from int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	begin := t.total - len(t.last) // of last
	if from >= begin {
		return string(t.last[from-begin:])
	}
	var b strings.Builder
	b.Write(t.head[min(from, len(t.head)):])
	if begin > len(t.head) {
		b.WriteString("\n... (output left out) ...\n")
	}
	b.Write(t.last)
	return b.String()
}

// String returns what was kept.
func (t *tail) String() string { return t.since(0) }

// output is what a process has printed.
type output struct {
	tail   tail
	places positions
	asked  int // how much had been printed when the request at hand began
}

// position is a lower limit of what a process had printed when it had begun a number of executions: these printed it, or those
// before.
type position struct {
	printed int
	execs   uint64
}

// positions finds where the output of the last execution of a process begins. The zero value is for a process that has executed
// nothing.
type positions struct{ newest, before position }

// add notes a position. The output must have been read before the number of executions.
func (p *positions) add(at position) {
	if at.execs > p.newest.execs {
		p.before = p.newest
	}
	p.newest = at
}

// of returns where the output of an execution begins at the earliest, which is the last one, counted from 1.
func (p *positions) of(exec uint64) int {
	if p.newest.execs < exec {
		return p.newest.printed
	}
	return p.before.printed
}
