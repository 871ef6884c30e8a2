package mutate

import "math/bits"

// Rand is a pseudo-random generator with 64 bits of state: SplitMix64 of Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators" (OOPSLA 2014), with its published constants. One output costs about a nanosecond, and
// all seeds are good ones. The zero value is ready for use as seed 0.
type Rand struct{ state uint64 }

// The increment is the odd integer nearest to 2^64 divided by the golden ratio; the two multipliers are Stafford's
// variant 13 of the MurmurHash3 finaliser. All three are given in the paper.
const (
	goldenGamma = 0x9e3779b97f4a7c15
	mixFirst    = 0xbf58476d1ce4e5b9
	mixSecond   = 0x94d049bb133111eb
)

// NewRand returns a generator that starts at seed.
func NewRand(seed uint64) *Rand { return &Rand{state: seed} }

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += goldenGamma
	z := r.state
	z = (z ^ z>>30) * mixFirst
	z = (z ^ z>>27) * mixSecond
	return z ^ z>>31
}

// Uint32 returns 32 random bits.
func (r *Rand) Uint32() uint32 { return uint32(r.Uint64() >> 32) }

// Intn returns a number in [0, n), and 0 if n is not positive. It multiplies and shifts, so for huge n it is off the
// uniform distribution by up to n/2^64.
func (r *Rand) Intn(n int) int {
	if n <= 1 {
		return 0
	}
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Bool returns true half of the time.
func (r *Rand) Bool() bool { return int64(r.Uint64()) < 0 }

// Chance returns true num times in den.
func (r *Rand) Chance(num, den int) bool { return r.Intn(den) < num }

// Geometric returns 1 plus the number of heads before the first tail, at most limit: 1 half of the time, 2 a quarter...
func (r *Rand) Geometric(limit int) int {
	return max(min(1+bits.TrailingZeros64(r.Uint64()), limit), 1)
}

// LogUniform returns a number whose bit length is uniform in [0, width].
func (r *Rand) LogUniform(width int) uint64 {
	n := r.Intn(width + 1)
	if n == 0 {
		return 0
	}
	return r.Uint64()>>(64-n) | 1<<(n-1)
}

// The prior of range lengths, shared by go-fuzz and Go's own engine (docs of both): most edits that keep an input
// meaningful touch a field, some a record, very few everything.
const (
	shortRange      = 8
	shortRangeShare = 90 // percent
	longRange       = 32
	longRangeShare  = 9 // percent; the rest has any length
)

// Length returns the length of a range to edit, in [1, limit], and 0 if limit is not positive.
func (r *Rand) Length(limit int) int {
	if limit <= 1 {
		return max(limit, 0)
	}
	c := r.Intn(100)
	switch {
	case c < shortRangeShare:
		limit = min(limit, shortRange)
	case c < shortRangeShare+longRangeShare:
		limit = min(limit, longRange)
	}
	return 1 + r.Intn(limit)
}
