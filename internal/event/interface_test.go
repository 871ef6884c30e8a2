package event

import (
	"bytes"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// Programs read these lines, so a name never changes.
func TestTheNamesInJSON(t *testing.T) {
	const about = `"package":"example.com/m/p","folder":"p","target":"FuzzX"`
	const run = `"instrumented":true,"warming_up":true,"warm_done":1,"warm_total":2,"minimizing":true,"workers":3,"execs":4,"edges":5,"buckets":6,"entries":7,"new_entries":8,"rerun_entries":9,"repeated_entries":10`
	state := Run{Instrumented: true, WarmingUp: true, WarmDone: 1, WarmTotal: 2, Minimizing: true, Workers: 3, Execs: 4, Edges: 5, Buckets: 6, Entries: 7, New: 8, Rerun: 9, Repeated: 10}
	for _, tt := range []struct {
		event Event
		want  string // behind the time
	}{
		{Build{Package: "p", Race: true, Number: 1, Total: 2}, `"package":"p","race":true,"number":1,"total":2`},
		{Building{Packages: []string{"p"}, Race: true, Done: 1, Total: 2, Seconds: 3, Ready: 5, Needed: 9}, `"packages":["p"],"race":true,"done":1,"total":2,"seconds":3,"packages_ready":5,"packages_needed":9`},
		{Plan{Targets: []Subject{some}}, `"targets":[{` + about + `}]`},
		{Build{Package: "p", Cover: true}, `"package":"p","cover":true`},
		{Cover{Subject: some, Reached: Reached{1, 2}}, about + `,"covered_statements":1,"statements":2`},
		{
			Start{Module: "m", Targets: 1, Workers: 2, Seconds: 3, Each: 4, Execs: 5, Quiet: true, Cover: true, Spent: 6},
			`"module":"m","targets":1,"workers":2,"seconds":3,"each_seconds":4,"each_execs":5,"until_quiet":true,"cover":true,"seconds_spent":6`,
		},
		{
			Status{Seconds: 1, Begun: 2, Targets: 3, Execs: 4, Rate: 5, Edges: 6, Entries: 7, Findings: 8, Left: 9, Ran: 10, Last: true, Reached: Reached{11, 12}},
			`"seconds":1,"targets_begun":2,"targets":3,"execs":4,"execs_per_second":5,"edges":6,"entries":7,"findings":8,"seconds_left":9,"execs_since_start":10,"last":true,"covered_statements":11,"statements":12`,
		},
		{Entry{Subject: some, Path: "x", Size: 3, Buckets: 2, Edges: 1, Technique: "solve"}, about + `,"path":"x","size":3,"buckets":2,"edges":1,"technique":"solve"`},
		{Notice{What: Aside, Subject: some, Text: "so"}, about + `,"text":"so"`},
		{
			TargetEnd{Subject: some, Result: KnownOnly, Reason: "so", Seconds: 1, Turns: 2, Execs: 3, Edges: 4, Entries: 5, New: 6, Bugs: 7, Next: 8, Quiet: true, Reached: Reached{9, 10}},
			about + `,"result":"known","reason":"so","seconds":1,"turns":2,"execs":3,"edges":4,"entries":5,"new_entries":6,"bugs":7,"next_edge_seconds":8,"quiet":true,"covered_statements":9,"statements":10`,
		},
		{
			End{Seconds: 1, Targets: 2, Buggy: 3, Flaky: 4, Clean: 5, Skipped: 6, Unusable: 7, Known: 8, Unreached: 9, Fails: 11, Vet: 12, Findings: 10, Busy: 1, Exit: 4},
			`"seconds":1,"targets":2,"with_bug":3,"with_flaky":4,"clean":5,"skipped":6,"unusable":7,"with_known_only":8,"unreached":9,"failing":11,"vet_errors":12,"findings":10,"busy":1,"exit_code":4`,
		},
		{Loading{Subject: some, Done: 1, Total: 2}, about + `,"done":1,"total":2`},
		{WarmUp{some, state}, about + "," + run},
		{WarmedUp{some, state}, about + "," + run},
		{Progress{some, state, 9}, about + "," + run + `,"worker_seconds":9`},
		{
			Turn{Subject: some, Slots: []int{0}, Execs: 1, Over: true, Done: true, Turns: 2, Seconds: 3, Spent: 4, Next: 5, Low: 6, High: 7, Quiet: true},
			about + `,"worker_numbers":[0],"execs":1,"over":true,"done":true,"turns":2,"seconds":3,"worker_seconds":4,"next_edge_seconds":5,"next_edge_low":6,"next_edge_high":7,"quiet":true`,
		},
		{Again{some, "ab", Bug, true}, about + `,"id":"ab","result":"bug","lost":true`},
		{SeedFailed{some, "seed#0"}, about + `,"seed":"seed#0"`},
		{Minimize{some, 7}, about + `,"size":7`},
		{Grace{some, 1.5, true}, about + `,"seconds":1.5,"again":true`},
		{OverLimit{some, "no", "x"}, about + `,"message":"no","path":"x"`},
		{Failure{some, finding.Hang, "x", true, "so", 5}, about + `,"kind":"hang","input":"x","flaky":true,"not_run":"so","count":5`},
	} {
		line, err := Encode(tt.event, at)
		if want := `{"event":"` + tt.event.Name() + `","at":"2026-03-01T12:30:00.000000007Z",` + tt.want + "}\n"; err != nil || string(line) != want {
			t.Errorf("Encode = %s (%v), want %s", line, err, want)
		}
	}
}

// Events are plain values: who gets one shares nothing with the campaign. What a finding points to is never changed.
func TestEventsArePlainValues(t *testing.T) {
	for _, e := range append(slices.Clone(samples), nil) {
		typ := reflect.TypeFor[Snapshot]()
		if e != nil {
			typ = reflect.TypeOf(e)
		}
		checkPlain(t, typ, typ.Name())
	}
}

func checkPlain(t *testing.T, typ reflect.Type, path string) {
	t.Helper()
	switch typ.Kind() {
	case reflect.Func, reflect.Chan, reflect.Map, reflect.UnsafePointer, reflect.Interface:
		t.Errorf("%s is a %v, want a plain value", path, typ.Kind())
	case reflect.Pointer:
		if !slices.Contains([]reflect.Type{reflect.TypeFor[Known](), reflect.TypeFor[finding.Measure](), reflect.TypeFor[finding.Dependency](), reflect.TypeFor[finding.Upstream](), reflect.TypeFor[finding.Cost]()}, typ.Elem()) {
			t.Errorf("%s is a pointer to a %v, want a plain value", path, typ.Elem())
		}
		checkPlain(t, typ.Elem(), path)
	case reflect.Slice, reflect.Array:
		checkPlain(t, typ.Elem(), path+"[]")
	case reflect.Struct:
		if typ == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range typ.NumField() {
			checkPlain(t, typ.Field(i).Type, path+"."+typ.Field(i).Name)
		}
	}
}

// ofGoTest are the events that no campaign publishes.
var ofGoTest = []string{"grace", "failure"}

// The documentation of gnaw fuzz -json has each event with its fields.
func TestTheEventsOfACampaignAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/campaigns.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, row, ok := strings.Cut(line, " | ")
		if !ok {
			continue
		}
		for _, word := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(name, -1) {
			rows[word[1]] += row
		}
	}
	_, intro, _ := strings.Cut(string(text), "each line of the output is one JSON object")
	intro, _, _ = strings.Cut(intro, "| `event` |")
	for _, field := range append(fields(reflect.TypeFor[head]()), fields(reflect.TypeFor[Subject]())...) {
		if !strings.Contains(intro, "`"+field+"`") {
			t.Errorf("docs/campaigns.md does not have the field %s of all events", field)
		}
	}
	for _, e := range samples {
		if slices.Contains(ofGoTest, e.Name()) {
			continue
		}
		row, ok := rows[e.Name()]
		if !ok {
			t.Errorf("docs/campaigns.md does not have the event %s", e.Name())
		}
		if _, isFinding := e.(Finding); isFinding {
			continue // its fields are those of gnaw findings -json
		}
		for _, field := range fields(reflect.TypeOf(e)) {
			if !strings.Contains(row, "`"+field+"`") {
				t.Errorf("docs/campaigns.md does not have the field %s of the event %s", field, e.Name())
			}
		}
	}
}

