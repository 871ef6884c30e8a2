package mutate

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// Normalize returns bits in the form that input.Value documents for the kind: a signed integer extended by its sign, an
// unsigned one and a float32 by zeros, a bool as 0 or 1. For buffers it returns 0.
func Normalize(k input.Kind, bits uint64) uint64 {
	switch k {
	case input.Bool:
		return bits & 1
	case input.Int8:
		return uint64(int8(bits))
	case input.Int16:
		return uint64(int16(bits))
	case input.Int32:
		return uint64(int32(bits))
	case input.Uint8:
		return uint64(uint8(bits))
	case input.Uint16:
		return uint64(uint16(bits))
	case input.Uint32, input.Float32:
		return uint64(uint32(bits))
	case input.Int, input.Int64, input.Uint, input.Uint64, input.Float64:
		return bits
	}
	return 0
}

// numberOperator returns new bits for the number a[i]; those above its width are cut off. Returning the old bits means
// that it does not apply.
type numberOperator struct {
	name   string
	apply  func(m *Material, a input.Args, i int) uint64
	weight int
	part   technique.Set // as for operator
}

// intOperators: small steps, edge values and lengths are what integer arguments are compared with most.
var intOperators = [...]numberOperator{
	{"int-step", intStep, 8, 0},
	{"int-interesting", intInteresting, 8, 0},
	{"int-flip-bit", numberFlipBit, 3, 0},
	{"int-negate", intNegate, 1, 0},
	{"int-random", intRandom, 5, 0},
	{"int-copy", intCopy, 3, 0},
	{"int-length", intLength, 4, 0},
	{"int-scale", intScale, 3, 0},
	{"int-rune", intRune, 2, 0},
	{"int-token", intToken, 3, anyToken},
}

const boolFlipName = "bool-flip"

// numberStackLimit: a number is rarely worth more than one step, but a bit flip on top of an edge value is.
const numberStackLimit = 3

// mutateNumber changes argument i, which is not a buffer.
func mutateNumber(m *Material, a input.Args, i int) (changed bool) {
	k, before := a[i].Kind, a[i].Bits
	ops, picks := intOperators[:], m.tables.ints
	switch k {
	case input.Bool:
		a[i].Bits = ^a[i].Bits & 1
		m.trace(boolFlipName)
		return true
	case input.Float32, input.Float64:
		ops, picks = floatOperators[:], m.tables.floats
	}
	if k.Width() == 0 {
		return false
	}
	for range m.Rand.Geometric(numberStackLimit) {
		for range operatorTries {
			op := &ops[picks[m.Rand.Intn(len(picks))]]
			m.drawn = -1
			v := Normalize(k, op.apply(m, a, i))
			if v != a[i].Bits {
				a[i].Bits = v
				m.trace(op.name)
				if m.drawn >= 0 {
					m.chain.use(m.drawn)
				}
				break
			}
		}
	}
	return a[i].Bits != before
}

func isInt(k input.Kind) bool { return k >= input.Int && k <= input.Uint64 }

func isSigned(k input.Kind) bool { return k >= input.Int && k <= input.Int64 }

func intStep(m *Material, a input.Args, i int) uint64 { return a[i].Bits + step(m.Rand) }

func intInteresting(m *Material, a input.Args, i int) uint64 {
	return interesting(m.Rand, a[i].Kind.Width())
}

func numberFlipBit(m *Material, a input.Args, i int) uint64 {
	return a[i].Bits ^ 1<<m.Rand.Intn(a[i].Kind.Width())
}

// intNegate negates, or inverts all bits, which for unsigned numbers is the distance to the maximum.
func intNegate(m *Material, a input.Args, i int) uint64 {
	if m.Rand.Bool() {
		return ^a[i].Bits
	}
	return -a[i].Bits
}

// intRandom returns a number of any size with either sign: small ones are as likely as large ones.
func intRandom(m *Material, a input.Args, i int) uint64 {
	v := m.Rand.LogUniform(a[i].Kind.Width())
	if isSigned(a[i].Kind) && m.Rand.Bool() {
		return -v
	}
	return v
}

// intCopy takes the value of another integer argument, or of the partner's.
func intCopy(m *Material, a input.Args, i int) uint64 {
	from := a
	if len(m.Pool) > 0 && (len(a) == 1 || m.Rand.Bool()) {
		from = m.tuple()
	}
	start := m.Rand.Intn(len(from))
	for k := range from {
		if v := &from[(start+k)%len(from)]; isInt(v.Kind) && v.Bits != a[i].Bits {
			return v.Bits
		}
	}
	return a[i].Bits
}

// intLength takes the length of a buffer argument, often one more or less: an index, a count or a size.
func intLength(m *Material, a input.Args, i int) uint64 {
	start := m.Rand.Intn(len(a))
	for k := range a {
		if v := &a[(start+k)%len(a)]; v.Kind.IsBuffer() {
			return uint64(len(v.Data)) + uint64(m.Rand.Intn(3)) - 1
		}
	}
	return a[i].Bits
}

// intScale multiplies or divides by a small number or by ten.
func intScale(m *Material, a input.Args, i int) uint64 {
	factors := [...]uint64{2, 2, 3, 7, 8, 10, 60, 1000}
	f := factors[m.Rand.Intn(len(factors))]
	switch v := a[i].Bits; {
	case m.Rand.Bool():
		return v * f
	case isSigned(a[i].Kind):
		return uint64(int64(v) / int64(f))
	default:
		return v / f
	}
}

// runeEdges are code points around the ends of what is valid, of UTF-8 lengths, and with odd case mappings.
var runeEdges = [...]int32{
	-1, 0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000,
	0x10ffff, 0x110000, 0x130, 0x131, 0x17f, 0x212a, 0x301, 0x200d, 0x202e, 0x2028, 0x85, 0xa0, 0x660, 0x4e16, 0x1f600,
	'\n', ' ', '"', '/', '\\', '0', '9', 'A', 'Z', 'a', 'z', -1 << 31, 1<<31 - 1,
}

// intRune applies to int32, which may be a rune, only.
func intRune(m *Material, a input.Args, i int) uint64 {
	if a[i].Kind != input.Int32 {
		return a[i].Bits
	}
	return uint64(runeEdges[m.Rand.Intn(len(runeEdges))])
}
