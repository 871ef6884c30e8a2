package event

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
)

var (
	at   = time.Date(2026, 3, 1, 12, 30, 0, 7, time.UTC)
	some = Target{Package: "example.com/m/p", Folder: "p", Target: "FuzzX"}
)

// samples has events of each kind.
var samples = []Event{
	Build{Package: "example.com/m"},
	Build{Package: "example.com/m", Race: true},
	Start{Module: "example.com/m", Targets: 2, Workers: 3, Seconds: 1.5, Quiet: true},
	Start{},
	Notice{What: Warning, Target: some, Text: "a <b> & c\n\x00"},
	Notice{What: Aside, Target: Target{Package: "example.com/m"}, Text: "it does not build"},
	Notice{What: Skipped, Target: some, Text: "t.Skip"},
	Notice{What: Quiet, Target: some},
	Notice{What: Smaller, Target: some, Text: "x"},
	Notice{What: Resume, Text: "goes on"},
	Entry{Target: some, Path: "/cache/abc", Buckets: 3, Edges: 1},
	Status{Seconds: 2, Begun: 1, Targets: 2, Execs: 1 << 60, Ran: 1 << 59, Rate: 0.5, Edges: 9, Entries: 8, Findings: 7, Left: 3, Last: true},
	Status{},
	Finding{
		Record: finding.Record{
			ID: "0123456789abcdef", Kind: finding.Panic, Message: "no", Package: "example.com/m", Folder: ".", Target: "FuzzX", Input: "go test fuzz v1\nint(1)\n",
			Calls: []finding.Call{{Func: "m.F", File: "m.go", Line: 3}}, First: at, Last: at, Times: 2,
		},
		Short: "0123", Literals: []string{"int(1)"}, Rerun: "go test", Known: &Known{Reason: "old", Until: "2027-01-01"},
	},
	TargetEnd{Target: some, Result: Bug, Seconds: 3, Turns: 1, Execs: 2, Edges: 3, Entries: 4, New: 1, Bugs: 1, Next: 0.5, Quiet: true},
	TargetEnd{Target: some, Result: Unreached, Reason: "its turn did not come"},
	End{Seconds: 3, Targets: 5, Buggy: 1, Flaky: 1, Clean: 1, Skipped: 1, Unusable: 1, Known: 1, Unreached: 1, Findings: 2, Busy: 0.99, Exit: 1},
}

func TestJSONRoundTrips(t *testing.T) {
	for _, e := range samples {
		line, err := Encode(e, at)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(line), `{"event":"`+e.Name()+`","at":"2026-03-01T12:30:00.000000007Z"`) || strings.Count(string(line), "\n") != 1 {
			t.Errorf("Encode = %q, want one line that begins with the name and the time", line)
		}
		got, when, err := Decode(line)
		if err != nil || !when.Equal(at) || !reflect.DeepEqual(got, e) {
			t.Errorf("%q is decoded as %+v at %v (%v), want %+v", line, got, when, err, e)
		}
	}
}

func TestWhatIsNoEventIsRefused(t *testing.T) {
	for _, line := range []string{"", "{}", "[]", `{"event":"leap"}`, `{"event":"build","package":7}`, `{"event":"status"`} {
		if e, _, err := Decode([]byte(line)); err == nil {
			t.Errorf("%q is decoded as %+v", line, e)
		}
	}
	if _, _, err := Decode([]byte(`{"event":"build","at":"2026-03-01T12:30:00Z","package":"p","more":[1]}`)); err != nil {
		t.Errorf("with a field of a later version: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, e := range samples {
		line, err := Encode(e, at)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, when, err := Decode(line)
		if err != nil {
			return
		}
		again, err := Encode(e, when)
		if err != nil {
			t.Fatalf("%q is decoded as %+v, which cannot be encoded: %v", line, e, err)
		}
		got, _, err := Decode(again)
		if err != nil {
			t.Fatalf("%q becomes %q, which is no event: %v", line, again, err)
		}
		if third, err := Encode(got, when); err != nil || string(third) != string(again) {
			t.Errorf("%q becomes %q, and that %q (%v)", line, again, third, err)
		}
	})
}

