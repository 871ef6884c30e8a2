package mutate

import (
	"strings"
	"testing"
)

var numformRows = []reach{
	{"append digits until it overflows", "number-form", "x=7;", []string{"x=7000;", "x=7" + strings.Repeat("9", 20) + ";"}, 5000, nil, ""},
	{"other bases", "number-form", "x=26;", []string{"x=0x1a;", "x=0b11010;", "x=032;", "x=1a;"}, 2000, nil, ""},
	{"fractions and exponents", "number-form", "x=7;", []string{"x=1.5;", "x=.5;", "x=1e9;"}, 3000, nil, ""},
	{"the whole literal with its sign", "number-form", "x=-2.5e3;", []string{"x=-0;", "x=1e400;", "x=1e308;", "x=NaN;"}, 5000, nil, ""},
}

func TestNumberForms(t *testing.T) { checkReach(t, numformRows) }
