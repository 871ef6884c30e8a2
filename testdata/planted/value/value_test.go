package value

import (
	"math"
	"testing"
)

func FuzzCompute(f *testing.F) {
	f.Add(int32(1), int32(2))
	f.Fuzz(func(t *testing.T, a, b int32) { Compute(a, b) })
}

func FuzzFloat(f *testing.F) {
	f.Add(1.5)
	f.Fuzz(func(t *testing.T, x float64) { Float(x) })
}

func FuzzReserve(f *testing.F) {
	f.Add("len=3")
	f.Fuzz(func(t *testing.T, s string) { Reserve(s) })
}

func FuzzWhole(f *testing.F) {
	f.Add(2.0)
	f.Fuzz(func(t *testing.T, x float64) {
		if x != math.Trunc(x) || math.IsInf(x, 0) || math.Abs(x) > 1e9 {
			t.Fatalf("%v is no whole number", x) // bug 50
		}
	})
}

func FuzzEnds(f *testing.F) {
	f.Add("abc")
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			return
		}
		switch s[0] {
		case 'h':
			Head(s)
		case 't':
			Tail(s)
		}
	})
}
