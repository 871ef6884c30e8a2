package mutate

import "testing"

var spliceRows = []reach{
	{"insert a token anywhere", "insert-token", "ab", []string{"TOKab", "aTOKb", "abTOK"}, 200, []string{"TOK"}, ""},
	{"overwrite, also beyond the end", "overwrite-token", "abcd", []string{"TOKd", "aTOK", "abcTOK"}, 300, []string{"TOK"}, ""},
	{"insert parts of the partner", "insert-partner", "ab", []string{"aXYb", "abX", "XYZab"}, 500, nil, "XYZ"},
	{"overwrite at the same and another offset", "overwrite-partner", "abc", []string{"aYc", "Zbc", "XYZ"}, 500, nil, "XYZ"},
	{"take the tail or the head from the partner", "crossover", "abc", []string{"aYZ", "abcXYZ", "XYc", "XYZabc"}, 1000, nil, "XYZ"},
	{"crossover may shorten to the partner's part", "crossover", "abc", []string{"X", "Z"}, 1000, nil, "XYZ"},
	{"words in the place of words, and between", "splice-words", "one(two)", []string{"kiwi(two)", "one(kiwi)", "one(kiwitwo)"}, 2000, nil, "a.kiwi.b"},
}

func TestSpliceOperators(t *testing.T) { checkReach(t, spliceRows) }

func TestOverwritePartnerReachesEveryPart(t *testing.T) {
	checkReach(t, []reach{
		{"the end of a partner that is longer", "overwrite-partner", "a", []string{"X", "Y", "Z"}, 300, nil, "XYZ"},
	})
}

// Where two entries differ in one word only, crossover takes that word and not another copy of what they share.
func TestCrossoverCutsWhereTheTwoDiffer(t *testing.T) {
	const shared = "a long header that both have; value="
	op, m := operatorByName(t, "crossover"), reach{partner: shared + "kiwi plum; end of both of them"}.material(1)
	taken := 0
	for range 1000 {
		out, ok := op.apply(m, []byte(shared+"1234 5678; end of both of them"))
		if s := string(out); ok && (s == shared+"kiwi 5678; end of both of them" || s == shared+"1234 plum; end of both of them") {
			taken++
		}
	}
	if taken < 20 {
		t.Errorf("crossover took one word %d times in 1000", taken)
	}
}
