package finding

import (
	"regexp"
	"slices"
	"strings"
)

// processHead is how the runtime begins the reason for the end of a process.
type processHead struct {
	prefix string
	kind   Kind
	dump   bool // the stacks that follow do not begin with the one that failed
}

var processHeads = []processHead{
	{"fatal error: memory limit", Memory, true},
	{"fatal error: runtime: cannot allocate memory", Memory, false},
	{"fatal error: runtime: out of memory", Memory, false},
	{outOfMemoryHead, Memory, false},
	{"fatal error: ", Fatal, false},
	{panicHead, Fatal, false},
	{"SIGQUIT: quit", Hang, true},
	{"SIGTRAP: trace trap", Hang, true}, // by which gnaw asks for the stacks
	{stacksHead, Hang, true},
	{exitHead, Exit, false},
}

const (
	panicHead = "panic: "
	// stacksHead is how the worker process begins to print the stacks of an execution that takes too long.
	stacksHead = "gnaw: an execution takes too long"
	// outOfMemoryHead stands in the line before another head.
	outOfMemoryHead = "runtime: out of memory"
	// exitHead is how the worker process begins the place at which the target calls os.Exit. It is there only with gnaw's hooks in the standard
	// library.
	exitHead = "gnaw: os.Exit("
)

// signalHead is a line as in "SIGABRT: abort": of a signal that no Go code has caused, so that it is not a panic. Where the program
// was comes in the next line.
var signalHead = regexp.MustCompile(`^SIG[A-Z]+[0-9]*: `)

const placeOfSignal = "PC="

// inC reports whether a signal is of the C code that the first goroutine calls: the runtime says so.
func inC(lines []string) bool { return slices.Contains(lines, "signal arrived during cgo execution") }

// headOf returns the head that the first of these lines is.
func headOf(lines []string) (processHead, bool) {
	i := slices.IndexFunc(processHeads, func(h processHead) bool { return strings.HasPrefix(lines[0], h.prefix) })
	switch {
	case i >= 0:
		return processHeads[i], true
	case signalHead.MatchString(lines[0]) && len(lines) > 1 && strings.HasPrefix(lines[1], placeOfSignal):
		return processHead{"SIG", Signal, false}, true
	}
	return processHead{}, false
}

// dumped reports whether the stacks of goroutines are next in what follows a head. A target that recovers often prints such a head
// itself; only the runtime leaves a line empty before the stacks.
func dumped(lines []string) bool {
	for i, line := range lines {
		if _, ok := headOf(lines[i:]); ok {
			return false
		}
		if strings.HasPrefix(line, "goroutine ") && i > 0 && lines[i-1] == "" {
			return true
		}
	}
	return false
}

// processReport is what the runtime prints when it ends a process, or the worker process when the target calls os.Exit.
type processReport struct {
	head   processHead
	before []string // lines before the head; the last one may be what the target has left without an end
	lines  []string // from the head on
}

// lastReport returns the last report of a kind in what a process has printed; Unknown: of any. Reports before that are the
// target's own words: it has recovered and gone on. ok is false if there is none.
func lastReport(lines []string, kind Kind) (r processReport, ok bool) {
	for i := len(lines) - 1; i >= 0; i-- {
		if r, ok = reportAt(lines, i); ok && (kind == Unknown || r.head.kind == kind) {
			return r, true
		}
	}
	return processReport{}, false
}

// reportAt returns the report that begins in a line. ok is false if none does.
func reportAt(lines []string, i int) (r processReport, ok bool) {
	if i > 0 && strings.Contains(lines[i-1], outOfMemoryHead) {
		return r, false // the line before says more
	}
	if head, ok := headOf(lines[i:]); ok {
		return processReport{head, lines[:i], lines[i:]}, head.prefix != panicHead || dumped(lines[i+1:])
	}
	at := headWithin(lines[i])
	if at < 0 {
		return r, false
	}
	from := slices.Concat([]string{lines[i][at:]}, lines[i+1:])
	head, ok := headOf(from)
	if !ok || !dumped(from[1:]) && head.prefix != outOfMemoryHead {
		return r, false
	}
	return processReport{head, slices.Concat(lines[:i], []string{lines[i][:at]}), from}, true
}

