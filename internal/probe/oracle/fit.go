package oracle

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Point is how long an execution took with an input of some size.
type Point struct {
	Size  int // bytes
	Grown int // bytes of it that are copies of one piece
	Took  time.Duration
}

// Curve is points with growing sizes.
type Curve []Point

const (
	// superLinear is the exponent from which time grows faster than the input. Sorting has about 1.1, a linear target
	// that falls out of the processor's caches up to 1.3; something quadratic with a linear part has 1.6 and more.
	superLinear = 1.5
	// goodFit is the part of the variance that the fit has to explain. Less than what undisturbed measurements give:
	// a linear target on a busy machine does not reach the exponent in four processes, one after the other.
	goodFit = 0.9
	// steep is the exponent from which the shape does not matter: it may be no power at all.
	steep = 2.5
	// fitted is how many points count, the largest ones: over a factor of 16 in size.
	fitted = 5
	// suspicious is the exponent between two single executions that makes a closer look worthwhile.
	suspicious = 1.35
	// noise is the time below which an execution says more about the machine than about the target.
	noise = 20 * time.Microsecond
)

// Fit returns the exponent of the power of the size that the time follows at the end of the curve, and which part of the
// variance that explains. The size is that of what was grown: beside a large input that stays as it is, a few bytes more
// would be next to nothing, and each microsecond that they take a high power of that. Both are 0 if there is too little to
// fit.
func (c Curve) Fit() (exponent, explained float64) {
	c = c[max(0, len(c)-fitted):]
	for len(c) > 0 && c[0].Took < noise {
		c = c[1:]
	}
	if len(c) < fitted-1 {
		return 0, 0
	}
	var sx, sy, sxx, sxy, syy float64
	for _, p := range c {
		x, y := math.Log(float64(p.Grown)), math.Log(float64(p.Took))
		sx, sy, sxx, sxy, syy = sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
	}
	n := float64(len(c))
	vx, vy, cov := n*sxx-sx*sx, n*syy-sy*sy, n*sxy-sx*sy
	if vx <= 0 || vy <= 0 {
		return 0, 0
	}
	return cov / vx, cov * cov / (vx * vy)
}

// Explodes reports whether the curve is a finding: the last execution took long, and there is no doubt about the shape.
func (c Curve) Explodes(slow time.Duration) bool {
	if len(c) == 0 || c[len(c)-1].Took < slow {
		return false
	}
	exponent, explained := c.Fit()
	return exponent >= superLinear && explained >= goodFit || exponent >= steep
}

// Next is how long the next execution will take if the curve goes on as it did between its last two points.
func (c Curve) Next() time.Duration {
	if len(c) < 2 {
		return 0
	}
	last, before := float64(c[len(c)-1].Took), float64(max(c[len(c)-2].Took, 1))
	return time.Duration(min(last*last/before, 1<<62))
}

// Suspicious reports whether a curve of single executions is worth a closer look.
func (c Curve) Suspicious(slow time.Duration) bool {
	if len(c) == 0 {
		return false
	}
	last := c[len(c)-1]
	if last.Took < slow/8 {
		return false
	}
	for i := len(c) - 2; i >= 0; i-- {
		if p := c[i]; p.Grown*4 <= last.Grown {
			slope := math.Log(float64(last.Took)/float64(max(p.Took, 1))) / math.Log(float64(last.Grown)/float64(p.Grown))
			return slope >= suspicious
		}
	}
	return true // it was slow before it was large
}

// Message says in one line what the curve shows.
func (c Curve) Message() string {
	exponent, _ := c.Fit()
	first, last := c[max(0, len(c)-fitted)], c[len(c)-1]
	return fmt.Sprintf("time grows with the power %.1f of the size of the input: %s take %s, %s take %s",
		exponent, Size(uint64(first.Size)), short(first.Took), Size(uint64(last.Size)), short(last.Took))
}

// barLimit is the length of the longest bar of a curve.
const barLimit = 40

// drawn is how many points of a curve are shown.
const drawn = fitted + 2

// String draws the end of the curve, one line for each point.
func (c Curve) String() string {
	var b strings.Builder
	c = c[max(0, len(c)-drawn):]
	fmt.Fprintf(&b, "%10s %10s\n", "size", "time")
	for _, p := range c {
		bar := int(barLimit * float64(p.Took) / float64(max(c[len(c)-1].Took, 1)))
		fmt.Fprintf(&b, "%10s %10s  %s\n", Size(uint64(p.Size)), short(p.Took), strings.Repeat("#", min(bar, barLimit)))
	}
	return b.String()
}

// Size is a number of bytes as a person reads it.
func Size(n uint64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// short is a time with two digits or three.
func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
