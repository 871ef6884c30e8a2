package web

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

func TestAComparisonHasTheStatementsThatACampaignHasCounted(t *testing.T) {
	for _, test := range []struct {
		name    string
		reached event.Reached
		want    int // -1: not known
	}{
		{"the campaign has counted no statements", event.Reached{}, -1},
		{"the entries reach no statement", event.Reached{Statements: 6}, 0},
		{"the entries reach statements", event.Reached{Covered: 4, Statements: 6}, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := []targetRow{{TargetState: event.TargetState{Reached: test.reached}}}
			got := -1
			if covered := pairs(rows, nil)[0].A.Covered; covered != nil {
				got = *covered
			}
			if got != test.want {
				t.Errorf("the comparison has %d, want %d", got, test.want)
			}
		})
	}
}
