package work

import (
	"math"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

const (
	// maxSolved is the length in bytes up to which a buffer may grow because a comparison of its length suggests it,
	// whatever the limit of random mutants is.
	maxSolved = 64 << 10
	// largeSolved is the size in bytes from which on it is looked at how long such an input takes. Below, many fit into the time
	// of one that is too slow.
	largeSolved = 4 << 10
	// slowSolved is how long one may take: a second for one length means that nothing else is executed for a minute where a
	// target compares lengths with a whole table.
	slowSolved = 20 * time.Millisecond
	// minSlow is how many in a row must be slow: one may have lost its processor.
	minSlow = 2
)

// sizeLimit knows how large suggestions may make an input: a target that takes time out of proportion to its input would do
// nothing else for long.
type sizeLimit struct {
	longest int       // suggestions that make a buffer longer are dropped; 0: none are
	slow    int       // inputs in a row that have taken too long
	size    int       // of the input at hand, if it is timed; otherwise 0
	began   time.Time // its execution
}

// growLimit returns the length up to which suggestions may grow a buffer.
func (w *worker) growLimit() int {
	if w.solver.sizes.longest > 0 {
		return max(w.havoc.MaxLen, w.solver.sizes.longest)
	}
	return max(w.havoc.MaxLen, maxSolved)
}

// begin times the execution of a if it is large. Where no clock counts, nothing is timed.
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
		g.slow = 0
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
