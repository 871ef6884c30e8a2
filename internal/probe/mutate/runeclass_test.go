package mutate

import (
	"testing"
	"unicode/utf8"
)

var runeClassRows = []reach{
	{"ends of planes, surrogates, beyond", "any-rune", "", []string{"\uffff", "\U00010000", "\U0010ffff", "\xed\xa0\x80", "\xf4\x90\x80\x80"}, 100000, nil, ""},
	{"overlong forms", "any-rune", "a", []string{"a\xc0\x80", "\xc0\x80a"}, 30000, nil, ""},
	{"in the place of a character", "any-rune", "é", []string{"\x00", "\u2000"}, 30000, nil, ""},
	{"cut a character at both ends", "cut-rune", "a世b", []string{"a\xe4\xb8b", "a\x96b", "a\xe4", "a\xe4b"}, 500, nil, ""},
	{"letters that fold to ASCII", "fold-rune", "isk", []string{"is\u212a", "iſk", "ısk", "İsk"}, 1000, nil, ""},
	{"wide forms", "fold-rune", "a<", []string{"a＜", "ａ<"}, 500, nil, ""},
}

func TestRuneClassOperators(t *testing.T) { checkReach(t, runeClassRows) }

func TestPutRuneAgreesWithUTF8(t *testing.T) {
	for c := rune(0); c <= utf8.MaxRune; c++ {
		if !utf8.ValidRune(c) {
			continue
		}
		var text [4]byte
		if got := string(putRune(&text, c, runeWidth(c))); got != string(c) {
			t.Fatalf("putRune(%U) = %q", c, got)
		}
	}
}
