package parse

import "testing"

func TestDigits(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     int
	}{
		{"one digit", "7", 7},
		{"two digits", "42", 42},
		{"a letter", "x", 0},
	} {
		if got, _ := Digits(tt.in); got != tt.want {
			t.Errorf("%s: Digits(%q) = %d, want %d", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestSplitField(t *testing.T) {
	for _, n := range []int{0, 2} {
		if _, ok := SplitField([]byte("abc"), n); !ok {
			t.Error("no field")
		}
	}
	if _, ok := SplitField([]byte("abc"), 2); !ok {
		t.Error("no field")
	}
	if _, ok := SplitField([]byte("abc"), 5); ok {
		t.Error("a field")
	}
}
