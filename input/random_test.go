package input

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// allKinds lists every kind once.
func allKinds() []Kind {
	var ks []Kind
	for k := Bytes; k < numKinds; k++ {
		ks = append(ks, k)
	}
	return ks
}

// edgeBits are the numbers at which some encoding of some kind changes: signs, limits, surrogates, special floats.
var edgeBits = []uint64{
	0, 1, '\'', '"', '\\', '\n', 0x7f, 0x80, 0xff, 0x100, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfffd, 0x10ffff, 0x110000,
	math.MaxInt32, 1 << 31, math.MaxUint32, 1 << 32, math.MaxInt64, 1 << 63, math.MaxUint64,
	0x7f800000, 0xff800000, 0x7f800001, 0x7fc00000, 0x7fc00001, 0xffc00000, 0xffffffff, // infinities and NaNs of 32 bits
	0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff8000000000001, 0x7ff0000000000001, 0xfff8000000000001,
	math.Float64bits(1e20), math.Float64bits(1e21), math.Float64bits(1e-5), math.Float64bits(5e-324),
	uint64(math.Float32bits(1e20)), uint64(math.Float32bits(1e21)), uint64(math.Float32bits(0.1)),
}

// edgeTexts are buffers whose quoted form is not their content.
var edgeTexts = []string{
	"", "\x00", "\r\n", "`", `"\`, "\xff\xfe", "\xed\xa0\x80", "é\u2028\U0010ffff", "\ufeff", "\ufffd", "\u00a0", "go test fuzz v1\n",
}

// randomValue returns a value of kind k as this package keeps it: bits beyond the width repeat the sign.
func randomValue(r *rand.Rand, k Kind) Value {
	if k.IsBuffer() {
		data := make([]byte, r.IntN(20))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if r.IntN(2) == 0 {
			data = append(data, edgeTexts[r.IntN(len(edgeTexts))]...)
		}
		return Value{Kind: k, Data: data}
	}
	bits := r.Uint64() >> r.IntN(64)
	if r.IntN(2) == 0 {
		bits = edgeBits[r.IntN(len(edgeBits))]
	}
	v, err := FromValues([]any{Value{Kind: k, Bits: bits}.Go()})
	if err != nil {
		panic(err)
	}
	return v[0]
}

func randomArgs(r *rand.Rand, kinds []Kind) Args {
	a := make(Args, len(kinds))
	for i, k := range kinds {
		a[i] = randomValue(r, k)
	}
	return a
}

func randomKinds(r *rand.Rand) []Kind {
	ks := make([]Kind, 1+r.IntN(5))
	for i := range ks {
		ks[i] = Kind(1 + r.IntN(int(numKinds)-1))
	}
	return ks
}

// describe writes Go values bit by bit. The generated module of TestTextAgreesWithGoTest has the same function.
func describe(vals []any) string {
	s := ""
	for _, v := range vals {
		switch v := v.(type) {
		case []byte:
			s += fmt.Sprintf(" bytes:%x", v)
		case string:
			s += fmt.Sprintf(" string:%x", v)
		case float32:
			s += fmt.Sprintf(" float32:%x", math.Float32bits(v))
		case float64:
			s += fmt.Sprintf(" float64:%x", math.Float64bits(v))
		default:
			s += fmt.Sprintf(" %T:%v", v, v)
		}
	}
	return s
}
