// Package repro runs the input of a finding again: in plain go test or, where go test does not show the failure, in a fuzzing process.
package repro

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

// Options says what to run.
type Options struct {
	Module         project.Module // of the finding
	Record         finding.Record // the finding, with the input to run
	ID             string         // of the finding, for messages
	Version        string         // of the dependency that has the finding, such as "latest"; empty: that of the main module
	Environ        []string       // as os.Environ
	Timeout        time.Duration  // limit for one execution, used by [Options.Upstream] only
	Flags          []string       // of go test; none if go test does not show the failure
	Stdin          io.Reader      // of go test
	Stdout, Stderr io.Writer      // of go test
	Notices        io.Writer      // gets messages about builds and files
}

// Method is how an input was run.
type Method int

// The methods.
const (
	GoTest  Method = iota // in plain go test
	Process               // in a fuzzing process: go test does not run the input
	Oracle                // measured by an oracle in a fuzzing process
)

// Result is how the input ran.
type Result struct {
	Method Method
	Failed bool
	Code   int    // exit code of go test, which has printed the failure
	Output string // output of the failure if the method is another one; it has no control characters
}

// WithVariables returns an environment with the variables of a finding that it does not set itself.
func WithVariables(environ, variables []string) []string {
	all := slices.Clone(environ)
	for _, v := range variables {
		name, _, _ := strings.Cut(v, "=")
		if !slices.ContainsFunc(environ, func(own string) bool { return strings.HasPrefix(own, name+"=") }) {
			all = append(all, v)
		}
	}
	return all
}

// Run runs the input. The error is a *usage.Error if the flags cannot be used.
func Run(ctx context.Context, o Options) (Result, error) {
	o.Environ = WithVariables(o.Environ, o.Record.Environ)
	if o.Record.Kind.Measured() || o.Record.NotRun != "" {
		return o.measure(ctx)
	}
	if o.Record.Dependency != nil {
		return o.dependency(ctx)
	}
	folder := o.Module.Abs(o.Record.Folder)
	tc, err := gocommand.FindToolchain(ctx, folder, o.Environ)
	if err != nil {
		return Result{}, err
	}
	o.Record = WithFile(o.Record)
	remove, err := PutInput(o.Module, o.Record, o.Notices)
	if err != nil {
		return Result{}, err
	}
	defer remove()
	return o.goTest(ctx, tc, folder)
}
