package value

import "testing"

func FuzzCompute(f *testing.F) {
	f.Add(int32(1), int32(2))
	f.Fuzz(func(t *testing.T, a, b int32) { Compute(a, b) })
}

func FuzzFloat(f *testing.F) {
	f.Add(1.5)
	f.Fuzz(func(t *testing.T, x float64) { Float(x) })
}
