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

	tokens []string
}

const numberBudget = 20000

var numberRows = []numberReach{
	{name: "step to both sides", op: "int-step", args: []any{int8(127)}, want: []any{int8(126), int8(-128), int8(-94), int8(92)}},
	{name: "step below zero of an unsigned", op: "int-step", args: []any{uint16(0)}, want: []any{uint16(65535), uint16(35)}},
	{name: "limits of int8", op: "int-interesting", args: []any{int8(5)}, want: []any{int8(-128), int8(127), int8(0), int8(-1), int8(64), int8(-65)}},
	{name: "limits of uint64", op: "int-interesting", args: []any{uint64(5)}, want: []any{uint64(math.MaxUint64), uint64(1 << 63), uint64(1<<32 + 1), uint64(1000)}},
	{name: "limits of int", op: "int-interesting", args: []any{int64(5)}, want: []any{int64(math.MinInt64), int64(math.MaxInt64), int64(-1 << 31)}},
	{name: "flip the sign bit", op: "int-flip-bit", args: []any{int32(1)}, want: []any{int32(math.MinInt32 + 1), int32(0), int32(3)}},
	{name: "negate and invert", op: "int-negate", args: []any{int16(7)}, want: []any{int16(-7), int16(-8)}},
	{name: "small and large random numbers", op: "int-random", args: []any{uint8(9)}, want: []any{uint8(0), uint8(1), uint8(200), uint8(255)}},
	{name: "copy another argument", op: "int-copy", args: []any{int32(1), "x", uint16(40000)}, want: []any{int32(40000)}},
	{name: "copy cuts to the width", op: "int-copy", args: []any{int8(1), uint16(0x1ff)}, want: []any{int8(-1)}},
	{name: "the length of a buffer and its neighbours", op: "int-length", args: []any{uint8(99), "abcde"}, want: []any{uint8(4), uint8(5), uint8(6)}},
	{name: "one less than the length of nothing", op: "int-length", args: []any{int(99), ""}, want: []any{int(-1), int(0), int(1)}},
	{name: "scale up and down", op: "int-scale", args: []any{int(-70)}, want: []any{int(-10), int(-35), int(-700), int(-140)}},
	{name: "runes that are none", op: "int-rune", args: []any{'x'}, want: []any{rune(0xd800), rune(0x110000), rune(-1), rune(0x17f)}},
	{name: "edges of float64", op: "float-interesting", args: []any{1.5}, want: []any{
		math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 5e-324, math.MaxFloat64, math.Nextafter(1, 2), math.Nextafter(1, 0), 0.1, float64(1<<53 + 2),
	}},
	{name: "edges of float32", op: "float-interesting", args: []any{float32(1.5)}, want: []any{
		float32(math.MaxFloat32), math.Nextafter32(1, 2), math.Nextafter32(1, 0), float32(math.Inf(1)), float32(math.SmallestNonzeroFloat32),
	}},
	{name: "neighbours", op: "float-ulp", args: []any{1.0}, want: []any{math.Nextafter(1, 2), math.Nextafter(1, 0)}},
	{name: "powers of ten", op: "float-scale", args: []any{5.0}, want: []any{50.0, 0.5, 5e100}},
	{name: "the other sign", op: "float-sign", args: []any{float32(2)}, want: []any{float32(-2)}},
	{name: "flip an exponent bit", op: "float-flip-bit", args: []any{float32(1)}, want: []any{float32(math.Inf(1)), float32(-1), float32(0.5)}},
	{name: "numbers without a fraction", op: "float-integer", args: []any{1.5}, want: []any{0.0, 3.0, -2.0, 100.0}},
	{name: "units and hundredths", op: "float-step", args: []any{1.5}, want: []any{2.5, -33.5, 1.51}},
	{name: "copy another number", op: "float-copy", args: []any{1.5, int8(-3), float32(0.25)}, want: []any{-3.0, 0.25}},
	{
		name: "a literal of the program", op: "float-token", args: []any{1.5}, want: []any{299792.458, -1e-9, 6.02214076e23, 42.0},
		tokens: []string{"299792.458", "word", "-1e-9", "6.02214076e23", "42"},
	},
	{name: "a literal for a float32", op: "float-token", args: []any{float32(1)}, want: []any{float32(0.3)}, tokens: []string{"0.3"}},
	{
		name: "an integer of the program", op: "int-token", args: []any{int64(1)}, want: []any{int64(90210), int64(-7)},
		tokens: []string{"90210", "2.5", "", "-7", "x1"},
	},
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
			m := reach{tokens: r.tokens}.material(1)
			m.Pool = nil
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
	m := &Material{chain: &Chain{}, Rand: NewRand(1)}
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
