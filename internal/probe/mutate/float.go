package mutate

import (
	"math"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// floatOperators change floating-point numbers. Hooks do not report comparisons of floats, so operators guess edge values.
var floatOperators = [...]numberOperator{
	{"float-interesting", floatInteresting, 8, technique.Floats},
	{"float-ulp", floatULP, 3, technique.Floats},
	{"float-scale", floatScale, 4, 0},
	{"float-sign", floatSign, 2, 0},
	{"float-flip-bit", numberFlipBit, 3, 0},
	{"float-integer", floatInteger, 5, 0},
	{"float-step", floatStep, 4, 0},
	{"float-copy", floatCopy, 3, 0},
	{"float-token", floatToken, 4, anyToken},
}

// floatEdges are values at which arithmetic, conversion or printing has special cases. On conversion to float32 those out of its
// range become infinite or zero, which are special cases as well.
var floatEdges = [...]float64{
	0, math.Copysign(0, -1), 1, -1, 0.1, 0.5, 2, 10, 1.0 / 3,
	1 + 0x1p-52, 1 - 0x1p-53, 1 + 0x1p-23, 1 - 0x1p-24,
	math.SmallestNonzeroFloat64, 0x1p-1022, math.MaxFloat64, -math.MaxFloat64,
	math.SmallestNonzeroFloat32, 0x1p-126, math.MaxFloat32, -math.MaxFloat32,
	1<<53 - 1, 1 << 53, 1<<53 + 2, 1<<24 - 1, 1 << 24, 1<<24 + 2,
	1 << 31, 1<<31 - 1, -1 << 31, 1 << 32, 1 << 63, -1 << 63, 1 << 64,
	1e15, 1e16, 1e21, 1e22, 1e23, 1e-7, 1e-5, 1e308, 1e-308, 2.2250738585072011e-308,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64 / 2,
}

func floatInteresting(m *Material, a input.Args, i int) uint64 {
	return a[i].Kind.FloatBits(floatEdges[m.Rand.Intn(len(floatEdges))])
}

// floatULP goes to the next number up or down.
func floatULP(m *Material, a input.Args, i int) uint64 {
	if m.Rand.Bool() {
		return a[i].Bits + 1
	}
	return a[i].Bits - 1
}

// floatScale multiplies by a power of ten, or divides.
func floatScale(m *Material, a input.Args, i int) uint64 {
	powers := [...]float64{10, 100, 1e3, 1e6, 1e9, 1e18, 1e100, 0.1, 0.01, 1e-3, 1e-6, 1e-9, 1e-18, 1e-100, 2, 0.5}
	return a[i].Kind.FloatBits(a[i].Float() * powers[m.Rand.Intn(len(powers))])
}

func floatSign(_ *Material, a input.Args, i int) uint64 {
	return a[i].Bits ^ 1<<(a[i].Kind.Width()-1)
}

// floatInteger returns a number without a fraction, of any size and sign.
func floatInteger(m *Material, a input.Args, i int) uint64 {
	f := float64(m.Rand.LogUniform(64))
	if m.Rand.Bool() {
		f = -f
	}
	return a[i].Kind.FloatBits(f)
}

// floatStep adds or subtracts a small number of units, or of hundredths.
func floatStep(m *Material, a input.Args, i int) uint64 {
	d := float64(int64(step(m.Rand)))
	if m.Rand.Chance(1, 4) {
		d /= 100
	}
	return a[i].Kind.FloatBits(a[i].Float() + d)
}

// floatCopy takes the value of another number argument, or of the partner's.
func floatCopy(m *Material, a input.Args, i int) uint64 {
	from := a
	if len(m.Pool) > 0 && (len(a) == 1 || m.Rand.Bool()) {
		from = m.tuple()
	}
	start := m.Rand.Intn(len(from))
	for k := range from {
		v := &from[(start+k)%len(from)]
		switch {
		case v.Kind == input.Float32 || v.Kind == input.Float64:
			if bits := a[i].Kind.FloatBits(v.Float()); bits != a[i].Bits {
				return bits
			}
		case isSigned(v.Kind):
			return a[i].Kind.FloatBits(float64(int64(v.Bits)))
		case isInt(v.Kind):
			return a[i].Kind.FloatBits(float64(v.Bits))
		}
	}
	return a[i].Bits
}
