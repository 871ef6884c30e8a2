// Package minimize makes an input smaller while it keeps showing the same behavior.
//
// [Minimize] tries simpler variants of an argument tuple and calls a check function for each, which reports whether the variant
// still shows the behavior. The package does not know targets, processes or findings. A variant is simpler if a buffer is shorter,
// or has the same length and simpler bytes, or if a number is simpler. Each accepted variant is simpler than the one before, so
// the search ends, and the result is never larger than the input.
//
// [Matters] tests which bytes of an input the behavior needs.
//
// Minimize runs named passes, cheap ones first, and repeats all of them until none finds a simpler variant. Without limits, the
// result depends only on the input and the answers of the check. Several calls may run at the same time; one call runs its checks
// one after the other.
package minimize

import "github.com/gnaw-fuzz/gnaw/input"

// Options says how to minimize. Only Check is required.
type Options struct {
	// Check reports whether the candidate still shows the same behaviour. It must not modify the candidate; it may
	// keep it.
	Check func(candidate input.Args) bool
	// MaxChecks limits the number of calls of Check; 0 or less means no limit.
	MaxChecks int
	// Deadline is asked before each call of Check and stops the search when it returns true; nil means never.
	Deadline func() bool
	// RemoveOnly leaves out the passes that change numbers or replace bytes by simpler ones: what is removed was not
	// needed, but a byte that can be replaced today may matter to what comes next.
	RemoveOnly bool
	// FixLengths also has candidates in which the lengths and the checksums are right that count or cover what was changed.
	// They cost more checks, and they change bytes that do not become simpler by it.
	FixLengths bool
}

// Stats says what a minimization has done.
type Stats struct {
	Checks  int         // calls of Check
	Hits    int         // candidates that were accepted
	Repeats int         // candidates that had been checked before and were not checked again
	Rounds  int         // rounds over all passes, including the one that was stopped or brought nothing
	Stopped bool        // a limit has ended the search, so there may be a smaller input
	Passes  []PassStats // one for each pass, in the order in which they run
}

// PassStats counts the work of one pass.
type PassStats struct {
	Name  string // stable: appears in reports
	Tries int    // calls of Check
	Hits  int    // candidates that were accepted
}

// Minimize returns the simplest tuple it can find for which the check holds. That is a itself, which is taken to show
// the behaviour and never checked, or a candidate for which Check has returned true. It may share memory with a, which
// is not changed. No candidate is checked twice, as far as a memory of half a million candidates goes.
func Minimize(a input.Args, o Options) (best input.Args, stats Stats) {
	s := newSearch(a, o)
	for {
		s.stats.Rounds++
		hits := s.stats.Hits
		for i := range passes {
			s.run(i)
			if s.stats.Stopped {
				return s.best, s.stats
			}
		}
		if s.stats.Hits == hits {
			return s.best, s.stats
		}
	}
}

// pass is one way of making an argument simpler.
type pass struct {
	name    string
	apply   func(s *search, arg int)
	on      func(v *input.Value) bool // the arguments it is for
	removes bool                      // it only takes bytes away
}

// passes in the order of what they cost for what they bring: a handful of checks that may solve it all, then those that
// halve, then those that respect the structure of text, then those with a check for each byte. Bytes are made equal
// before the one-by-one removal, because in a run of equal bytes all removals are one candidate.
var passes = []pass{
	{"zero-arg", zeroArg, always, false},
	{"shrink-int", shrinkInt, isInt, false},
	{"shrink-float", shrinkFloat, isFloat, false},
	{"cut-tail", cutTail, isBuffer, true},
	{"cut-head", cutHead, isBuffer, true},
	{"level-bytes", levelBytes, isBuffer, false},
	{"drop-chunks", dropChunks, isBuffer, true},
	{"drop-lines", dropLines, isTextBuffer, true},
	{"drop-nesting", dropNesting, isTextBuffer, true},
	{"drop-brackets", dropBrackets, isTextBuffer, true},
	{"drop-items", dropItems, isTextBuffer, true},
	{"drop-words", dropWords, isTextBuffer, true},
	{"shorten-words", shortenWords, isTextBuffer, false},
	{"shrink-decimals", shrinkDecimals, isBuffer, false},
	{"level-each-byte", levelEachByte, isBuffer, false},
	{"drop-bytes", dropBytes, isBuffer, true},
	{"shorten-runes", shortenRunes, isBuffer, false},
	{"merge-bytes", mergeBytes, isBuffer, false},
	{"plain-bytes", plainBytes, isBuffer, false},
	{"drop-counted", dropCounted, isBuffer, true},
}

func always(*input.Value) bool { return true }

func isBuffer(v *input.Value) bool { return v.Kind.IsBuffer() }

func isInt(v *input.Value) bool { return v.Kind >= input.Int && v.Kind <= input.Uint64 }

func isFloat(v *input.Value) bool { return v.Kind == input.Float32 || v.Kind == input.Float64 }

// zeroArg tries the zero value: false, 0 or an empty buffer, and for a buffer also one byte.
func zeroArg(s *search, arg int) {
	v := &s.best[arg]
	if !v.Kind.IsBuffer() {
		s.tryBits(arg, 0)
		return
	}
	if !s.tryData(arg, nil) {
		s.tryData(arg, plainest[:1])
	}
}
