// Package work is the worker: it executes inputs in the user's process on behalf of the coordinator.
//
// [Serve] is called by F.Fuzz in a worker process and runs until the coordinator stops it. The way of an input starts
// at a request that the coordinator sends (worker.go); fuzz.go mutates, executes and scans without leaving the process;
// what shows something new is calibrated and trimmed (novelty.go); execute.go calls the target with a T that is used
// again as long as the target left it untouched. Nothing but that loop touches the counters, so everything that runs
// beside it uses packages that are never instrumented.
package work

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/invoke"
)

// Target is what the test binary knows about the fuzz target that it shall execute.
type Target struct {
	Kinds    []input.Kind // types of the arguments
	Seeds    []input.Args // inputs of F.Add
	Call     invoke.Func  // calls the target
	Run      RunFunc      // runs a loop of calls under one T
	Counters []byte       // edge counters; empty if the binary is not instrumented
	Protocol string       // hash of the injected sources
	Race     bool         // built with -race
}

// RunFunc makes a T and calls loop with it as the testing package calls a fuzz target: on a goroutine of its own, with
// recovery from panics and Goexit, with cleanups afterwards. loop calls the target again and again with that T, until
// touched reports that a call left a trace in it. What the target wants to have called when the call ends is called by atEnd, or
// not, if that reports false: then the T is touched. ok and output are the outcome of the T, logged is how many lines of the
// output were there when it failed first; 0: not known.
type RunFunc func(loop func(t *testing.T, touched func(atEnd func(run func()) bool) bool)) (ok bool, output string, logged int)
