package campaign

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// lab is a campaign with one target that was never fuzzed, in a module and with a history of its own.
type lab struct {
	*Campaign
	t       *testing.T
	target  *target
	db      *store.Store
	history *history // in db
	ledger  *ledger

	mu     sync.Mutex
	events []event.Event
}

func newLab(t *testing.T) *lab {
	t.Helper()
	root := t.TempDir()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	l := &lab{t: t, db: db}
	bus := &event.Bus{}
	bus.Subscribe(func(e event.Stamped) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.events = append(l.events, e.Event)
	})
	t.Cleanup(bus.Close)
	l.history = &history{module: project.Module{Root: root, Path: "example.com/m"}, store: db}
	l.history.campaign.Store(1)
	l.Campaign = New(Options{
		History: l.history, Dir: root, Module: project.Module{Root: root, Path: "example.com/m"}, Events: bus,
		Sources: Folders{}, Targets: []build.Target{{Name: fuzz.Name{Package: "example.com/m", Func: "FuzzX"}, Dir: root}},
		Limits: Limits{MaxExecs: 100}, Fuzzing: Fuzzing{Parallel: 2},
	})
	l.history.warn = l.warn
	l.ledger = l.Ledger.(*ledger)
	l.target = l.targets[0]
	return l
}

// report reports a finding of the target to the ledger.
func (l *lab) report(f *finding.Finding) (id string, what event.Result) {
	return l.ledger.Report(l.target.Target, f, noteOf(l.target))
}

// published returns the events until now.
func (l *lab) published() []event.Event {
	l.Events.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.events)
}

// eventsOf returns the events of a type.
func eventsOf[E event.Event](l *lab) (list []E) {
	for _, e := range l.published() {
		if e, ok := e.(E); ok {
			list = append(list, e)
		}
	}
	return list
}

// failure is a finding with a file of that text, which each replay shows.
func (l *lab) failure(message, text string) *finding.Finding {
	l.t.Helper()
	a := input.Args{{Kind: input.String, Data: []byte(text)}}
	path, _, err := corpus.Open(l.target.seeds(), corpus.GoTest(nil)).Save(a)
	if err != nil {
		l.t.Fatal(err)
	}
	return &finding.Finding{
		Kind: finding.Panic, Message: message, Place: "p.F p.go:3", Input: a, Original: a, Path: path, Own: true, Replays: 3, Failures: 3,
	}
}

func TestASummaryMakesTheExitCode(t *testing.T) {
	for _, tt := range []struct {
		name    string
		results []event.Result
		broken  int
		until   bool
		missed  int
		want    int
	}{
		{"nothing was found", []event.Result{event.Clean, event.Skip, event.Flaky, event.KnownOnly}, 0, false, 0, 0},
		{"a bug", []event.Result{event.Unusable, event.Bug, event.Unreached}, 1, false, 0, 1},
		{"a target that cannot be fuzzed", []event.Result{event.Unusable, event.Unreached}, 0, false, 0, 3},
		{"a package that cannot be loaded", []event.Result{event.Clean}, 1, false, 0, 3},
		{"a target that was not reached", []event.Result{event.Clean, event.Unreached}, 0, false, 0, 4},
		{"a spot that was not reached", []event.Result{event.Clean}, 0, false, 1, 0},
		{"a spot that was not reached, with -until=reached", []event.Result{event.Clean}, 0, true, 1, 4},
		{"a target that had no turn when all spots were reached", []event.Result{event.Clean, event.Unreached}, 0, true, 0, 0},
		{"a bug although all spots were reached", []event.Result{event.Bug}, 0, true, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Summary{Broken: tt.broken, Until: tt.until, Missed: tt.missed}
			for _, r := range tt.results {
				s.Targets = append(s.Targets, TargetSummary{Result: r})
			}
			if got := s.ExitCode(); got != tt.want {
				t.Errorf("the exit code is %d, want %d", got, tt.want)
			}
		})
	}
}

func TestTheElapsedTimeDoesNotFollowTheWallClock(t *testing.T) {
	l := newLab(t)
	if l.elapsed() != 0 {
		t.Errorf("before fuzzing begins the elapsed time is %v", l.elapsed())
	}
	l.spent = time.Hour
	l.begin()
	// A time with a reading of the monotonic clock does not follow the wall clock.
	l.board.Read(time.Time{}, func(s *board.State) {
		if s.Origin.String() == s.Origin.Round(0).String() {
			t.Errorf("the begin %v has no reading of the monotonic clock", s.Origin)
		}
	})
	if e := l.elapsed(); e < time.Hour || e > time.Hour+time.Minute {
		t.Errorf("after a kill the elapsed time is %v, want an hour", e)
	}
}

