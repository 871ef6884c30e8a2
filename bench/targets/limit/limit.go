// Package limit tells how fast any fuzzer could possibly run a target: it samples the inputs that a fuzzer runs, and then
// replays them in a bare loop. There is no mutation, no look at the coverage and no testing.T in it, only the
// instrumented target.
package limit

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Args is one input: a []byte, string or int for each argument of the target.
type Args []any

// Add hands seeds to a fuzz test.
func Add(f *testing.F, seeds []Args) {
	for _, args := range seeds {
		f.Add(args...)
	}
}

// A Recorder appends a sample of the inputs that a fuzz test runs to a file, one line each: how many executions the line
// stands for, and the arguments. The interval between samples doubles as it goes, so that a fast target is sampled from
// the beginning to the end of a run and not slowed down by it.
type Recorder struct {
	out      *os.File
	interval int // executions per sample
	wait     int // executions until the next sample
	left     int // samples until the interval doubles
}

// stepSamples is how many samples are taken before the interval doubles.
const stepSamples = 4096

// NewRecorder appends to the file $BENCH_RECORD; without it the fuzz test is skipped.
func NewRecorder(f *testing.F) *Recorder {
	name := os.Getenv("BENCH_RECORD")
	if name == "" {
		f.Skip("BENCH_RECORD is not set")
	}
	out, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		f.Fatal(err)
	}
	return &Recorder{out: out, interval: 1, wait: 1, left: stepSamples}
}

// Due reports whether the input that is about to run is one of the sample.
func (r *Recorder) Due() bool {
	r.wait--
	return r.wait == 0
}

// Write adds an input to the sample.
func (r *Recorder) Write(args ...any) {
	line := []byte(strconv.Itoa(r.interval))
	for _, arg := range args {
		switch v := arg.(type) {
		case []byte:
			line = fmt.Appendf(line, "\tb%q", v)
		case string:
			line = fmt.Appendf(line, "\ts%q", v)
		case int:
			line = fmt.Appendf(line, "\ti%d", v)
		}
	}
	if _, err := r.out.Write(append(line, '\n')); err != nil {
		panic(err) // no sample is better than a wrong one
	}
	if r.left--; r.left == 0 {
		r.interval, r.left = 2*r.interval, stepSamples
	}
	r.wait = r.interval
}

// poolSize is how many inputs take turns in the loop: enough that branch predictors do not learn them.
const poolSize = 8192

// Run draws a pool of inputs from the sample in $BENCH_LIMIT_FILE, runs them over and over for $BENCH_LIMIT_TIME, and
// prints how often. bind returns a call of the target with the given arguments. Without the variables the test is skipped.
func Run(t *testing.T, bind func(Args) func()) {
	name := os.Getenv("BENCH_LIMIT_FILE")
	if name == "" {
		t.Skip("BENCH_LIMIT_FILE is not set")
	}
	budget, err := time.ParseDuration(os.Getenv("BENCH_LIMIT_TIME"))
	if err != nil {
		t.Fatal(err)
	}
	inputs, upTo, err := read(name)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	calls := make([]func(), poolSize)
	for i := range calls {
		at := r.Intn(upTo[len(upTo)-1])
		calls[i] = bind(inputs[sort.SearchInts(upTo, at+1)])
	}
	execs, took := loop(calls, budget)
	fmt.Printf("limit: %d execs in %s\n", execs, took)
}

// loop looks at the clock about once in a millisecond.
func loop(calls []func(), budget time.Duration) (execs int, took time.Duration) {
	start := time.Now()
	batch := 1
	for took < budget {
		from := execs % poolSize
		to := min(from+batch, poolSize)
		for _, call := range calls[from:to] {
			call()
		}
		execs += to - from
		now := time.Since(start)
		if now-took < time.Millisecond && batch < poolSize {
			batch *= 2
		}
		took = now
	}
	return execs, took
}

// maxLine is more than any line of a sample takes: inputs are at most 1 MB, and quoting makes four bytes of one.
const maxLine = 16 << 20

// read returns the inputs of a sample, and how many executions those up to each of them stand for.
func read(name string) (inputs []Args, upTo []int, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	total := 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		weight, err := strconv.Atoi(fields[0])
		if err != nil {
			continue
		}
		// The process is stopped while it writes: the last line may be cut off.
		if args, ok := decode(fields[1:]); ok {
			total += weight
			inputs, upTo = append(inputs, args), append(upTo, total)
		}
	}
	if lines.Err() == nil && total == 0 {
		return nil, nil, fmt.Errorf("%s: no inputs", name)
	}
	return inputs, upTo, lines.Err()
}

func decode(fields []string) (Args, bool) {
	var args Args
	for _, field := range fields {
		if field == "" {
			return nil, false
		}
		kind, value := field[0], field[1:]
		if kind == 'i' {
			n, err := strconv.Atoi(value)
			if err != nil {
				return nil, false
			}
			args = append(args, n)
			continue
		}
		s, err := strconv.Unquote(value)
		if err != nil {
			return nil, false
		}
		if kind == 'b' {
			args = append(args, []byte(s))
		} else {
			args = append(args, s)
		}
	}
	return args, len(args) > 0
}
