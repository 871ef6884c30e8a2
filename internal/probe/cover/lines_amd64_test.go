package cover

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBothKindsOfInstructionsFindTheSameLines(t *testing.T) {
	if !haveAVX2 {
		t.Skip("this processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 2))
	const lines = 200
	word := func(zeros int) uint64 {
		w := r.Uint64()
		for range zeros {
			w &= r.Uint64()
		}
		return w
	}
	for range 200 {
		counters, low, high := make([]uint64, lines*lineWords), make([]uint64, lines*lineWords), make([]uint64, lines*lineWords)
		hot := make([]uint64, lines/64+1)
		for i := range counters {
			counters[i], low[i], high[i] = word(4), word(2), ^word(5)
		}
		for line := range lines {
			hot[line/64] |= uint64(r.IntN(2)) << (line % 64)
		}
		held := slices.Clone(counters)
		wide, narrow := make([]int32, 64*len(hot)), make([]int32, 64*len(hot))
		n := quietLinesAVX2(&counters[0], &low[0], &high[0], &hot[0], len(hot), &wide[0])
		m := quietLinesSSE2(&held[0], &low[0], &high[0], &hot[0], len(hot), &narrow[0])
		if !slices.Equal(wide[:n], narrow[:m]) || !slices.Equal(counters, held) {
			t.Fatalf("AVX2 finds the lines %v, SSE2 finds %v", wide[:n], narrow[:m])
		}
		if n == 0 || n == lines {
			t.Fatalf("%d of %d lines are loud: the test tests nothing", n, lines)
		}
	}
}
