package cli

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/summary"
)

// actions is the log of a step of GitHub Actions, in which lines such as ::error:: are commands. A target may print such lines, so no command holds
// from begin to end but the one with a token that the target does not know. A nil *actions does nothing: gnaw does not run there.
type actions struct {
	token       string
	to          io.Writer // gets the commands; nil before begin
	annotations []string
}

// newActions returns the log of the step, or nil.
func newActions(env Env) *actions {
	if env.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	return &actions{token: rand.Text()}
}

// begin stops commands. GitHub reads the two outputs of a process independently, so the caller writes what comes from targets to the same one.
func (a *actions) begin(to io.Writer) {
	if a == nil {
		return
	}
	a.to = to
	fmt.Fprintf(to, "::stop-commands::%s\n", a.token)
}

// errors returns the output for what is printed between begin and end about errors, which may quote a target. Otherwise that is w.
func (a *actions) errors(w io.Writer) io.Writer {
	if a == nil || a.to == nil {
		return w
	}
	return a.to
}

// report writes the summary of the job, and keeps the annotations until end.
func (a *actions) report(env Env, o summary.Options) {
	if a == nil {
		return
	}
	a.annotations = summary.Annotations(o)
	file := env.Getenv("GITHUB_STEP_SUMMARY")
	if file == "" {
		return
	}
	var text bytes.Buffer
	err := summary.Markdown(&text, o)
	if err == nil {
		err = disk.Append(file, text.Bytes())
	}
	if err != nil {
		fmt.Fprintf(env.Stderr, "gnaw: the summary of the job is not written: %v\n", err)
	}
}

// end lets commands hold again, and prints the annotations. Nothing that comes from a target is printed after it.
func (a *actions) end() {
	if a == nil || a.to == nil {
		return
	}
	fmt.Fprintf(a.to, "::%s::\n", a.token)
	for _, line := range a.annotations {
		fmt.Fprintln(a.to, line)
	}
}
