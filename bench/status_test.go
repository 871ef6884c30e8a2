package main

import (
	"testing"
	"time"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func at(seconds float64) time.Time { return start.Add(time.Duration(seconds * float64(time.Second))) }

func TestParseStatus(t *testing.T) {
	tests := []struct {
		name string
		line string
		want status
		ok   bool
	}{
		{"counts", "fuzz: elapsed: 3s, execs: 123 (41/sec), new interesting: 1 (total: 5)", status{start, 123, 1, false}, true},
		{"minutes", "fuzz: elapsed: 1m3s, execs: 9000000000 (41/sec), new interesting: 12 (total: 15)", status{start, 9000000000, 12, false}, true},
		{"without coverage", "fuzz: elapsed: 3s, execs: 7 (2/sec)", status{start, 7, 0, false}, true},
		{"more after the counts", "fuzz: elapsed: 3s, execs: 7 (2/sec), new interesting: 0 (total: 1), edges: 9", status{start, 7, 0, false}, true},
		{"baseline", "fuzz: elapsed: 0s, gathering baseline coverage: 0/4 completed", status{start, 0, 0, true}, true},
		{"baseline done", "fuzz: elapsed: 0s, gathering baseline coverage: 4/4 completed, now fuzzing with 1 workers", status{start, 0, 0, true}, true},
		{"seeds without coverage", "fuzz: elapsed: 0s, testing seed corpus: 0/1 completed", status{start, 0, 0, true}, true},
		{"minimizing", "fuzz: elapsed: 4s, minimizing", status{}, false},
		{"the target's own output", "execs: 5 (1/sec)", status{}, false},
		{"count beyond 64 bits", "fuzz: elapsed: 3s, execs: 99999999999999999999 (1/sec)", status{}, false},
		{"nothing", "", status{}, false},
	}
	for _, tt := range tests {
		if got, ok := parseStatus(tt.line, start); got != tt.want || ok != tt.ok {
			t.Errorf("%s: parseStatus = %+v, %v, want %+v, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestSummarize(t *testing.T) {
	tests := []struct {
		name  string
		lines []status
		want  run
		ok    bool
	}{
		{"nothing", nil, run{}, false},
		{"no executions", []status{{At: at(1), Baseline: true}, {At: at(4)}}, run{}, false},
		{"no time", []status{{At: at(0), Execs: 5}}, run{}, false},
		{"one line", []status{{At: at(2), Execs: 5}}, run{Execs: 5, Seconds: 2, Rate: 2.5}, true},
		{
			"steady",
			[]status{{At: at(0), Baseline: true}, {At: at(3), Execs: 30}, {At: at(5), Execs: 50, Interesting: 2}},
			run{Execs: 50, Seconds: 5, Rate: 10, Interesting: 2},
			true,
		},
		{
			"stalled in the middle",
			[]status{{At: at(0)}, {At: at(3), Execs: 40}, {At: at(6), Execs: 40}, {At: at(10), Execs: 80}},
			run{Execs: 80, Seconds: 10, Rate: 8, Stalled: 3},
			true,
		},
		{
			"end right after a line",
			[]status{{At: at(0)}, {At: at(3), Execs: 40}, {At: at(3.2), Execs: 40}, {At: at(4), Execs: 40}},
			run{Execs: 40, Seconds: 4, Rate: 10},
			true,
		},
		{
			"seeds take long",
			[]status{{At: at(0), Baseline: true}, {At: at(2), Baseline: true}, {At: at(4), Execs: 8}},
			run{Execs: 8, Seconds: 4, Rate: 2},
			true,
		},
	}
	for _, tt := range tests {
		if got, ok := summarize(start, tt.lines); got != tt.want || ok != tt.ok {
			t.Errorf("%s: summarize = %+v, %v, want %+v, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestParsePeerStatus(t *testing.T) {
	tests := []struct {
		name  string
		parse lineParser
		line  string
		want  status
		ok    bool
	}{
		{
			"go-fuzz counts",
			parseGoFuzz,
			"2026/11/21 15:28:43 workers: 1, corpus: 239 (5s ago), crashers: 0, restarts: 1/8876, execs: 133153 (14792/sec), cover: 714, uptime: 9s",
			status{start, 133153, 239, false},
			true,
		},
		{"go-fuzz says goodbye", parseGoFuzz, "2026/11/21 15:28:44 shutting down...", status{}, false},
		{"libFuzzer has done the seeds", parseLibFuzzer, "#377\tINITED cov: 514 ft: 1586 corp: 319/14824b exec/s: 0 rss: 31Mb", status{start, 377, 0, false}, true},
		{"libFuzzer found something", parseLibFuzzer, "#523\tREDUCE cov: 514 ft: 1586 corp: 319/14818b lim: 1300", status{start, 523, 0, false}, true},
		{"libFuzzer lives", parseLibFuzzer, "#2097152\tpulse  cov: 714 ft: 2040 corp: 412/9Kb lim: 4096", status{start, 2097152, 0, false}, true},
		{"libFuzzer recommends a dictionary", parseLibFuzzer, "###### End of recommended dictionary. ######", status{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := tt.parse(tt.line, start); got != tt.want || ok != tt.ok {
				t.Errorf("parse = %+v, %v, want %+v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}
