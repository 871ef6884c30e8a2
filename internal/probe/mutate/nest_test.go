package mutate

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

var nestRows = []reach{
	{"close what is open", "close-brackets", "f([{x", []string{"f([{x}])", "f([])", "f()"}, 1000, nil, ""},
	{"close only what is open", "close-brackets", "(a)[b(c)", []string{"(a)[b(c)]", "(a)[]", "(a)[b()]"}, 1000, nil, ""},
	{"enclose a word", "wrap-lexeme", "a+b", []string{"(a)+b", "a+{b}", "a+\"b\"", "a+((b))", "<a>a</a>+b"}, 3000, nil, ""},
	{"enclose deeply", "wrap-lexeme", "a", []string{strings.Repeat("(", 40) + "a" + strings.Repeat(")", 40)}, 50000, nil, ""},
	{"open without an end", "repeat-opener", "f(a)", []string{"f((a)", "f" + strings.Repeat("(", 64) + "a)"}, 5000, nil, ""},
	{"delete a bracket, a quote, a comma", "delete-delimiter", `("a",b)`, []string{`"a",b)`, `(a",b)`, `("a"b)`, `("a",b`}, 500, nil, ""},
}

func TestNestOperators(t *testing.T) { checkReach(t, nestRows) }

// A parser that recurses for each bracket and has a limit of 40 or 1000 levels is reached from a flat expression, by
// chains of mutants that nobody selects.
func TestHavocNestsDeeply(t *testing.T) {
	for _, depth := range []int{40, 1000} {
		m := sampleMaterial(1, 4096, nil)
		reached := false
		for range 20000 {
			a := input.Args{buffer(input.String, "f(a, b) + (c)", 0)}
			havoc(m, a)
			if reached = bytes.Contains(a[0].Data, bytes.Repeat([]byte("("), depth)); reached {
				break
			}
		}
		if !reached {
			t.Errorf("no mutant in 20000 had %d brackets in a row", depth)
		}
	}
}
