package oracle

import (
	"math"
	"strings"
	"testing"
	"time"
)

// curve makes a curve of a function from sizes to nanoseconds, with sizes that double from 64 bytes on.
func curve(points int, took func(size float64) float64) (c Curve) {
	for i := range points {
		size := 64 << i
		c = append(c, Point{size, size, time.Duration(took(float64(size)))})
	}
	return c
}

// jitter makes every other measurement take 30 % longer.
func jitter(c Curve) Curve {
	for i := range c {
		if i%2 == 0 {
			c[i].Took = c[i].Took * 13 / 10
		}
	}
	return c
}

// beside is a curve of a piece in an input of that size.
func beside(size int, c Curve) Curve {
	for i := range c {
		c[i].Size += size
	}
	return c
}

func TestExplodesSeesTheShape(t *testing.T) {
	linear := func(n float64) float64 { return 2000 * n }
	quadratic := func(n float64) float64 { return n * n / 4 }
	tests := []struct {
		name  string
		curve Curve
		want  bool
	}{
		{"quadratic", curve(11, quadratic), true},
		{"quadratic on a busy machine", jitter(curve(11, quadratic)), true},
		{"quadratic with a linear part", curve(11, func(n float64) float64 { return 500*n + n*n/8 }), true},
		{"cubic", curve(8, func(n float64) float64 { return n * n * n / 10 }), true},
		{"exponential", curve(7, func(n float64) float64 { return 1e5 * math.Exp2(n/256) }), true},
		{"linear and slow", curve(11, linear), false},
		{"linear on a busy machine", jitter(curve(11, linear)), false},
		{"n log n", curve(11, func(n float64) float64 { return 200 * n * math.Log2(n) }), false},
		{"linear, falling out of the cache at the end", curve(11, func(n float64) float64 {
			if n > 16<<10 {
				n *= 2
			}
			return 2000 * n
		}), false},
		{"linear, with one measurement that was disturbed", append(curve(10, linear), Point{64 << 10, 64 << 10, 400 * time.Millisecond}), false},
		{"linear in a piece that takes long, beside a large rest", beside(16<<10, curve(8, linear)), false},
		{"exponential beside a large rest", beside(16<<10, curve(7, func(n float64) float64 { return 1e5 * math.Exp2(n/256) })), true},
		{"quadratic and fast", curve(11, func(n float64) float64 { return n * n / 1000 }), false},
		{"too few points", curve(3, func(n float64) float64 { return 1e4 * n * n }), false},
		{"nothing", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.curve.Explodes(50 * time.Millisecond); got != tt.want {
				exponent, explained := tt.curve.Fit()
				t.Errorf("Explodes = %v, want %v: the power is %.2f, which explains %.3f\n%v", got, tt.want, exponent, explained, tt.curve)
			}
		})
	}
}

func TestFitFindsTheExponent(t *testing.T) {
	for _, want := range []float64{0.5, 1, 1.5, 2, 3} {
		got, explained := curve(8, func(n float64) float64 { return 1e5 * math.Pow(n/64, want) }).Fit()
		if math.Abs(got-want) > 0.01 || explained < 0.999 {
			t.Errorf("the exponent is %.3f, which explains %.4f, want %.1f", got, explained, want)
		}
	}
}

func TestSuspiciousIsNotWhatIsLinear(t *testing.T) {
	tests := []struct {
		name  string
		curve Curve
		want  bool
	}{
		{"quadratic", curve(10, func(n float64) float64 { return n * n / 20 }), true},
		{"linear", curve(11, func(n float64) float64 { return 1000 * n }), false},
		{"fast", curve(11, func(n float64) float64 { return n * n / 10000 }), false},
		{"slow from the start", curve(1, func(float64) float64 { return 1e9 }), true},
		{"nothing", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.curve.Suspicious(50 * time.Millisecond); got != tt.want {
				t.Errorf("Suspicious = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestACurveIsDrawnFromItsEnd(t *testing.T) {
	c := curve(11, func(n float64) float64 { return n * n / 4 })
	lines := strings.Split(strings.TrimSuffix(c.String(), "\n"), "\n")
	if len(lines) != 1+drawn {
		t.Fatalf("%d lines, want a head and %d points:\n%v", len(lines), drawn, c)
	}
	if want := "    64 KiB      1.07s  " + strings.Repeat("#", barLimit); lines[drawn] != want {
		t.Errorf("the last line is %q, want %q", lines[drawn], want)
	}
	if want := "time grows with the power 2.0 of the size of the input: 4096 bytes take 4.2ms, 64 KiB take 1.07s"; c.Message() != want {
		t.Errorf("the message is %q, want %q", c.Message(), want)
	}
}

func TestNextGoesOnAsBefore(t *testing.T) {
	for _, tt := range []struct {
		name  string
		curve Curve
		want  time.Duration
	}{
		{"nothing", nil, 0},
		{"one point", Curve{{64, 64, time.Second}}, 0},
		{"quadratic", Curve{{64, 64, time.Second}, {128, 128, 4 * time.Second}}, 16 * time.Second},
		{"from nothing to for ever", Curve{{64, 64, 0}, {128, 128, time.Hour}}, 1 << 62},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.curve.Next(); got != tt.want {
				t.Errorf("Next = %v, want %v", got, tt.want)
			}
		})
	}
}
