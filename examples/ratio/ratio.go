// Package ratio parses and compares fractions such as "3/4", "-7" and "10/-4".
package ratio

import (
	"cmp"
	"errors"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// A Ratio is a fraction in lowest terms: Den is positive and has no factor in common with Num.
type Ratio struct{ Num, Den int64 }

// What New and Parse return for fractions that do not exist or do not fit.
var (
	ErrZero  = errors.New("ratio: denominator is zero")
	ErrRange = errors.New("ratio: value out of range")
)

// New returns num/den in lowest terms.
func New(num, den int64) (Ratio, error) {
	if den == 0 {
		return Ratio{}, ErrZero
	}
	n, d := magnitude(num), magnitude(den)
	g := gcd(n, d)
	n, d = n/g, d/g
	negative := (num < 0) != (den < 0)
	if d > math.MaxInt64 || n > math.MaxInt64+1 || (n == math.MaxInt64+1 && !negative) {
		return Ratio{}, ErrRange
	}
	if negative {
		return Ratio{Num: -int64(n), Den: int64(d)}, nil // -int64(1<<63) is the smallest int64 again
	}
	return Ratio{Num: int64(n), Den: int64(d)}, nil
}

// magnitude is |v|, which fits a uint64 even for the smallest int64.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Parse reads a whole number or two of them with a slash between.
func Parse(s string) (Ratio, error) {
	left, right, fraction := strings.Cut(s, "/")
	if !fraction {
		right = "1"
	}
	num, err := strconv.ParseInt(left, 10, 64)
	if err != nil {
		return Ratio{}, err
	}
	den, err := strconv.ParseInt(right, 10, 64)
	if err != nil {
		return Ratio{}, err
	}
	return New(num, den)
}

// String is the form that [Parse] reads; whole numbers have no slash.
func (r Ratio) String() string {
	s := strconv.FormatInt(r.Num, 10)
	if r.Den != 1 {
		s += "/" + strconv.FormatInt(r.Den, 10)
	}
	return s
}

// Compare is negative if a is less than b, zero if they are equal, and positive if a is greater. It is exact.
func Compare(a, b Ratio) int {
	if sa, sb := cmp.Compare(a.Num, 0), cmp.Compare(b.Num, 0); sa != sb || sa == 0 {
		return sa - sb
	}
	// Both have the same sign: compare the magnitudes of the cross products, 128 bits wide.
	ah, al := bits.Mul64(magnitude(a.Num), uint64(b.Den))
	bh, bl := bits.Mul64(magnitude(b.Num), uint64(a.Den))
	order := cmp.Or(cmp.Compare(ah, bh), cmp.Compare(al, bl))
	if a.Num < 0 {
		return -order
	}
	return order
}
