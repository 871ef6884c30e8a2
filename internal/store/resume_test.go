package store

import (
	"reflect"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

func TestAKilledCampaignIsResumedOnce(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_000)
	same := Campaign{Module: module, Packages: "./...", Start: at, Go: "go1.26.1", Args: "-fuzztime=5m ./...", Dir: "/m", Run: "seven"}
	dead, living := func(string) bool { return false }, func(string) bool { return true }
	for _, tt := range []struct {
		name  string
		next  func(c *Campaign)
		ended bool
		alive func(string) bool
		want  bool
	}{
		{"when it is the same command", func(*Campaign) {}, false, dead, true},
		{"when the clock was set back since", func(c *Campaign) { c.Start = at.Add(-24 * time.Hour) }, false, dead, true},
		{"not while its process lives", func(*Campaign) {}, false, living, false},
		{"not when it has ended", func(*Campaign) {}, true, dead, false},
		{"not with other arguments", func(c *Campaign) { c.Args = "./..." }, false, dead, false},
		{"not in another folder", func(c *Campaign) { c.Dir = "/m/sub" }, false, dead, false},
		{"not in another module", func(c *Campaign) { c.Module = "example.com/other" }, false, dead, false},
		{"not with another Go", func(c *Campaign) { c.Go = "go1.25.1" }, false, dead, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := opened(t, path(t))
			id, err := s.Begin(t.Context(), same)
			if err != nil {
				t.Fatal(err)
			}
			want := []Progress{{Target: fuzz.Name{Package: "example.com/m/a", Func: "FuzzA"}, Code: "c1", State: `{"turns":2}`}}
			for _, list := range [][]Progress{{{Target: fuzz.Name{Package: "example.com/m/a", Func: "FuzzA"}, Code: "c0", State: "{}"}}, want} {
				if err := s.Book(t.Context(), id, module, 90*time.Second, at.Add(time.Minute), list); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.SaveTotals(t.Context(), id, Totals{Execs: 1 << 40}); err != nil {
				t.Fatal(err)
			}
			if tt.ended {
				if err := s.End(t.Context(), id, at); err != nil {
					t.Fatal(err)
				}
			}
			next := same
			next.Run = "eight"
			tt.next(&next)
			k, ok, err := s.Resume(t.Context(), next, tt.alive)
			if err != nil || ok != tt.want {
				t.Fatalf("Resume = %+v, %v, %v, want %v", k, ok, err, tt.want)
			}
			if !ok {
				return
			}
			if k.ID != id || k.Spent != 90*time.Second || k.Execs != 1<<40 || !k.Seen.Equal(at.Add(time.Minute)) || !k.Start.Equal(at) {
				t.Errorf("Resume = %+v", k)
			}
			if got, err := s.Progress(t.Context(), k.ID); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("Progress = %+v, %v, want %+v", got, err, want)
			}
			later := next
			later.Run = "nine"
			if _, ok, err := s.Resume(t.Context(), later, func(run string) bool { return run == next.Run }); ok || err != nil {
				t.Errorf("a second process got it too (%v)", err)
			}
		})
	}
}
