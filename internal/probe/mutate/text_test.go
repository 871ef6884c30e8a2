package mutate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

var numberTextRows = []reach{
	{"step, double, halve", "ascii-number", "x=10;", []string{"x=11;", "x=9;", "x=20;", "x=5;"}, 1000, nil, ""},
	{"negate and back", "ascii-number", "x=7", []string{"x=-7"}, 500, nil, ""},
	{"remove a minus", "ascii-number", "x=-7", []string{"x=7"}, 500, nil, ""},
	{"powers of two and limits", "ascii-number", "[0]", []string{
		"[256]", "[65535]", "[9223372036854775807]", "[18446744073709551616]", "[-1]", "[18446744073709551615]",
	}, 20000, nil, ""},
	{"other forms", "ascii-number", "1", []string{"0x1", "1e400", "1.5", "01", "NaN", "1_0"}, 5000, nil, ""},
	{"drop and add a digit", "ascii-number", "123", []string{"23", "13", "1237"}, 5000, nil, ""},
	{"a number too long for an integer", "ascii-number", strings.Repeat("9", 30), []string{
		strings.Repeat("9", 29), "-" + strings.Repeat("9", 30),
	}, 500, nil, ""},
}

var charRows = []reach{
	{"insert characters of every class", "insert-char", "", []string{"0", "a", "Z", "(", "\"", "\n", "\x00"}, 3000, nil, ""},
	{"replace by the same and another class", "replace-char", "a7", []string{"a8", "b7", "{7", "a\x00"}, 5000, nil, ""},
	{"toggle a letter and a word", "toggle-case", "ab cD1", []string{"Ab cD1", "AB cD1", "ab Cd1", "ab CD1"}, 500, nil, ""},
	{"insert traps", "insert-rune", "a", []string{"a\xed\xa0\x80", "ſa", "a\u202e", "\xc0\x80a", "İa", "a\u0301"}, 3000, nil, ""},
	{"replace a whole rune", "replace-rune", "é世", []string{"é\ufffd", "\u212a世"}, 3000, nil, ""},
}

var spanRows = []reach{
	{"replace a word by a token", "replace-word", "foo(bar)", []string{"TOK(bar)", "foo(TOK)"}, 500, []string{"TOK"}, ""},
	{"replace a word by one of the partner", "replace-word", "foo(bar)", []string{"baz(bar)", "foo(baz)"}, 2000, nil, "baz+1"},
	{"replace a word by another one", "replace-word", "foo(bar)", []string{"bar(bar)", "foo(foo)"}, 1000, nil, ""},
	{"replace the content of a string", "replace-quoted", `{"a":'b'}`, []string{`{"":'b'}`, `{"a":'\ud800'}`, `{"TOK":'b'}`}, 3000, []string{"TOK"}, ""},
	{"change the quotes", "replace-quoted", `"a"`, []string{"'a'", "`a`"}, 500, nil, ""},
	{"skip an escaped quote", "replace-quoted", `"a\"b"`, []string{`""`}, 2000, nil, ""},
	{"delete a line, a pair of brackets, a word", "delete-span", "a\nb[1]\nc", []string{"b[1]\nc", "a\nb\nc", "a\nb[]\nc", "a\nc"}, 1000, nil, ""},
	{"duplicate a line, a pair of brackets", "duplicate-span", "a\nb(1)\n", []string{"a\na\nb(1)\n", "a\nb(1)(1)\n", "a\nb(11)\n"}, 1000, nil, ""},
	{"swap lines, brackets, words", "swap-spans", "a\n(b)\n{c}\n", []string{"(b)\na\n{c}\n"}, 1000, nil, ""},
	{"swap words", "swap-spans", "key=val", []string{"val=key"}, 1000, nil, ""},
	{"nest brackets", "nest-span", "(a)", []string{"((a))", "((((a))))"}, 500, nil, ""},
	{"nest deeply", "nest-span", "[]", []string{strings.Repeat("[", 60) + strings.Repeat("]", 60)}, 30000, nil, ""},
	{"nest an object into itself", "nest-span", `{"a":{"b":1}}`, []string{`{"a":{"a":{"b":1}}}`, `{"a":{"b":{"b":1}}}`}, 3000, nil, ""},
}

func TestTextNumberOperators(t *testing.T) { checkReach(t, numberTextRows) }
func TestCharOperators(t *testing.T)       { checkReach(t, charRows) }
func TestSpanOperators(t *testing.T)       { checkReach(t, spanRows) }

func TestWordsAreReplacedByTheTokensThatThereAre(t *testing.T) {
	tests := []struct {
		name             string
		tokens, compared []string
		without          technique.Set
		want             []string // all that "foo(bar" may become, and no token replaces a word by nothing
	}{
		{"words of comparisons, without a dictionary", nil, []string{"MET"}, 0, []string{"MET(bar", "fooMETbar", "foo(MET"}},
		{"none of a dictionary that is off", []string{"TOK"}, nil, technique.Dictionary, nil},
		{"words of comparisons, with a dictionary that is off", []string{"TOK"}, []string{"MET"}, technique.Dictionary, []string{
			"MET(bar", "fooMETbar", "foo(MET",
		}},
		{"none that is empty", []string{""}, nil, 0, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := reach{tokens: tt.tokens}.material(1)
			m.Without = tt.without
			for _, w := range tt.compared {
				m.Compared = append(m.Compared, []byte(w))
			}
			got := map[string]bool{}
			for range 3000 {
				if out, ok := replaceWord(m, []byte("foo(bar")); ok {
					got[string(out)] = true
				}
			}
			for _, w := range append(tt.want, "bar(bar", "foo(foo") { // the last two are words of its own
				if !got[w] {
					t.Errorf("%q is not among %v", w, got)
				}
				delete(got, w)
			}
			if len(got) > 0 {
				t.Errorf("%v is not wanted", got)
			}
		})
	}
}

func TestIsText(t *testing.T) {
	long := strings.Repeat("tëxt 世界\n", 100)
	tests := []struct {
		name string
		in   string
		want bool
	}{
		{"too short", "hello world", false},
		{"ASCII", "hello, world", true},
		{"UTF-8", "größer als 世界", true},
		{"long UTF-8, windows cut its runes", long, true},
		{"one control character in twelve", "hello,\x00world", false},
		{"one control character in a hundred", strings.Repeat("a", 99) + "\x00", true},
		{"invalid UTF-8", strings.Repeat("\xff\xfe", 10), false},
		{"binary in the middle", strings.Repeat("a", 500) + strings.Repeat("\x00", 200) + strings.Repeat("a", 500), false},
		{"binary at the end", long + strings.Repeat("\x01", 200), false},
	}
	for _, tt := range tests {
		if got := isText([]byte(tt.in)); got != tt.want {
			t.Errorf("%s: isText(%.20q) = %v, want %v", tt.name, tt.in, got, tt.want)
		}
	}
}

// FuzzRuneLen compares the decoder with that of unicode/utf8.
func FuzzRuneLen(f *testing.F) {
	for _, s := range runes {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		r, want := utf8.DecodeRune(b)
		if r == utf8.RuneError && want == 1 {
			want = 0
		}
		if got := runeLen(b); got != want {
			t.Errorf("runeLen(%q) = %d, want %d", b, got, want)
		}
	})
}
