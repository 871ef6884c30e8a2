package main

import (
	"strings"
	"testing"
)

func TestParseProfile(t *testing.T) {
	tests := []struct {
		name, text     string
		total, covered tally
		ok             bool
	}{
		{"a profile without blocks", "mode: set\n", tally{}, tally{}, true},
		{"covered and not", "mode: set\na/b.go:1.2,3.4 5 1\na/b.go:3.4,5.6 2 0\n", tally{2, 7}, tally{1, 5}, true},
		{"counts instead of yes and no", "mode: count\na/b.go:1.2,3.4 5 12\n", tally{1, 5}, tally{1, 5}, true},
		{"a block twice, covered once", "mode: set\na/b.go:1.2,3.4 5 1\na/b.go:1.2,3.4 5 0\n", tally{1, 5}, tally{1, 5}, true},
		{"a path with a space", "mode: set\na b/c.go:1.2,3.4 5 1\n", tally{1, 5}, tally{1, 5}, true},
		{"nothing", "", tally{}, tally{}, false},
		{"no mode", "a/b.go:1.2,3.4 5 1\n", tally{}, tally{}, false},
		{"a torn line", "mode: set\na/b.go:1.2,3.4 5 1\na/b.go:1.2", tally{}, tally{}, false},
		{"a word for a count", "mode: set\na/b.go:1.2,3.4 5 x\n", tally{}, tally{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := parseProfile(strings.NewReader(tt.text))
			if (err == nil) != tt.ok {
				t.Fatalf("parseProfile: %v, want ok %v", err, tt.ok)
			}
			if p.total() != tt.total || p.covered() != tt.covered {
				t.Errorf("total %+v, covered %+v, want %+v and %+v", p.total(), p.covered(), tt.total, tt.covered)
			}
		})
	}
}

func TestAddUnitesWhatIsCovered(t *testing.T) {
	parse := func(text string) profile {
		p, err := parseProfile(strings.NewReader("mode: set\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := parse("f.go:1.1,2.2 1 1\nf.go:2.2,3.3 2 0\nf.go:3.3,4.4 4 0\n")
	p.add(parse("f.go:1.1,2.2 1 0\nf.go:2.2,3.3 2 1\nf.go:3.3,4.4 4 0\n"))
	if got, want := p.covered(), (tally{2, 3}); got != want {
		t.Errorf("covered %+v, want %+v", got, want)
	}
	if got, want := p.total(), (tally{3, 7}); got != want {
		t.Errorf("total %+v, want %+v", got, want)
	}
}
