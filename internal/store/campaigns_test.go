package store

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

func TestTheCampaignsOfAModuleAreListedFromTheLast(t *testing.T) {
	s := opened(t, path(t))
	at := time.UnixMilli(1_700_000_000_123)
	var want []Summary
	for i, module := range []string{"m", "other", "m"} {
		c := Campaign{
			Module: module, Packages: fmt.Sprintf("./p%d", i), Start: at.Add(time.Duration(i) * time.Second), Go: "go1.26.1", Commit: "abc",
			Args: "-each=1s", Dir: "/m", Run: "seven",
		}
		id, err := s.Begin(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if module == "m" {
			want = append([]Summary{{Past: Past{Campaign: c, ID: id}}}, want...)
		}
	}
	if err := s.Book(t.Context(), want[0].ID, "m", 90*time.Second, at.Add(time.Hour), nil); err != nil {
		t.Fatal(err)
	}
	want[0].Spent, want[0].Seen = 90*time.Second, at.Add(time.Hour)
	if err := s.End(t.Context(), want[1].ID, at.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	want[1].Ended = at.Add(time.Minute)
	if got, err := s.Campaigns(t.Context(), "m"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the campaigns are %+v (%v), want %+v", got, err, want)
	}
}

func TestTheHistoryKnowsWhatACampaignReachedAndFound(t *testing.T) {
	s := opened(t, path(t))
	var ids [2]int64
	for i := range ids {
		id, err := s.Begin(t.Context(), Campaign{Module: module, Start: time.UnixMilli(1000)})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = id
	}
	at := func(seconds int64) time.Time { return time.UnixMilli(1000 * seconds) }
	points := []Point{
		{Target: fuzz.Name{Package: module + "/a", Func: "FuzzA"}, At: at(3), Execs: 30, Edges: 4, Buckets: 5, Entries: 6, Covered: 7, Statements: 8},
		{Target: fuzz.Name{Package: module + "/a", Func: "FuzzB"}, At: at(1), Execs: 10},
		{Target: fuzz.Name{Package: module + "/a", Func: "FuzzB"}, At: at(2), Execs: 20},
	}
	for _, i := range []int{2, 0, 1} {
		if err := s.Cover(t.Context(), ids[0], module, points[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Cover(t.Context(), ids[1], module, Point{Target: fuzz.Name{Package: module, Func: "FuzzA"}, At: at(1), Execs: 99}); err != nil {
		t.Fatal(err)
	}
	for i, id := range []string{"bbbb", "aaaa", "bbbb"} {
		if _, err := s.Save(t.Context(), ids[0], module, record(id, i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Save(t.Context(), ids[1], module, record("cccc", 9)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Reader().Points(t.Context(), ids[0], 0); err != nil || !reflect.DeepEqual(got, points) {
		t.Errorf("the points are %+v (%v), want %+v", got, err, points)
	}
	if got, err := s.Reader().Points(t.Context(), ids[0], 10*time.Second); err != nil || !reflect.DeepEqual(got, []Point{points[0], points[2]}) {
		t.Errorf("the points of each ten seconds are %+v (%v), want the last ones of the targets", got, err)
	}
	if got, err := s.Sightings(t.Context(), ids[0]); err != nil || !slices.Equal(got, []string{"bbbb", "aaaa"}) {
		t.Errorf("the findings are %q (%v), want bbbb and aaaa", got, err)
	}
	if got, err := s.Reader().Points(t.Context(), 99, 0); err != nil || len(got) > 0 {
		t.Errorf("a campaign that does not exist has the points %+v (%v)", got, err)
	}
}
