package cover

// quietLines looks at the lines whose bits are set in hot, of which there are words words. A line in which each counter
// is zero or between the same bytes of low and high is cleared; the numbers of the others are written to loud, which has
// room for all, and their count is returned.
func quietLines(counters, low, high, hot *uint64, words int, loud *int32) (n int) {
	if haveAVX2 {
		return quietLinesAVX2(counters, low, high, hot, words, loud)
	}
	return quietLinesSSE2(counters, low, high, hot, words, loud)
}

var haveAVX2 = hasAVX2()

// hasAVX2 reports whether the processor has AVX2, and BMI1 as all have that do, and the system saves its registers.
func hasAVX2() bool

// quietLinesAVX2 looks at 32 counters at once.
//
//go:noescape
func quietLinesAVX2(counters, low, high, hot *uint64, words int, loud *int32) (n int)

// quietLinesSSE2 is for the amd64 machines that have no AVX2.
//
//go:noescape
func quietLinesSSE2(counters, low, high, hot *uint64, words int, loud *int32) (n int)

// zeroLines returns how many of the first lines, of which there are n, have counters that are all zero.
//
//go:noescape
func zeroLines(counters *uint64, n int) int
