package expr

import (
	"errors"
	"strings"
	"testing"
)

func TestEval(t *testing.T) {
	tests := []struct {
		in   string
		want int64
	}{
		{"7", 7},
		{"2 * (3 + 4)", 14},
		{"2+3*4-1", 13},
		{"-(-3)", 3},
		{"17 / 5 % 2", 1},
		{"9 - 3 - 2", 4},
	}
	for _, tt := range tests {
		if got, err := Eval(tt.in); err != nil || got != tt.want {
			t.Errorf("Eval(%q) = %d, %v, want %d", tt.in, got, err, tt.want)
		}
	}
}

func TestEvalReportsErrors(t *testing.T) {
	deep := strings.Repeat("(", 1000)
	for _, in := range []string{"", "1 +", "(1", "1 2", "x", "99999999999999999999", deep} {
		if got, err := Eval(in); err == nil {
			t.Errorf("Eval(%q) = %d, want an error", in, got)
		}
	}
	if _, err := Eval("1 / (2 - 2)"); !errors.Is(err, ErrDivide) {
		t.Errorf("Eval of a division by zero: %v, want %v", err, ErrDivide)
	}
}

func FuzzEval(f *testing.F) {
	f.Add("2 * (3 + 4)")
	f.Add("17 / 5 % 2")
	f.Add("-(-3) - 9")
	f.Fuzz(func(t *testing.T, s string) {
		v, err := Eval(s)
		if err != nil {
			return
		}
		if got, err := Eval("(" + s + ")"); err == nil && got != v {
			t.Errorf("%s = %d, but in parentheses %d", s, v, got)
		}
	})
}
