package gotest

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

var (
	begin = time.Date(2026, 3, 1, 12, 30, 0, 123456789, time.UTC)
	some  = event.Subject{Func: "FuzzParse"}
)

// at is an event so long after the begin.
func at(elapsed time.Duration, e event.Event) event.Stamped {
	return event.Stamped{At: begin.Add(elapsed), Event: e}
}

// printed returns what is printed of events.
func printed(debug bool, events ...event.Stamped) string {
	var out bytes.Buffer
	p := New(&out, debug, begin)
	for _, e := range events {
		p.Event(e)
	}
	return out.String()
}

func TestEventsArePrintedInTheFormatOfGoTest(t *testing.T) {
	for _, tt := range []struct {
		name  string
		event event.Event
		want  string
	}{
		{"a warning", event.Notice{What: event.Warning, Subject: some, Text: "starting with empty corpus"}, "warning: starting with empty corpus\n"},
		{"a warning with a percent sign", event.Notice{What: event.Warning, Text: "100% full"}, "warning: 100% full\n"},
		{"loading", event.Loading{Subject: some, Done: 128, Total: 300}, "fuzz: elapsed: 4s, loading corpus cache: 128/300 files\n"},
		{
			"the start of the warm-up",
			event.WarmUp{Subject: some, Run: event.Run{Instrumented: true, WarmTotal: 7, WarmingUp: true}},
			"fuzz: elapsed: 4s, gathering baseline coverage: 0/7 completed\n",
		},
		{
			"the start of the warm-up without instrumentation",
			event.WarmUp{Subject: some, Run: event.Run{WarmTotal: 7, WarmingUp: true}},
			"fuzz: elapsed: 4s, testing seed corpus: 0/7 completed\n",
		},
		{
			"the end of the warm-up",
			event.WarmedUp{Subject: some, Run: event.Run{Instrumented: true, WarmDone: 7, WarmTotal: 7, Workers: 2, Buckets: 99}},
			"fuzz: elapsed: 4s, gathering baseline coverage: 7/7 completed, now fuzzing with 2 workers\n",
		},
		{
			"the end of the warm-up without instrumentation",
			event.WarmedUp{Subject: some, Run: event.Run{WarmDone: 1, WarmTotal: 1, Workers: 1}},
			"fuzz: elapsed: 4s, testing seed corpus: 1/1 completed, now fuzzing with 1 workers\n",
		},
		{"a failing seed of F.Add", event.SeedFailed{Subject: some, Seed: "seed#0"}, "failure while testing seed corpus entry: FuzzParse/seed#0\n"},
		{
			"a failing seed of a file",
			event.SeedFailed{Subject: some, Seed: "testdata/fuzz/FuzzParse/mine"},
			"failure while testing seed corpus entry: FuzzParse/mine\n",
		},
		{"a new entry without debugging", event.Entry{Subject: some, Path: "x", Size: 1}, ""},
		{"minimizing", event.Minimize{Subject: some, Size: 45}, "fuzz: minimizing 45-byte failing input file\n"},
		{
			"the grace after a failure",
			event.Grace{Subject: some, Seconds: 1.234},
			"fuzz: found a failing input; looking for others for 1.2s (-failfast ends with the first)\n",
		},
		{
			"the grace after another failure",
			event.Grace{Subject: some, Seconds: 1, Again: true},
			"fuzz: found another failing input; looking for others for 1s\n",
		},
		{"a failure that each replay shows", event.Failure{Subject: some, Kind: finding.Panic, Input: "testdata/fuzz/FuzzParse/1"}, ""},
		{
			"a hang",
			event.Failure{Subject: some, Kind: finding.Hang},
			"fuzz: note: an execution that is slow and does not hang needs more time: -fuzztimeout\n",
		},
		{
			"a flaky failure",
			event.Failure{Subject: some, Flaky: true, Input: "testdata/fuzz/FuzzParse/1"},
			"fuzz: note: testdata/fuzz/FuzzParse/1 did not fail again in a fresh process; the target may depend on what it executed before\n",
		},
		{
			"a flaky seed that go test does not run",
			event.Failure{Subject: some, Flaky: true, Input: "seed#0", NotRun: "FuzzParse calls Skip"},
			"fuzz: note: seed#0 did not fail again in a fresh process; the target may depend on what it executed before\n",
		},
		{
			"a failure that go test does not run, without a file",
			event.Failure{Subject: some, NotRun: "FuzzParse calls Skip"},
			"fuzz: note: go test does not run the failing input: FuzzParse calls Skip\n",
		},
		{
			"a failure that shows after the target has returned",
			event.Failure{Subject: some, Input: "testdata/fuzz/FuzzParse/1", Count: 500},
			"fuzz: note: with testdata/fuzz/FuzzParse/1 the process fails some time after the target has returned: go test needs -count=500\n",
		},
		{
			"an input that needs too much memory",
			event.OverLimit{Subject: some, Message: "fatal error: memory limit", Path: "testdata/fuzz/FuzzParse/1"},
			"fuzz: an input used more memory than the limit: fatal error: memory limit\n" +
				"fuzz: it is written to testdata/fuzz/FuzzParse/1; fuzzing goes on, and the run will fail\n",
		},
		{
			"an input that needs too much memory and cannot be written",
			event.OverLimit{Subject: some, Message: "fatal error: memory limit"},
			"fuzz: an input used more memory than the limit: fatal error: memory limit\n" +
				"fuzz: it is written to no file, as none can be written; fuzzing goes on, and the run will fail\n",
		},
		{"an event of a campaign", event.End{Targets: 3}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := printed(false, at(4*time.Second, tt.event)); got != tt.want {
				t.Errorf("printed %q, want %q", got, tt.want)
			}
		})
	}
}

