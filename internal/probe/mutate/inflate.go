package mutate

// Limits of data that are decompressed to compute a checksum.
const (
	maxPacked   = 1 << 12
	maxUnpacked = 1 << 16
)

// inflater decompresses DEFLATE (RFC 1951). Package compress/flate may be instrumented, and allocates.
type inflater struct {
	in     []byte
	at     int    // of the next byte of in
	bits   uint64 // read but not used, the next one lowest
	n      uint   // how many
	failed bool

	out      [maxUnpacked]byte
	size     int
	lit      huffman
	dist     huffman
	lengths  [maxLiterals + maxDistances]uint8
	counting huffman

	fixedLit, fixedDist huffman // once they are needed
	fixed               bool    // they were
}

const (
	maxLiterals  = 288
	maxDistances = 32
	maxCodeBits  = 15
)

// huffman is a canonical code: how many codes there are of each length, and the symbols in the order of their codes.
type huffman struct {
	count   [maxCodeBits + 1]uint16
	symbols [maxLiterals]uint16
}

// unpack decompresses the data at the head of b, which are n bytes long. ok is false if they are not valid, or too long,
// compressed or not. data is valid until the next call. The first call allocates.
func (m *Material) unpack(b []byte) (data []byte, n int, ok bool) {
	if m.inflater == nil {
		m.inflater = new(inflater)
	}
	z := m.inflater
	z.in, z.at, z.bits, z.n, z.failed, z.size = b[:min(len(b), maxPacked)], 0, 0, 0, false, 0
	for last := false; !last && !z.failed; {
		last = z.take(1) == 1
		switch z.take(2) {
		case 0:
			z.stored()
		case 1:
			z.fixedCodes()
			z.block()
		case 2:
			z.dynamicCodes()
			z.block()
		default:
			z.failed = true
		}
	}
	z.in = nil
	return z.out[:z.size], z.at - int(z.n/8), !z.failed
}

// take returns the next n bits, at most 32.
func (z *inflater) take(n uint) uint {
	for z.n < n {
		if z.at >= len(z.in) {
			z.failed = true
			return 0
		}
		z.bits |= uint64(z.in[z.at]) << z.n
		z.at++
		z.n += 8
	}
	v := z.bits & (1<<n - 1)
	z.bits >>= n
	z.n -= n
	return uint(v)
}

// put appends a byte to the result.
func (z *inflater) put(c byte) {
	if z.size == maxUnpacked {
		z.failed = true
		return
	}
	z.out[z.size] = c
	z.size++
}

// stored copies a block that is not compressed.
func (z *inflater) stored() {
	z.take(z.n % 8)
	n := z.take(16)
	if z.take(16) != n^0xffff {
		z.failed = true
	}
	for ; n > 0 && !z.failed; n-- {
		z.put(byte(z.take(8)))
	}
}

// assign makes the code in which symbol i has lengths[i] bits; 0 means that it has no code. It reports whether there
// are not too many codes.
func (h *huffman) assign(lengths []uint8) bool {
	h.count = [maxCodeBits + 1]uint16{}
	for _, n := range lengths {
		h.count[n]++
	}
	h.count[0] = 0
	var next [maxCodeBits + 2]uint16
	left := 1
	for n := 1; n <= maxCodeBits; n++ {
		if left = left<<1 - int(h.count[n]); left < 0 {
			return false
		}
		next[n+1] = next[n] + h.count[n]
	}
	for i, n := range lengths {
		if n != 0 {
			h.symbols[next[n]] = uint16(i)
			next[n]++
		}
	}
	return true
}

// symbol reads one symbol. The codes of one length are consecutive numbers, the first one being twice the end of the
// shorter ones.
func (z *inflater) symbol(h *huffman) int {
	code, index := 0, 0
	for n := 1; n <= maxCodeBits && !z.failed; n++ {
		code = code<<1 | int(z.take(1))
		count := int(h.count[n])
		if code < count {
			return int(h.symbols[index+code])
		}
		code -= count
		index += count
	}
	z.failed = true
	return 0
}

// fixedCodes takes the codes of blocks that have none of their own. Small files have such blocks, so they are made once.
func (z *inflater) fixedCodes() {
	if !z.fixed {
		z.fixed = true
		z.makeFixedCodes()
	}
	z.lit, z.dist = z.fixedLit, z.fixedDist
}

func (z *inflater) makeFixedCodes() {
	l := z.lengths[:maxLiterals]
	for i := range l {
		switch {
		case i < 144:
			l[i] = 8
		case i < 256:
			l[i] = 9
		case i < 280:
			l[i] = 7
		default:
			l[i] = 8
		}
	}
	d := z.lengths[maxLiterals : maxLiterals+maxDistances]
	for i := range d {
		d[i] = 5
	}
	z.fixedLit.assign(l)
	z.fixedDist.assign(d)
}

// codeOrder is the order in which the lengths of the codes for lengths come.
var codeOrder = [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

func (z *inflater) dynamicCodes() {
	literals, distances, counts := 257+int(z.take(5)), 1+int(z.take(5)), 4+int(z.take(4))
	if literals > maxLiterals {
		z.failed = true
		return
	}
	var l [len(codeOrder)]uint8
	for _, i := range codeOrder[:counts] {
		l[i] = uint8(z.take(3))
	}
	if !z.counting.assign(l[:]) {
		z.failed = true
	}
	all := z.lengths[:literals+distances]
	for i := 0; i < len(all) && !z.failed; {
		s := z.symbol(&z.counting)
		n, value := 1, uint8(s)
		switch s {
		case 16:
			if i == 0 {
				z.failed = true
				return
			}
			n, value = 3+int(z.take(2)), all[i-1]
		case 17:
			n, value = 3+int(z.take(3)), 0
		case 18:
			n, value = 11+int(z.take(7)), 0
		}
		if n > len(all)-i {
			z.failed = true
			return
		}
		fill(all[i:i+n], value)
		i += n
	}
	if z.failed || !z.lit.assign(all[:literals]) || !z.dist.assign(all[literals:]) {
		z.failed = true
	}
}

const (
	endOfBlock  = 256
	firstLength = 257
	lastLength  = 285
)

// block decompresses a block with the codes that were read.
func (z *inflater) block() {
	for !z.failed {
		s := z.symbol(&z.lit)
		switch {
		case z.failed || s == endOfBlock:
			return
		case s < endOfBlock:
			z.put(byte(s))
		default:
			z.copyBack(s)
		}
	}
}

// copyBack repeats earlier data. A length symbol means a range of 2^k lengths, where k grows by one with every
// four symbols, and a distance symbol likewise with every two.
func (z *inflater) copyBack(s int) {
	length := 258
	switch i := s - firstLength; {
	case s > lastLength:
		z.failed = true
		return
	case i < 8:
		length = 3 + i
	case s < lastLength:
		k := uint(i/4 - 1)
		length = 3 + (4+i%4)<<k + int(z.take(k))
	}
	d := z.symbol(&z.dist)
	distance := 1 + d
	if d >= 4 {
		k := uint(d/2 - 1)
		distance = 1 + (2+d%2)<<k + int(z.take(k))
	}
	if d > 29 || distance > z.size || length > maxUnpacked-z.size {
		z.failed = true
		return
	}
	for range length {
		z.out[z.size] = z.out[z.size-distance]
		z.size++
	}
}
