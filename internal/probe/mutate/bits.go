package mutate

// flipBit inverts one bit.
func flipBit(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	bit := m.Rand.Intn(8 * len(b))
	b[bit/8] ^= 1 << (bit % 8)
	return b, true
}

// edgeBytes are values at which code for single bytes often branches: ends of ranges, terminators, blanks.
var edgeBytes = [...]byte{0, 1, 0x7f, 0x80, 0xff, 0xfe, ' ', '\n', '0', '/', '"', '\\'}

// setByte sets one byte to a value that occurs elsewhere in the buffer, which is likely to mean something to the
// target, or to an edge value.
func setByte(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	at := m.Rand.Intn(len(b))
	v := b[m.Rand.Intn(len(b))]
	if m.Rand.Bool() {
		v = edgeBytes[m.Rand.Intn(len(edgeBytes))]
	}
	if b[at] == v {
		return b, false
	}
	b[at] = v
	return b, true
}

// xorByte changes one byte to any other value with equal probability.
func xorByte(m *Material, b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	b[m.Rand.Intn(len(b))] ^= byte(1 + m.Rand.Intn(255))
	return b, true
}

// swapBytes exchanges two bytes.
func swapBytes(m *Material, b []byte) ([]byte, bool) {
	if len(b) < 2 {
		return b, false
	}
	i, j := m.Rand.Intn(len(b)), m.Rand.Intn(len(b))
	if b[i] == b[j] {
		return b, false
	}
	b[i], b[j] = b[j], b[i]
	return b, true
}
