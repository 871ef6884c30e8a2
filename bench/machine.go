package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A target is a folder below bench/targets with all that was measured on it.
type target struct {
	Name                 string  `json:"name"`
	Rounds               []round `json:"rounds"`
	goBinary, gnawBinary string
}

// A round is one turn of all sides on one target. A side that did not run, or failed, is nil.
type round struct {
	Go      *run    `json:"go,omitempty"`      // go test -fuzz, one worker
	Gnaw    *run    `json:"gnaw,omitempty"`    // gnaw, one worker
	Many    *run    `json:"many,omitempty"`    // gnaw, -workers workers
	Sampled *run    `json:"sampled,omitempty"` // gnaw, one worker, while a sample of its inputs is taken
	Limit   float64 `json:"limit,omitempty"`   // calls per second in the bare loop over that sample
	Notes   string  `json:"notes,omitempty"`   // what went wrong
}

// A machine runs test binaries one at a time.
type machine struct {
	Dir      string // below it every run has a folder of its own
	GnawDir  string // goes into PATH, where a binary built by gnaw looks for it
	MaxProcs int
	Time     time.Duration
	Env      []string // in addition to that of this process
	runs     int
}

// limitTime is how long the bare loop runs.
const limitTime = 2 * time.Second

// round measures the sides in turn. Only a stop from outside is an error: what fails is noted.
func (m *machine) round(ctx context.Context, t *target, workers int) (round, error) {
	var r round
	var notes []string
	fuzz := func(binary string, workers int) *run {
		result, err := m.fuzz(ctx, binary, "FuzzTarget", workers)
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s: %v", filepath.Base(binary), err))
			return nil
		}
		return &result
	}
	if workers > 1 {
		r.Gnaw = fuzz(t.gnawBinary, 1)
		r.Many = fuzz(t.gnawBinary, workers)
	} else {
		if len(t.Rounds)%2 == 0 { // the other way round every other time: the first may find a cooler machine
			r.Go = fuzz(t.goBinary, 1)
		}
		r.Gnaw = fuzz(t.gnawBinary, 1)
		if len(t.Rounds)%2 == 1 {
			r.Go = fuzz(t.goBinary, 1)
		}
		var err error
		if r.Sampled, r.Limit, err = m.limit(ctx, t); err != nil {
			notes = append(notes, fmt.Sprintf("limit: %v", err))
		}
	}
	r.Notes = strings.Join(notes, "; ")
	return r, ctx.Err()
}

// fuzz runs a fuzz test for the set time, with a corpus cache and a working directory that are new and empty.
func (m *machine) fuzz(ctx context.Context, binary, name string, workers int, env ...string) (r run, err error) {
	cmd, err := m.command(ctx, binary, "-test.run=^$", "-test.fuzz=^"+name+"$", "-test.fuzztime="+m.Time.String(),
		"-test.parallel="+strconv.Itoa(workers), "-test.fuzzcachedir=cache")
	if err != nil {
		return run{}, err
	}
	cmd.Env = append(cmd.Env, env...)
	return watch(cmd, parseStatus, 0, "")
}

var limitLine = regexp.MustCompile(`(?m)^limit: (\d+) execs in (\S+)$`)

// limit fuzzes once more, with a sample taken of the inputs, and runs the bare loop over that in the same binary. The
// inputs of two runs may differ much in what they cost, so the limit of this run says little about another one.
func (m *machine) limit(ctx context.Context, t *target) (sampled *run, limit float64, err error) {
	sample := filepath.Join(m.Dir, t.Name+".sample")
	if err := os.RemoveAll(sample); err != nil { // that of the round before
		return nil, 0, err
	}
	fuzzed, err := m.fuzz(ctx, t.gnawBinary, "FuzzRecord", 1, "BENCH_RECORD="+sample)
	if err != nil {
		return nil, 0, fmt.Errorf("take a sample: %w", err)
	}
	cmd, err := m.command(ctx, t.gnawBinary, "-test.run=^TestLimit$")
	if err != nil {
		return nil, 0, err
	}
	cmd.Env = append(cmd.Env, "BENCH_LIMIT_FILE="+sample, "BENCH_LIMIT_TIME="+limitTime.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, 0, fmt.Errorf("%w\n%s", err, out)
	}
	if limit, err = parseLimit(string(out)); err != nil {
		return nil, 0, err
	}
	return &fuzzed, limit, nil
}

// parseLimit reads the rate from the output of TestLimit.
func parseLimit(out string) (float64, error) {
	m := limitLine.FindStringSubmatch(out)
	if m == nil {
		return 0, errors.New("TestLimit printed no result")
	}
	execs, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return 0, err
	}
	took, err := time.ParseDuration(m[2])
	if err != nil {
		return 0, err
	}
	if took <= 0 {
		return 0, errors.New("TestLimit took no time")
	}
	return float64(execs) / took.Seconds(), nil
}

// command prepares a run of a test binary in a folder of its own.
func (m *machine) command(ctx context.Context, binary string, args ...string) (*exec.Cmd, error) {
	m.runs++
	dir := filepath.Join(m.Dir, strconv.Itoa(m.runs))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	cmd.WaitDelay = 10 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Env = append(os.Environ(), "PATH="+m.GnawDir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, m.Env...)
	if m.MaxProcs > 0 {
		cmd.Env = append(cmd.Env, "GOMAXPROCS="+strconv.Itoa(m.MaxProcs))
	}
	return cmd, nil
}
