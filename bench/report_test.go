package main

import (
	"math"
	"strings"
	"testing"
)

func TestSummarizeRoundsComparesWithinARound(t *testing.T) {
	s := summarizeRounds([]round{
		{Go: &run{Rate: 100}, Gnaw: &run{Rate: 1000, Stalled: 3}, Sampled: &run{Rate: 1100}, Limit: 2000},
		{Go: &run{Rate: 10}, Gnaw: &run{Rate: 200}, Sampled: &run{Rate: 175}, Limit: 250}, // the machine was busy
		{Gnaw: &run{Rate: 900}, Notes: "go failed"},
	})
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"go", s.Go, 55},
		{"gnaw", s.Gnaw, 900},
		{"ratio", s.Ratio, 15},
		{"limit", s.Limit, 1125},
		{"share", s.Share, 0.625},
		{"gnaw stalled", s.GnawStalled, 0},
		{"go stalled", s.GoStalled, 0},
	} {
		if math.Abs(tt.got-tt.want) > 1e-9 {
			t.Errorf("%s = %v, want %v", tt.name, tt.got, tt.want)
		}
	}
	if !math.IsNaN(s.Many) || !math.IsNaN(s.Scale) {
		t.Errorf("many, scale = %v, %v, want NaN: never measured", s.Many, s.Scale)
	}
}

func TestCells(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{count(999), "999"},
		{count(1234), "1.2 k"},
		{count(45678), "46 k"},
		{count(2.2e6), "2.20 M"},
		{count(math.NaN()), "–"},
		{times(31.234), "31.23×"},
		{percent(0.8), "80 %"},
		{seconds(3.2), "3 s"},
		{percent(math.NaN()), "–"},
	} {
		if tt.got != tt.want {
			t.Errorf("cell %q, want %q", tt.got, tt.want)
		}
	}
}

func TestParseLimit(t *testing.T) {
	if got, err := parseLimit("limit: 3000 execs in 1.5s\nPASS\n"); err != nil || got != 2000 {
		t.Errorf("parseLimit = %v, %v, want 2000", got, err)
	}
	for _, bad := range []string{"", "PASS", "limit: x execs in 1s", "limit: 3 execs in 0s", "limit: 3 execs in soon"} {
		if got, err := parseLimit(bad); err == nil {
			t.Errorf("parseLimit(%q) = %v, want an error", bad, got)
		}
	}
}

func TestReadLinesKeepsTheEndOfOtherOutput(t *testing.T) {
	in := strings.Repeat("noise\n", 1000) + "fuzz: elapsed: 3s, execs: 9 (3/sec), new interesting: 0 (total: 1)\nthe end\n"
	lines, rest := readLines(strings.NewReader(in), parseStatus)
	if len(lines) != 1 || lines[0].Execs != 9 {
		t.Errorf("readLines found %+v, want one line with 9 executions", lines)
	}
	if !strings.HasSuffix(rest, "noise\nthe end\n") || len(rest) > restLimit {
		t.Errorf("readLines kept %d bytes ending in %q", len(rest), rest[max(0, len(rest)-20):])
	}
}
