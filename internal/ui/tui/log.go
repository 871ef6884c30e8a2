package tui

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// maxLog is the largest number of lines of plain output that a journal keeps.
const maxLog = 10000

// journal keeps the latest lines of plain output until release. Any goroutine may call its methods.
type journal struct {
	mu    sync.Mutex
	lines []line
	lost  int          // lines that it has dropped
	to    [2]io.Writer // the output and the error output, after release
}

// line is a line of plain output without its end.
type line struct {
	text   string
	stream int // 0: the output; 1: the error output
}

// stream is one of the two outputs. Each write consists of whole lines.
type stream struct {
	*journal
	number int
}

// Write implements [io.Writer].
func (s stream) Write(p []byte) (int, error) {
	if to := s.keep(string(p), s.number); to != nil {
		return to.Write(p)
	}
	return len(p), nil
}

// keep adds lines to the journal. After release it keeps nothing, and returns the output for the lines.
func (j *journal) keep(text string, number int) (to io.Writer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.to[number] != nil {
		return j.to[number]
	}
	for one := range strings.Lines(text) {
		j.lines = append(j.lines, line{strings.TrimSuffix(one, "\n"), number})
	}
	if len(j.lines) > maxLog {
		n := len(j.lines) - maxLog + maxLog/10 // many at once, because Delete moves all others
		j.lines = slices.Delete(j.lines, 0, n)
		j.lost += n
	}
	return nil
}

// texts returns the lines of the journal.
func (j *journal) texts() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := make([]string, len(j.lines))
	for i, l := range j.lines {
		list[i] = l.text
	}
	return list
}

// release writes the lines of the journal to the outputs. After that, streams write to the outputs directly. It is called once. It holds no
// lock while it writes, because an output that fails may write a line to another stream.
func (j *journal) release(out, errors io.Writer) {
	to := [2]io.Writer{out, errors}
	for lines := j.take(to); len(lines) > 0; lines = j.take(to) {
		for _, l := range lines {
			fmt.Fprintln(to[l.stream], l.text)
		}
	}
}

// take removes all lines from the journal and returns them. If there are none, it connects the streams with the outputs.
func (j *journal) take(to [2]io.Writer) (lines []line) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lost > 0 {
		lines = append(lines, line{fmt.Sprintf("… %s before these", report.Plural(j.lost, "line")), 0})
	}
	lines = append(lines, j.lines...)
	j.lines, j.lost = nil, 0
	if len(lines) == 0 {
		j.to = to
	}
	return lines
}

// logLines draws the latest lines of plain output, or earlier ones if the user has scrolled up.
func (sc *scene) logLines() []string {
	list := sc.listedLog()
	end := max(min(len(list), sc.body()), len(list)-sc.at.up)
	lines := make([]string, 0, sc.body())
	for _, line := range list[max(0, end-sc.body()):end] {
		lines = append(lines, " "+spaced(line))
	}
	return lines
}
