package packing

import "testing"

func TestQuoteWord(t *testing.T) {
	if s, ok := UnquoteWord(QuoteWord("word")); s != "word" || !ok {
		t.Error(s, ok)
	}
}

func TestPackLine(t *testing.T) {
	if got := UnpackLine(PackLine(" a line\n")); got != "a line" {
		t.Error(got)
	}
}
