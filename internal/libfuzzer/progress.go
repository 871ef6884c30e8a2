package libfuzzer

import (
	"runtime"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// progress prints the lines of a run. One goroutine calls event; any may call kept.
type progress struct {
	*subject
	begin time.Time
	// pulsed is the time of the last pulse.
	pulsed time.Time
	last   event.Run // that was reported
	peak   uint64    // MiB of gnaw

	failures int64 // that end the run if there are enough of them

	mu    sync.Mutex
	files int // entries
	bytes int // of all entries
}

func newProgress(u *subject) *progress {
	now := time.Now()
	return &progress{subject: u, begin: now, pulsed: now}
}

// kept counts an entry of the corpus.
func (p *progress) kept(k engine.Kept) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files++
	p.bytes += k.Args.Size()
}

// event prints the line of an event.
func (p *progress) event(s event.Stamped) {
	switch e := s.Event.(type) {
	case event.Notice:
		p.printf("INFO: %s\n", e.Text)
	case event.WarmUp:
		p.printf("INFO: seed corpus: files: %d\n", e.WarmTotal)
		if e.WarmTotal == 0 { // no event.WarmedUp follows
			p.line("INITED", e.Run)
		}
	case event.WarmedUp:
		p.line("INITED", e.Run)
	case event.Entry:
		p.last.Edges += e.Edges
		p.last.Buckets += e.Buckets
		p.line("NEW   ", p.last)
	case event.Progress:
		if s.At.Sub(p.pulsed) >= pulse { // not the last one, which done prints
			p.pulsed = s.At
			p.line("pulse ", e.Run)
		}
	case event.OverLimit, event.Failure:
		p.failures++
	case event.Minimize:
		p.printf("INFO: an input fails; making it smaller\n")
	}
}

// line prints a line of progress.
func (p *progress) line(what string, r event.Run) {
	p.last = r
	p.mu.Lock()
	files, bytes := p.files, p.bytes
	p.mu.Unlock()
	seconds := max(1, int(time.Since(p.begin).Seconds()))
	p.printf("#%d\t%s cov: %d ft: %d corp: %d/%db exec/s: %d rss: %dMb\n", r.Execs, what, r.Edges, r.Buckets, files, bytes, int(r.Execs)/seconds, p.rss())
}

// rss returns the memory of gnaw in MiB.
func (p *progress) rss() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	p.peak = max(p.peak, m.Sys>>20)
	return m.Sys >> 20
}

// done prints the end of the run. No events come any more.
func (p *progress) done(out engine.Outcome, execs uint64) {
	r := out.Final.Run
	r.Execs = execs
	p.line("DONE  ", r)
	seconds := int(time.Since(p.begin).Seconds())
	p.printf("Done %d runs in %d second(s)\n", execs, seconds)
	if p.finalStats {
		p.printf("stat::number_of_executed_units: %d\n", execs)
		p.printf("stat::average_exec_per_sec:     %d\n", execs/uint64(max(1, seconds)))
		p.printf("stat::new_units_added:          %d\n", r.New)
		p.printf("stat::peak_rss_mb:              %d\n", p.peak)
	}
}
