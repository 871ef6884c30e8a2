package store

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// begin records the start of a campaign of the module m.
func begin(t *testing.T, s *Store, c Campaign) int64 {
	t.Helper()
	id, err := s.Begin(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestASummaryHasAllOfACampaign(t *testing.T) {
	s := opened(t, path(t))
	at := time.UnixMilli(1_700_000_000_000)
	c := Campaign{Module: "m", Packages: "./...", Start: at, Go: "go1.26", Commit: "abc", Args: "-race", Run: "1", Root: "/m", Cache: "/cache"}
	id := begin(t, s, c)
	other := begin(t, s, Campaign{Module: "n", Start: at.Add(time.Hour)})
	totals := Totals{Targets: 2, Execs: 1 << 40, Edges: 30, Entries: 4, Covered: 5, Statements: 60}
	r := finding.Record{ID: "0123456789abcdef", Kind: finding.Panic, Package: "m/p", Target: "FuzzF", Last: at}
	_, saved := s.Save(t.Context(), id, "m", r)
	_, again := s.Save(t.Context(), id, "m", r)
	if err := errors.Join(
		saved, again, s.SaveTotals(t.Context(), id, Totals{}), s.SaveTotals(t.Context(), id, totals), s.End(t.Context(), id, at.Add(time.Minute)),
		s.Book(t.Context(), id, "m", 50*time.Second, at.Add(time.Second), nil),
	); err != nil {
		t.Fatal(err)
	}
	want := Summary{Past: Past{Campaign: c, ID: id, Ended: at.Add(time.Minute), Seen: at.Add(time.Second), Spent: 50 * time.Second}, Totals: totals, Findings: 1}
	list, err := s.Reader().Summaries(t.Context(), 10)
	if err != nil || len(list) != 2 || list[0].ID != other || !list[0].Ended.IsZero() || !reflect.DeepEqual(list[1], want) {
		t.Errorf("the summaries are %+v (%v), want the newest first and %+v", list, err, want)
	}
	if list, err := s.Reader().Summaries(t.Context(), 1); err != nil || len(list) != 1 {
		t.Errorf("with a limit of 1 there are %d (%v)", len(list), err)
	}
	if got, ok, err := s.Reader().Summary(t.Context(), id); err != nil || !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("the summary is %+v, %v, %v", got, ok, err)
	}
	if _, ok, err := s.Reader().Summary(t.Context(), 99); err != nil || ok {
		t.Errorf("there is a campaign 99 (%v)", err)
	}
	if got, ok, err := s.Reader().LastOf(t.Context(), "m"); err != nil || !ok || got.ID != id {
		t.Errorf("the last campaign of m is %+v, %v, %v", got, ok, err)
	}
	if _, ok, err := s.Reader().LastOf(t.Context(), "n"); err != nil || ok {
		t.Errorf("a campaign without a folder is found (%v)", err)
	}
	if modules, err := s.Reader().Modules(t.Context()); err != nil || !reflect.DeepEqual(modules, []string{"m"}) {
		t.Errorf("the modules with findings are %v (%v)", modules, err)
	}
}

func TestThePointsOfACampaignAreItsOwn(t *testing.T) {
	s := opened(t, path(t))
	at := time.UnixMilli(1_700_000_000_000)
	first, second := begin(t, s, Campaign{Module: "m", Start: at}), begin(t, s, Campaign{Module: "m", Start: at})
	var last []Point
	for i, name := range []string{"FuzzA", "FuzzB"} {
		for n := range 4 {
			p := Point{Target: fuzz.Name{Package: "m/p", Func: name}, At: at.Add(time.Duration(n) * time.Minute), Execs: uint64(n), Edges: 10 * n * (i + 1)}
			if err := errors.Join(s.Cover(t.Context(), first, "m", p), s.Cover(t.Context(), second, "m", Point{Target: fuzz.Name{Package: "m/p", Func: name}, At: at, Edges: 99})); err != nil {
				t.Fatal(err)
			}
			if n == 3 {
				last = append(last, p)
			}
		}
	}
	if got, err := s.Reader().Latest(t.Context(), first); err != nil || !reflect.DeepEqual(got, last) {
		t.Errorf("the latest points are %+v (%v), want %+v", got, err, last)
	}
	if got, err := s.Reader().CoverageOf(t.Context(), first, fuzz.Name{Package: "m/p", Func: "FuzzB"}); err != nil || len(got) != 4 || got[3] != last[1] {
		t.Errorf("the points of a target are %+v (%v)", got, err)
	}
}

func TestAnEntryKeepsWhatItBroughtFirst(t *testing.T) {
	s := opened(t, path(t))
	at := time.UnixMilli(1_700_000_000_000)
	e := Entry{Target: fuzz.Name{Package: "m/p", Func: "FuzzA"}, File: "a", At: at, Size: 3, Buckets: 2, Edges: 1, Technique: "solve"}
	newer := Entry{Target: fuzz.Name{Package: "m/p", Func: "FuzzA"}, File: "b", At: at.Add(time.Second), Size: 4}
	again := e
	again.Edges = 7
	if err := errors.Join(s.AddEntries(t.Context(), 1, "m", []Entry{e, newer}), s.AddEntries(t.Context(), 2, "m", []Entry{again})); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Reader().Entries(t.Context(), "m", fuzz.Name{Package: "m/p", Func: "FuzzA"}); err != nil || !reflect.DeepEqual(got, []Entry{newer, e}) {
		t.Errorf("the entries are %+v (%v)", got, err)
	}
	if got, err := s.Reader().Techniques(t.Context(), 1, fuzz.Name{Package: "m/p", Func: "FuzzA"}); err != nil || !reflect.DeepEqual(got, []Technique{{"solve", 1, 1}}) {
		t.Errorf("the techniques are %+v (%v)", got, err)
	}
	if got, err := s.Reader().Entries(t.Context(), "other", fuzz.Name{Package: "m/p", Func: "FuzzA"}); err != nil || len(got) != 0 {
		t.Errorf("the entries of another module are %+v (%v)", got, err)
	}
}

func TestTheNewestSourcesOfATargetAreKept(t *testing.T) {
	s := opened(t, path(t))
	start := time.UnixMilli(1000)
	if id, err := s.Begin(t.Context(), Campaign{Module: "m", Start: start}); id != 1 || err != nil {
		t.Fatalf("the campaign has the number %d (%v)", id, err)
	}
	for _, data := range []string{"old", "new"} {
		for campaign := range int64(2) {
			one := Sources{Target: fuzz.Name{Package: "m/p", Func: "FuzzA"}, Data: fmt.Appendf(nil, "%s %d", data, campaign)}
			if err := s.SaveSources(t.Context(), campaign, "m", one); err != nil {
				t.Fatal(err)
			}
		}
	}
	for campaign := range int64(2) {
		got, err := s.Reader().Sources(t.Context(), campaign, "m")
		if err != nil || len(got) != 1 || got[0].Target.Package != "m/p" || got[0].Target.Func != "FuzzA" || string(got[0].Data) != fmt.Sprintf("new %d", campaign) {
			t.Fatalf("the sources of %d are %+v (%v)", campaign, got, err)
		}
		if got[0].At.Equal(start) != (campaign == 1) {
			t.Errorf("the sources of %d are of %v: want the start of the campaign, and for gnaw cover the time when it recorded them", campaign, got[0].At)
		}
	}
}
