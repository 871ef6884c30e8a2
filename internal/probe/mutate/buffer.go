package mutate

import "math/bits"

// same reports whether both hold the same bytes. The conversions do not allocate.
func same(a, b []byte) bool { return string(a) == string(b) }

// load8 reads the first eight bytes as a little-endian integer. The compiler makes one load of it.
func load8(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// openGap makes room for n bytes at position at. What the gap holds is undefined.
func openGap(b []byte, at, n int) []byte {
	old := len(b)
	if cap(b)-old >= n {
		b = b[:old+n]
	} else {
		b = append(b, make([]byte, n)...)
	}
	copy(b[at+n:], b[at:old])
	return b
}

// cut removes b[lo:hi].
func cut(b []byte, lo, hi int) []byte {
	return b[:lo+copy(b[lo:], b[hi:])]
}

// replace replaces b[lo:hi] by with, which must not share memory with b. It returns false, and changes nothing, if b would
// stay the same, exceed MaxLen or become empty.
func replace(m *Material, b []byte, lo, hi int, with []byte) ([]byte, bool) {
	grow := len(with) - (hi - lo)
	if grow > m.room(b) || len(b)+grow == 0 || same(b[lo:hi], with) {
		return b, false
	}
	switch {
	case grow > 0:
		b = openGap(b, hi, grow)
	case grow < 0:
		b = cut(b, hi+grow, hi)
	}
	copy(b[lo:], with)
	m.at = lo
	return b, true
}

// insertCopy inserts a copy of b[lo:hi] at position at, outside of the range or at its ends. The caller has checked
// that there is room.
func insertCopy(b []byte, lo, hi, at int) []byte {
	n := hi - lo
	b = openGap(b, at, n)
	if at <= lo {
		lo += n
	}
	copy(b[at:at+n], b[lo:lo+n])
	return b
}

// multiply inserts count copies of b[lo:hi] right behind it. The caller has checked that there is room.
func multiply(b []byte, lo, hi, count int) []byte {
	n := (hi - lo) * count
	b = openGap(b, hi, n)
	for done := hi; done < hi+n; {
		done += copy(b[done:hi+n], b[lo:done])
	}
	return b
}

func reverse(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// exchange swaps b[lo1:hi1] with b[lo2:hi2], where hi1 <= lo2. Reversing the whole stretch and then each of its three
// parts needs no memory.
func exchange(b []byte, lo1, hi1, lo2, hi2 int) {
	n1, n2 := hi1-lo1, hi2-lo2
	reverse(b[lo1:hi2])
	reverse(b[lo1 : lo1+n2])
	reverse(b[hi2-n1 : hi2])
	reverse(b[lo1+n2 : hi2-n1])
}

// fingerprint hashes b, eight bytes at a time.
func fingerprint(h uint64, b []byte) uint64 {
	h = mixWord(h, uint64(len(b)))
	for ; len(b) >= 8; b = b[8:] {
		h = mixWord(h, load8(b))
	}
	return mixWord(h, load(b, false))
}

// mixWord folds one word into a hash by the full product with an odd constant.
func mixWord(h, w uint64) uint64 {
	hi, lo := bits.Mul64((h+goldenGamma)^w, mixSecond)
	return hi ^ lo ^ w<<1
}

// put writes the low bytes of v over all of b. It reports whether that is a change.
func put(b []byte, v uint64, big bool) (changed bool) {
	if (load(b, big)^v)<<(64-8*len(b)) == 0 {
		return false
	}
	store(b, v, big)
	return true
}
