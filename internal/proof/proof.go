// Package proof runs one input of a fuzz target in a fresh process and says what happened: whether the process fails as a finding says,
// passes, or proves nothing. It also says what a failure is, and whether two failures are the same.
//
// There are three ways to run an input. [GoTest] runs it in the test binary as plain go test does, [GoCommand] by the go command, for a person
// or in another commit, and [Execute] in a fuzzing process. [Again] chooses between the first and the last.
//
// In plain go test the end of the process alone proves nothing: a test binary that passes may not have run the input, because the target was
// skipped, the process changed its folder and did not find the file, or something ended the process with exit code 0. So a result counts only
// if the subtest began. The time of the subtest does not include the time until the process reaches it.
//
// An [Execution] is what a process executes, and a [Verdict] what that shows. Why a process proves nothing is an error: a [NotRunError], a
// [RefusedError], or an error without a type of its own if something outside has ended the process. Any goroutine may call the functions and
// methods of this package, but a finding belongs to one of them.
package proof

import (
	"cmp"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
)

// Execution is what a process executes.
type Execution struct {
	Args input.Args // for a fuzzing process
	Name string     // for go test: the name of the file in testdata/fuzz, or of the seed, that has the arguments
}

// Of returns the execution that shows a finding.
func Of(f *finding.Finding) Execution {
	return Execution{Args: f.Input, Name: filepath.Base(cmp.Or(f.Seed, f.Path))}
}

// Verdict is what the process of an execution shows about a finding.
type Verdict uint8

const (
	Passes Verdict = iota
	Fails
	Slow // a hang that is none: it ends in time, although it takes long
)

// NotRunError says that plain go test does not run an input, so that its process proves nothing.
type NotRunError struct{ Why string } // the reason, as the rest of a sentence

// Error returns the reason.
func (e *NotRunError) Error() string { return "plain go test does not run the input: " + e.Why }

// RefusedError says that a process proves nothing because the input wanted to do something outside of it, which is refused.
type RefusedError struct{ Action string } // as the rest of a sentence

// Error names the action.
func (e *RefusedError) Error() string { return "gnaw refused to let the input " + e.Action }

// Count counts one execution of a finding in a fresh process.
func Count(f *finding.Finding, fails bool) {
	f.Replays++
	if fails {
		f.Failures++
	}
	f.Flaky = f.Failures < f.Replays
}
