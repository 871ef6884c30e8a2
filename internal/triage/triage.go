// Package triage classifies failures: by what an execution printed if the process continues, or by how the process ended. It decides
// whether two failures are the same, by the rule that makes the ID of a finding. It executes nothing, and any goroutine may call it.
package triage

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// Failed describes an execution of a that failed and printed this output, as package testing writes it. logged is how many
// lines of it were there when it failed first; 0: not known.
func Failed(a input.Args, output string, logged int) *finding.Finding {
	output, calls := finding.CutFailedAt(output)
	sig, message := finding.Of(output, logged)
	f := &finding.Finding{
		Kind: sig.Kind, Place: sig.Place, Message: message, Output: finding.Clean(output), Input: a, Original: a,
	}
	if f.Kind == finding.Failure && f.Place != "" {
		f.At = finding.At(f.Place, calls)
	}
	return f
}

// Died describes the input that a process died of.
func Died(exit *executor.Exit) *finding.Finding {
	output := exit.Error()
	if exit.Stage == shm.Trimming {
		output = fmt.Sprintf("fuzzing process hung or terminated unexpectedly while minimizing: %v", io.EOF)
	}
	kind := certain(exit)
	said := exit.Stderr[exit.Before:]
	sig, message := finding.OfProcess(said, kind)
	if sig.Kind == finding.Unknown { // other goroutines go on while a report is printed, and executions with them
		if sig, message = finding.OfProcess(exit.Stderr, kind); sig.Kind != finding.Unknown {
			said = exit.Stderr
		}
	}
	switch sig.Kind = cmp.Or(kind, sig.Kind, finding.Exit); {
	case sig.Kind == finding.Hang && !exit.Hang: // the target has sent itself a signal
		sig.Kind = finding.Signal
	case sig.Kind == finding.Hang:
		message = fmt.Sprintf("one execution took longer than %v", exit.Timeout)
		output += "\n" + message
	}
	if said = printed(said, sig.Kind); said != "" {
		output += "\n" + said
	}
	return &finding.Finding{
		Kind: sig.Kind, Place: sig.Place, Message: message, Output: output, Input: exit.Input, Original: exit.Input,
	}
}

// runtimeExitCode is what the runtime ends a process with.
const runtimeExitCode = 2

// certain is the kind of what ended a process as far as it is known without what the process has printed, which the target may have
// put there; Unknown: only the output shows it.
func certain(exit *executor.Exit) finding.Kind {
	switch code := exit.Code(); {
	case exit.Cause == shm.Memory: // whose stacks may take so long to print that it looks like a hang
		return finding.Memory
	case StackLimit(exit) > 0: // so may a stack that overflows
		return finding.Fatal
	case exit.Hang:
		return finding.Hang
	case exit.External:
		return finding.Signal
	case code >= 0 && code != runtimeExitCode:
		return finding.Exit
	}
	return finding.Unknown
}

// maxBefore is how many lines are kept of what a process has printed before the report of its end.
const maxBefore = 40

// printed is what the output of a finding has of what a process has printed: the report of its end, and the last lines before.
func printed(stderr string, kind finding.Kind) string {
	before, report := finding.SplitReport(stderr, kind)
	before, report = strings.TrimRight(finding.Clean(before), "\n"), finding.Clean(report)
	if before == "" {
		return report
	}
	lines := strings.Split(before, "\n")
	if n := len(lines) - maxBefore; n > 0 {
		lines = append([]string{fmt.Sprintf("… %d lines before", n)}, lines[n:]...)
	}
	return strings.Join(lines, "\n") + "\n" + report
}

// StackLimit returns the size in bytes at which a goroutine's stack overflowed, which ended the process; 0: none did.
func StackLimit(exit *executor.Exit) (limit int) {
	const line = "\nruntime: goroutine stack exceeds "
	text := "\n" + exit.Stderr
	i := strings.LastIndex(text, line)
	if i < 0 {
		return 0
	}
	if _, err := fmt.Sscanf(text[i+len(line):], "%d-byte limit\n", &limit); err != nil {
		return 0
	}
	return limit
}

// Asked returns the size in bytes of the block that the system did not have for the process; 0: not known.
func Asked(f *finding.Finding) (block uint64) {
	if _, err := fmt.Sscanf(f.Message, "runtime: out of memory: cannot allocate %d-byte block", &block); err != nil {
		return 0
	}
	return block
}

