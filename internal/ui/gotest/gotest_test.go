package gotest

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
)

// printer returns a Printer whose target has run for some time, and what it prints.
func printer(elapsed time.Duration, debug bool) (*Printer, *bytes.Buffer) {
	var out bytes.Buffer
	p := New(&out, "FuzzParse", debug)
	p.start = p.start.Add(-elapsed)
	// A thousand seconds since the last status line: what the test itself takes does not show in a rate.
	p.at, p.loaded = p.at.Add(-1000*time.Second), p.loaded.Add(-1000*time.Second)
	return p, &out
}

func TestEventsAreToldInTheWordsOfGo(t *testing.T) {
	warm := engine.Snapshot{Instrumented: true, WarmDone: 7, WarmTotal: 7, Workers: 2, Buckets: 99}
	for _, tt := range []struct {
		name  string
		event engine.Event
		want  string
	}{
		{"warning", engine.Warning{Text: "starting with empty corpus"}, "warning: starting with empty corpus\n"},
		{"warning with a percent sign", engine.Warning{Text: "100% full"}, "warning: 100% full\n"},
		{"loading", engine.Loading{Done: 128, Total: 300}, "fuzz: elapsed: 4s, loading corpus cache: 128/300 files\n"},
		{
			"start of the warm-up",
			engine.Started{Snapshot: func() engine.Snapshot {
				return engine.Snapshot{Instrumented: true, WarmTotal: 7, WarmingUp: true}
			}},
			"fuzz: elapsed: 4s, gathering baseline coverage: 0/7 completed\n",
		},
		{
			"start without instrumentation",
			engine.Started{Snapshot: func() engine.Snapshot { return engine.Snapshot{WarmTotal: 7, WarmingUp: true} }},
			"fuzz: elapsed: 4s, testing seed corpus: 0/7 completed\n",
		},
		{
			"end of the warm-up",
			engine.WarmedUp{Snapshot: warm},
			"fuzz: elapsed: 4s, gathering baseline coverage: 7/7 completed, now fuzzing with 2 workers\n",
		},
		{
			"end without instrumentation",
			engine.WarmedUp{Snapshot: engine.Snapshot{WarmDone: 1, WarmTotal: 1, Workers: 1}},
			"fuzz: elapsed: 4s, testing seed corpus: 1/1 completed, now fuzzing with 1 workers\n",
		},
		{"failing seed of F.Add", engine.SeedFailed{Name: "seed#0"}, "failure while testing seed corpus entry: FuzzParse/seed#0\n"},
		{
			"failing seed of a file",
			engine.SeedFailed{Name: "testdata/fuzz/FuzzParse/mine"},
			"failure while testing seed corpus entry: FuzzParse/mine\n",
		},
		{"new entry", engine.NewEntry{Path: "x", Size: 1}, ""},
		{"minimizing", engine.Minimizing{Size: 45}, "fuzz: minimizing 45-byte failing input file\n"},
		{
			"time for others",
			engine.GracePeriod{For: 1234 * time.Millisecond},
			"fuzz: found a failing input; looking for others for 1.2s (-failfast ends with the first)\n",
		},
		{
			"more time for others",
			engine.GracePeriod{For: time.Second, Again: true},
			"fuzz: found another failing input; looking for others for 1s\n",
		},
		{"restart", engine.Restarted{Reason: "signal: killed"}, "warning: signal: killed; starting it again\n"},
		{"finding", engine.Found{Finding: &finding.Finding{Kind: finding.Panic}}, ""},
		{
			"hang",
			engine.Found{Finding: &finding.Finding{Kind: finding.Hang}},
			"fuzz: note: an execution that is slow and does not hang needs more time: -fuzztimeout\n",
		},
		{
			"flaky finding",
			engine.Found{Finding: &finding.Finding{Flaky: true, Path: "testdata/fuzz/FuzzParse/1"}},
			"fuzz: note: testdata/fuzz/FuzzParse/1 did not fail again in a fresh process; the target may depend on what it executed before\n",
		},
		{
			"flaky seed",
			engine.Found{Finding: &finding.Finding{Flaky: true, Seed: "seed#0"}},
			"fuzz: note: seed#0 did not fail again in a fresh process; the target may depend on what it executed before\n",
		},
		{
			"memory",
			engine.UsedTooMuch{Finding: &finding.Finding{Message: "fatal error: memory limit", Path: "testdata/fuzz/FuzzParse/1"}},
			"fuzz: an input used more memory than the limit: fatal error: memory limit\n" +
				"fuzz: it is written to testdata/fuzz/FuzzParse/1; fuzzing goes on, and the run will fail\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, out := printer(4*time.Second, false)
			if p.Event(tt.event); out.String() != tt.want {
				t.Errorf("printed %q, want %q", out, tt.want)
			}
		})
	}
}

