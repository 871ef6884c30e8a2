package stat

import (
	"math"
	"math/rand"
	"testing"
)

func TestMannWhitney(t *testing.T) {
	low := func(n int) (values []float64) {
		for i := range n {
			values = append(values, float64(i))
		}
		return values
	}
	tests := []struct {
		name   string
		xs, ys []float64
		want   float64
	}{
		{"nothing to compare", nil, []float64{1}, math.NaN()},
		{"one value each", []float64{1}, []float64{2}, 1},
		{"the same values", []float64{3, 3, 3}, []float64{3, 3, 3}, 1},
		{"three and three apart: 2 of 20 splits", []float64{1, 2, 3}, []float64{4, 5, 6}, 0.1},
		{"ten and ten apart: 2 of 184756 splits", low(10), []float64{10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, 2.0 / 184756},
		{
			"Hollander and Wolfe, permeability of membranes, as in the manual of wilcox.test of R: one-sided 0.1272",
			[]float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
			[]float64{1.15, 0.88, 0.90, 0.74, 1.21},
			0.2544,
		},
		{
			"age of diagnosis, as in the manual of scipy.stats.mannwhitneyu: exact 0.1111",
			[]float64{19, 22, 16, 29, 24},
			[]float64{20, 11, 17, 12},
			0.1111,
		},
		{"five and five with U = 2, the largest below 0.05 in the tables", []float64{1, 2, 3, 4, 7}, []float64{5, 6, 8, 9, 10}, 8.0 / 252},
		{"five and five with U = 3, the smallest above 0.05", []float64{1, 2, 3, 4, 8}, []float64{5, 6, 7, 9, 10}, 14.0 / 252},
		{"a tie across the samples: 2 of 6 splits as far from even", []float64{1, 2}, []float64{2, 3}, 4.0 / 6},
		{"infinities rank as the largest", []float64{1, 2, 3}, []float64{math.Inf(1), math.Inf(1), math.Inf(1)}, 0.1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, got := range []float64{MannWhitney(tt.xs, tt.ys), MannWhitney(tt.ys, tt.xs)} {
				if math.Abs(got-tt.want) > 5e-5 || math.IsNaN(got) != math.IsNaN(tt.want) {
					t.Errorf("MannWhitney(%v, %v) = %v, want %v", tt.xs, tt.ys, got, tt.want)
				}
			}
		})
	}
}

func TestMannWhitneyCountsAllSplits(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 50 {
		xs, ys := make([]float64, 1+r.Intn(5)), make([]float64, 1+r.Intn(5))
		for i := range xs {
			xs[i] = float64(r.Intn(6)) // many ties
		}
		for i := range ys {
			ys[i] = float64(r.Intn(6))
		}
		if got, want := MannWhitney(xs, ys), bySplits(xs, ys); math.Abs(got-want) > 1e-12 {
			t.Errorf("MannWhitney(%v, %v) = %v, want %v", xs, ys, got, want)
		}
	}
}

// bySplits tries all ways to split the values, and counts those whose U is as far from even as that of xs and ys.
func bySplits(xs, ys []float64) float64 {
	u := func(xs, ys []float64) (u float64) {
		for _, x := range xs {
			for _, y := range ys {
				switch {
				case x > y:
					u++
				case x == y:
					u += 0.5
				}
			}
		}
		return math.Abs(u - float64(len(xs)*len(ys))/2)
	}
	values := append(append([]float64{}, xs...), ys...)
	all, extreme := 0, 0
	for mask := range 1 << len(values) {
		var a, b []float64
		for i, v := range values {
			if mask>>i&1 == 1 {
				a = append(a, v)
			} else {
				b = append(b, v)
			}
		}
		if len(a) != len(xs) {
			continue
		}
		all++
		if u(a, b) >= u(xs, ys) {
			extreme++
		}
	}
	return float64(extreme) / float64(all)
}