// Ours reports whether a panic comes of gnaw's own code beside the target, by what the process printed that it ended, or by the
// output of the T that it failed: the first frame that is neither of the runtime nor of package testing is gnaw's. That is no
// finding, but a mistake to report.
func Ours(output string) bool {
	_, report := finding.SplitReport(output, finding.Fatal)
	stack, ok := strings.CutPrefix(report, "panic: ")
	if !ok {
		if _, stack, ok = strings.Cut(output, ".go:"); !ok {
			return false
		}
		if _, stack, ok = strings.Cut(stack, ": panic: "); !ok {
			return false
		}
	}
	_, stack, _ = strings.Cut(stack, "goroutine ")
	for line := range strings.Lines(stack) {
		line = strings.TrimLeft(line, " ") // a T indents what it logs
		name, _, isCall := strings.Cut(strings.TrimRight(line, "\n"), "(")
		if !isCall || strings.HasPrefix(line, "\t") || machinery(name) {
			continue
		}
		return strings.HasPrefix(name, "internal/fuzz/gnaw/")
	}
	return false
}

// machinery reports whether a function has nothing to do with where a panic comes from.
func machinery(name string) bool {
	return name == "panic" || strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "runtime/debug.") || strings.HasPrefix(name, "testing.")
}

// Key distinguishes the failures of one run of a target. It differs from the key of a record only where that needs the source code:
// the record is made later, with the sources.
func Key(f *finding.Finding) string {
	if f.Kind == finding.Hang && f.Place == "" { // without a stack it may be anywhere
		return string(input.Marshal(f.Input))
	}
	return finding.Key(f.Kind, f.Target, f.Calls(), f.Message)
}

// Same reports whether got is the failure that want is, so that the input of the one may take the place of the other's: one
// of the same kind at the same place, with the same words. Of a hang and of too much memory the kind is all that counts:
// where the process was interrupted is chance. A call of t.Error may be one among others.
func Same(want, got *finding.Finding) bool {
	switch {
	case got.Kind != want.Kind:
		return false
	case want.Kind == finding.Hang || want.Kind == finding.Memory:
		return true
	}
	like := func(message string) bool { return sameWords(want.Message, message, want.Input, got.Input) }
	if want.Kind == finding.Failure {
		return want.Place == "" && got.Place == "" || slices.ContainsFunc(finding.Logged(want.Place, got.Output), like)
	}
	frames := func(f *finding.Finding) string {
		return finding.Key(f.Kind, want.Target, f.Calls(), "")
	}
	return frames(want) == frames(got) && like(got.Message)
}

// Redescribe gives f the message and the output of got, which is the same failure, by [Same], of another input. The place of f stays,
// because it identifies the finding, except for a hang and for too much memory, whose place is chance.
func Redescribe(f, got *finding.Finding) {
	f.Message, f.Output = shared(f, got), got.Output
	if f.Kind == finding.Hang || f.Kind == finding.Memory {
		f.Place = got.Place
	}
}

// shared returns what got says of the failure that it has in common with want. Where several calls of t.Error fail, the message
// of got may be that of another one.
func shared(want, got *finding.Finding) string {
	like := func(message string) bool { return sameWords(want.Message, message, want.Input, got.Input) }
	if want.Kind != finding.Failure || got.Place == want.Place && like(got.Message) {
		return got.Message
	}
	texts := finding.Logged(want.Place, got.Output)
	if i := slices.IndexFunc(texts, like); i >= 0 {
		return texts[i]
	}
	return got.Message
}

// sameWords reports whether two messages have the same words. Those that stand in one of the inputs do not count: a target
// that prints its input without quotes would have another failure for each.
func sameWords(a, b string, inputs ...input.Args) bool {
	if finding.Words(a) == finding.Words(b) {
		return true
	}
	own := func(message string) string {
		separator := func(r rune) bool { return unicode.IsSpace(r) || r == '=' || r == ':' }
		words := slices.DeleteFunc(strings.FieldsFunc(message, separator), func(word string) bool {
			word = strings.Trim(word, ".,;()[]{}<>&")
			return word == "" || slices.ContainsFunc(inputs, func(in input.Args) bool { return contains(in, word) })
		})
		return strings.Join(words, " ")
	}
	// A word may be one of an input as it stands, or without what differs.
	first := func(message string) string { line, _, _ := strings.Cut(message, "\n"); return line }
	return own(finding.Words(a)) == own(finding.Words(b)) || finding.Words(own(first(a))) == finding.Words(own(first(b)))
}

// contains reports whether a buffer of the input has the text in it, in small or capital letters.
func contains(a input.Args, text string) bool {
	lower := bytes.ToLower([]byte(text))
	return slices.ContainsFunc(a, func(v input.Value) bool { return v.Kind.IsBuffer() && bytes.Contains(bytes.ToLower(v.Data), lower) })
}
