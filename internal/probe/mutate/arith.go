package mutate

// maxStep is the largest amount that the add operators add or subtract. 35 is the value of AFL. It
// covers mistakes by the size of a header, up to half a cache line.
const maxStep = 35

func add8(m *Material, b []byte) ([]byte, bool)  { return addInt(m, b, 1) }
func add16(m *Material, b []byte) ([]byte, bool) { return addInt(m, b, 2) }
func add32(m *Material, b []byte) ([]byte, bool) { return addInt(m, b, 4) }
func add64(m *Material, b []byte) ([]byte, bool) { return addInt(m, b, 8) }

func interesting8(m *Material, b []byte) ([]byte, bool)  { return setInt(m, b, 1) }
func interesting16(m *Material, b []byte) ([]byte, bool) { return setInt(m, b, 2) }
func interesting32(m *Material, b []byte) ([]byte, bool) { return setInt(m, b, 4) }
func interesting64(m *Material, b []byte) ([]byte, bool) { return setInt(m, b, 8) }

// addInt adds 1 to maxStep to an integer of size bytes somewhere in b, or subtracts it, in either byte order.
func addInt(m *Material, b []byte, size int) ([]byte, bool) {
	if len(b) < size {
		return b, false
	}
	field := b[m.Rand.Intn(len(b)-size+1):][:size]
	big := m.Rand.Bool()
	store(field, load(field, big)+step(m.Rand), big)
	return b, true
}

// setInt sets an integer of size bytes somewhere in b to an interesting value, in either byte order.
func setInt(m *Material, b []byte, size int) ([]byte, bool) {
	if len(b) < size {
		return b, false
	}
	field := b[m.Rand.Intn(len(b)-size+1):][:size]
	big := m.Rand.Bool()
	v := interesting(m.Rand, 8*size)
	if (load(field, big)^v)<<(64-8*size) == 0 {
		return b, false
	}
	store(field, v, big)
	return b, true
}

// step returns ±1..maxStep in two's complement.
func step(r *Rand) uint64 {
	v := uint64(1 + r.Intn(maxStep))
	if r.Bool() {
		return -v
	}
	return v
}

// commonSizes are numbers that programs use as limits and that are no neighbours of a power of two.
var commonSizes = [...]uint64{10, 12, 20, 60, 96, 100, 200, 365, 400, 500, 1000, 1500, 9999, 10000, 100000, 1000000}

// interesting returns a number at which code for integers of that width often branches. Bits above the width are undefined.
func interesting(r *Rand, width int) uint64 {
	switch c := r.Intn(8); c {
	case 0: // the ends of the ranges of signed and unsigned numbers
		ends := [...]uint64{0, 1, ^uint64(0), 1 << (width - 1), 1<<(width-1) - 1}
		return ends[r.Intn(len(ends))]
	case 1:
		return commonSizes[r.Intn(len(commonSizes))]
	case 2, 3:
		return -(uint64(1)<<r.Intn(width) + uint64(r.Intn(3)) - 1)
	}
	return uint64(1)<<r.Intn(width) + uint64(r.Intn(3)) - 1
}

// load reads all of b as an unsigned integer.
func load(b []byte, big bool) (v uint64) {
	if big {
		for _, c := range b {
			v = v<<8 | uint64(c)
		}
		return v
	}
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}

// store writes the low bytes of v over all of b.
func store(b []byte, v uint64, big bool) {
	for i := range b {
		at := i
		if big {
			at = len(b) - 1 - i
		}
		b[at] = byte(v)
		v >>= 8
	}
}
