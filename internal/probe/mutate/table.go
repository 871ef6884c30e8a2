package mutate

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

// operator edits one buffer.
type operator struct {
	// name is a stable ID: it appears in traces and statistics.
	name string
	// apply may reuse b's storage. It never returns more than max(len(b), MaxLen) bytes, never turns a non-empty buffer
	// into an empty one, and ok=false means that b is untouched, true that the result differs from it.
	apply func(m *Material, b []byte) (out []byte, ok bool)
	// How often the operator is picked relative to others: on binary data, on text, on JSON, on an empty buffer.
	binary, text, json, empty int
	// part is the technique that the operator belongs to; 0 means none. It is not picked if all of them are off.
	part technique.Set
}

// anyToken is the part of operators that use tokens: they are picked as long as there is one source of tokens.
const anyToken = technique.Dictionary | technique.Tokens

// operators lists every buffer operator with its weights. The proportions between the groups follow the shares that
// AFL++ 4 uses for binary and for text inputs, they are not measured on Go targets: in binary data numbers and bits
// matter most, in text moving, deleting and inserting meaningful parts does, and single interesting integers hardly do.
// JSON is text in which most edits of characters end in the same syntax errors, so values and members come first. Within
// a group the weights are even unless a reason is given.
var operators = [...]operator{
	// Bits and bytes: the smallest steps.
	{"flip-bit", flipBit, 14, 4, 4, 0, 0},
	{"set-byte", setByte, 8, 4, 4, 0, 0},
	{"xor-byte", xorByte, 10, 4, 4, 0, 0},
	{"swap-bytes", swapBytes, 4, 4, 3, 0, 0},
	// Integers in place. The wide ones are rarer: 16 and 32 bits are the usual sizes of fields.
	{"add-8", add8, 14, 6, 4, 0, 0},
	{"add-16", add16, 14, 1, 0, 0, 0},
	{"add-32", add32, 14, 1, 0, 0, 0},
	{"add-64", add64, 5, 1, 0, 0, 0},
	{"interesting-8", interesting8, 8, 3, 1, 0, 0},
	{"interesting-16", interesting16, 10, 1, 0, 0, 0},
	{"interesting-32", interesting32, 10, 1, 0, 0, 0},
	{"interesting-64", interesting64, 4, 1, 0, 0, 0},
	// Ranges. Deleting outweighs each way of inserting so that inputs do not creep upwards in length.
	{"delete-range", deleteRange, 14, 14, 10, 0, 0},
	{"insert-random", insertRandom, 6, 1, 1, 12, 0},
	{"insert-run", insertRun, 5, 2, 1, 6, 0},
	{"overwrite-run", overwriteRun, 6, 2, 1, 0, 0},
	{"duplicate-range", duplicateRange, 9, 12, 8, 0, 0},
	{"copy-range", copyRange, 8, 6, 5, 0, 0},
	{"swap-ranges", swapRanges, 4, 6, 2, 0, 0},
	{"shuffle-range", shuffleRange, 3, 2, 1, 0, 0},
	{"repeat-range", repeatRange, 2, 4, 3, 0, 0},
	// Tokens and the partner. On an empty buffer only they lead to something new.
	{"insert-token", insertToken, 11, 12, 10, 24, anyToken},
	{"overwrite-token", overwriteToken, 11, 8, 7, 0, anyToken},
	{"insert-partner", insertPartner, 9, 8, 6, 24, technique.Splice},
	{"overwrite-partner", overwritePartner, 9, 5, 4, 0, technique.Splice},
	{"crossover", crossover, 7, 6, 3, 0, technique.Splice},
	{"splice-words", spliceWords, 1, 4, 2, 0, technique.Splice},
	// Fields that hold a length.
	{"length-field", lengthField, 6, 0, 0, 0, technique.LengthFields},
	{"put-length", putLength, 4, 1, 0, 0, technique.LengthFields},
	{"insert-field", insertField, 6, 0, 0, 0, technique.LengthFields},
	{"move-record", moveRecord, 7, 0, 0, 0, technique.LengthFields},
	// Text. A few of them are kept for binary data, which often embeds text that is too short to be recognised.
	{"ascii-number", asciiNumber, 3, 14, 9, 0, technique.Text},
	{"number-form", numberForm, 1, 5, 4, 0, technique.Text},
	{"insert-char", insertChar, 1, 8, 7, 16, 0},
	{"replace-char", replaceChar, 1, 10, 9, 0, 0},
	{"toggle-case", toggleCase, 1, 4, 4, 0, technique.Text},
	{"insert-rune", insertRune, 1, 5, 3, 6, technique.Runes},
	{"replace-rune", replaceRune, 0, 3, 2, 0, technique.Runes},
	{"any-rune", anyRune, 0, 2, 2, 2, technique.Runes},
	{"cut-rune", cutRune, 0, 1, 1, 0, technique.Runes},
	{"fold-rune", foldRune, 0, 3, 2, 0, technique.Runes},
	{"replace-word", replaceWord, 1, 7, 4, 0, technique.Text},
	{"replace-lexeme", replaceLexeme, 1, 6, 2, 0, technique.Text},
	{"move-lexeme", moveLexeme, 0, 3, 1, 0, technique.Text},
	{"insert-word", insertWord, 1, 5, 2, 0, technique.Text},
	{"wrap-lexeme", wrapLexeme, 0, 4, 2, 0, technique.Text},
	{"repeat-opener", repeatOpener, 0, 2, 1, 0, technique.Text},
	{"close-brackets", closeBrackets, 0, 3, 2, 0, technique.Text},
	{"delete-delimiter", deleteDelimiter, 0, 4, 3, 0, technique.Text},
	{"replace-quoted", replaceQuoted, 0, 6, 5, 0, technique.Text},
	{"delete-span", deleteSpan, 1, 8, 3, 0, technique.Text},
	{"duplicate-span", duplicateSpan, 1, 8, 3, 0, technique.Text},
	{"swap-spans", swapSpans, 1, 4, 1, 0, technique.Text},
	{"nest-span", nestSpan, 1, 5, 2, 0, technique.Text},
	// JSON.
	{"json-delete", jsonDelete, 0, 0, 3, 0, technique.JSON},
	{"json-duplicate", jsonDuplicate, 0, 0, 3, 0, technique.JSON},
	{"json-swap", jsonSwap, 0, 0, 2, 0, technique.JSON},
	{"json-value", jsonValue, 0, 0, 5, 0, technique.JSON},
	{"json-splice", jsonSplice, 0, 0, 3, 0, technique.JSON},
	{"json-key", jsonKey, 0, 0, 5, 0, technique.JSON},
	{"json-escape", jsonEscape, 0, 0, 2, 0, technique.JSON},
	{"json-nest", jsonNest, 0, 0, 1, 0, technique.JSON},
	{"json-lax", jsonLax, 0, 0, 1, 0, technique.JSON},
}