func TestWhatTheEngineReportsIsPublished(t *testing.T) {
	l := newLab(t)
	l.queue = newQueue()
	name := event.Subject{Package: "example.com/m", Folder: ".", Func: "FuzzX"}
	want := []event.Event{
		event.Notice{What: event.Warning, Subject: name, Text: "careful"},
		event.WarmedUp{Subject: name, Run: event.Run{Edges: 5}},
		event.Entry{Subject: name, Path: "x", Buckets: 3, Edges: 2},
	}
	for _, e := range want {
		l.target.onEvent(e)
	}
	l.target.onFound(l.failure("no", "in"))
	l.queue.close()
	got := l.published()
	if len(got) != len(want)+1 || !slices.Equal(got[:len(want)], want) {
		t.Fatalf("the events are %+v, want %+v and a finding", got, want)
	}
	if f, ok := got[len(want)].(event.Finding); !ok || f.Message != "no" || f.Target != "FuzzX" || f.Replays != 3 || len(f.Literals) != 1 || f.Rerun == "" {
		t.Errorf("the finding is %+v", got[len(want)])
	}
}

// What fuzzes waits neither for a replay nor for the history nor for those who listen.
func TestTheEngineDoesNotWaitForFindings(t *testing.T) {
	l := newLab(t)
	l.queue = newQueue()
	held := make(chan struct{})
	l.Events.Subscribe(func(event.Stamped) { <-held }) // a full pipe
	l.history.mu.Lock()                                // a database that is locked
	for i := range 100 {
		l.target.onFound(l.failure("no", string(rune('a'+i))))
		l.target.onEvent(event.Notice{What: event.Warning, Subject: l.target.name(), Text: "careful"})
		l.publishStatus(time.Second, false)
		l.Snapshot()
	}
	l.history.mu.Unlock()
	close(held)
	l.queue.close()
	if n := len(eventsOf[event.Finding](l)); n != 1 || l.bugs() != 1 {
		t.Errorf("%d findings are published, and %d count, want one, with other inputs", n, l.bugs())
	}
	if n := len(eventsOf[event.Notice](l)); n != 100 {
		t.Errorf("%d warnings are published, want 100", n)
	}
	all, err := l.db.Findings(t.Context(), l.Module.Path)
	if err != nil || len(all) != 1 || len(all[0].More) == 0 {
		t.Errorf("the history has %+v, %v", all, err)
	}
}

func TestASnapshotSaysWhatEachWorkerDoes(t *testing.T) {
	l := newLab(t)
	l.queue = newQueue()
	defer l.queue.close()
	l.onPoolEvent(bandit.Event{Target: -1, What: bandit.Begun})
	l.onPoolEvent(bandit.Event{Target: 0, What: bandit.Turn, Slots: []int{1}})
	s := l.Snapshot()
	if len(s.Workers) != 2 || s.Workers[0].Doing != event.Idle || s.Workers[1].Doing != event.Fuzzing || s.Workers[1].Target.Func != "FuzzX" {
		t.Errorf("the workers are %+v, want the second one to fuzz", s.Workers)
	}
	l.onPoolEvent(bandit.Event{Target: 0, What: bandit.Booked, Slots: []int{1}, Past: bandit.Past{Turns: 1, Time: time.Second, Worker: time.Second}})
	s = l.Snapshot()
	if s.Workers[1].Doing != event.Idle || s.Targets[0].Turns != 1 || s.Targets[0].Share != 1 || s.Targets[0].Seconds != 1 {
		t.Errorf("after its turn the target is %+v, and the workers are %+v", s.Targets, s.Workers)
	}
	if s.Totals.Targets != 1 || s.Module != "example.com/m" || s.Targets[0].Result != event.Clean {
		t.Errorf("the snapshot is %+v", s)
	}
}