func TestStatusLines(t *testing.T) {
	for _, tt := range []struct {
		name    string
		elapsed time.Duration
		run     event.Run
		want    string
	}{
		{
			"fuzzing", 4 * time.Second,
			event.Run{Instrumented: true, WarmDone: 2, WarmTotal: 2, Execs: 2000, New: 3, Entries: 5},
			"fuzz: elapsed: 4s, execs: 2000 (500/sec), new interesting: 3 (total: 5)\n",
		},
		{
			"without instrumentation", 4 * time.Second,
			event.Run{Execs: 2000, New: 3, Entries: 5},
			"fuzz: elapsed: 4s, execs: 2000 (500/sec)\n",
		},
		{
			"nothing was executed", 0,
			event.Run{Instrumented: true},
			"fuzz: elapsed: 0s, execs: 0 (0/sec), new interesting: 0 (total: 0)\n",
		},
		{
			"warm-up", 62 * time.Second,
			event.Run{Instrumented: true, WarmDone: 3, WarmTotal: 9, WarmingUp: true},
			"fuzz: elapsed: 1m2s, gathering baseline coverage: 3/9 completed\n",
		},
		{
			"minimizing", 9 * time.Second,
			event.Run{Instrumented: true, Minimizing: true, Execs: 5},
			"fuzz: elapsed: 9s, minimizing\n",
		},
		{
			"minimizing during the warm-up", 9 * time.Second,
			event.Run{Instrumented: true, Minimizing: true, WarmingUp: true},
			"fuzz: elapsed: 9s, minimizing\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := printed(false, at(tt.elapsed, event.Progress{Subject: some, Run: tt.run})); got != tt.want {
				t.Errorf("printed %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTheRateIsThatSinceTheLastLineWithARate(t *testing.T) {
	got := printed(false,
		at(10*time.Second, event.Progress{Run: event.Run{Execs: 1000}}),
		at(15*time.Second, event.Progress{Run: event.Run{Execs: 1100, Minimizing: true}}),
		at(20*time.Second, event.Progress{Run: event.Run{Execs: 1300}}))
	want := "fuzz: elapsed: 10s, execs: 1000 (100/sec)\nfuzz: elapsed: 15s, minimizing\nfuzz: elapsed: 20s, execs: 1300 (30/sec)\n"
	if got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestLoadingIsPrintedOncePerInterval(t *testing.T) {
	var events []event.Stamped
	for i := range 1000 {
		events = append(events, at(time.Duration(i)*10*time.Millisecond, event.Loading{Done: i, Total: 1000}))
	}
	want := "fuzz: elapsed: 3s, loading corpus cache: 300/1000 files\n" +
		"fuzz: elapsed: 6s, loading corpus cache: 600/1000 files\n" +
		"fuzz: elapsed: 9s, loading corpus cache: 900/1000 files\n"
	if got := printed(false, events...); got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestDebugLinesHaveTheTimeOfTheEvent(t *testing.T) {
	for _, tt := range []struct {
		name  string
		event event.Event
		want  string // the last line
	}{
		{
			"a new entry",
			event.Entry{Subject: some, Path: "/cache/FuzzParse/abc", Size: 36, Buckets: 4, Edges: 2},
			"2026-03-01 12:30:02.123456789 DEBUG new interesting input, file: /cache/FuzzParse/abc, size: 36, new bits: 4, new edges: 2\n",
		},
		{
			"the end of the warm-up",
			event.WarmedUp{Subject: some, Run: event.Run{Instrumented: true, WarmDone: 7, WarmTotal: 7, Workers: 2, Buckets: 99}},
			"2026-03-01 12:30:02.123456789 DEBUG finished processing input corpus, entries: 7, initial coverage bits: 99\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := printed(true, at(2*time.Second, tt.event))
			lines := strings.SplitAfter(strings.TrimSuffix(got, "\n"), "\n")
			if last := lines[len(lines)-1] + "\n"; last != tt.want {
				t.Errorf("printed %q, want %q", last, tt.want)
			}
		})
	}
}