// headWithin returns where a head begins in a line behind text of the target, which may leave a line without an end; -1: none does. The
// runtime indents the lines of a text behind the first one, so a head does not stand there.
func headWithin(line string) int {
	if strings.HasPrefix(line, "\t") {
		return -1
	}
	if at := headInLine.FindStringIndex(line); at != nil {
		return at[0]
	}
	return -1
}

var headInLine = regexp.MustCompile(`panic: |fatal error: |runtime: out of memory|SIG[A-Z]+[0-9]*: `)

// stacks returns the lines of a report of a panic from the first stack on: before, there is the text of the target, which may look like one.
// The runtime leaves a line empty before the stack, and indents the text.
func stacks(lines []string) []string {
	for i, line := range lines {
		if i > 0 && lines[i-1] == "" && strings.HasPrefix(line, "goroutine ") {
			return lines[i:]
		}
	}
	return lines
}

// calls returns the frames of the user's code that led to the end, the place of the failure first.
func (r processReport) calls() []Call {
	rest := r.lines[1:]
	switch {
	case r.head.kind == Signal && !inC(rest): // it came from elsewhere, so where the program was is chance
		return nil
	case r.head.prefix == panicHead:
		return stack(stacks(rest))
	case strings.HasSuffix(r.lines[0], MostAtOnePlace): // whose stack comes first
	case r.head.dump:
		target := targetStack(rest)
		if calls := stack(target); len(calls) > 0 || isElsewhere(target) {
			return calls
		}
	}
	return stack(rest)
}

// OfProcess reads the error output of a process that the runtime ended, or the target by os.Exit: then there is no message.
// kind is how it ended, as far as that is known without its output; Unknown: it is not. The signature is empty if the output does
// not say it.
func OfProcess(stderr string, kind Kind) (sig Signature, message string) {
	r, ok := lastReport(strings.Split(stderr, "\n"), kind)
	switch {
	case !ok:
		return Signature{}, ""
	case r.head.kind != Exit:
		message = strings.TrimPrefix(r.lines[0], panicHead)
	}
	return Signature{r.head.kind, placeOf(r.calls())}, message
}

// SplitReport returns what a process has printed before its last report of a kind, and the report; Unknown: of any. If there
// is none, all is before.
func SplitReport(stderr string, kind Kind) (before, report string) {
	lines := strings.Split(stderr, "\n")
	r, ok := lastReport(lines, kind)
	if !ok {
		return stderr, ""
	}
	return strings.Join(r.before, "\n"), strings.Join(r.lines, "\n")
}

// PanicStack returns the lines of the stack of the panic that ended a process with this output, or that package testing has logged in it;
// nil if there is none.
func PanicStack(output string) []string {
	lines := strings.Split(output, "\n")
	if r, ok := lastReport(lines, Fatal); ok && r.head.prefix == panicHead {
		return stacks(r.lines[1:])
	}
	e := lastPanic(log(lines))
	if e == nil {
		return nil
	}
	stack, _ := lastStack(e.rest)
	return stack
}

// isElsewhere reports whether the goroutine of a stack was running on another thread when the runtime printed it, without its calls.
func isElsewhere(stack []string) bool {
	return slices.ContainsFunc(stack, func(line string) bool {
		return strings.TrimSpace(line) == "goroutine running on other thread; stack unavailable"
	})
}

// targetStack returns the stack of the goroutine that calls the target, in a dump of all goroutines; nil if it is not
// there.
func targetStack(lines []string) []string {
	start := 0
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "goroutine ") {
			start = i
		}
		if strings.HasPrefix(line, "created by testing.(*F).Fuzz.") {
			return lines[start:i]
		}
	}
	return nil
}