func TestTheQueueKeepsTheOrder(t *testing.T) {
	d := newQueue()
	var got []int
	for i := range 100 {
		d.add(func() { got = append(got, i) })
	}
	d.flush()
	if len(got) != 100 || !slices.IsSorted(got) {
		t.Errorf("it has done %v", got)
	}
	d.close()
}

// A turn is recorded behind what it has found. Otherwise a campaign that is killed then would go on without the bug.
func TestATurnIsRecordedWithItsFindings(t *testing.T) {
	l := newLab(t)
	l.queue = newQueue()
	l.begin()
	held := make(chan struct{})
	l.queue.add(func() { <-held }) // the replay of a hang
	l.target.onFound(l.failure("no", "in"))
	l.onPoolEvent(bandit.Event{Target: 0, What: bandit.Booked, Past: bandit.Past{Turns: 1, Over: true}})
	l.saveProgress()
	if list, err := l.db.Progress(t.Context(), 1); err != nil || len(list) != 0 {
		t.Errorf("before the replay %+v is recorded, %v", list, err)
	}
	close(held)
	l.queue.flush()
	l.saveProgress()
	list, err := l.db.Progress(t.Context(), 1)
	if err != nil || len(list) != 1 || !strings.Contains(list[0].State, `:"bug"`) {
		t.Errorf("%+v is recorded, %v; want the bug", list, err)
	}
	// The race detector may find something when the turn has long been over.
	l.queue.add(func() { l.target.found(t.Context(), l.failure("late", "other")) })
	l.queue.close()
	l.saveProgress()
	if list, _ := l.db.Progress(t.Context(), 1); len(list) != 1 || strings.Count(list[0].State, `:"bug"`) != 2 {
		t.Errorf("%+v is recorded, want both bugs", list)
	}
}

// brokenBuilder builds nothing, and notes what it is to build.
type brokenBuilder struct{ builds []binaryName }

func (b *brokenBuilder) Build(_ context.Context, t build.Target, v Variant, _ func(ready, needed int)) (string, error) {
	b.builds = append(b.builds, binaryName{t.Package, v})
	return "/bin/" + t.Package, errors.New("syntax error")
}

func (*brokenBuilder) Vet(context.Context, string) (string, error) { return "", nil }

func TestEachBinaryIsBuiltOnce(t *testing.T) {
	l := newLab(t)
	builder := &brokenBuilder{}
	l.binaries = newBinaries(builder, l.Events, map[Variant]int{Instrumented: 1, Race: 1})
	l.racer = newRacer(l.Campaign)
	for range 3 {
		if err := l.target.Prepare(t.Context()); err == nil || err.Error() != "syntax error" {
			t.Errorf("Prepare = %v, want the error of the builder", err)
		}
	}
	if err := l.prepareRace(t.Context(), l.target); err == nil {
		t.Error("the binary with the race detector is built")
	}
	if want := []binaryName{{"example.com/m", Instrumented}, {"example.com/m", Race}}; !slices.Equal(builder.builds, want) {
		t.Errorf("the builds are %v, want %v", builder.builds, want)
	}
	want := []event.BuildState{
		{Package: "example.com/m", Done: true, Error: "syntax error"}, {Package: "example.com/m", Race: true, Done: true, Error: "syntax error"},
	}
	if got := l.Snapshot().Builds; !slices.Equal(got, want) {
		t.Errorf("the snapshot has the builds %+v, want %+v", got, want)
	}
	builds := []event.Build{{Package: "example.com/m", Number: 1, Total: 1}, {Package: "example.com/m", Race: true, Number: 1, Total: 1}}
	if got := eventsOf[event.Build](l); !slices.Equal(got, builds) {
		t.Errorf("the events are %+v, want one for each build", got)
	}
	ends := []event.Building{{Done: 1, Total: 1}, {Race: true, Done: 1, Total: 1}}
	if got := eventsOf[event.Building](l); !reflect.DeepEqual(got, ends) {
		t.Errorf("the events are %+v, want one for each end of a build", got)
	}
}

// ticking starts publishing a status at each tick; end returns when that has ended.
func (l *lab) ticking() (tick chan<- time.Time, end func()) {
	done, ticks, ended := make(chan struct{}), make(chan time.Time), make(chan struct{})
	go func() { defer close(ended); l.publishLive(done, nil, ticks) }()
	return ticks, func() { close(done); <-ended }
}

