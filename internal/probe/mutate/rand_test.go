package mutate

import "testing"

func TestRandIsSplitMix64(t *testing.T) {
	// The first outputs for seed 1234567 as published with the reference implementation (Vigna, splitmix64.c).
	want := []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821}
	r := NewRand(1234567)
	for i, w := range want {
		if got := r.Uint64(); got != w {
			t.Errorf("output %d = %d, want %d", i, got, w)
		}
	}
}

func TestRandRanges(t *testing.T) {
	r := NewRand(5)
	var seen [7]bool
	for range 1000 {
		seen[r.Intn(7)] = true
		if n := r.Geometric(3); n < 1 || n > 3 {
			t.Fatalf("Geometric(3) = %d", n)
		}
		if n := r.Length(5); n < 1 || n > 5 {
			t.Fatalf("Length(5) = %d", n)
		}
		if v := r.LogUniform(8); v > 255 {
			t.Fatalf("LogUniform(8) = %d", v)
		}
	}
	for v, ok := range seen {
		if !ok {
			t.Errorf("Intn(7) never returned %d", v)
		}
	}
	for _, n := range []int{0, -1} {
		if got := r.Intn(n); got != 0 {
			t.Errorf("Intn(%d) = %d, want 0", n, got)
		}
		if got := r.Length(n); got != 0 {
			t.Errorf("Length(%d) = %d, want 0", n, got)
		}
	}
}

// The prior: of lengths up to 1000, 90 % are at most 8 and 99 % at most 32.
func TestRangeLengthsFollowThePrior(t *testing.T) {
	r := NewRand(5)
	const n = 100000
	short, long := 0, 0
	for range n {
		switch l := r.Length(1000); {
		case l <= 8:
			short++
		case l > 32:
			long++
		}
	}
	if p := short * 1000 / n; p < 910 || p > 935 { // 90 % and a quarter of 9 %
		t.Errorf("%d per mille are at most 8, want about 922", p)
	}
	if p := long * 1000 / n; p < 7 || p > 13 {
		t.Errorf("%d per mille are longer than 32, want about 10", p)
	}
}
