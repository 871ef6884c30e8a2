package minimize

import (
	"unicode/utf8"

	"github.com/gnaw-fuzz/gnaw/input"
)

// oddIn: a buffer is text if at most one byte in ten is neither printable nor UTF-8. The passes for text are a waste of
// checks on other data, but no harm.
const oddIn = 10

// isTextBuffer reports whether an argument is a buffer with text in it.
func isTextBuffer(v *input.Value) bool {
	odd := 0
	for d := v.Data; len(d) > 0; {
		r, n := utf8.DecodeRune(d)
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\n' && r != '\t' && r != '\r' {
			odd++
		}
		d = d[n:]
	}
	return isBuffer(v) && odd*oddIn <= len(v.Data)
}

// lines returns the end of each line.
func lines(d []byte) (ends []int) {
	for i, c := range d {
		if c == '\n' || i == len(d)-1 {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// words returns the end of each word, run of blanks or punctuation character.
func words(d []byte) (ends []int) {
	for i := range d {
		if i == len(d)-1 || wordClass(d[i]) != wordClass(d[i+1]) || wordClass(d[i]) == punctuation {
			ends = append(ends, i+1)
		}
	}
	return ends
}

const (
	punctuation = iota
	blank
	wordPart
)

func wordClass(c byte) int {
	switch {
	case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= utf8.RuneSelf:
		return wordPart
	case c == ' ', c == '\t', c == '\n', c == '\r':
		return blank
	}
	return punctuation
}

// shortenWords replaces words of several characters by one digit or letter.
func shortenWords(s *search, arg int) {
	ends := words(s.data(arg))
	for i := len(ends) - 1; i >= 0 && !s.stats.Stopped; i-- {
		lo, hi := start(ends, i), ends[i]
		if hi-lo < 2 {
			continue
		}
		for _, c := range plainest[:3] {
			if s.tryCut(arg, lo, hi, []byte{c}) {
				break
			}
		}
	}
}

// shortenRunes replaces UTF-8 sequences of several bytes by one ASCII character.
func shortenRunes(s *search, arg int) {
	for i := 0; i < len(s.data(arg)) && !s.stats.Stopped; i++ {
		_, n := utf8.DecodeRune(s.data(arg)[i:])
		if n < 2 || s.tryCut(arg, i, i+n, plainest[:1]) || s.tryCut(arg, i, i+n, plainest[1:2]) {
			continue
		}
		i += n - 1
	}
}
