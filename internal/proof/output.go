package proof

import (
	"bytes"
	"cmp"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/refusal"
)

// mark begins each line by which package testing says what happens to a test, with -test.v=test2json. It may stand behind
// what a test has printed on the same line.
const mark = 0x16

// lineKept is how many bytes of a line are looked at: the name of a test may be long, what a test prints may be endless.
const lineKept = 4096

// state is what is known of the subtest of an input.
type state struct {
	name         string    // empty: it has not begun
	runs         int       // how often it began
	first, began time.Time // the first and the last time
	ended        string    // PASS, FAIL or SKIP; empty: it has not
	endedAt      time.Time
	whole        string // the same of the target itself
	reached      bool   // the target itself has begun
	refused      string // what the input wanted to do that is refused; empty: nothing
}

func (s state) begun() bool { return s.name != "" }

// output reads what a test binary prints with -test.v=test2json, and follows the subtest of the input. It may be read by
// one goroutine while another one writes.
type output struct {
	target string
	now    func() time.Time

	mu     sync.Mutex
	line   []byte // the one that has not ended, from its last mark on if it has one
	before []byte // what that line has before
	seen   state
	plain  tail // all that is no line of package testing

	failed []string // names of subtests, without that of the target
	last   string   // the subtest that began last
}

// Write implements io.Writer. It returns no error.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	for len(p) > 0 {
		part, rest, whole := bytes.Cut(p, []byte("\n"))
		// What a target prints may have such a byte too. Behind the mark of package testing there is none.
		if at := bytes.LastIndexByte(part, mark); at >= 0 {
			o.before = limited(limited(o.before, o.line), part[:at])
			o.line, part = o.line[:0], part[at:]
		}
		o.line = limited(o.line, part)
		if whole {
			o.take(string(o.before), string(o.line))
			o.before, o.line = o.before[:0], o.line[:0]
		}
		p = rest
	}
	return n, nil
}

// limited appends as much to a line as is kept.
func limited(line, more []byte) []byte {
	return append(line, more[:min(len(more), max(0, lineKept-len(line)))]...)
}

// take takes a line, from its last mark on, and what it has before.
func (o *output) take(before, line string) {
	line, isMarked := strings.CutPrefix(line, string(rune(mark)))
	if !isMarked {
		if action, ok := strings.CutPrefix(line, refusal.ReplayHead); ok {
			o.seen.refused = action
		}
		o.plain.add(line)
		return
	}
	if before != "" {
		o.plain.add(before)
	}
	words := strings.Fields(line)
	if len(words) < 3 {
		return
	}
	name := words[2]
	o.note(words[1], name)
	switch words[0] + " " + words[1] {
	case "=== RUN":
		if name == o.target {
			o.seen.reached, o.seen.whole = true, ""
		}
		if name == o.seen.name || o.seen.name == "" && strings.HasPrefix(name, o.target+"/") { // the pattern selects one
			o.seen.name, o.seen.began, o.seen.ended = name, o.now(), ""
			if o.seen.runs++; o.seen.runs == 1 {
				o.seen.first = o.seen.began
			}
		}
	case "--- PASS:", "--- FAIL:", "--- SKIP:":
		verdict := strings.TrimSuffix(words[1], ":")
		switch name {
		case o.seen.name:
			o.seen.ended, o.seen.endedAt = verdict, o.now()
		case o.target:
			o.seen.whole = verdict
		}
	}
}

// note notes the begin or the end of a subtest.
func (o *output) note(what, name string) {
	sub, ok := strings.CutPrefix(name, o.target+"/")
	if !ok || strings.Contains(sub, "/") {
		return
	}
	switch what {
	case "RUN":
		o.last = sub
	case "FAIL:":
		if len(o.failed) < failedKept {
			o.failed = append(o.failed, sub)
		}
	}
}

// failedKept is how many names of subtests that failed are kept.
const failedKept = 1000

func (o *output) state() state {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen
}

// errorMarks are around the messages of T.Error and T.Fatal as of Go 1.27.
var errorMarks = strings.NewReplacer("\x0f", "", "\x0e", "")

// rest returns the end of what was printed besides the lines of package testing.
func (o *output) rest() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimSpace(errorMarks.Replace(o.plain.String()))
}

// failing returns the names of the subtests that failed or were executing at the end.
func (o *output) failing() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.seen.whole == "" && o.last != "" {
		return append(o.failed, o.last)
	}
	return o.failed
}

// tail keeps the last lines of a text.
type tail struct {
	limit int // 0: linesKept
	lines []string
}

// linesKept is how many lines are kept of what a test prints.
const linesKept = 20

func (t *tail) add(line string) {
	if len(t.lines) == cmp.Or(t.limit, linesKept) {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, line)
}

// String returns the lines.
func (t *tail) String() string { return strings.TrimSpace(strings.Join(t.lines, "\n")) }
