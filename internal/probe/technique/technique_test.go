package technique

import (
	"strings"
	"testing"
)

func TestEachTechniqueHasAName(t *testing.T) {
	if want := Set(1) << len(names); end != want {
		t.Fatalf("there are %d names, and the first free bit is %b", len(names), end)
	}
	all, err := Parse(strings.Join(Names(), ","))
	if err != nil || all != end-1 {
		t.Errorf("Parse of all names = %b, %v", all, err)
	}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, list string
		want       Set
		unknown    string
	}{
		{"nothing", "", 0, ""},
		{"one", "solve", Solve, ""},
		{"two", "map-keys,trim", MapKeys | Trim, ""},
		{"an unknown one", "solve,magic", 0, `"magic"`},
		{"an empty one", "solve,", 0, `""`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse(tt.list)
			if got != tt.want || (err != nil) != (tt.unknown != "") || err != nil && !strings.Contains(err.Error(), tt.unknown) {
				t.Errorf("Parse(%q) = %b, %v, want %b, %s", tt.list, got, err, tt.want, tt.unknown)
			}
		})
	}
}
