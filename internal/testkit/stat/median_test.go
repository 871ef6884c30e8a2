package stat

import (
	"math"
	"testing"
)

func TestMedian(t *testing.T) {
	tests := []struct {
		in   []float64
		want float64
	}{
		{nil, math.NaN()},
		{[]float64{5}, 5},
		{[]float64{9, 1}, 5},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 1, 3, 100}, 3.5},
	}
	for _, tt := range tests {
		if got := Median(tt.in); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("Median(%v) = %v, want %v", tt.in, got, tt.want)
		}
	}
	in := []float64{2, 1}
	if Median(in); in[0] != 2 {
		t.Error("Median sorts its argument")
	}
}
