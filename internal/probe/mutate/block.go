package mutate

// deleteRange removes a range, but never all of the buffer.
func deleteRange(m *Material, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	lo, hi := pickSpan(m.Rand, b[1:])
	if m.Rand.Bool() { // so that both the first and the last byte can go
		lo, hi = lo+1, hi+1
	}
	m.at = lo
	return cut(b, lo, hi), true
}

// insertRandom inserts random bytes.
func insertRandom(m *Material, b []byte) ([]byte, bool) {
	n := m.Rand.Length(m.room(b))
	if n == 0 {
		return b, false
	}
	at := m.Rand.Intn(len(b) + 1)
	b, m.at = openGap(b, at, n), at
	for gap := b[at : at+n]; len(gap) > 0; {
		v := m.Rand.Uint64()
		k := min(len(gap), 8)
		store(gap[:k], v, false)
		gap = gap[k:]
	}
	return b, true
}

// runByte returns the byte to fill a run with: one of the buffer, an edge value, or any.
func runByte(m *Material, b []byte) byte {
	c := m.Rand.Intn(3)
	switch {
	case c == 0 && len(b) > 0:
		return b[m.Rand.Intn(len(b))]
	case c == 1:
		return edgeBytes[m.Rand.Intn(len(edgeBytes))]
	}
	return byte(m.Rand.Uint32())
}

// insertRun inserts a run of one byte.
func insertRun(m *Material, b []byte) ([]byte, bool) {
	n := m.Rand.Length(m.room(b))
	if n == 0 {
		return b, false
	}
	at, c := m.Rand.Intn(len(b)+1), runByte(m, b)
	b, m.at = openGap(b, at, n), at
	fill(b[at:at+n], c)
	return b, true
}

// overwriteRun sets a range to one byte.
func overwriteRun(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	lo, hi := pickSpan(m.Rand, b)
	c := runByte(m, b)
	if uniform(b[lo:hi], c) {
		return b, false
	}
	fill(b[lo:hi], c)
	return b, true
}

func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

// uniform reports whether all bytes of b are c.
func uniform(b []byte, c byte) bool {
	for _, d := range b {
		if d != c {
			return false
		}
	}
	return true
}

// duplicateRange inserts a copy of a range elsewhere.
func duplicateRange(m *Material, b []byte) ([]byte, bool) {
	n := m.Rand.Length(min(len(b), m.room(b)))
	if n == 0 {
		return b, false
	}
	lo := m.Rand.Intn(len(b) - n + 1)
	m.at = m.Rand.Intn(len(b) + 1)
	return insertWithin(b, lo, lo+n, m.at), true
}

// insertWithin is insertCopy for any position, also one inside of the range.
func insertWithin(b []byte, lo, hi, at int) []byte {
	if at <= lo || at >= hi {
		return insertCopy(b, lo, hi, at)
	}
	n, head := hi-lo, at-lo
	b = openGap(b, at, n) // the range is now b[lo:at] and b[at+n:at+n+n-head]
	copy(b[at:], b[lo:at])
	copy(b[at+head:at+n], b[at+n:at+n+n-head])
	return b
}

// copyRange writes a copy of one range over another.
func copyRange(m *Material, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	n := m.Rand.Length(len(b) - 1)
	from, to := m.Rand.Intn(len(b)-n+1), m.Rand.Intn(len(b)-n+1)
	if same(b[from:from+n], b[to:to+n]) {
		return b, false
	}
	copy(b[to:to+n], b[from:from+n])
	return b, true
}

// swapRanges exchanges two ranges that need not have the same length.
func swapRanges(m *Material, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	mid := 1 + m.Rand.Intn(len(b)-1) // one range before it, one behind
	lo1, hi1 := pickSpan(m.Rand, b[:mid])
	lo2, hi2 := pickSpan(m.Rand, b[mid:])
	return swap(b, lo1, hi1, mid+lo2, mid+hi2)
}

// swap exchanges two ranges in order if that makes a difference: if moving them turns b[lo1:hi2] into something else.
func swap(b []byte, lo1, hi1, lo2, hi2 int) ([]byte, bool) {
	if swapsToSame(b, lo1, hi1, lo2, hi2) {
		return b, false
	}
	exchange(b, lo1, hi1, lo2, hi2)
	return b, true
}

// swapsToSame reports whether exchanging the two ranges would leave b as it is.
func swapsToSame(b []byte, lo1, hi1, lo2, hi2 int) bool {
	n2 := hi2 - lo2
	gap := lo1 + n2         // where what lies between will begin
	back := gap + lo2 - hi1 // where the first range will begin
	for i := lo1; i < hi2; i++ {
		from := i - lo1 + lo2
		switch {
		case i >= back:
			from = i - back + lo1
		case i >= gap:
			from = i - gap + hi1
		}
		if b[i] != b[from] {
			return false
		}
	}
	return true
}

// shuffleRange puts the bytes of a range in random order.
func shuffleRange(m *Material, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	n := 1 + m.Rand.Length(len(b)-1)
	lo := m.Rand.Intn(len(b) - n + 1)
	s := b[lo : lo+n]
	if uniform(s, s[0]) {
		return b, false
	}
	before := fingerprint(0, s)
	for i := n - 1; i > 0; i-- {
		j := m.Rand.Intn(i + 1)
		s[i], s[j] = s[j], s[i]
	}
	if fingerprint(0, s) == before { // it is in its old order
		i := 1
		for s[i] == s[0] {
			i++
		}
		s[0], s[i] = s[i], s[0]
	}
	return b, true
}

// maxRepeat is the largest number of times that a range is repeated. 64 levels are more than most limits of nesting
// and, at quadratic cost, four thousand times the work, which shows in the execution time.
const maxRepeat = 64

// repeatRange repeats a short range 2 to maxRepeat times.
func repeatRange(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	lo, hi := pickSpan(m.Rand, b)
	return repeat(m, b, lo, hi)
}

// repeat multiplies b[lo:hi], which is not empty, as often as fits but at most maxRepeat times.
func repeat(m *Material, b []byte, lo, hi int) ([]byte, bool) {
	count := min(m.room(b)/(hi-lo), maxRepeat-1)
	if count == 0 {
		return b, false
	}
	m.at = lo
	return multiply(b, lo, hi, 1+m.Rand.Intn(count)), true
}
