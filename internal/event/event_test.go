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
	some = Subject{Package: "example.com/m/p", Folder: "p", Func: "FuzzX"}
)

// samples has events of each kind.
var samples = []Event{
	Build{Package: "example.com/m"},
	Build{Package: "example.com/m", Race: true, Number: 2, Total: 3},
	Building{Packages: []string{"example.com/m"}, Race: true, Done: 1, Total: 3, Seconds: 1.5, Ready: 20, Needed: 143},
	Building{Cover: true, Done: 3, Total: 3},
	Plan{Targets: []Subject{some}},
	Start{Module: "example.com/m", Targets: 2, Workers: 3, Seconds: 1.5, Quiet: true},
	Start{},
	Notice{What: Warning, Subject: some, Text: "a <b> & c\n\x00"},
	Notice{What: Aside, Subject: Subject{Package: "example.com/m"}, Text: "it does not build"},
	Notice{What: Skipped, Subject: some, Text: "t.Skip"},
	Notice{What: Quiet, Subject: some},
	Notice{What: Smaller, Subject: some, Text: "x"},
	Notice{What: Resume, Text: "goes on"},
	Notice{What: Paused, Text: "stands"},
	Notice{What: Resumed, Text: "goes on"},
	Notice{What: Failing, Subject: some, Text: "plain go test fails\nexit status 1"},
	Entry{Subject: some, Path: "/cache/abc", Size: 30, Buckets: 3, Edges: 1},
	Loading{Subject: some, Done: 128, Total: 300},
	WarmUp{Subject: some, Run: Run{Instrumented: true, WarmingUp: true, WarmTotal: 7, Workers: 1}},
	WarmedUp{Subject: some, Run: Run{WarmDone: 7, WarmTotal: 7, Workers: 2, Execs: 9, Edges: 5, Buckets: 6}},
	Progress{Subject: some, Run: Run{Minimizing: true, Execs: 1 << 60, Entries: 9, New: 2}},
	Progress{},
	Turn{Subject: some, Slots: []int{0, 1}, Execs: 7},
	Turn{Subject: some, Slots: []int{1}, Execs: 9, Over: true, Done: true, Turns: 3, Seconds: 1.5, Spent: 3, Next: 2, Low: 1, High: 9, Quiet: true},
	Again{Subject: some, ID: "0123456789abcdef", Result: Bug},
	Again{Subject: some, ID: "0123456789abcdef", Result: Flaky, Lost: true},
	Start{Seconds: 3, Spent: 1.5},
	SeedFailed{Subject: some, Seed: "seed#0"},
	Minimize{Subject: some, Size: 45},
	Grace{Subject: some, Seconds: 1.5, Again: true},
	OverLimit{Subject: some, Message: "memory limit", Path: "testdata/fuzz/FuzzX/1"},
	Failure{Subject: some, Kind: finding.Hang, Input: "testdata/fuzz/FuzzX/1", Flaky: true, NotRun: "FuzzX calls Skip"},
	Status{Seconds: 2, Begun: 1, Targets: 2, Execs: 1 << 60, Ran: 1 << 59, Rate: 0.5, Edges: 9, Entries: 8, Findings: 7, Left: 3, Last: true},
	Status{},
	Status{Reached: Reached{Covered: 3, Statements: 5}},
	Build{Package: "example.com/m", Cover: true},
	Cover{Subject: some, Reached: Reached{Covered: 3, Statements: 5}},
	Notice{What: Focus, Text: "-focus: FuzzX can reach 1 spot"},
	Notice{What: Refused, Subject: Subject{Package: "m/p", Func: "FuzzX"}, Text: "the target tried to start a program"},
	Notice{What: Distilled, Subject: some, Text: "2 of 6 inputs are kept"},
	Start{Spots: 3, Until: true},
	SpotReached{
		Subject: some, Spot: Spot{Where: "p.go:3", File: "p/p.go", Line: 3, Function: "example.com/m/p.F"}, Literals: []string{"int(1)"},
		Path: "seed#0", Given: true, Finding: true, Left: 2,
	},
	SpotEnd{Spot: Spot{Where: "HEAD~1..", File: "p/p.go", Line: 3, Function: "example.com/m/p.F"}},
	SpotEnd{
		Subject: some, Spot: Spot{Where: "p.F", File: "p/p.go", Line: 2, Function: "example.com/m/p.F"}, Reached: true, Finding: true,
		Literals: []string{"int(1)"}, Path: "/cache/abc", Distance: 2, Met: Condition{Text: "n > 3", File: "p/p.go", Line: 1},
	},
	TargetEnd{Subject: some, Reached: Reached{Covered: 3, Statements: 5}},
	Finding{
		Record: finding.Record{
			ID: "0123456789abcdef", Kind: finding.Panic, Message: "no", Package: "example.com/m", Folder: ".", Target: "FuzzX", Input: "go test fuzz v1\nint(1)\n",
			Calls: []finding.Call{{Func: "m.F", File: "m.go", Line: 3}}, First: at, Last: at, Times: 2,
		},
		Short: "0123", Literals: []string{"int(1)"}, Rerun: "go test", Known: &Known{Reason: "old", Until: "2027-01-01"},
	},
	TargetEnd{Subject: some, Result: Bug, Seconds: 3, Turns: 1, Execs: 2, Edges: 3, Entries: 4, New: 1, Bugs: 1, Next: 0.5, Quiet: true},
	TargetEnd{Subject: some, Result: Unreached, Reason: "the campaign ended before its first turn"},
	End{Seconds: 3, Targets: 5, Buggy: 1, Flaky: 1, Clean: 1, Skipped: 1, Unusable: 1, Known: 1, Unreached: 1, Fails: 1, Vet: 1, Findings: 2, Busy: 0.99, Exit: 1},
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

func TestEachKindOfEventHasASample(t *testing.T) {
	sampled := map[string]bool{}
	for _, e := range samples {
		sampled[e.Name()] = true
	}
	for name := range decoders {
		if !sampled[name] {
			t.Errorf("there is no sample of the event %s", name)
		}
	}
}

// A time that the bus adds has a reading of the monotonic clock, in the zone of the user.
func TestTimesAreWrittenInUTC(t *testing.T) {
	line, err := Encode(Build{}, at.In(time.FixedZone("elsewhere", 3600)))
	if err != nil || !strings.Contains(string(line), `"at":"2026-03-01T12:30:00.000000007Z"`) {
		t.Errorf("Encode = %s, %v", line, err)
	}
}

func TestALineThatIsNoEventIsAnError(t *testing.T) {
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
		Targets: []TargetState{{Subject: some, Run: Run{Execs: 7, WarmDone: 1}, Result: Clean, Begun: true, Share: 0.5}}, Workers: []WorkerState{{Number: 1, Doing: Fuzzing, Target: some, Since: 2}},
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

func TestEachSubscriberGetsAllEventsInOrder(t *testing.T) {
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
	b.Subscribe(func(Stamped) { t.Error("a bus that is closed calls a subscriber") })
	if !slices.Equal(first, want) || !slices.Equal(second, want) {
		t.Errorf("they get %d and %d events, want %d in order", len(first), len(second), len(want))
	}
	b.Close()
}

// A subscriber that does not return delays nobody, and loses status events only.
func TestASlowSubscriberLosesStatusEventsOnly(t *testing.T) {
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
		t.Errorf("the slow one gets %d entries and the statuses %+v, want all entries and the newest status", entries, statuses)
	}
	if _, entries := count(quick); entries != 100 {
		t.Errorf("the quick one gets %d entries, want 100", entries)
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

// The state of one target does not replace that of another one.
func TestASlowSubscriberGetsTheNewestStateOfEachTarget(t *testing.T) {
	var b Bus
	held := make(chan struct{})
	var got []Event
	b.Subscribe(func(e Stamped) { <-held; got = append(got, e.Event) })
	b.Publish(Build{}) // which the subscriber has, and is not in the queue
	x, y := Subject{Func: "FuzzX"}, Subject{Func: "FuzzY"}
	for i := range 100 {
		for _, target := range []Subject{x, y} {
			b.Publish(Progress{Subject: target, Run: Run{Execs: uint64(i)}})
			b.Publish(Loading{Subject: target, Done: i})
		}
	}
	close(held)
	b.Close()
	want := []Event{
		Progress{Subject: x, Run: Run{Execs: 99}}, Loading{Subject: x, Done: 99}, Progress{Subject: y, Run: Run{Execs: 99}}, Loading{Subject: y, Done: 99},
	}
	if n := len(got); n < len(want) || !slices.Equal(got[n-len(want):], want) || n > len(want)+2 {
		t.Errorf("it gets %+v, want %+v at the end", got, want)
	}
}

func TestTheRemarkAboutAKnownFinding(t *testing.T) {
	for _, tt := range []struct {
		known Known
		want  string
	}{
		{Known{Reason: "old"}, "not to be reported: old"},
		{Known{Reason: "old", Until: "2027-03-01"}, "not to be reported until 2027-03-01: old"},
		{Known{Reason: "old", Until: "2025-03-01", Expired: true}, "was not to be reported until 2025-03-01: old"},
	} {
		if got := tt.known.Remark(); got != tt.want {
			t.Errorf("the remark is %q, want %q", got, tt.want)
		}
	}
}

func TestTheEndIsTheLastEvent(t *testing.T) {
	var b Bus
	var got []Event
	b.Subscribe(func(e Stamped) { got = append(got, e.Event) })
	before, end, after := b.Publish(Build{}), b.Publish(End{}), b.Publish(Notice{Text: "late"})
	b.Close()
	if !before || !end || after || len(got) != 2 {
		t.Errorf("Publish = %v, %v, %v and the subscriber gets %+v, want an End as the last event", before, end, after, got)
	}
	if b.Publish(Build{}) {
		t.Error("an event is published after Close")
	}
}

// An observer has seen an event when Publish returns, and before each subscriber.
func TestAnObserverSeesAnEventAtOnce(t *testing.T) {
	var b Bus
	var seen []string
	b.Observe(func(e Stamped) { seen = append(seen, e.Event.Name()) })
	b.Publish(Build{})
	if !slices.Equal(seen, []string{"build"}) {
		t.Errorf("when Publish returns it has seen %q", seen)
	}
	b.Publish(End{})
	b.Publish(Build{})
	if !slices.Equal(seen, []string{"build", "end"}) {
		t.Errorf("behind the last event it has seen %q", seen)
	}
	b.Close()
}
