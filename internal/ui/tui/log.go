package tui

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// maxLog is the number of lines of plain output that are kept.
const maxLog = 10000

// journal keeps the latest lines of plain output until the terminal shows lines again. Its methods may be called from any goroutine.
type journal struct {
	mu    sync.Mutex
	lines []line
	lost  int          // lines that are no longer kept
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
	s.mu.Lock()
	defer s.mu.Unlock()
	if to := s.to[s.number]; to != nil {
		return to.Write(p)
	}
	for text := range strings.Lines(string(p)) {
		s.lines = append(s.lines, line{strings.TrimSuffix(text, "\n"), s.number})
	}
	if len(s.lines) > maxLog {
		n := len(s.lines) - maxLog + maxLog/10 // many at once, because those behind them are moved
		s.lines = slices.Delete(s.lines, 0, n)
		s.lost += n
	}
	return len(p), nil
}

// texts returns the lines that are kept.
func (j *journal) texts() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := make([]string, len(j.lines))
	for i, l := range j.lines {
		list[i] = l.text
	}
	return list
}

// release writes what was kept to the outputs, and all that follows too. Later calls do nothing.
func (j *journal) release(out, errors io.Writer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.to[0] != nil {
		return
	}
	j.to = [2]io.Writer{out, errors}
	if j.lost > 0 {
		fmt.Fprintf(out, "… %s before these\n", report.Plural(j.lost, "line"))
	}
	for _, l := range j.lines {
		fmt.Fprintln(j.to[l.stream], l.text)
	}
	j.lines = nil
}
