package web

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Limits of a Live. With them, a campaign of days needs no more memory than one of an hour.
const (
	maxLog  = 500 // latest lines of the log
	maxLine = 500 // bytes of a line of the log
)

// Live is the campaign of this process: its log from its events, and all else from its snapshots. [Live.Event] subscribes to the events. Its
// methods may be called from any goroutine.
type Live struct {
	snapshot func() event.Snapshot
	began    time.Time
	packages string
	args     string
	cache    string // GOCACHE

	mu      sync.Mutex
	changed chan struct{} // closed when the log gets a line; the end of the campaign is one
	lines   int           // number of lines that the log has had, with those that were removed
	log     []logRow
	end     *event.End
}

// NewLive returns the state of a campaign that begins now. packages are the patterns, args the arguments, and cache is GOCACHE. snapshot
// returns the state of the campaign; it may be called from any goroutine at any time.
func NewLive(packages, args, cache string, snapshot func() event.Snapshot) *Live {
	return &Live{
		snapshot: snapshot, began: time.Now(), packages: packages, args: args, cache: cache,
		changed: make(chan struct{}),
	}
}

// Event notes an event of the campaign. It does not wait for any reader.
func (l *Live) Event(s event.Stamped) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := s.Event.(event.End); ok {
		l.end = &e
	}
	target, text := describe(s.Event)
	if text == "" {
		return // the streams need not wake up: they send a state when its time comes
	}
	l.lines++
	l.log = append(l.log, logRow{At: stamp(s.At), Event: s.Event.Name(), Target: target, Text: clip(text, maxLine), number: l.lines})
	if len(l.log) > 2*maxLog { // remove many lines at once, because Delete moves the others
		l.log = slices.Delete(l.log, 0, len(l.log)-maxLog)
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// logRow is a line of the log.
type logRow struct {
	At     string `json:"at"`
	Event  string `json:"event"`
	Target string `json:"target"`
	Text   string `json:"text"`
	number int    // from 1
}

// describe returns the target of an event and its text in the log. The text is empty if the log does not show the event.
func describe(e event.Event) (target, text string) {
	switch e := e.(type) {
	case event.Build:
		with := ""
		switch {
		case e.Race:
			with = " with the race detector"
		case e.Cover:
			with = " with counters for statements"
		}
		return "", "builds the test binary of " + e.Package + with
	case event.Start:
		return "", fmt.Sprintf("fuzzes %s with %s", report.Plural(e.Targets, "target"), report.Plural(e.Workers, "worker"))
	case event.Notice:
		return named(e.Subject), e.Text
	case event.WarmedUp:
		return named(e.Subject), fmt.Sprintf("has executed its seeds and its corpus: %s, %s", report.Plural(e.WarmTotal, "input"), report.Plural(e.Edges, "edge"))
	case event.SeedFailed:
		return named(e.Subject), "fails with the seed " + e.Seed
	case event.Minimize:
		return named(e.Subject), fmt.Sprintf("minimizes a failing input of %s", report.Plural(e.Size, "byte"))
	case event.OverLimit:
		return named(e.Subject), e.Message
	case event.Finding:
		return e.Record.Target, "finding " + e.Short + ": " + e.Title()
	case event.TargetEnd:
		return named(e.Subject), fmt.Sprintf("ends: %s, %s, %s", e.Result, report.Plural(int(e.Execs), "execution"), report.Plural(e.Edges, "edge"))
	case event.End:
		return "", fmt.Sprintf("the campaign is over after %v: %s", time.Duration(e.Seconds*float64(time.Second)).Round(time.Second), report.Plural(e.Findings, "finding"))
	}
	return "", ""
}

// named returns the name of a target, or that of the package if the event is about a package.
func named(t event.Subject) string {
	if t.Func == "" {
		return t.Package
	}
	return t.Func
}

// logSince returns the last lines of the log, at most maxLog, that follow the line with a number. over reports whether the campaign has ended.
// Live closes changed when there is more.
func (l *Live) logSince(number int) (lines []logRow, over bool, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.log[max(0, len(l.log)-maxLog):] {
		if line.number > number {
			lines = append(lines, line)
		}
	}
	return lines, l.end != nil, l.changed
}

// over returns the last event of the campaign; nil: it is not over.
func (l *Live) over() *event.End {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end
}