func TestAStatusIsPublishedAtEachTick(t *testing.T) {
	l := newLab(t)
	got := make(chan event.Status, 3)
	l.Events.Subscribe(func(e event.Stamped) {
		if s, ok := e.Event.(event.Status); ok {
			got <- s
		}
	})
	l.target.past.Execs = 7
	l.begin()
	tick, end := l.ticking()
	for range 2 {
		tick <- time.Now()
		if s := <-got; s.Execs != 7 || s.Ran != 0 || s.Targets != 1 || s.Seconds <= 0 || s.Last {
			t.Errorf("a status is %+v", s)
		}
	}
	end()
	if l.published(); len(got) != 0 {
		t.Errorf("there is another status: %+v", <-got)
	}
}

func TestTheProgressOfATargetIsPublishedWhenItHasChanged(t *testing.T) {
	l := newLab(t)
	l.binaries = newBinaries(&brokenBuilder{}, l.Events, nil)
	l.publishProgress() // it has had no turn
	o, err := l.target.options()
	if err != nil {
		t.Fatal(err)
	}
	l.target.session = session.Open(o)
	defer func() {
		if err := l.target.close(); err != nil {
			t.Error(err)
		}
	}()
	l.Events.Publish(l.target.turnEnd(bandit.Past{Worker: 3 * time.Second}, nil))
	l.target.past.Execs = 7
	for range 2 {
		l.publishProgress()
	}
	if got := eventsOf[event.Progress](l); len(got) != 1 || got[0].Subject != l.target.name() || got[0].Spent != 3 {
		t.Errorf("the events are %+v, want one", got)
	}
}

func TestThereIsNoStatusBeforeFuzzingBegins(t *testing.T) {
	l := newLab(t)
	tick, end := l.ticking()
	tick <- time.Now()
	end()
	if got := eventsOf[event.Status](l); len(got) != 0 {
		t.Errorf("the statuses are %+v, want none", got)
	}
}

func TestCoverageAndProgressAreRecordedAtEachTick(t *testing.T) {
	l := newLab(t)
	l.begin()
	l.target.past.Execs, l.target.past.Edges = 7, 3
	l.target.endTurn(bandit.Past{Turns: 1, Execs: 7})
	done, cover, progress, ended := make(chan struct{}), make(chan time.Time), make(chan time.Time), make(chan struct{})
	go func() { defer close(ended); l.record(done, cover, progress) }()
	cover <- time.Now()
	progress <- time.Now()
	close(done)
	<-ended
	if points, err := l.db.Coverage(t.Context(), l.Module.Path, fuzz.Name{Package: "example.com/m", Func: "FuzzX"}); err != nil || len(points) != 1 || points[0].Execs != 7 || points[0].Edges != 3 {
		t.Errorf("the coverage is %+v, %v", points, err)
	}
	if list, err := l.db.Progress(t.Context(), 1); err != nil || len(list) != 1 || !strings.Contains(list[0].State, `"turns":1`) {
		t.Errorf("the progress is %+v, %v", list, err)
	}
}

func TestTheResultOfATargetIsRecordedWhenItChanges(t *testing.T) {
	l := newLab(t)
	l.Broken = []build.PackageError{{Package: "example.com/m/bad", Reason: "no Go files"}}
	broken := store.Result{Target: fuzz.Name{Package: "example.com/m/bad"}, Result: "unusable", Reason: "no Go files"}
	chosen := store.Result{Target: fuzz.Name{Package: "example.com/m", Func: "FuzzX"}}
	aside, over := chosen, chosen
	aside.Result, aside.Reason = "unusable", "it does not build"
	over.Result = "clean"
	saveBroken(l.Campaign)
	for _, step := range []struct {
		name string
		do   func()
		over bool
		want store.Result
	}{
		{"when the campaign begins", func() {}, false, chosen},
		{"when it is set aside", func() { l.target.setAside(errors.New("it does not build")) }, false, aside},
		{"when nothing has changed", func() {}, false, aside},
		{"when the campaign is over", func() { l.target.result, l.target.err = event.Clean, nil }, true, over},
	} {
		step.do()
		saveResults(l.Campaign, step.over)
		if got, err := l.db.Reader().Results(t.Context(), 1); err != nil || !slices.Equal(got, []store.Result{step.want, broken}) {
			t.Errorf("%s: the results are %+v (%v), want %+v and the package", step.name, got, err, step.want)
		}
	}
}
