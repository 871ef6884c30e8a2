// Package worker is the worker: it executes inputs in the user's process on behalf of the coordinator.
//
// F.Fuzz calls [Serve] in a worker process, which runs until the coordinator stops it. An input takes this way:
//
//   - worker.go carries out the requests of the coordinator, within what request.go says that each one allows.
//   - fuzz.go mutates an entry, executes the mutants and scans what they show, without leaving the process. The mutants are made in
//     mutate.go and batch.go. sample.go looks for smaller ones that can take the place of their entry.
//   - runner.go calls the target, on the goroutine of a T that executor.go uses again as long as the target leaves it untouched.
//     wait.go waits for goroutines that the call has left.
//   - calibrate.go repeats an input that shows something new, trim.go makes it smaller, and keep.go reports it.
//   - study.go finds out what the target compares an entry with. Its stages are in comparisons.go, vary.go, chase.go and repair.go;
//     suggestions.go has what comes of it.
//   - oracles.go and growth.go measure around executions of inputs that pass. memory.go watches what executions allocate.
//   - exit.go ends the process, with stacks from stacks.go.
//
// One goroutine of Serve does all this, or the goroutine of a T on its behalf. Nothing else touches the counters, so what runs beside
// it uses packages that are never instrumented.
package worker

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/blocks"
	"github.com/gnaw-fuzz/gnaw/internal/probe/invoke"
)

// Harness is what the test binary knows about the fuzz target.
type Harness struct {
	Kinds    []input.Kind // types of the arguments
	Seeds    []input.Args // inputs of F.Add
	Call     invoke.Func  // calls the target
	Run      RunFunc      // runs a loop of calls under one T
	Counters []byte       // edge counters; empty if the binary is not instrumented
	Protocol string       // hash of the injected sources
	Race     bool         // built with -race

	Blocks *blocks.Recorder // of a binary that was built with -cover; nil: it was not
}

// RunFunc makes a T and calls loop with it as the testing package calls a fuzz target: on a goroutine of its own, with
// recovery from panics and Goexit, with cleanups afterwards. loop calls the target again and again with that T, until
// touched reports that a call left a trace in it. touched calls atEnd with what the target wants to have called when the call ends;
// if atEnd reports false, nothing was called, and the T counts as touched. ok and output are the outcome of the T. logged is how
// many lines of the output were there when it failed first; 0: not known.
type RunFunc func(loop func(t *testing.T, touched func(atEnd func(run func()) bool) bool)) (ok bool, output string, logged int)
