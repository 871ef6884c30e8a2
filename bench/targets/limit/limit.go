// Package limit measures the highest possible execution rate of a target: it samples the inputs that a fuzzer executes, and
// executes them again in a loop without mutation, coverage scan and testing.T. Only the target and its instrumentation remain.
package limit

import (
	"fmt"
	"math/rand"
	"os"
	"sort"
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
