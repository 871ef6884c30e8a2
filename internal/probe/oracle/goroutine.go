package oracle

import (
	"io"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"
)

// Goroutines is a set of goroutines, by their numbers.
type Goroutines map[string]bool

// Group is goroutines that were created at one place.
type Group struct {
	Count int
	State string // of one of them, as in "chan receive"
	Stack string // of the same one, as the runtime prints it
	Exact bool   // nothing can wake them up any more; otherwise it is not known
}

// maxStacks limits the text with the stacks of all goroutines, in bytes.
const maxStacks = 16 << 20

// stacks returns the stacks of all goroutines, as many as fit.
func stacks() string {
	for n := 64 << 10; ; n *= 4 {
		b := make([]byte, n)
		if used := runtime.Stack(b, true); used < n || n >= maxStacks {
			return string(b[:used])
		}
	}
}

// Running returns the goroutines that there are now.
func Running() Goroutines {
	all := Goroutines{}
	for block := range strings.SplitSeq(stacks(), "\n\n") {
		if number, _, ok := head(block); ok {
			all[number] = true
		}
	}
	return all
}

// head reads the first line of a goroutine: "goroutine 7 [chan receive, 2 minutes]:".
func head(block string) (number, state string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(block, "\n"), "goroutine ")
	if !ok {
		return "", "", false
	}
	number, rest, _ = strings.Cut(rest, " ")
	_, rest, _ = strings.Cut(rest, "[")
	state, _, ok = strings.Cut(rest, "]")
	return number, state, ok
}

// creator is where a goroutine was created: the last two lines of its stack, without what differs between two of them.
func creator(block string) string {
	i := strings.LastIndex(block, "created by ")
	if i < 0 {
		return ""
	}
	name, at, _ := strings.Cut(block[i:], "\n")
	name, _, _ = strings.Cut(name, " in goroutine ")
	at, _, _ = strings.Cut(strings.TrimSpace(at), " +0x")
	return name + " " + at
}

// leakProfile is the profile that has exactly the goroutines which nothing can wake up any more. It is there in Go
// 1.27, and in Go 1.26 if the runtime was built with it.
const leakProfile = "goroutineleak"

// exact has the garbage collector mark the goroutines that nothing can wake up. It reports false if it cannot.
func exact() bool {
	p := pprof.Lookup(leakProfile)
	return p != nil && p.WriteTo(io.Discard, 0) == nil
}

// Settle waits until there are no more than n goroutines, for the given time at most, and reports whether that is so.
func Settle(n int, patience time.Duration) bool {
	deadline := time.Now().Add(patience)
	for pause := 50 * time.Microsecond; runtime.NumGoroutine() > n; pause = min(2*pause, 10*time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}

// LeftBehind returns the largest group of goroutines that were not there before and wait for something. If the runtime
// knows, nothing can wake them up; otherwise they have only waited until now.
func LeftBehind(before Goroutines) (largest Group) {
	marked := exact()
	return leftBehind(stacks(), before, marked)
}

// leftBehind reads the stacks of all goroutines. marked says whether those are marked that wait in vain.
func leftBehind(all string, before Goroutines, marked bool) (largest Group) {
	groups := map[string]*Group{}
	for block := range strings.SplitSeq(all, "\n\n") {
		number, state, ok := head(block)
		place := creator(block)
		if !ok || before[number] || place == "" || strings.HasPrefix(place, "created by testing.") {
			continue
		}
		leaked := strings.Contains(state, "(leaked)")
		if marked && !leaked && !mayBeUnmarked(state) || !waits(state) {
			continue
		}
		g := groups[place]
		if g == nil {
			state, _, _ = strings.Cut(state, ",")
			g = &Group{State: strings.TrimSuffix(state, " (leaked)"), Stack: strings.Trim(block, "\n") + "\n", Exact: marked && leaked}
			groups[place] = g
		}
		g.Count++
		g.Exact = g.Exact && leaked
		// Of groups of equal size the place decides, so that two runs name the same one.
		if g.Count > largest.Count || g.Count == largest.Count && g.Stack != largest.Stack && place < creator(largest.Stack) {
			largest = *g
		}
	}
	return largest
}

// mayBeUnmarked reports whether the runtime may leave out a goroutine in this state although nothing can wake it up: Go 1.27 marks only some
// of those that wait for a mutex, because small objects without pointers share their memory.
func mayBeUnmarked(state string) bool {
	return strings.HasPrefix(state, "sync.") || strings.HasPrefix(state, "semacquire")
}

// waits reports whether a goroutine in this state waits for another one. One that sleeps or computes comes to its end
// by itself.
func waits(state string) bool {
	return slices.ContainsFunc([]string{"chan ", "select", "sync.", "semacquire", "IO wait"}, func(s string) bool {
		return strings.HasPrefix(state, s)
	})
}
