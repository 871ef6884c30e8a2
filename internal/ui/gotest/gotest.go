// Package gotest prints the progress of a run in the words of `go test -fuzz`.
//
// A [Printer] is fed by the events of the engine and prints a status line at fixed intervals. Its methods may be called
// from any goroutine.
package gotest

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
)

// Interval is the time between two status lines.
const Interval = 3 * time.Second

// Printer prints the progress of one target.
type Printer struct {
	w      io.Writer
	debug  bool // print the lines of GODEBUG=fuzzdebug=1
	target string

	mu       sync.Mutex
	start    time.Time
	snapshot func() engine.Snapshot
	execs    uint64    // at the last status line
	at       time.Time // of the last status line
	loaded   time.Time // of the last line about loading
}

// New returns a Printer for one target. debug asks for the lines of GODEBUG=fuzzdebug=1.
func New(w io.Writer, target string, debug bool) *Printer {
	now := time.Now()
	return &Printer{w: w, target: target, debug: debug, start: now, at: now, loaded: now}
}

// Run prints a status line per interval until done is closed.
func (p *Printer) Run(done <-chan struct{}) {
	tick := time.NewTicker(Interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.Status()
		case <-done:
			return
		}
	}
}

// Event prints what the event is about.
func (p *Printer) Event(e engine.Event) {
	switch e := e.(type) {
	case engine.Warning:
		p.printf("warning: %s\n", e.Text)
	case engine.Loading:
		p.loading(e)
	case engine.Started:
		p.mu.Lock()
		p.snapshot = e.Snapshot
		p.mu.Unlock()
		p.Status()
	case engine.WarmedUp:
		p.warmedUp(e.Snapshot)
	case engine.SeedFailed:
		p.printf("failure while testing seed corpus entry: %s/%s\n", p.target, filepath.Base(e.Name))
	case engine.NewEntry:
		p.debugf("new interesting input, file: %s, size: %d, new bits: %d, new edges: %d", e.Path, e.Size, e.Buckets, e.Edges)
	case engine.Minimizing:
		p.printf("fuzz: minimizing %d-byte failing input file\n", e.Size)
	case engine.GracePeriod:
		p.gracePeriod(e)
	case engine.Restarted:
		p.printf("warning: %s; starting it again\n", e.Reason)
	case engine.UsedTooMuch:
		p.printf("fuzz: an input used more memory than the limit: %s\nfuzz: it is written to %s; fuzzing goes on, and the run will fail\n",
			e.Finding.Message, cmp.Or(e.Finding.Path, e.Finding.Kept, "no file, as none can be written"))
	case engine.Found:
		p.found(e)
	}
}

// gracePeriod prints how long the run continues after a failure, and the first time how to end it at once.
func (p *Printer) gracePeriod(e engine.GracePeriod) {
	which, hint := "a", " (-failfast ends with the first)"
	if e.Again {
		which, hint = "another", ""
	}
	p.printf("fuzz: found %s failing input; looking for others for %s%s\n", which, e.For.Round(100*time.Millisecond), hint)
}

// found tells what the block that package testing prints does not.
func (p *Printer) found(e engine.Found) {
	if why := e.Finding.NotRun; why != "" && !e.Finding.Flaky {
		p.printf("fuzz: note: go test does not run %s: %s\n", cmp.Or(e.Finding.Path, e.Finding.Seed, e.Finding.Kept, "the failing input"), why)
	}
	if e.Finding.Flaky {
		p.printf("fuzz: note: %s did not fail again in a fresh process; the target may depend on what it executed before\n",
			cmp.Or(e.Finding.Path, e.Finding.Seed, e.Finding.Kept, "the failing input"))
	}
	if e.Finding.Kind == finding.Hang {
		p.printf("fuzz: note: an execution that is slow and does not hang needs more time: -fuzztimeout\n")
	}
}

func (p *Printer) warmedUp(s engine.Snapshot) {
	p.printf("fuzz: elapsed: %s, %s: %d/%d completed, now fuzzing with %d workers\n",
		p.elapsed(), warmupOf(s), s.WarmDone, s.WarmTotal, s.Workers)
	p.debugf("finished processing input corpus, entries: %d, initial coverage bits: %d", s.WarmTotal, s.Buckets)
}

// loading prints the progress of reading the cache, if that takes long.
func (p *Printer) loading(e engine.Loading) {
	p.mu.Lock()
	due := time.Since(p.loaded) >= Interval
	if due {
		p.loaded = time.Now()
	}
	p.mu.Unlock()
	if due {
		p.printf("fuzz: elapsed: %s, loading corpus cache: %d/%d files\n", p.elapsed(), e.Done, e.Total)
	}
}

// Status prints a status line.
func (p *Printer) Status() {
	p.mu.Lock()
	snapshot := p.snapshot
	p.mu.Unlock()
	if snapshot != nil {
		p.status(snapshot())
	}
}

// Final prints the last status line of a run.
func (p *Printer) Final(s engine.Snapshot) { p.status(s) }

func (p *Printer) status(s engine.Snapshot) {
	switch {
	case s.WarmingUp && !s.Minimizing:
		p.printf("fuzz: elapsed: %s, %s: %d/%d completed\n", p.elapsed(), warmupOf(s), s.WarmDone, s.WarmTotal)
	case s.Minimizing:
		p.printf("fuzz: elapsed: %s, minimizing\n", p.elapsed())
	case s.Instrumented:
		p.printf("fuzz: elapsed: %s, execs: %d (%.0f/sec), new interesting: %d (total: %d)\n",
			p.elapsed(), s.Execs, p.rate(s.Execs), s.Interesting, s.Entries)
	default:
		p.printf("fuzz: elapsed: %s, execs: %d (%.0f/sec)\n", p.elapsed(), s.Execs, p.rate(s.Execs))
	}
}

// warmupOf names what the warm-up is good for.
func warmupOf(s engine.Snapshot) string {
	if s.Instrumented {
		return "gathering baseline coverage"
	}
	return "testing seed corpus"
}

// rate returns the executions per second since it was called last.
func (p *Printer) rate(execs uint64) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	rate := float64(execs-p.execs) / max(now.Sub(p.at).Seconds(), 1e-9)
	p.execs, p.at = execs, now
	return rate
}

func (p *Printer) elapsed() time.Duration { return time.Since(p.start).Round(time.Second) }

func (p *Printer) printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, format, args...)
}

func (p *Printer) debugf(format string, args ...any) {
	if p.debug {
		p.printf(time.Now().Format("2006-01-02 15:04:05.999999999")+" DEBUG "+format+"\n", args...)
	}
}
