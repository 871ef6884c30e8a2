// Package gotest prints the events of one target in the format of `go test -fuzz`.
package gotest

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// Interval is the time between two status lines in go test.
const Interval = 3 * time.Second

// Printer prints events. It depends on nothing else. Its methods are called by one goroutine at a time.
type Printer struct {
	w      io.Writer
	debug  bool
	start  time.Time
	now    time.Time // of the event that is printed
	execs  uint64    // at the last status line
	at     time.Time // of the last status line
	loaded time.Time // of the last line about loading
}

// New returns a Printer for a target that is fuzzed from start on. It ignores errors of w. debug asks for the lines of
// GODEBUG=fuzzdebug=1.
func New(w io.Writer, debug bool, start time.Time) *Printer {
	return &Printer{w: w, debug: debug, start: start, now: start, at: start, loaded: start}
}

// Event prints the lines of an event. Times of events do not decrease.
func (p *Printer) Event(s event.Stamped) {
	p.now = s.At
	switch e := s.Event.(type) {
	case event.Notice:
		p.printf("warning: %s\n", e.Text)
	case event.Loading:
		p.loading(e)
	case event.WarmUp:
		p.status(e.Run)
	case event.WarmedUp:
		p.warmedUp(e.Run)
	case event.Progress:
		p.status(e.Run)
	case event.SeedFailed:
		p.printf("failure while testing seed corpus entry: %s/%s\n", e.Subject.Func, filepath.Base(e.Seed))
	case event.Entry:
		p.debugf("new interesting input, file: %s, size: %d, new bits: %d, new edges: %d", e.Path, e.Size, e.Buckets, e.Edges)
	case event.Minimize:
		p.printf("fuzz: minimizing %d-byte failing input file\n", e.Size)
	case event.Grace:
		p.grace(e)
	case event.OverLimit:
		p.printf("fuzz: an input used more memory than the limit: %s\nfuzz: it is written to %s; fuzzing goes on, and the run will fail\n",
			e.Message, cmp.Or(e.Path, "no file, as none can be written"))
	case event.Failure:
		p.failure(e)
	}
}

// grace prints how long the run continues after a failure, and the first time how to end it at once.
func (p *Printer) grace(e event.Grace) {
	which, hint := "a", " (-failfast ends with the first)"
	if e.Again {
		which, hint = "another", ""
	}
	p.printf("fuzz: found %s failing input; looking for others for %s%s\n", which, duration(e.Seconds).Round(100*time.Millisecond), hint)
}

// failure prints what the block of a failure does not say, which package testing prints at the end.
func (p *Printer) failure(e event.Failure) {
	name := cmp.Or(e.Input, "the failing input")
	switch {
	case e.Flaky:
		p.printf("fuzz: note: %s did not fail again in a fresh process; the target may depend on what it executed before\n", name)
	case e.NotRun != "":
		p.printf("fuzz: note: go test does not run %s: %s\n", name, e.NotRun)
	case e.Count > 0:
		p.printf("fuzz: note: with %s the process fails some time after the target has returned: go test needs -count=%d\n", name, e.Count)
	}
	if e.Kind == finding.Hang {
		p.printf("fuzz: note: an execution that is slow and does not hang needs more time: -fuzztimeout\n")
	}
}

func (p *Printer) warmedUp(r event.Run) {
	p.printf("fuzz: elapsed: %s, %s: %d/%d completed, now fuzzing with %d workers\n", p.elapsed(), warmUpOf(r), r.WarmDone, r.WarmTotal, r.Workers)
	p.debugf("finished processing input corpus, entries: %d, initial coverage bits: %d", r.WarmTotal, r.Buckets)
}

// loading prints the progress of reading the corpus cache, if that takes long.
func (p *Printer) loading(e event.Loading) {
	if p.now.Sub(p.loaded) < Interval {
		return
	}
	p.loaded = p.now
	p.printf("fuzz: elapsed: %s, loading corpus cache: %d/%d files\n", p.elapsed(), e.Done, e.Total)
}

// status prints a status line.
func (p *Printer) status(r event.Run) {
	switch {
	case r.WarmingUp && !r.Minimizing:
		p.printf("fuzz: elapsed: %s, %s: %d/%d completed\n", p.elapsed(), warmUpOf(r), r.WarmDone, r.WarmTotal)
	case r.Minimizing:
		p.printf("fuzz: elapsed: %s, minimizing\n", p.elapsed())
	case r.Instrumented:
		p.printf("fuzz: elapsed: %s, execs: %d (%.0f/sec), new interesting: %d (total: %d)\n", p.elapsed(), r.Execs, p.rate(r.Execs), r.New, r.Entries)
	default:
		p.printf("fuzz: elapsed: %s, execs: %d (%.0f/sec)\n", p.elapsed(), r.Execs, p.rate(r.Execs))
	}
}

// warmUpOf returns what go test calls the warm-up.
func warmUpOf(r event.Run) string {
	if r.Instrumented {
		return "gathering baseline coverage"
	}
	return "testing seed corpus"
}

// rate returns the executions per second since the last status line that has a rate.
func (p *Printer) rate(execs uint64) float64 {
	rate := float64(execs-p.execs) / max(p.now.Sub(p.at).Seconds(), 1e-9)
	p.execs, p.at = execs, p.now
	return rate
}

func (p *Printer) elapsed() time.Duration { return p.now.Sub(p.start).Round(time.Second) }

func (p *Printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *Printer) debugf(format string, args ...any) {
	if p.debug {
		p.printf(p.now.Format("2006-01-02 15:04:05.999999999")+" DEBUG "+format+"\n", args...)
	}
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
