package solve

import "math/bits"

// fitXor finds k so that v = x ^ k.
func fitXor(x, v *points, mask uint64) (k uint64, ok bool) {
	k = (x.v[0] ^ v.v[0]) & mask
	for i := 1; i < x.n; i++ {
		if (x.v[i]^v.v[i])&mask != k {
			return 0, false
		}
	}
	return k, true
}

// fitAffine finds a and b so that v = a*x + b in the arithmetic of the width.
func fitAffine(x, v *points, width uint8) (a, b uint64, ok bool) {
	mask := widthMask(width)
	dx, dv := x.v[1]-x.v[0], v.v[1]-v.v[0]
	best := -1
	for i := 1; i < x.n; i++ {
		ex, ev := x.v[i]-x.v[0], v.v[i]-v.v[0]
		if (ex*dv-ev*dx)&mask != 0 { // true of all lines; nearly all other fields end here
			return 0, 0, false
		}
		if ex&mask != 0 && (best < 0 || bits.TrailingZeros64(ex) < bits.TrailingZeros64(x.v[best]-x.v[0])) {
			best = i
		}
	}
	if best < 0 {
		return 0, 0, false
	}
	dx, dv = (x.v[best]-x.v[0])&mask, (v.v[best]-v.v[0])&mask
	shift := bits.TrailingZeros64(dx)
	if dv == 0 || bits.TrailingZeros64(dv) < shift {
		return 0, 0, false
	}
	// The top bits of a are not known if dx is even: they are zero, or the sign.
	known := 8*int(min(width, 8)) - shift
	a = dv >> shift * inverse(dx>>shift) & (^uint64(0) >> (64 - known))
	for _, a := range [2]uint64{uint64(int64(a<<(64-known)) >> (64 - known)), a} {
		b = v.v[0] - a*x.v[0]
		ok = a != 0
		for i := range x.n {
			ok = ok && (a*x.v[i]+b-v.v[i])&mask == 0
		}
		if ok {
			return a, b, true
		}
	}
	return 0, 0, false
}

// inverse returns the number with inverse(a)*a = 1 modulo 2^64, for odd a. Each of Newton's steps doubles the bits that
// are right, of which a has three.
func inverse(a uint64) uint64 {
	x := a
	for range 5 {
		x *= 2 - a*x
	}
	return x
}

// solveAffine returns x with a*x + b = want in the arithmetic of the width, and the one that comes near without an
// overflow. They are the same if the division leaves no remainder, or the first does not exist.
func solveAffine(a, b, want uint64, width uint8) (near, x uint64) {
	r := signExtend(want-b, width)
	near = uint64(int64(r) / int64(a))
	shift := bits.TrailingZeros64(a)
	known := 8*int(min(width, 8)) - shift
	if near*a == r || known <= 0 || r&(1<<shift-1) != 0 {
		return near, near
	}
	return near, r >> shift * inverse(a>>shift) & (^uint64(0) >> (64 - known))
}
