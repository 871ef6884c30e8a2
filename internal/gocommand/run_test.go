package gocommand

import (
	"slices"
	"strings"
	"testing"
)

func TestALineWriterPassesTheBeginningOfEachLine(t *testing.T) {
	var got []string
	w := &lineWriter{each: func(line string) { got = append(got, line) }}
	for _, text := range []string{"a\nb\n", "", "in", "two", " writes\n", strings.Repeat("x", 2*maxTraced) + " end\n", "\nnot ended"} {
		if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("Write returned %d, %v for %d bytes", n, err, len(text))
		}
	}
	if want := []string{"a", "b", "intwo writes", strings.Repeat("x", maxTraced), ""}; !slices.Equal(got, want) {
		t.Errorf("the lines are %q, want %q", got, want)
	}
}
