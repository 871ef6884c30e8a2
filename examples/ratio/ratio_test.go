package ratio

import (
	"math"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		in   string
		want Ratio
	}{
		{"3/4", Ratio{3, 4}},
		{"-7", Ratio{-7, 1}},
		{"10/-4", Ratio{-5, 2}},
		{"0/9", Ratio{0, 1}},
		{"-9223372036854775808/2", Ratio{math.MinInt64 / 2, 1}},
		{"-9223372036854775808", Ratio{math.MinInt64, 1}},
	}
	for _, tt := range tests {
		if got, err := Parse(tt.in); err != nil || got != tt.want {
			t.Errorf("Parse(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
		}
	}
	for _, bad := range []string{"", "/", "1/0", "1/2/3", "1.5", "-9223372036854775808/-1", "1/-9223372036854775808"} {
		if got, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", bad, got)
		}
	}
}

func TestCompare(t *testing.T) {
	ascending := []Ratio{{math.MinInt64, 1}, {-3, 2}, {-1, 1}, {-1, math.MaxInt64}, {0, 1}, {1, 3}, {1, 2}, {math.MaxInt64, 1}}
	for i, a := range ascending {
		for j, b := range ascending {
			if got := Compare(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("Compare(%v, %v) = %d", a, b, got)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("3/4")
	f.Add("-7")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(r.String()); err != nil || again != r {
			t.Errorf("%q is %v, which comes back as %v, %v", s, r, again, err)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add(int64(1), int64(2), int64(-3), int64(4))
	f.Fuzz(func(t *testing.T, an, ad, bn, bd int64) {
		a, errA := New(an, ad)
		b, errB := New(bn, bd)
		if errA != nil || errB != nil {
			return
		}
		if x, y := Compare(a, b), Compare(b, a); x != -y || (x == 0) != (a == b) {
			t.Errorf("%v and %v compare as %d, the other way round as %d", a, b, x, y)
		}
	})
}
