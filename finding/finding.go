// Package finding describes bugs: what kind an observed failure is, where it happened, and whether two failures are
// the same. It reads the output of failing executions and of dying processes; it runs nothing.
package finding

import (
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// Kind is the kind of a failure.
type Kind uint8

// The kinds. Those of oracles come last, one for each oracle that makes reports, in the order in which gnaw registers
// them; constants name the ones that differ from others.
const (
	Unknown Kind = iota
	Panic        // the target panicked
	Failure      // the target called t.Fail, t.Error or t.Fatal
	Goexit       // the target called runtime.Goexit
	Race         // the race detector reported a data race
	Fatal        // the runtime ended the process: concurrent map writes, stack overflow, a panic elsewhere, …
	Exit         // the process exited
	Signal       // a signal ended the process
	Hang         // an execution took longer than the timeout
	Memory       // an execution used more memory than the limit
	Alloc        // an execution allocated out of proportion to its input
	Growth       // the time of an execution grows faster than its input
	Leak         // goroutines stay when the target has returned
	Modify       // the target writes into the memory of an argument
	Keep         // the target keeps the memory of an argument
)

var kindNames = append([]string{
	"unknown", "panic", "failure", "goexit", "race", "fatal", "exit", "signal", "hang", "memory",
}, oracle.All.Reporting().Names()...)

// Kinds returns all kinds in the order of their values.
func Kinds() []Kind {
	all := make([]Kind, len(kindNames))
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// KindNamed returns the kind with a name. ok is false if there is none.
func KindNamed(name string) (k Kind, ok bool) {
	i := slices.Index(kindNames, name)
	return Kind(max(i, 0)), i >= 0
}

// String returns the name of the kind, as used in output that machines read.
func (k Kind) String() string { return kindNames[k] }

// Finding is one observed failure.
type Finding struct {
	Target   string        // name of the fuzz target
	Kind     Kind          // what happened
	Place    string        // "file:line" or "function file:line" of the top frame of the user's code; may be empty
	Message  string        // first line of the failure
	Output   string        // all that the failing execution printed
	Input    input.Args    // the failing input, minimized
	Original input.Args    // the input as it was found
	Path     string        // file with the input, which go test runs; empty if it was a seed, or could not be written
	Kept     string        // file with the input elsewhere, as Path could not be written; empty: none could
	Why      string        // why Path could not be written; empty: it was, or the input is a seed
	Own      bool          // this run has made the file at Path or Kept
	Seed     string        // name of the seed that failed; empty if the input was made by the engine
	Flaky    bool          // it did not fail each time in a fresh process
	Minimize time.Duration // what it took to minimize the input
	Matter   []Matter      // which bytes of Input matter, one for each argument; nil: that was not tested
	Replays  int           // how often it was run in a fresh process
	Failures int           // how often it failed there
	Refused  string        // what gnaw refused to let the execution do, which may be why it failed; empty: nothing. Such a failure is no finding
	NotRun   string        // why plain go test does not run the input, so that a fuzzing process did; empty: it does
	Found    time.Duration
	Measure  *Measure // what an oracle looked for; nil: the execution failed by itself
	Flags    []string // of the go command, without which plain go test does not show it
	Count    int      // of -count, without which plain go test ends before the failure shows; 0: it runs the input once
	At       []Call   // the frames that led to it, as far as they are known, its place first; SetOutput sets those of other kinds than Failure
}

// SetOutput sets what the failing execution, or the process that it ended, has printed. It reads the frames from it that led to the failure, unless
// the kind is [Failure], whose frames come with it.
func (f *Finding) SetOutput(output string) {
	f.Output = output
	if f.Kind != Failure {
		f.At = Calls(f.Kind, output)
	}
}

// Signature is what makes two failures the same: kind and place.
type Signature struct {
	Kind  Kind
	Place string
}

// Of reads the output of a failing execution, as package testing prints it. logged is how many lines of it were there when
// the T failed first: the last entry that was logged by then is that of t.Error or t.Fatal. If logged is zero that is not known,
// and the place is that of the last line of all.
//
// calls are those of a panic from which the target has recovered, and whose stack it has logged, the place of the failure first.
func Of(output string, logged int) (sig Signature, message string, calls []Call) {
	sig.Kind = Failure
	failed := false
	entries := log(strings.Split(output, "\n"))
	for _, e := range entries {
		s, text := classify(e)
		if s.Kind == Panic {
			s, text = classify(*lastPanic(entries))
		}
		if s.Kind != Failure {
			return s, text, nil
		}
		if before := e.line < logged; before || !failed {
			sig, message, calls, failed = s, text, e.calls, before
		}
	}
	return sig, message, calls
}

// lastPanic returns the entry by which package testing says that the target has panicked; nil if it has not. Entries before that may look
// like it, as a target can write lines of its own to the log.
func lastPanic(entries []logEntry) *logEntry {
	for i := len(entries) - 1; i >= 0; i-- {
		if s, _ := classify(entries[i]); s.Kind == Panic {
			return &entries[i]
		}
	}
	return nil
}

// failedAt is how the worker process begins the place at which a T failed first, behind the output of the T.
const failedAt = "\ngnaw: failed at\n"

// CutFailedAt splits the output of a failing execution into what the T has printed, and the calls that led to its first failure.
func CutFailedAt(output string) (printed string, calls []Call) {
	i := strings.LastIndex(output, failedAt)
	if i < 0 {
		return output, nil
	}
	return output[:i], stack(strings.Split(output[i+len(failedAt):], "\n"))
}

// At returns the call that is at a place that package testing has printed, so that its function and its file are known.
func At(place string, calls []Call) Call {
	base := func(name string) string { return name[strings.LastIndexAny(name, `/\`)+1:] }
	own := callAt("", place)
	for _, c := range calls {
		if c.Line == own.Line && base(c.File) == base(own.File) {
			own.In, own.File = c.Func, c.File
			break
		}
	}
	return own
}

// Logged returns what was logged at this place, in order.
func Logged(place, output string) (texts []string) {
	for _, e := range log(strings.Split(output, "\n")) {
		if e.place == place {
			texts = append(texts, e.text)
		}
	}
	return texts
}

// Said is a text that package testing has logged, with the calls that are known of its place: one with a file without its folder, or those of a
// panic from which the target has recovered.
type Said struct {
	Text  string
	Calls []Call
}

// AllLogged returns what package testing has logged in an output, in order.
func AllLogged(output string) (all []Said) {
	for _, e := range log(strings.Split(output, "\n")) {
		calls := e.calls
		if calls == nil {
			calls = []Call{callAt("", e.place)}
		}
		all = append(all, Said{e.text, calls})
	}
	return all
}

// panicked returns the frames of the user's code of a panic, by the stack that package testing prints behind its text.
func (e *logEntry) panicked() []Call {
	lines, _ := lastStack(e.rest)
	return stack(lines)
}

// classify decides by one entry of the log.
func classify(e logEntry) (Signature, string) {
	switch {
	case e.listed || !e.ofTesting(): // the target may use the same words
		return Signature{Failure, e.place}, e.text
	case strings.HasPrefix(e.text, "panic: "):
		return Signature{Panic, placeOf(e.panicked())}, strings.TrimPrefix(e.text, "panic: ")
	case strings.Contains(e.text, "race detected during execution of test"):
		return Signature{Race, ""}, e.text
	case strings.Contains(e.text, "runtime.Goexit"):
		return Signature{Goexit, ""}, e.text
	}
	return Signature{Failure, e.place}, e.text
}
