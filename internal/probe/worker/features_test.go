//go:build unix

package worker

import (
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

func TestIntersectAndContains(t *testing.T) {
	tests := []struct{ name, a, b, both string }{
		{"equal", "bdf", "bdf", "bdf"},
		{"nothing in common", "bd", "ace", ""},
		{"some", "abcd", "bdz", "bd"},
		{"first empty", "", "a", ""},
		{"second empty", "a", "", ""},
	}
	list := func(s string) (fs []cover.Feature) {
		for _, c := range s {
			fs = append(fs, cover.Feature(c))
		}
		return fs
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			both := intersect(list(tt.a), list(tt.b))
			if !slices.Equal(both, list(tt.both)) {
				t.Errorf("intersect(%s, %s) = %v, want %s", tt.a, tt.b, both, tt.both)
			}
			if !contains(list(tt.a), both) || !contains(list(tt.b), both) {
				t.Errorf("%s or %s does not contain what they have in common", tt.a, tt.b)
			}
			if got := contains(list(tt.b), list(tt.a)); got != (tt.both == tt.a) {
				t.Errorf("contains(%s, %s) = %v", tt.b, tt.a, got)
			}
		})
	}
}
