package campaign

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// memory is a History that notes what it gets.
type memory struct {
	unrecorded
	killed   store.Killed
	progress []store.Progress

	mu    sync.Mutex
	calls []string
	saved map[string]finding.Record
	state map[string]string // the last progress, by target
}

func (m *memory) note(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, fmt.Sprintf(format, args...))
}

func (m *memory) Start(_ context.Context, o Options) (store.Killed, []store.Progress) {
	m.note("start %s", o.Module.Path)
	return m.killed, m.progress
}

func (m *memory) Number() int64 { return 7 }

func (m *memory) Save(r finding.Record) finding.Record {
	m.note("save %s", r.Message)
	m.saved = map[string]finding.Record{r.ID: r}
	r.Commit = "abc"
	return r
}

func (m *memory) SaveProgress(_ time.Duration, list []store.Progress) {
	for _, p := range list {
		m.note("progress of %s", p.Target.Func)
		m.mu.Lock()
		m.state[p.Target.Func] = p.State
		m.mu.Unlock()
	}
}

func (m *memory) SaveResults(list []store.Result) {
	for _, r := range list {
		if r.Result != "" {
			m.note("%s is %s", r.Target.Func, r.Result)
		}
	}
}

func (m *memory) End() { m.note("end") }

// judge is a Ledger that says of each finding what it makes of its target.
type judge struct {
	what event.Result

	mu    sync.Mutex
	calls []string
}

func (j *judge) note(call string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls = append(j.calls, call)
}

func (j *judge) Begin(context.Context)                       { j.note("begin") }
func (j *judge) IsKnown(build.Target, *finding.Finding) bool { return false }
func (j *judge) Report(t build.Target, f *finding.Finding, note Note) (string, event.Result) {
	j.note(fmt.Sprintf("report %s of %s, new: %v", f.Message, t.Func, note("id", j.what)))
	return "id", j.what
}

func (j *judge) Again(t build.Target, id string, was event.Result) event.Result {
	j.note(fmt.Sprintf("again %s of %s, was: %v", id, t.Func, was))
	return j.what
}
func (j *judge) Smaller(build.Target, *finding.Finding)              {}
func (j *judge) Others(build.Target, *finding.Finding, []input.Args) {}
func (j *judge) Restore(build.Target, map[string]event.Result)       {}
func (j *judge) Tests(map[string]event.Result) []string              { return nil }
func (j *judge) End()                                                { j.note("end") }

// binariesOnly is a Builder whose binaries nobody starts.
type binariesOnly struct{}

func (binariesOnly) Build(_ context.Context, t build.Target, _ Variant, _ func(ready, needed int)) (string, error) {
	if t.Func == "FuzzBroken" {
		return "", errors.New("syntax error")
	}
	return t.Func + ".test", nil
}

func (binariesOnly) Vet(context.Context, string) (string, error) { return "", nil }

// passing is plain go test that passes.
func passing(context.Context, *target, bool, bool) (proof.Whole, error) { return proof.Whole{}, nil }

// scripted is a campaign over targets whose turns do what a test says.
type scripted struct {
	Options
	t       *testing.T
	history *memory
	judge   *judge
	events  []event.Event
}

func newScripted(t *testing.T, what event.Result, names ...string) *scripted {
	t.Helper()
	s := &scripted{t: t, history: &memory{state: map[string]string{}}, judge: &judge{what: what}}
	root := t.TempDir()
	s.Options = Options{
		Dir: root, Module: project.Module{Root: root, Path: "example.com/m"}, Builder: binariesOnly{}, Events: &event.Bus{},
		History: s.history, Ledger: s.judge, Fuzzing: Fuzzing{Parallel: 1},
	}
	for _, name := range names {
		s.Targets = append(s.Targets, build.Target{Name: fuzz.Name{Package: "example.com/" + strings.ToLower(name), Func: name}, Dir: root})
	}
	s.Events.Subscribe(func(e event.Stamped) { s.events = append(s.events, e.Event) })
	return s
}

// run runs the campaign with a schedule that prepares each target, and calls turn for one after the other until ctx ends.
func (s *scripted) run(turn func(i int, t *target) bandit.Past) Summary {
	s.t.Helper()
	var c *Campaign
	s.Schedule = func(ctx context.Context, o bandit.Options) bandit.Result {
		o.OnEvent(bandit.Event{Target: -1, What: bandit.Begun})
		for i, t := range o.Targets {
			if ctx.Err() != nil {
				break
			}
			if err := t.Prepare(ctx); err != nil {
				o.OnEvent(bandit.Event{Target: i, What: bandit.SetAside, Err: err})
				continue
			}
			o.OnEvent(bandit.Event{Target: i, What: bandit.Turn, Slots: []int{0}})
			o.OnEvent(bandit.Event{Target: i, What: bandit.Booked, Slots: []int{0}, Past: turn(i, c.targets[i])})
			c.queue.flush()
		}
		return bandit.Result{Elapsed: time.Minute, Busy: 1}
	}
	c = New(s.Options)
	c.checker.seeds = passing
	sum, err := c.Run(s.t.Context())
	if err != nil {
		s.t.Error(err)
	}
	s.Events.Close()
	if n := c.Snapshot().Number; n != 7 {
		s.t.Errorf("the campaign has the number %d, want that of its history", n)
	}
	return sum
}

