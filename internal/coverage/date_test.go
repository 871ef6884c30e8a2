package coverage

import (
	"testing"
	"time"
)

func TestEntriesHaveTheTimesAtWhichCampaignsFoundThem(t *testing.T) {
	began := time.Unix(1000, 0)
	entries := []Entry{
		{Name: "seed", Seed: true},
		{Name: "old", Came: began.Add(-time.Hour)},
		{Name: "found", Came: began.Add(time.Second)},
		{Name: "restored", Came: began.Add(time.Hour)},
		{Name: "copied", Came: began.Add(time.Hour)},
	}
	found := map[string]time.Time{"seed": began, "found": began.Add(time.Second), "restored": began.Add(-time.Minute)}
	if copied := DateEntries(entries, found, began); copied != 1 {
		t.Errorf("%d entries were copied, want 1", copied)
	}
	for _, e := range entries {
		if earlier := e.Came.Before(began); earlier != (e.Name != "found") {
			t.Errorf("the entry %s is of %v, and the campaign began %v", e.Name, e.Came, began)
		}
	}
}
