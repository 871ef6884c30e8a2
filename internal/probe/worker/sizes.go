package worker

import (
	"math"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

const (
	// maxSolved is the length in bytes up to which a buffer may grow because a comparison of its length suggests it,
	// whatever the limit of random mutants is.
	maxSolved = 64 << 10
	// largeSolved is the size in bytes from which on such an input is timed. Many smaller ones fit into the time of one that is too
	// slow.
	largeSolved = 4 << 10
	// slowSolved is how long one may take. At a second for each length, a target that compares lengths with a whole table would
	// execute nothing else for a minute.
	slowSolved = 20 * time.Millisecond
	// minSlow is how many in a row must be slow: one may have lost its processor.
	minSlow = 2
	// sizeStep: an input is at most sizeStep times as large as the largest that was fast. A target whose time grows with the square
	// of the size would take ten seconds for one of 64 KiB.
	sizeStep = 4
	// maxSteps is how many parts of one suggestion are executed at most. It takes six from 4 KiB to 4 MiB, and two more for the
	// one that is slow; a part of which a container is made may be too small to be timed.
	maxSteps = 8
)

// sizeLimit limits how large suggestions may make an input, so that a target whose time grows faster than the size does not spend
// all of it on them.
type sizeLimit struct {
	longest int       // suggestions that make a buffer longer are dropped; 0: none are
	slow    int       // inputs in a row that have taken too long
	parts   int       // of the suggestion at hand that were executed
	fast    int       // size of the largest input made of the entry that was timed and took no longer than slowSolved
	size    int       // of the input at hand, if it is timed; otherwise 0
	began   time.Time // its execution
}

// A step is what is done with an input that a suggestion has made.
type step uint8

const (
	stepWhole step = iota // it is executed
	stepPart              // a part of it is executed, and then it is made once more
	stepNone              // it is dropped: parts of it were slow, or there were enough
)

// approach decides what is done with a, which is made of an input of base bytes. For a part it makes the longest buffer shorter. An
// input that is at most sizeStep times as large as a fast one of the same entry is executed as a whole.
func (g *sizeLimit) approach(a input.Args, base int) step {
	known := sizeStep * max(g.fast, base, largeSolved/sizeStep)
	over := a.Size() - known
	switch {
	case over <= 0:
		return stepWhole
	case g.slow >= minSlow, g.parts >= maxSteps:
		return stepNone
	}
	g.parts++
	v := &a[0]
	for i := range a {
		if len(a[i].Data) > len(v.Data) {
			v = &a[i]
		}
	}
	v.Data = v.Data[:max(0, len(v.Data)-over)]
	return stepPart
}

// begin times the execution of a if it is large. It times nothing if no clock counts.
func (g *sizeLimit) begin(a input.Args, noClock bool) {
	if g.size = 0; !noClock && a.Size() >= largeSolved {
		g.size, g.began = a.Size(), time.Now()
	}
}

// end learns from the execution that was timed, if one was.
func (g *sizeLimit) end() {
	if g.size > 0 {
		g.learn(time.Since(g.began))
		g.size = 0
	}
}

// learn lowers the limit after an input that took too long: to the size at which one would not, if the time grows with the
// square of the size.
func (g *sizeLimit) learn(took time.Duration) {
	if took <= slowSolved {
		g.slow, g.fast = 0, max(g.fast, g.size)
		return
	}
	if g.slow++; g.slow < minSlow {
		return
	}
	fit := int(float64(g.size) * math.Sqrt(float64(slowSolved)/float64(took)))
	if fit = max(fit, largeSolved); g.longest == 0 || fit < g.longest {
		g.longest = fit
	}
}
