//go:build unix

package worker

import (
	"testing"
)

func TestRepairsThatBringNothingAreRare(t *testing.T) {
	for _, tt := range []struct {
		name            string
		repairs, others yield
		want            bool
	}{
		{"nothing is known", yield{}, yield{}, false},
		{"too little is known", yield{cost: 1000}, yield{1000, minEntries - 1}, false},
		{"repairs bring nothing", yield{cost: 1000}, yield{1000, minEntries}, true},
		{"repairs bring as much", yield{1000, minEntries}, yield{1000, minEntries}, false},
		{"repairs bring a little less", yield{1000, minEntries / 2}, yield{1000, minEntries}, false},
		{"repairs bring as much and cost ten times as much", yield{10000, minEntries}, yield{1000, minEntries}, true},
		{"others bring nothing", yield{1000, 1}, yield{cost: 1e6}, false},
	} {
		y := yields{mutants: tt.others, repairs: tt.repairs}
		if y.poor() != tt.want {
			t.Errorf("%s: poor is %v", tt.name, !tt.want)
		}
	}
}