func TestASnapshotRoundTrips(t *testing.T) {
	s := Snapshot{
		At: at, Module: "example.com/m", Totals: Status{Execs: 7}, Builds: []BuildState{{Package: "p", Done: true}, {Package: "q", Error: "no"}},
		Targets: []TargetState{{Target: some, Result: Clean, Begun: true, Share: 0.5}}, Workers: []WorkerState{{Number: 1, Doing: Fuzzing, Target: some, Since: 2}},
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var got Snapshot
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%s is decoded as %+v (%v), want %+v", text, got, err, s)
	}
}

func TestAllWhoListenGetAllInOrder(t *testing.T) {
	var b Bus
	var first, second []Event
	b.Subscribe(func(e Stamped) { first = append(first, e.Event) })
	b.Subscribe(func(e Stamped) { second = append(second, e.Event) })
	var want []Event
	for i := range 1000 {
		want = append(want, Entry{Buckets: i})
		b.Publish(want[i])
	}
	b.Close()
	b.Publish(Build{})
	b.Subscribe(func(Stamped) { t.Error("it listens to a bus that is closed") })
	if !slices.Equal(first, want) || !slices.Equal(second, want) {
		t.Errorf("they have got %d and %d events, want %d in order", len(first), len(second), len(want))
	}
	b.Close()
}

// A listener that does not come back delays nobody, and loses status lines only.
func TestASlowListenerLosesStatusLinesOnly(t *testing.T) {
	var b Bus
	held := make(chan struct{})
	var slow, quick []Event
	b.Subscribe(func(e Stamped) { <-held; slow = append(slow, e.Event) })
	b.Subscribe(func(e Stamped) { quick = append(quick, e.Event) })
	for i := range 100 {
		b.Publish(Status{Targets: i})
		b.Publish(Entry{Buckets: i})
	}
	close(held)
	b.Close()
	count := func(list []Event) (statuses []Status, entries int) {
		for _, e := range list {
			switch e := e.(type) {
			case Status:
				statuses = append(statuses, e)
			case Entry:
				if e.Buckets != entries {
					t.Errorf("entry %d comes as number %d", e.Buckets, entries)
				}
				entries++
			}
		}
		return statuses, entries
	}
	statuses, entries := count(slow)
	if n := len(statuses); entries != 100 || n == 0 || n > 2 || statuses[n-1].Targets != 99 {
		t.Errorf("the slow one has got %d entries and the statuses %+v, want all entries and the newest status", entries, statuses)
	}
	if _, entries := count(quick); entries != 100 {
		t.Errorf("the quick one has got %d entries, want 100", entries)
	}
}

func TestABusIsUsedByMany(t *testing.T) {
	var b Bus
	n := 0
	b.Subscribe(func(Stamped) { n++ })
	var publishing sync.WaitGroup
	for range 8 {
		publishing.Add(1)
		go func() {
			defer publishing.Done()
			for range 100 {
				b.Publish(Build{})
			}
		}()
	}
	publishing.Wait()
	b.Close()
	if n != 800 {
		t.Errorf("%d events have come, want 800", n)
	}
}

func TestWhatTheListSaysOfAFinding(t *testing.T) {
	for _, tt := range []struct {
		known Known
		want  string
	}{
		{Known{Reason: "old"}, "not to be reported: old"},
		{Known{Reason: "old", Until: "2027-01-01"}, "not to be reported until 2027-01-01: old"},
		{Known{Reason: "old", Until: "2025-01-01", Expired: true}, "was not to be reported until 2025-01-01: old"},
	} {
		if got := tt.known.Remark(); got != tt.want {
			t.Errorf("Remark of %+v = %q, want %q", tt.known, got, tt.want)
		}
	}
}
