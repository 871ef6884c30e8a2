package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Call is one frame of the user's code on a stack.
type Call struct {
	Func string `json:"func,omitempty"` // as in "example.com/m/parser.(*reader).field"; empty: only the line is known
	File string `json:"file"`           // as the runtime prints it; for a line that package testing logged, without folder
	Line int    `json:"line"`           // from 1; 0: unknown
	// Foreign: the code belongs to a dependency or to the standard library. Functions that read output do not know, and leave it false.
	Foreign bool `json:"foreign,omitempty"`
	// Module is the module of a dependency, as in "example.com/m@v1.2.0"; without a version if a folder takes its place.
	Module string `json:"module,omitempty"`
	// In is the function whose line was logged, or a closure in it, if that is known.
	In string `json:"-"`
	// Offset is the line within its function, from 1; 0: unknown. It stays the same when other code of the file changes,
	// so it is what counts in a [Key] where it is known.
	Offset int `json:"-"`
}

// Calls returns the frames of the user's code that led to the failure, the place of the failure first. A call of t.Error or t.Fatal
// comes without a stack: it is one frame without a function. The result may be empty.
func (f *Finding) Calls() []Call {
	switch {
	case f.Kind != Failure:
		return f.At
	case f.Place == "":
		return nil
	case len(f.At) == 0:
		return []Call{callAt("", f.Place)}
	}
	return f.At
}

// Calls returns the frames of the user's code that led to a failure of this kind, which is not [Failure], the place of the
// failure first. output is what the failing execution printed, or the process that it ended. The result may be empty.
func Calls(kind Kind, output string) []Call {
	lines := strings.Split(output, "\n")
	switch kind {
	case Panic:
		if e := lastPanic(log(lines)); e != nil {
			return e.panicked()
		}
	case Hang, Memory, Fatal, Signal, Exit:
		if last, ok := lastReport(lines, kind); ok {
			return last.calls()
		}
		return nil // what the target itself has printed is not where it ended
	case Leak:
		return leaked(lines)
	case Race:
		if r, ok := RaceIn(output); ok {
			return r.Sides[0]
		}
	}
	return stack(lines)
}

// MostAtOnePlace ends the message about a memory limit if most of the memory was allocated at one place, whose stack comes first in
// the output then.
const MostAtOnePlace = ", most of it allocated at one place"

// atOnePlace reports whether the calls of a failure for want of memory are those that allocated, by its message: the limit may also
// show long after that, and anywhere.
func atOnePlace(message string) bool {
	return strings.HasSuffix(message, MostAtOnePlace) || strings.HasPrefix(message, outOfMemoryHead)
}

// keyFrames is how many frames distinguish bugs: with fewer, all bugs behind one helper are one; with more, one bug that
// is reached in several ways is several. ClusterFuzz uses as many.
const keyFrames = 3

// minRecursion is how often a function is on the stack of an overflow if it is part of the recursion.
const minRecursion = 3

// Key returns what a bug is recognized by, in any run and by any target: the kind, the top frames of the user's code, and
// the words of the message. Two failures with the same key are the same bug. target, as in "example.com/m.FuzzParse",
// counts only if there is no frame.
func Key(kind Kind, target string, calls []Call, message string) string {
	var b strings.Builder
	if kind == Memory && atOnePlace(message) {
		kind = Alloc // which saw it below the limit
	}
	fmt.Fprintf(&b, "%v\n", kind)
	frames := keyCalls(kind, calls, message)
	for _, f := range frames {
		fmt.Fprintln(&b, f)
	}
	if len(frames) == 0 {
		fmt.Fprintln(&b, target)
	}
	if kind != Hang && kind != Memory && !kind.Measured() { // whose messages have limits in them, and no reason
		b.WriteString(Words(message))
	}
	return b.String()
}

