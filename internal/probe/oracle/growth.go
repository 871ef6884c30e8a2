package oracle

import (
	"runtime"
	"sync"
	"time"
)

// growth reports inputs of which a piece can be repeated so that the time grows faster than the input. Its limit is the
// time below which an execution is fast enough, however its time grows. 50 ms for at most 64 KiB are 800 ns per byte,
// which is ten to a hundred times what parsers take.
var growth = Oracle{
	Name:    "growth",
	Meaning: "if a part of the input repeats, the time grows faster than the input; a large input blocks the program",
	Limit:   Limit{Unit: Nanoseconds, Default: uint64(50 * time.Millisecond)},
	Timed:   true,
	measure: measureGrowth,
}

const (
	// maxPieces is how many pieces of an input are grown in one measurement.
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

// measureGrowth looks for a piece of the input whose repetition takes time out of proportion.
func measureGrowth(m *Measurement) {
	if m.Piece.Fits(m.Args) {
		for range attempts {
			if !m.run.Over() && !m.seen.Has(Growth) {
				m.fit(m.Piece)
			}
		}
		return
	}
	for _, p := range Pieces(m.Args, maxPieces) {
		if curve := m.sketch(p); !m.run.Over() && curve.Suspicious(m.Limits.Time(Growth)) {
			m.fit(p)
		}
		if m.run.Over() || m.seen.Has(Growth) {
			return
		}
	}
}

// sketch measures single executions of growing inputs until one is slow or large. If the input is slow as it is, there is no curve:
// larger ones would take too long, however the time grows.
func (m *Measurement) sketch(p Piece) (c Curve) {
	for copies := 1; ; {
		point, ok := m.measure(p, copies, 1)
		if !ok || copies == 1 && point.Took >= m.Limits.Time(Growth)/4 {
			return c
		}
		c = append(c, point)
		if point.Took >= m.Limits.Time(Growth)/4 {
			return c
		}
		factor := coarse
		if point.Took >= m.Limits.Time(Growth)/32 {
			factor = 2
		}
		copies *= factor
	}
}

// measure executes the input with a number of copies of the piece. It reports false if it would become too large, or
// there is no sense in going on.
func (m *Measurement) measure(p Piece, copies, tries int) (point Point, ok bool) {
	size := m.Args.Size() + (copies-1)*p.Len()
	if size > MaxGrown || m.run.Over() {
		return point, false
	}
	grown := p.Grow(m.Args, copies)
	point.Size, point.Grown = size, copies*p.Len()
	for i := range tries {
		watch := Start()
		m.execute(grown)
		if took := watch.Took(); i == 0 || took < point.Took {
			point.Took = took
		}
		if m.run.Over() {
			return point, false
		}
	}
	return point, true
}

// fit measures the curve of a piece well and reports it if it explodes.
func (m *Measurement) fit(p Piece) {
	var c Curve
	copies := 2
	for {
		point, ok := m.measure(p, copies, tries)
		if !ok {
			break
		}
		c = append(c, point)
		if len(c) >= finePoints && point.Took >= m.Limits.Time(Growth) || c.Next() > m.Limits.Time(Growth)*tooSlow {
			break
		}
		copies *= 2
	}
	if m.run.Over() || !c.Explodes(m.Limits.Time(Growth)) {
		return
	}
	stack := m.hottest(p, copies/2)
	m.report(Report{
		Oracle: Growth, Piece: p, Copies: c[len(c)-1].Grown / p.Len(), Message: c.Message(), Detail: c.String() + "\n" + stack,
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
func (m *Measurement) hottest(p Piece, copies int) string {
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
	m.run.Go(func() {
		defer close(stopped)
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		for count() < samples {
			select {
			case <-tick.C:
				if s := m.run.Stack(); s != "" {
					mu.Lock()
					seen = append(seen, s)
					mu.Unlock()
				}
			case <-stop:
				return
			}
		}
	})
	for begin := time.Now(); count() < samples && time.Since(begin) < sampleLimit && !m.run.Over(); {
		m.measure(p, copies, 1)
	}
	close(stop)
	<-stopped
	return Common(seen)
}
