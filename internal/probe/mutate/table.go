package mutate

// operator edits one buffer.
type operator struct {
	// name is a stable ID: it appears in traces and statistics.
	name string
	// apply may reuse b's storage. It never returns more than max(len(b), MaxLen) bytes, never turns a non-empty buffer
	// into an empty one, and ok=false means that b is untouched, true that the result differs from it.
	apply func(m *Material, b []byte) (out []byte, ok bool)
	// How often the operator is picked relative to others: on binary data, on text, on an empty buffer.
	binary, text, empty int
}

// operators lists every buffer operator with its weights. The proportions between the groups follow the shares that
// AFL++ 4 uses for binary and for text inputs, they are not measured on Go targets: in binary data numbers and bits
// matter most, in text moving, deleting and inserting meaningful parts does, and single interesting integers hardly do.
// Within a group the weights are even unless a reason is given.
var operators = [...]operator{
	// Bits and bytes: the smallest steps.
	{"flip-bit", flipBit, 14, 4, 0},
	{"set-byte", setByte, 8, 4, 0},
	{"xor-byte", xorByte, 10, 4, 0},
	{"swap-bytes", swapBytes, 4, 4, 0},
	// Integers in place. The wide ones are rarer: 16 and 32 bits are the usual sizes of fields.
	{"add-8", add8, 14, 6, 0},
	{"add-16", add16, 14, 1, 0},
	{"add-32", add32, 14, 1, 0},
	{"add-64", add64, 5, 1, 0},
	{"interesting-8", interesting8, 8, 3, 0},
	{"interesting-16", interesting16, 10, 1, 0},
	{"interesting-32", interesting32, 10, 1, 0},
	{"interesting-64", interesting64, 4, 1, 0},
	// Ranges. Deleting outweighs each way of inserting so that inputs do not creep upwards in length.
	{"delete-range", deleteRange, 14, 14, 0},
	{"insert-random", insertRandom, 6, 1, 12},
	{"insert-run", insertRun, 5, 2, 6},
	{"overwrite-run", overwriteRun, 6, 2, 0},
	{"duplicate-range", duplicateRange, 9, 12, 0},
	{"copy-range", copyRange, 8, 6, 0},
	{"swap-ranges", swapRanges, 4, 6, 0},
	{"shuffle-range", shuffleRange, 3, 2, 0},
	{"repeat-range", repeatRange, 2, 4, 0},
	// Tokens and the partner. On an empty buffer they are what leads anywhere.
	{"insert-token", insertToken, 11, 14, 24},
	{"overwrite-token", overwriteToken, 11, 10, 0},
	{"insert-partner", insertPartner, 9, 10, 24},
	{"overwrite-partner", overwritePartner, 9, 6, 0},
	{"crossover", crossover, 7, 8, 0},
	// Text. A few of them are kept for binary data, which often embeds text that is too short to be recognised.
	{"ascii-number", asciiNumber, 3, 16, 0},
	{"insert-char", insertChar, 1, 8, 16},
	{"replace-char", replaceChar, 1, 10, 0},
	{"toggle-case", toggleCase, 1, 4, 0},
	{"insert-rune", insertRune, 1, 5, 6},
	{"replace-rune", replaceRune, 0, 3, 0},
	{"replace-word", replaceWord, 1, 10, 0},
	{"replace-quoted", replaceQuoted, 0, 6, 0},
	{"delete-span", deleteSpan, 1, 8, 0},
	{"duplicate-span", duplicateSpan, 1, 8, 0},
	{"swap-spans", swapSpans, 1, 6, 0},
	{"nest-span", nestSpan, 1, 6, 0},
}

// The same weights, unrolled for picking with one draw: each index occurs as often as its weight says.
var (
	binaryPicks = unroll(func(o *operator) int { return o.binary })
	textPicks   = unroll(func(o *operator) int { return o.text })
	emptyPicks  = unroll(func(o *operator) int { return o.empty })
)

func unroll(weight func(*operator) int) []uint8 {
	var picks []uint8
	for i := range operators {
		for range weight(&operators[i]) {
			picks = append(picks, uint8(i))
		}
	}
	return picks
}

// Names returns the stable names of all operators: those of buffers, of integers, of floats and of whole arguments.
func Names() []string {
	var names []string
	for i := range operators {
		names = append(names, operators[i].name)
	}
	for _, ops := range [][]numberOperator{intOperators[:], floatOperators[:]} {
		for i := range ops {
			names = append(names, ops[i].name)
		}
	}
	names = append(names, boolFlipName)
	for i := range wholeOperators {
		names = append(names, wholeOperators[i].name)
	}
	return names
}
