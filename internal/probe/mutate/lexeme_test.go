package mutate

import "testing"

var lexemeRows = []reach{
	{"replace a number by one of the buffer", "replace-lexeme", "f(12,x7)+-3.5e2", []string{"f(-3.5e2,x7)+-3.5e2", "f(12,x7)+12"}, 3000, nil, ""},
	{"replace a word by one of the partner", "replace-lexeme", "f(12)", []string{"g(12)", "f(99)"}, 3000, nil, "g=99"},
	{"replace a word by a token of its kind", "replace-lexeme", "f(12)", []string{"TOK(12)", "f(0.5)", "f[12)"}, 3000, []string{"TOK", "0.5", "["}, ""},
	{"replace a quoted string", "replace-lexeme", `a="b c"`, []string{`a='d'`}, 3000, []string{"'d'"}, ""},
	{"replace an operator", "replace-lexeme", "a==b", []string{"a!=b", "a<<b"}, 3000, nil, ""},
	{"move a word and a pair of brackets", "move-lexeme", "a,b(1)", []string{"(1)a,b", ",ba(1)", "ba,(1)"}, 2000, nil, ""},
	{"insert a word like its neighbour", "insert-word", "a, b", []string{"a, TOK, b", "a, b, b"}, 2000, []string{"TOK"}, ""},
	{"insert a word of the partner", "insert-word", "a|b", []string{"a|kiwi|b"}, 2000, nil, "kiwi"},
	{"insert behind the last word", "insert-word", "a b", []string{"a b TOK"}, 2000, []string{"TOK"}, ""},
}

func TestLexemeOperators(t *testing.T) { checkReach(t, lexemeRows) }

func TestLexemeAtKnowsTheKinds(t *testing.T) {
	const text = `x1 = -2.5e-3 + f['a\'b'] // é`
	want := map[string]kind{
		"x1": kindWord, " ": kindBlank, "=": kindOperation, "-2.5e-3": kindNumber, "+": kindOperation, "f": kindWord,
		"[": kindBracket, `'a\'b'`: kindQuoted, "]": kindBracket, "//": kindOperation, "é": kindWord,
	}
	got := map[string]kind{}
	for at := range len(text) {
		lo, hi, k := lexemeAt([]byte(text), at)
		if lo > at || hi <= at {
			t.Errorf("lexemeAt(%d) = %d, %d", at, lo, hi)
		}
		got[text[lo:hi]] = k
	}
	for s, k := range want {
		if got[s] != k {
			t.Errorf("%q has kind %d, want %d", s, got[s], k)
		}
	}
}
