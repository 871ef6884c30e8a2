package wrap

import (
	"slices"
	"testing"
)

func TestTextIsBrokenBetweenWords(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", []string{""}},
		{"one line", "a  b\nc", []string{"a b c"}},
		{"a full line", "four five six", []string{"four five", "six"}},
		{"a long word", "a longlonglong b", []string{"a", "longlonglong", "b"}},
	} {
		if got := Lines(tt.text, 9); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Lines(%q, 9) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}
