package engine

import (
	"math"

	"github.com/gnaw-fuzz/gnaw/input"
)

const (
	// maxBases is how many seeds boundary inputs are made of: those of one target mostly have the same format.
	maxBases = 4
	// maxBaseSize is how many bytes such a seed may have. Larger ones take long to execute.
	maxBaseSize = 64 << 10
	// maxBoundary is how many boundary inputs there are at most. A target of two arguments has about twenty.
	maxBoundary = 64
)

// boundaryInputs returns inputs with values at which code of any kind has special cases, in the order of their execution: the zero value
// of all arguments, that of each argument with the others of a base, and the boundary values of each argument with the others of the
// first base. Without a base the others are zero. Some inputs may be equal.
func boundaryInputs(kinds []input.Kind, bases []input.Args) (list []Imported) {
	add := func(a input.Args) {
		if len(list) < maxBoundary {
			list = append(list, Imported{Args: a})
		}
	}
	zero := input.Zero(kinds)
	add(zero)
	for _, base := range bases {
		for i := range kinds {
			add(replaced(base, i, zero[i]))
		}
	}
	first := zero
	if len(bases) > 0 {
		first = bases[0]
	}
	for n, more := 0, true; more; n++ { // by turns, so that each argument has some if there are many
		more = false
		for i, kind := range kinds {
			if values := boundaries(kind); n < len(values) {
				add(replaced(first, i, values[n]))
				more = true
			}
		}
	}
	return list
}

// replaced returns a with another value of one argument. Both share the buffers.
func replaced(a input.Args, arg int, v input.Value) input.Args {
	a = append(input.Args(nil), a...)
	a[arg] = v
	return a
}

// boundaries returns the boundary values of a kind besides zero: the ends of its range, and values that are not ordinary ones.
func boundaries(kind input.Kind) []input.Value {
	width := kind.Width()
	switch kind {
	case input.Bytes, input.String: // a byte that ends a string in C, and one that is not UTF-8
		return []input.Value{{Kind: kind, Data: []byte{0}}, {Kind: kind, Data: []byte{0xff}}}
	case input.Bool:
		return numbers(kind, 1)
	case input.Float32, input.Float64:
		list := []input.Value{}
		for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)} {
			list = append(list, numbers(kind, kind.FloatBits(f))...)
		}
		return list
	case input.Int, input.Int8, input.Int16, input.Int32, input.Int64:
		least := ^uint64(0) << (width - 1)
		list := numbers(kind, least, ^least, ^uint64(0))
		if kind == input.Int32 { // a rune that is a surrogate, and one that is none
			list = append(list, numbers(kind, 0xd800, 0x110000)...)
		}
		return list
	}
	return numbers(kind, ^uint64(0)>>(64-width))
}

func numbers(kind input.Kind, bits ...uint64) (list []input.Value) {
	for _, b := range bits {
		list = append(list, input.Value{Kind: kind, Bits: b})
	}
	return list
}
