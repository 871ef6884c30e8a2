package main

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// yields makes rounds that covered so many blocks.
func yields(blocks ...int) (list []yield) {
	for _, b := range blocks {
		list = append(list, yield{Covered: tally{Blocks: b}})
	}
	return list
}

func TestCoverageRows(t *testing.T) {
	s := &study{trials: []*trial{
		{subject: subject{Name: "json"}, Total: tally{Blocks: 900}, Start: tally{Blocks: 50}, Yields: map[string][]yield{
			goName: yields(100, 90, 110), gnawName: yields(200, 300, 250),
		}},
		{subject: subject{Name: "xml"}, Yields: map[string][]yield{goName: yields(7), gnawName: yields(7)}},
		{subject: subject{Name: "yaml"}, Yields: map[string][]yield{gnawName: yields(7)}},
	}}
	want := [][]string{
		{"json", "900", "50", "100", "250", "2.50×", "0.100", "gnaw"},
		{"xml", "0", "0", "7", "7", "1.00×", "1.000", "tie"},
		{"yaml", "0", "0", "–", "7", "–", "–", "–"},
	}
	for i, row := range s.coverageRows()[1:] {
		if !reflect.DeepEqual(row[:8], want[i]) {
			t.Errorf("row %q, want %q", row[:8], want[i])
		}
	}
	if got := s.verdict(); !strings.HasPrefix(got, "gnaw is ahead on 1 targets, go test -fuzz on 0, neither on 1;") || !strings.HasSuffix(got, "1.58×") {
		t.Errorf("verdict: %s", got)
	}
}

func TestAblationRows(t *testing.T) {
	s := &study{trials: []*trial{{subject: subject{Name: "json"}, Start: tally{Blocks: 50}, Yields: map[string][]yield{
		gnawName:        yields(110, 111, 112, 113),
		"without solve": yields(55, 56, 57, 58),
		"without trim":  yields(220, 221, 222, 223),
		"without json":  yields(110, 111, 112, 113),
	}}}}
	want := [][]string{
		{"technique", "mean", "helps", "harms", "json"},
		{"(blocks, at the start)", "", "", "", "50"},
		{"(blocks, all on)", "", "", "", "112"},
		{"solve", "+97.3 %", "1", "0", "+97.3 % *"},
		{"trim", "-49.7 %", "0", "1", "-49.7 % *"},
		{"json", "+0.0 %", "0", "0", "+0.0 %"},
		{"splice", "–", "0", "0", "–"},
	}
	if got := s.ablationRows([]string{"solve", "trim", "json", "splice"}); !reflect.DeepEqual(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

func TestSolvedCell(t *testing.T) {
	never := math.Inf(1)
	tests := []struct {
		name  string
		times []float64
		want  string
	}{
		{"not run", nil, "–"},
		{"always solved", []float64{1, 3, 2}, "2.00 s (3/3)"},
		{"mostly solved", []float64{1, never, 2}, "2.00 s (2/3)"},
		{"mostly not", []float64{1, never, never}, "> 30 s (1/3)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := solvedCell(tt.times, 30*time.Second); got != tt.want {
				t.Errorf("solvedCell(%v) = %q, want %q", tt.times, got, tt.want)
			}
		})
	}
}

func TestBriefKeepsBothEnds(t *testing.T) {
	if got := brief(" a\n\tb "); got != "a b" {
		t.Errorf("brief = %q", got)
	}
	got := brief("start" + strings.Repeat(" ü", 1000) + " end")
	if n := len([]rune(got)); n > noteLimit+3 || !strings.HasPrefix(got, "start ü") || !strings.HasSuffix(got, "ü end") {
		t.Errorf("brief of a long text: %d characters, %q", n, got)
	}
}