// keyCalls chooses the frames for a key and writes each as a line.
func keyCalls(kind Kind, calls []Call, message string) (frames []string) {
	calls = named(calls)
	switch {
	case strings.Contains(message, "stack overflow") || strings.Contains(message, "stack exceeds"):
		return recursion(calls)
	case kind == Hang || kind == Memory || kind == Growth:
		// The top of the stack is wherever the execution happened to be; how it got there is always the same.
		bottom := slices.Clone(calls)
		slices.Reverse(bottom)
		bottom = ofUser(distinct(bottom))
		bottom = bottom[:min(keyFrames, len(bottom))]
		for _, c := range bottom {
			frames = append(frames, c.Func)
		}
		return frames
	}
	top := withoutEntry(folded(calls))
	for i, c := range top[:min(keyFrames, len(top))] {
		switch {
		case i == 0 && c.Offset > 0:
			frames = append(frames, fmt.Sprintf("%s+%d", c.Func, c.Offset))
		case i == 0:
			frames = append(frames, fmt.Sprintf("%s %s:%d", c.Func, c.File[strings.LastIndexAny(c.File, `/\`)+1:], c.Line))
		default:
			frames = append(frames, c.Func)
		}
	}
	return frames
}

// folded returns the calls with recursion folded from the top: behind a function comes what called it first, so that a bug is
// the same at each depth of a recursive descent.
func folded(calls []Call) (kept []Call) {
	for i := 0; i < len(calls); i++ {
		kept = append(kept, calls[i])
		for j := len(calls) - 1; j > i; j-- {
			if calls[j].Func == calls[i].Func {
				i = j
			}
		}
	}
	return kept
}

// withoutEntry returns the calls without the fuzz target itself and, where it is not the place of the failure, without the function that it
// calls: a bug that two targets reach, or one by two functions of a package, is one. Helpers of the test that stand between belong to
// the target, unless the failure is in one.
func withoutEntry(calls []Call) []Call {
	inTest := func(c Call) bool { return strings.HasSuffix(c.File, "_test.go") }
	if len(calls) > 0 && calls[0].ofTarget() { // in a function that the target hands to others, or in the target itself
		return calls
	}
	own := ofUser(calls)
	if !slices.ContainsFunc(calls, Call.ofTarget) || inTest(own[0]) {
		return own
	}
	for inTest(own[len(own)-1]) {
		own = own[:len(own)-1]
	}
	return own[:max(1, len(own)-1)]
}

// distinct returns the first call of each function.
func distinct(calls []Call) (kept []Call) {
	for _, c := range calls {
		if !slices.ContainsFunc(kept, func(k Call) bool { return k.Func == c.Func }) {
			kept = append(kept, c)
		}
	}
	return kept
}

// ofUser returns the calls without the fuzz target itself, so that a bug that two targets reach is one. A target that fails
// without calling anything stays.
func ofUser(calls []Call) []Call {
	own := slices.DeleteFunc(slices.Clone(calls), Call.ofTarget)
	if len(own) == 0 {
		return calls
	}
	return own
}

// ofTarget reports whether the function is a fuzz target or a closure in one.
func (c Call) ofTarget() bool {
	name := c.Func[strings.LastIndexByte(c.Func, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	return isTarget(name, c.File)
}

// isTarget reports whether a name, or the beginning of one, is that of a fuzz target.
func isTarget(name, file string) bool {
	rest, ok := strings.CutPrefix(name, "Fuzz")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(r) && strings.HasSuffix(file, "_test.go")
}

// recursion returns the functions of an endless recursion in the order of the alphabet: which of them is on top, or
// which helper of theirs, is chance.
func recursion(calls []Call) (names []string) {
	times := map[string]int{}
	for _, c := range calls {
		times[c.Func]++
	}
	for name, n := range times {
		if n >= minRecursion {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		for name := range times {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names[:min(keyFrames, len(names))]
}

// idDigits is the length of a full ID in hex digits: 64 bits.
const idDigits = 16

// minShort is the length below which no ID is shortened.
const minShort = 4

// ID returns the name of a bug with this key: 16 hex digits.
func ID(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])[:idDigits]
}

// Short returns as much of an ID as distinguishes it from all others, at least four digits. The ID itself may be among them.
func Short(id string, all []string) string {
	n := min(minShort, len(id))
	for _, other := range all {
		for other != id && n < len(id) && strings.HasPrefix(other, id[:n]) {
			n++
		}
	}
	return id[:n]
}
