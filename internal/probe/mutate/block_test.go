package mutate

import (
	"strings"
	"testing"
)

var blockRows = []reach{
	{"erase head, middle, tail", "delete-range", "abc", []string{"bc", "ac", "ab", "a", "c"}, 300, nil, ""},
	{"insert random bytes anywhere", "insert-random", "", []string{"a", "\x00"}, 20000, nil, ""},
	{"insert a run at the head and the tail", "insert-run", "ab", []string{"aab", "abbbb", "ab\x00", "\xff\xffab"}, 3000, nil, ""},
	{"set a range to one byte", "overwrite-run", "abc", []string{"aaa", "abb", "a\x00\x00"}, 1000, nil, ""},
	{"duplicate a range in front, behind, inside", "duplicate-range", "abc", []string{"abcabc", "aabbc", "cabc", "abcb"}, 1000, nil, ""},
	{"copy over what follows and what precedes", "copy-range", "abc", []string{"aab", "bcc", "aba"}, 500, nil, ""},
	{"swap ranges of different lengths", "swap-ranges", "abcd", []string{"cdab", "dbca", "bcda", "dabc"}, 1000, nil, ""},
	{"shuffle a part or everything", "shuffle-range", "abc", []string{"bac", "acb", "cab", "cba"}, 500, nil, ""},
	{"repeat a byte or a pair", "repeat-range", "ab", []string{"abab", "abb", strings.Repeat("ab", 64)}, 3000, nil, ""},
}

func TestBlockOperators(t *testing.T) { checkReach(t, blockRows) }

func TestExchangeMovesRangesOfAnyLength(t *testing.T) {
	for lo1 := 0; lo1 < 6; lo1++ {
		for hi1 := lo1 + 1; hi1 <= 6; hi1++ {
			for lo2 := hi1; lo2 < 7; lo2++ {
				for hi2 := lo2 + 1; hi2 <= 7; hi2++ {
					in := "abcdefg"
					want := in[:lo1] + in[lo2:hi2] + in[hi1:lo2] + in[lo1:hi1] + in[hi2:]
					b := []byte(in)
					exchange(b, lo1, hi1, lo2, hi2)
					if string(b) != want {
						t.Errorf("exchange(%q, %d, %d, %d, %d) = %q, want %q", in, lo1, hi1, lo2, hi2, b, want)
					}
				}
			}
		}
	}
}

func TestInsertWithinInsertsTheWholeRange(t *testing.T) {
	for lo := 0; lo < 5; lo++ {
		for hi := lo + 1; hi <= 5; hi++ {
			for at := 0; at <= 5; at++ {
				in := "abcde"
				want := in[:at] + in[lo:hi] + in[at:]
				if got := insertWithin([]byte(in), lo, hi, at); string(got) != want {
					t.Errorf("insertWithin(%q, %d, %d, %d) = %q, want %q", in, lo, hi, at, got, want)
				}
			}
		}
	}
}
