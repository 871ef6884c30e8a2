package main

import (
	"regexp"
	"strconv"
	"time"
)

// A status is one progress line of `go test -fuzz`, which gnaw prints in the same form:
//
//	fuzz: elapsed: 3s, execs: 123 (41/sec), new interesting: 1 (total: 5)
//	fuzz: elapsed: 0s, gathering baseline coverage: 0/4 completed
type status struct {
	At          time.Time // when the line arrived: the time in the line is rounded to seconds
	Execs       int64     // executions so far
	Interesting int64     // inputs kept in this run
	Baseline    bool      // the seeds are still being run: no execution counts yet
}

var (
	execsLine    = regexp.MustCompile(`^fuzz: elapsed: \S+, execs: (\d+) \(\d+/sec\)(?:, new interesting: (\d+) \(total: \d+\))?`)
	baselineLine = regexp.MustCompile(`^fuzz: elapsed: \S+, (?:gathering baseline coverage|testing seed corpus): \d+/\d+ completed`)
)

// parseStatus reads one line of output; ok is false if it is no progress line.
func parseStatus(line string, at time.Time) (s status, ok bool) {
	if baselineLine.MatchString(line) {
		return status{At: at, Baseline: true}, true
	}
	m := execsLine.FindStringSubmatch(line)
	if m == nil {
		return status{}, false
	}
	s = status{At: at}
	var err error
	if s.Execs, err = strconv.ParseInt(m[1], 10, 64); err != nil {
		return status{}, false
	}
	if m[2] != "" {
		if s.Interesting, err = strconv.ParseInt(m[2], 10, 64); err != nil {
			return status{}, false
		}
	}
	return s, true
}

// A run is what the progress lines of one fuzzing process say.
type run struct {
	Execs       int64   `json:"execs"`
	Seconds     float64 `json:"seconds"`          // from the start of the process to the last progress line
	Rate        float64 `json:"rate"`             // executions per second of that time
	Interesting int64   `json:"interesting"`      // inputs kept
	Stalled     float64 `json:"stalled"`          // seconds between two lines without any execution between them
	Solved      float64 `json:"solved,omitempty"` // seconds from the start of the process until a puzzle was solved; 0: not
}

// minStall: the last line of a run follows the one before at any distance; less than a second is no standstill.
const minStall = time.Second

// summarize turns the lines of a process that began at start into a run; ok is false if they say nothing.
func summarize(start time.Time, lines []status) (r run, ok bool) {
	if len(lines) == 0 {
		return run{}, false
	}
	last := lines[len(lines)-1]
	r = run{Execs: last.Execs, Seconds: last.At.Sub(start).Seconds(), Interesting: last.Interesting}
	if r.Execs == 0 || r.Seconds <= 0 {
		return run{}, false
	}
	r.Rate = float64(r.Execs) / r.Seconds
	for i := 1; i < len(lines); i++ {
		gap := lines[i].At.Sub(lines[i-1].At)
		if !lines[i].Baseline && lines[i].Execs == lines[i-1].Execs && gap >= minStall {
			r.Stalled += gap.Seconds()
		}
	}
	return r, true
}

var (
	goFuzzLine    = regexp.MustCompile(`\bworkers: \d+, corpus: (\d+) \(.*?\), crashers: \d+, restarts: \S+, execs: (\d+) \(`)
	libFuzzerLine = regexp.MustCompile(`^#(\d+)\s+[A-Za-z]+\s`)
)

// parseGoFuzz reads one line of output of go-fuzz:
//
//	2026/11/21 15:28:43 workers: 1, corpus: 239 (5s ago), crashers: 0, restarts: 1/8876, execs: 133153 (14792/sec), …
func parseGoFuzz(line string, at time.Time) (s status, ok bool) {
	m := goFuzzLine.FindStringSubmatch(line)
	if m == nil {
		return status{}, false
	}
	kept, err := strconv.ParseInt(m[1], 10, 64)
	execs, err2 := strconv.ParseInt(m[2], 10, 64)
	return status{At: at, Execs: execs, Interesting: kept}, err == nil && err2 == nil
}

// parseLibFuzzer reads one line of output of libFuzzer:
//
//	#2097152	pulse  cov: 714 ft: 2040 corp: 412/9Kb lim: 4096 exec/s: 84000 rss: 60Mb
func parseLibFuzzer(line string, at time.Time) (s status, ok bool) {
	m := libFuzzerLine.FindStringSubmatch(line)
	if m == nil {
		return status{}, false
	}
	execs, err := strconv.ParseInt(m[1], 10, 64)
	return status{At: at, Execs: execs}, err == nil
}
