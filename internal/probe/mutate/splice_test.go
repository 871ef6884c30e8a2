package mutate

import "testing"

var spliceRows = []reach{
	{"insert a token anywhere", "insert-token", "ab", []string{"TOKab", "aTOKb", "abTOK"}, 200, []string{"TOK"}, ""},
	{"overwrite, also beyond the end", "overwrite-token", "abcd", []string{"TOKd", "aTOK", "abcTOK"}, 300, []string{"TOK"}, ""},
	{"insert parts of the partner", "insert-partner", "ab", []string{"aXYb", "abX", "XYZab"}, 500, nil, "XYZ"},
	{"overwrite at the same and another offset", "overwrite-partner", "abc", []string{"aYc", "Zbc", "XYZ"}, 500, nil, "XYZ"},
	{"take the tail or the head from the partner", "crossover", "abc", []string{"aYZ", "abcXYZ", "XYc", "XYZabc"}, 1000, nil, "XYZ"},
	{"crossover may shorten to the partner's part", "crossover", "abc", []string{"X", "Z"}, 1000, nil, "XYZ"},
}

func TestSpliceOperators(t *testing.T) { checkReach(t, spliceRows) }

func TestOverwritePartnerReachesEveryPart(t *testing.T) {
	checkReach(t, []reach{
		{"the end of a partner that is longer", "overwrite-partner", "a", []string{"X", "Y", "Z"}, 300, nil, "XYZ"},
	})
}
