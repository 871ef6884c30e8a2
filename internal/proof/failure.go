package proof

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// Failed describes an execution of a that failed and printed this output, as package testing writes it. logged is how many
// lines of it were there when it failed first; 0: not known.
func Failed(a input.Args, output string, logged int) *finding.Finding {
	output, failedAt := finding.CutFailedAt(output)
	sig, message, calls := finding.Of(output, logged)
	if sig.Kind == finding.Failure && sig.Place != "" && calls == nil {
		calls = []finding.Call{finding.At(sig.Place, failedAt)}
	}
	f := &finding.Finding{Kind: sig.Kind, Place: sig.Place, Message: message, Input: a, Original: a, At: calls}
	f.SetOutput(finding.Clean(output))
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
	case message == "" && exit.External:
		message = exit.Err.Error()
	}
	if said = printed(said, sig.Kind); said != "" {
		output += "\n" + said
	}
	f := &finding.Finding{Kind: sig.Kind, Place: sig.Place, Message: message, Input: exit.Input, Original: exit.Input, Refused: exit.Refused}
	f.SetOutput(output)
	return f
}

// FillRace reads what a process has printed about a race into a finding.
func FillRace(f *finding.Finding, stderr string) {
	if race, ok := finding.RaceIn(stderr); ok {
		f.Message, f.Place = race.Message, race.Place()
		f.SetOutput(f.Output + "\n" + finding.Clean(race.Text))
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
	const line = "runtime: goroutine stack exceeds " // behind what the target has printed without the end of a line
	i := strings.LastIndex(exit.Stderr, line)
	if i < 0 {
		return 0
	}
	if _, err := fmt.Sscanf(exit.Stderr[i+len(line):], "%d-byte limit\n", &limit); err != nil {
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

// NameLimit has a finding of too much memory name the limit that the user has set, in bytes, in place of a larger one that gnaw has set
// for the process.
func NameLimit(f *finding.Finding, limit uint64) {
	const head = "memory limit of "
	var had uint64
	_, rest, _ := strings.Cut(f.Message, head)
	if _, err := fmt.Sscanf(rest, "%d MiB", &had); err != nil || had <= limit>>20 {
		return
	}
	before, after := fmt.Sprintf("%s%d MiB", head, had), fmt.Sprintf("%s%d MiB", head, limit>>20)
	f.Message = strings.Replace(f.Message, before, after, 1)
	f.SetOutput(strings.ReplaceAll(f.Output, before, after))
}

// Ours reports whether a panic comes of gnaw's own code beside the target, by what the process printed that it ended, or by the
// output of the T that it failed: the first frame that is neither of the runtime nor of package testing is gnaw's. That is no
// finding, but a mistake to report.
func Ours(output string) bool {
	for _, line := range finding.PanicStack(output) {
		line = strings.TrimLeft(line, " ") // a T indents what it logs
		name, _, isCall := strings.Cut(line, "(")
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