// tables are what operators are picked from with one draw: each index occurs as often as its weight says.
type tables struct{ binary, text, json, strict, empty, ints, floats []uint8 }

// allTables are the tables with no technique off.
var allTables = unrollAll(0)

// makeTables returns the tables with those operators left out that belong to what is off. It allocates, unless nothing is.
func makeTables(without technique.Set) *tables {
	if without == 0 {
		return allTables
	}
	return unrollAll(without)
}

func unrollAll(without technique.Set) *tables {
	return &tables{
		binary: unroll(without, func(o *operator) int { return o.binary }),
		text:   unroll(without, func(o *operator) int { return o.text }),
		json:   unroll(without, func(o *operator) int { return o.json }),
		strict: unroll(without, strictWeight),
		empty:  unroll(without, func(o *operator) int { return o.empty }),
		ints:   unrollNumbers(without, intOperators[:]),
		floats: unrollNumbers(without, floatOperators[:]),
	}
}

// strictWeight is the weight of an operator in JSON that is to stay valid.
func strictWeight(o *operator) int {
	if o.part != technique.JSON || o.name == "json-lax" || o.name == "json-escape" {
		return 0
	}
	return o.json
}

func unroll(without technique.Set, weight func(*operator) int) []uint8 {
	var picks []uint8
	for i := range operators {
		o := &operators[i]
		if o.part != 0 && without.Has(o.part) {
			continue
		}
		for range weight(o) {
			picks = append(picks, uint8(i))
		}
	}
	return picks
}

func unrollNumbers(without technique.Set, ops []numberOperator) []uint8 {
	var picks []uint8
	for i := range ops {
		if ops[i].part != 0 && without.Has(ops[i].part) {
			continue
		}
		for range ops[i].weight {
			picks = append(picks, uint8(i))
		}
	}
	return picks
}
