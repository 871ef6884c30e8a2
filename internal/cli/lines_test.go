package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestTheTableSaysWhenTheNextEdgeIsExpected(t *testing.T) {
	for _, tt := range []struct {
		seconds float64
		want    string
	}{
		{0, "-"},
		{0.02, "<1s"},
		{0.7, "~1s"},
		{95, "~1m35s"},
	} {
		line := (&targetLine{Turns: 1, Next: tt.seconds, name: "./p FuzzX"}).text()
		if fields := strings.Fields(line); !slices.Contains(fields, tt.want) {
			t.Errorf("%v s: the line is %q, want %q in it", tt.seconds, line, tt.want)
		}
	}
}