// fields returns the names of the fields of an event in JSON, without those of its target.
func fields(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Type == reflect.TypeFor[Subject](), name == "-":
		case f.Anonymous:
			names = append(names, fields(f.Type)...)
		default:
			names = append(names, name)
		}
	}
	return names
}

// unencodable is an event that JSON has no form for.
type unencodable struct{ F func() }

func (unencodable) Name() string { return "unencodable" }

func TestWhatJSONCannotSayIsAnError(t *testing.T) {
	for _, e := range []Event{Status{Rate: math.NaN()}, unencodable{}} {
		if line, err := Encode(e, at); err == nil || !strings.Contains(err.Error(), e.Name()) {
			t.Errorf("Encode = %s, %v; want an error that names the event", line, err)
		}
	}
	if line, err := Encode(Build{}, time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
		t.Errorf("a time that JSON cannot say is encoded as %s", line)
	}
}

func TestASubscriberGetsTheEventsThatComeAfterIt(t *testing.T) {
	var b Bus
	var early, late []Event
	b.Subscribe(func(e Stamped) { early = append(early, e.Event) })
	b.Publish(Build{Package: "p"})
	b.Subscribe(func(e Stamped) { late = append(late, e.Event) })
	b.Publish(Build{Package: "q"})
	b.Close()
	if len(early) != 2 || len(late) != 1 || late[0] != (Build{Package: "q"}) {
		t.Errorf("they get %+v and %+v, want two events and the second one", early, late)
	}
}

func TestSubscribersSeeOneOrder(t *testing.T) {
	var b Bus
	var orders [3][]byte
	var last time.Time
	for i := range orders {
		b.Subscribe(func(e Stamped) {
			orders[i] = append(orders[i], e.Event.(Build).Package[0])
			if i == 0 && e.At.Before(last) {
				t.Errorf("an event of %v comes after one of %v", e.At, last)
			} else if i == 0 {
				last = e.At
			}
		})
	}
	var publishers sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		publishers.Add(1)
		go func() {
			defer publishers.Done()
			for range 200 {
				b.Publish(Build{Package: name})
			}
		}()
	}
	publishers.Wait()
	b.Close()
	if len(orders[0]) != 800 || !bytes.Equal(orders[0], orders[1]) || !bytes.Equal(orders[0], orders[2]) {
		t.Errorf("the subscribers get %d, %d and %d events, want 800 in the same order", len(orders[0]), len(orders[1]), len(orders[2]))
	}
}

// A subscriber may publish, and ask for more subscribers.
func TestASubscriberMayUseTheBus(t *testing.T) {
	var b Bus
	answered := make(chan struct{})
	b.Subscribe(func(e Stamped) {
		switch e.Event.(type) {
		case Build:
			b.Subscribe(func(Stamped) {})
			b.Publish(Start{})
		case Start:
			close(answered)
		}
	})
	b.Publish(Build{})
	<-answered
	b.Close()
}
