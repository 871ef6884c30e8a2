package worker

import (
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

const (
	// maxPieces is how many pieces of an input are grown in one examination.
	maxPieces = 8
	// coarse is the factor between two sizes while executions are fast; 2 otherwise, since time may grow with a high
	// power of the size.
	coarse = 4
	// tries is how often each point of a curve is measured that counts. The fastest measurement counts.
	tries = 3
	// finePoints is how many points of a curve are measured so.
	finePoints = 6
	// tooSlow ends a curve before an execution that would take tooSlow times the time that counts as slow: it could be a hang.
	tooSlow = 20
)

// attempts is how often a curve is measured that was seen to explode: a disturbed measurement has no shape.
const attempts = 2

// explodes looks for a piece of the input whose repetition takes time out of proportion.
func (x *oracles) explodes() {
	if x.Piece.Fits(x.a) {
		for range attempts {
			if !x.over() && !x.seen.Has(oracle.Growth) {
				x.fit(x.Piece)
			}
		}
		return
	}
	for _, p := range oracle.Pieces(x.a, maxPieces) {
		if curve := x.sketch(p); !x.over() && curve.Suspicious(x.Limits.Slow) {
			x.fit(p)
		}
		if x.over() || x.seen.Has(oracle.Growth) {
			return
		}
	}
}

// sketch measures single executions of growing inputs until one is slow or large. If the input is slow as it is, there is no curve:
// larger ones would take too long, however the time grows.
func (x *oracles) sketch(p oracle.Piece) (c oracle.Curve) {
	for copies := 1; ; {
		point, ok := x.measure(p, copies, 1)
		if !ok || copies == 1 && point.Took >= x.Limits.Slow/4 {
			return c
		}
		c = append(c, point)
		if point.Took >= x.Limits.Slow/4 {
			return c
		}
		factor := coarse
		if point.Took >= x.Limits.Slow/32 {
			factor = 2
		}
		copies *= factor
	}
}

// measure executes the input with a number of copies of the piece. It reports false if it would become too large, or
// there is no sense in going on.
func (x *oracles) measure(p oracle.Piece, copies, tries int) (point oracle.Point, ok bool) {
	size := x.a.Size() + (copies-1)*p.Len()
	if size > oracle.MaxGrown || x.over() {
		return point, false
	}
	grown := p.Grow(x.a, copies)
	point.Size, point.Grown = size, copies*p.Len()
	for i := range tries {
		watch := oracle.Start()
		x.execute(grown)
		if took := watch.Took(); i == 0 || took < point.Took {
			point.Took = took
		}
		if x.over() {
			return point, false
		}
	}
	return point, true
}

// fit measures the curve of a piece well and reports it if it explodes.
func (x *oracles) fit(p oracle.Piece) {
	var c oracle.Curve
	copies := 2
	for {
		point, ok := x.measure(p, copies, tries)
		if !ok {
			break
		}
		c = append(c, point)
		if len(c) >= finePoints && point.Took >= x.Limits.Slow || c.Next() > x.Limits.Slow*tooSlow {
			break
		}
		copies *= 2
	}
	if x.over() || !c.Explodes(x.Limits.Slow) {
		return
	}
	stack := x.hottest(p, copies/2)
	x.report(oracle.Report{
		Oracle: oracle.Growth, Piece: p, Copies: c[len(c)-1].Grown / p.Len(), Message: c.Message(), Detail: c.String() + "\n" + stack,
	})
}

const (
	// samples is how many stacks of a slow execution are looked at, and sampleEvery how long after each other.
	samples     = 12
	sampleEvery = 3 * time.Millisecond
	// sampleLimit is how long the input is executed again and again to get them: on a busy machine, the goroutine that looks at stacks
	// may get no processor in time.
	sampleLimit = 2 * time.Second
)

// hottest executes a slow input some more times and returns the frames that were on the stack nearly all the time, as the runtime prints
// them.
func (x *oracles) hottest(p oracle.Piece, copies int) string {
	// With one processor, the goroutine that looks would get it only when the target is done.
	if procs := runtime.GOMAXPROCS(0); procs == 1 {
		runtime.GOMAXPROCS(2)
		defer runtime.GOMAXPROCS(procs)
	}
	var mu sync.Mutex // guards seen
	var seen []string
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(seen)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	unseen(func() {
		defer close(stopped)
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		for count() < samples {
			select {
			case <-tick.C:
				if s := targetStack(); s != "" {
					mu.Lock()
					seen = append(seen, s)
					mu.Unlock()
				}
			case <-stop:
				return
			}
		}
	})
	for begin := time.Now(); count() < samples && time.Since(begin) < sampleLimit && !x.over(); {
		x.measure(p, copies, 1)
	}
	close(stop)
	<-stopped
	return oracle.Common(seen)
}

// maxTargetStack is how much of the stacks of all goroutines is looked at, in bytes.
const maxTargetStack = 1 << 20

// targetStack returns the stack of the goroutine that calls the target, or nothing if it is not calling it. Goroutines stop at calls
// first of all, so that this one is often seen in settle, which is called right after the target.
func targetStack() string {
	b := make([]byte, maxTargetStack)
	for block := range strings.SplitSeq(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if strings.Contains(block, "worker.(*runner).call(") && !strings.Contains(block, "worker.(*goroutineWait).settle(") {
			return block
		}
	}
	return ""
}