func TestStatusLines(t *testing.T) {
	for _, tt := range []struct {
		name    string
		elapsed time.Duration
		s       engine.Snapshot
		want    string
	}{
		{
			"fuzzing", 3 * time.Second,
			engine.Snapshot{Instrumented: true, WarmDone: 2, WarmTotal: 2, Execs: 500000, Interesting: 3, Entries: 5},
			"fuzz: elapsed: 3s, execs: 500000 (500/sec), new interesting: 3 (total: 5)\n",
		},
		{
			"without instrumentation", 3 * time.Second,
			engine.Snapshot{Execs: 500000, Interesting: 3, Entries: 5},
			"fuzz: elapsed: 3s, execs: 500000 (500/sec)\n",
		},
		{
			"nothing done", 0,
			engine.Snapshot{Instrumented: true},
			"fuzz: elapsed: 0s, execs: 0 (0/sec), new interesting: 0 (total: 0)\n",
		},
		{
			"warming up", 62 * time.Second,
			engine.Snapshot{Instrumented: true, WarmDone: 3, WarmTotal: 9, WarmingUp: true},
			"fuzz: elapsed: 1m2s, gathering baseline coverage: 3/9 completed\n",
		},
		{
			"minimizing", 9 * time.Second,
			engine.Snapshot{Instrumented: true, Minimizing: true, Execs: 5},
			"fuzz: elapsed: 9s, minimizing\n",
		},
		{
			"minimizing a cached entry", 9 * time.Second,
			engine.Snapshot{Instrumented: true, Minimizing: true, WarmingUp: true},
			"fuzz: elapsed: 9s, minimizing\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, out := printer(tt.elapsed, false)
			if p.Final(tt.s); out.String() != tt.want {
				t.Errorf("Final printed %q, want %q", out, tt.want)
			}
			p, out = printer(tt.elapsed, false)
			p.snapshot = func() engine.Snapshot { return tt.s }
			if p.Status(); out.String() != tt.want {
				t.Errorf("Status printed %q, want %q", out, tt.want)
			}
		})
	}
}

func TestThereIsNoStatusBeforeTheStart(t *testing.T) {
	p, out := printer(time.Second, true)
	if p.Status(); out.Len() != 0 {
		t.Errorf("printed %q, want nothing", out)
	}
}

func TestTheRateIsThatSinceTheLastLine(t *testing.T) {
	p, out := printer(0, false)
	p.Final(engine.Snapshot{Execs: 100000})
	p.at = p.at.Add(-1000 * time.Second)
	p.Final(engine.Snapshot{Execs: 130000})
	if want := "execs: 130000 (30/sec)\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("printed %q, want %q at the end", out, want)
	}
}

func TestLoadingIsToldOncePerInterval(t *testing.T) {
	p, out := printer(0, false)
	for i := range 1000 {
		p.Event(engine.Loading{Done: i, Total: 1000})
	}
	if n := strings.Count(out.String(), "\n"); n != 1 {
		t.Errorf("a thousand steps make %d lines, want 1", n)
	}
}

func TestDebugLines(t *testing.T) {
	for _, tt := range []struct {
		name  string
		event engine.Event
		want  string // after the time
	}{
		{
			"new entry",
			engine.NewEntry{Path: "/cache/FuzzParse/abc", Size: 36, Buckets: 4, Edges: 2},
			"DEBUG new interesting input, file: /cache/FuzzParse/abc, size: 36, new bits: 4, new edges: 2\n",
		},
		{
			"end of the warm-up",
			engine.WarmedUp{Snapshot: engine.Snapshot{Instrumented: true, WarmDone: 7, WarmTotal: 7, Workers: 2, Buckets: 99}},
			"DEBUG finished processing input corpus, entries: 7, initial coverage bits: 99\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, out := printer(0, true)
			p.Event(tt.event)
			lines := strings.SplitAfter(strings.TrimSuffix(out.String(), "\n"), "\n")
			last := lines[len(lines)-1] + "\n"
			stamp, rest, _ := strings.Cut(last, " DEBUG ")
			if "DEBUG "+rest != tt.want {
				t.Errorf("printed %q, want %q", last, tt.want)
			}
			if !regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$`).MatchString(stamp) {
				t.Errorf("the time is %q", stamp)
			}
		})
	}
}

func TestRunEndsWhenItIsDone(t *testing.T) {
	p, out := printer(0, false)
	done := make(chan struct{})
	close(done)
	if p.Run(done); out.Len() != 0 {
		t.Errorf("printed %q, want nothing", out)
	}
}

// Workers, the saver and the ticker report at the same time; lines stay whole.
func TestLinesStayWhole(t *testing.T) {
	p, out := printer(0, true)
	p.Event(engine.Started{Snapshot: func() engine.Snapshot { return engine.Snapshot{Instrumented: true} }})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				p.Status()
				p.Event(engine.NewEntry{Path: "p"})
				p.Event(engine.Loading{})
			}
		})
	}
	wg.Wait()
	for line := range strings.SplitSeq(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if !strings.HasPrefix(line, "fuzz: elapsed: ") && !strings.Contains(line, " DEBUG new interesting input, file: p, ") {
			t.Errorf("the line %q is not whole", line)
		}
	}
}
