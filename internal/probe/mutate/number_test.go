package mutate

import (
	"math"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// numberReach says that a number operator makes each of want of the first argument.
type numberReach struct {
	name string // reads as a sentence
	op   string
	args []any
	want []any
}

const numberBudget = 20000

var numberRows = []numberReach{
	{"step to both sides", "int-step", []any{int8(127)}, []any{int8(126), int8(-128), int8(-94), int8(92)}},
	{"step below zero of an unsigned", "int-step", []any{uint16(0)}, []any{uint16(65535), uint16(35)}},
	{"limits of int8", "int-interesting", []any{int8(5)}, []any{int8(-128), int8(127), int8(0), int8(-1), int8(64), int8(-65)}},
	{"limits of uint64", "int-interesting", []any{uint64(5)}, []any{uint64(math.MaxUint64), uint64(1 << 63), uint64(1<<32 + 1), uint64(1000)}},
	{"limits of int", "int-interesting", []any{int64(5)}, []any{int64(math.MinInt64), int64(math.MaxInt64), int64(-1 << 31)}},
	{"flip the sign bit", "int-flip-bit", []any{int32(1)}, []any{int32(math.MinInt32 + 1), int32(0), int32(3)}},
	{"negate and invert", "int-negate", []any{int16(7)}, []any{int16(-7), int16(-8)}},
	{"small and large random numbers", "int-random", []any{uint8(9)}, []any{uint8(0), uint8(1), uint8(200), uint8(255)}},
	{"copy another argument", "int-copy", []any{int32(1), "x", uint16(40000)}, []any{int32(40000)}},
	{"copy cuts to the width", "int-copy", []any{int8(1), uint16(0x1ff)}, []any{int8(-1)}},
	{"the length of a buffer and its neighbours", "int-length", []any{uint8(99), "abcde"}, []any{uint8(4), uint8(5), uint8(6)}},
	{"one less than the length of nothing", "int-length", []any{int(99), ""}, []any{int(-1), int(0), int(1)}},
	{"scale up and down", "int-scale", []any{int(-70)}, []any{int(-10), int(-35), int(-700), int(-140)}},
	{"runes that are none", "int-rune", []any{'x'}, []any{rune(0xd800), rune(0x110000), rune(-1), rune(0x17f)}},
	{"edges of float64", "float-interesting", []any{1.5}, []any{
		math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 5e-324, math.MaxFloat64, math.Nextafter(1, 2), math.Nextafter(1, 0), 0.1, float64(1<<53 + 2),
	}},
	{"edges of float32", "float-interesting", []any{float32(1.5)}, []any{
		float32(math.MaxFloat32), math.Nextafter32(1, 2), math.Nextafter32(1, 0), float32(math.Inf(1)), float32(math.SmallestNonzeroFloat32),
	}},
	{"neighbours", "float-ulp", []any{1.0}, []any{math.Nextafter(1, 2), math.Nextafter(1, 0)}},
	{"powers of ten", "float-scale", []any{5.0}, []any{50.0, 0.5, 5e100}},
	{"the other sign", "float-sign", []any{float32(2)}, []any{float32(-2)}},
	{"flip an exponent bit", "float-flip-bit", []any{float32(1)}, []any{float32(math.Inf(1)), float32(-1), float32(0.5)}},
	{"numbers without a fraction", "float-integer", []any{1.5}, []any{0.0, 3.0, -2.0, 100.0}},
	{"units and hundredths", "float-step", []any{1.5}, []any{2.5, -33.5, 1.51}},
	{"copy another number", "float-copy", []any{1.5, int8(-3), float32(0.25)}, []any{-3.0, 0.25}},
}

func TestNumberOperators(t *testing.T) {
	ops := slices.Concat(intOperators[:], floatOperators[:])
	for _, r := range numberRows {
		t.Run(r.name, func(t *testing.T) {
			op := ops[slices.IndexFunc(ops, func(o numberOperator) bool { return o.name == r.op })]
			a, err := input.FromValues(r.args)
			if err != nil {
				t.Fatal(err)
			}
			got := map[uint64]bool{}
			m := &Material{Rand: NewRand(1)}
			for range numberBudget {
				got[Normalize(a[0].Kind, op.apply(m, a, 0))] = true
			}
			want, err := input.FromValues(r.want)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want {
				if !got[w.Bits] {
					t.Errorf("%s(%v) never produced %v in %d tries", r.op, r.args, r.want[i], numberBudget)
				}
			}
		})
	}
	for _, op := range ops {
		if !slices.ContainsFunc(numberRows, func(r numberReach) bool { return r.op == op.name }) {
			t.Errorf("operator %q has no reachability row", op.name)
		}
	}
}

func TestFloatOperatorsReachNaN(t *testing.T) {
	a := input.Args{{Kind: input.Float64}}
	m := &Material{Rand: NewRand(1)}
	for range numberBudget {
		if f := math.Float64frombits(floatInteresting(m, a, 0)); f != f {
			return
		}
	}
	t.Errorf("float-interesting never produced NaN in %d tries", numberBudget)
}

func TestNormalizeAgreesWithTheGoTypes(t *testing.T) {
	patterns := []uint64{0, 1, 0x7f, 0x80, 0xff80, 0x8000, 0x12345678, 0x80000000, 0xff7fffff, 1 << 63, ^uint64(0), 0x3ff0000000000000}
	for k := input.Bool; k.Valid(); k++ {
		for _, bits := range patterns {
			v := input.Value{Kind: k, Bits: Normalize(k, bits)}
			back, err := input.FromValues([]any{v.Go()})
			if err != nil {
				t.Fatal(err)
			}
			if back[0].Bits != v.Bits {
				t.Errorf("Normalize(%v, %#x) = %#x, but its Go value has %#x", k, bits, v.Bits, back[0].Bits)
			}
			if again := Normalize(k, v.Bits); again != v.Bits {
				t.Errorf("Normalize(%v, %#x) = %#x, not the same again", k, v.Bits, again)
			}
		}
	}
	if got := Normalize(input.Bytes, 7); got != 0 {
		t.Errorf("Normalize(Bytes, 7) = %d, want 0", got)
	}
}