func TestACampaignRunsOnAnotherScheduleHistoryAndLedger(t *testing.T) {
	s := newScripted(t, event.Bug, "FuzzA", "FuzzBroken", "FuzzB", "FuzzC")
	s.Limits.FailFast = true
	sum := s.run(func(i int, one *target) bandit.Past {
		if i == 2 {
			one.onFound(&finding.Finding{Message: "no", Replays: 1})
		}
		return bandit.Past{Turns: 1, Time: time.Second, Worker: time.Second}
	})
	if sum.ExitCode() != 1 || sum.Elapsed != time.Minute {
		t.Errorf("the summary is %+v, want that of the schedule with the bug of the ledger", sum)
	}
	if want := []string{"begin", "report no of FuzzB, new: true", "end"}; !slices.Equal(s.judge.calls, want) {
		t.Errorf("the ledger has %q, want %q", s.judge.calls, want)
	}
	var results []event.Result
	for _, one := range sum.Targets {
		results = append(results, one.Result)
	}
	if want := []event.Result{event.Unreached, event.Unusable, event.Bug, event.Unreached}; !slices.Equal(results, want) {
		t.Errorf("the results are %q, want %q: the bug ends the campaign", results, want)
	}
	calls := s.history.calls
	if first, last := calls[0], calls[len(calls)-1]; first != "start example.com/m" || last != "end" {
		t.Errorf("the history has %q, want the start first and the end last", calls)
	}
	for _, want := range []string{"FuzzBroken is unusable", "progress of FuzzA", "progress of FuzzB", "FuzzB is bug"} {
		if !slices.Contains(calls, want) {
			t.Errorf("the history has %q, without %q", calls, want)
		}
	}
	if state := s.history.state["FuzzB"]; !strings.Contains(state, `"id":"bug"`) {
		t.Errorf("the progress of the target with the bug is %s", state)
	}
}

func TestACampaignIsResumedFromAnyHistory(t *testing.T) {
	s := newScripted(t, event.Flaky, "FuzzA", "FuzzB")
	s.history.killed = store.Killed{ID: 3, Spent: time.Minute}
	s.history.progress = []store.Progress{
		{Target: fuzz.Name{Package: "example.com/fuzza", Func: "FuzzA"}, State: `{"turns":2,"execs":9,"findings":{"id":"bug"}}`},
		{Target: fuzz.Name{Package: "example.com/other", Func: "FuzzA"}, State: `{"turns":5}`},
		{Target: fuzz.Name{Package: "example.com/fuzzb", Func: "FuzzB"}, State: `not JSON`},
	}
	var pasts []bandit.Past
	s.run(func(_ int, one *target) bandit.Past {
		pasts = append(pasts, one.Past())
		return one.Past()
	})
	if want := []bandit.Past{{Turns: 2, Execs: 9}, {}}; !reflect.DeepEqual(pasts, want) {
		t.Errorf("the targets had %+v before, want %+v", pasts, want)
	}
	if want := []string{"begin", "again id of FuzzA, was: bug", "end"}; !slices.Equal(s.judge.calls, want) {
		t.Errorf("the ledger has %q, want %q", s.judge.calls, want)
	}
}

func TestACampaignWithoutHistorySaysNothingOfIt(t *testing.T) {
	s := newScripted(t, event.Clean, "FuzzA")
	s.Options.History, s.Options.Ledger = nil, nil
	s.Schedule = func(context.Context, bandit.Options) bandit.Result { return bandit.Result{} }
	c := New(s.Options)
	c.checker.seeds = passing
	if _, err := c.Run(t.Context()); err != nil {
		t.Error(err)
	}
	s.Events.Close()
	for _, e := range s.events {
		if n, ok := e.(event.Notice); ok {
			t.Errorf("there is the notice %+v", n)
		}
	}
	r := c.History.Save(finding.Record{ID: "aaaabbbb"})
	if _, ok := c.History.Find("aaaabbbb"); ok || r.ID != "aaaabbbb" || c.History.Keeps() || c.Snapshot().Number != 0 {
		t.Errorf("a campaign without history keeps %+v", r)
	}
}
