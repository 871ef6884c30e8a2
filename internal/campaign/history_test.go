package campaign

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// archive is a history whose database can be made unusable.
type archive struct {
	*history
	options  Options
	path     string
	warnings []string
	openErr  error
}

func newArchive(t *testing.T) *archive {
	t.Helper()
	a := &archive{path: filepath.Join(t.TempDir(), store.FileName)}
	a.history = &history{open: func(ctx context.Context) (*store.Store, error) {
		if a.openErr != nil {
			return nil, a.openErr
		}
		return store.Open(ctx, a.path)
	}}
	a.options = Options{
		Module: project.Module{Root: t.TempDir(), Path: "example.com/m"}, Toolchain: gocommand.Toolchain{Version: "go1.26"}, Events: &event.Bus{},
		Identity: Identity{Process: "now"},
	}
	a.options.Events.Observe(func(e event.Stamped) { a.warnings = append(a.warnings, e.Event.(event.Notice).Text) })
	return a
}

// begun is an archive with a campaign.
func begun(t *testing.T) *archive {
	t.Helper()
	a := newArchive(t)
	a.Start(t.Context(), a.options)
	t.Cleanup(a.End)
	return a
}

// fail makes the database unusable, as a disk does that is full.
func (a *archive) fail(t *testing.T) {
	t.Helper()
	if err := a.store.Close(); err != nil {
		t.Fatal(err)
	}
}

// findings returns what the database has.
func (a *archive) findings(t *testing.T) []finding.Record {
	t.Helper()
	db, err := store.Open(t.Context(), a.path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all, err := db.Findings(t.Context(), a.module.Path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func record(id string) finding.Record {
	return finding.Record{ID: id, Kind: finding.Panic, Message: "no", Package: "p", Target: "FuzzX", Input: "in", Size: 5, Last: time.Now(), Times: 1}
}

var someTarget = build.Target{Name: fuzz.Name{Package: "p", Func: "FuzzX"}}

func TestAHistoryThatCannotBeOpenedCostsOneWarning(t *testing.T) {
	a := newArchive(t)
	a.openErr = errors.New("the file is damaged")
	if k, list := a.Start(t.Context(), a.options); k.ID != 0 || list != nil {
		t.Errorf("start = %+v, %v, want no campaign", k, list)
	}
	a.SavePoint(store.Point{Target: fuzz.Name{Package: "p", Func: "FuzzX"}})
	a.SaveProgress(time.Second, nil)
	if r := a.Save(record("aaaa")); r.ID != "aaaa" || r.Go != "go1.26" {
		t.Errorf("save = %+v, want the record", r)
	}
	if _, ok := a.Find("aaaa"); ok || a.Keeps() {
		t.Error("there is a finding without a database")
	}
	if got := a.Short("aaaabbbbccccdddd"); got != "aaaa" {
		t.Errorf("the short ID is %q", got)
	}
	a.End()
	if len(a.warnings) != 1 || !strings.HasPrefix(a.warnings[0], "the file is damaged; gnaw continues without the history") {
		t.Errorf("the warnings are %q, want one", a.warnings)
	}
}

// What cannot be written while a campaign runs is written at its end, if that works again.
func TestWhatTheHistoryCouldNotTakeIsRecordedAtTheEnd(t *testing.T) {
	for _, tt := range []struct {
		name     string
		again    bool // the database can be opened again
		warnings int
	}{
		{"if the database can be used again", true, 1},
		{"otherwise there is another warning", false, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := begun(t)
			a.Save(record("aaaa"))
			a.fail(t)
			a.SavePoint(store.Point{Target: fuzz.Name{Package: "p", Func: "FuzzX"}})
			a.Save(record("bbbb"))
			a.Add("aaaa", finding.Sample{Package: "p", Target: "FuzzX", Input: "other", Size: 3})
			smaller := record("bbbb")
			smaller.Input, smaller.Size = "i", 1
			a.Renew(smaller)
			if !tt.again {
				a.openErr = errors.New("the disk is full")
			}
			a.End()
			if len(a.warnings) != tt.warnings || tt.warnings == 2 && !strings.Contains(a.warnings[1], "do not know the findings since then") {
				t.Errorf("the warnings are %q, want %d", a.warnings, tt.warnings)
			}
			var inputs []string
			for _, r := range a.findings(t) {
				inputs = append(inputs, r.ID+" "+r.Input)
				for _, more := range r.More {
					inputs = append(inputs, r.ID+" "+more.Input)
				}
			}
			slices.Sort(inputs)
			want := []string{"aaaa in"}
			if tt.again {
				want = []string{"aaaa in", "aaaa other", "bbbb i", "bbbb in"}
			}
			if !slices.Equal(inputs, want) {
				t.Errorf("the history has the inputs %q, want %q", inputs, want)
			}
		})
	}
}

func TestAHistoryThatFailsWithoutALossSaysSoOnce(t *testing.T) {
	a := begun(t)
	a.fail(t)
	for range 3 {
		a.SavePoint(store.Point{Target: fuzz.Name{Package: "p", Func: "FuzzX"}})
	}
	a.openErr = errors.New("the disk is full")
	a.End()
	if len(a.warnings) != 1 {
		t.Errorf("the warnings are %q, want one", a.warnings)
	}
}

func TestTheHistoryHasTheCoverageOverTime(t *testing.T) {
	a := begun(t)
	s := engine.Snapshot{Run: event.Run{Execs: 4, Edges: 1, Buckets: 2, Entries: 3}}
	a.SavePoint(pointOf(&target{Target: someTarget}, s, event.Reached{Covered: 5, Statements: 6}))
	points, err := a.store.Coverage(t.Context(), a.module.Path, fuzz.Name{Package: "p", Func: "FuzzX"})
	if err != nil || len(points) != 1 || points[0].Execs != 4 || points[0].Edges != 1 || points[0].Buckets != 2 || points[0].Entries != 3 ||
		points[0].Covered != 5 || points[0].Statements != 6 {
		t.Errorf("the points are %+v, %v", points, err)
	}
}

func TestAFindingIsFoundByItsID(t *testing.T) {
	a := begun(t)
	a.Save(record("aaaabbbbccccdddd"))
	a.Save(record("aaaaffffccccdddd"))
	if r, ok := a.Find("aaaabbbbccccdddd"); !ok || r.Input != "in" || r.Times != 1 {
		t.Errorf("it is %+v, %v", r, ok)
	}
	if r, ok := a.Find("0000"); ok {
		t.Errorf("an ID that nothing has finds %+v", r)
	}
	if got := a.Short("aaaabbbbccccdddd"); got != "aaaab" {
		t.Errorf("the short ID is %q, want one that no other finding begins with", got)
	}
}

func TestWhichCampaignIsResumed(t *testing.T) {
	o := Options{Dir: "/m", Module: project.Module{Path: "example.com/m"}, Identity: Identity{Packages: "./...", Args: "-x", Process: "now"}}
	for _, tt := range []struct {
		name   string
		spent  time.Duration // of the one that was killed; less than 0: it never fuzzed
		change func(o *Options)
		want   bool
	}{
		{"one with the same arguments", time.Minute, func(*Options) {}, true},
		{"one that has time left", time.Minute, func(o *Options) { o.Limits.Time = time.Hour }, true},
		{"none that has used up its time", time.Minute, func(o *Options) { o.Limits.Time = time.Minute }, false},
		{"one that has fuzzed for less than a millisecond", 1, func(*Options) {}, true},
		{"none that never fuzzed", -1, func(*Options) {}, false},
		{"none of another folder", time.Minute, func(o *Options) { o.Dir = "/n" }, false},
		{"none if a new one is asked for", time.Minute, func(o *Options) { o.Identity.Fresh = true }, false},
		{"none if the run is repeatable", time.Minute, func(o *Options) { o.Fuzzing.Repeatable = true }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			killed := newArchive(t)
			before := o
			before.Events = killed.options.Events
			before.Identity.Process = "a process that is gone"
			killed.Start(t.Context(), before)
			id := killed.campaign.Load()
			if tt.spent >= 0 {
				killed.SaveProgress(tt.spent, []store.Progress{{Target: fuzz.Name{Package: "p", Func: "FuzzX"}, Code: "c", State: "{}"}})
			}
			killed.fail(t) // it does not end in good order

			a := newArchive(t)
			a.path = killed.path
			defer a.End()
			now := o
			now.Events = a.options.Events
			tt.change(&now)
			k, list := a.Start(t.Context(), now)
			if got := k.ID == id; got != tt.want || (len(list) == 1) != tt.want || (a.campaign.Load() == id) != tt.want {
				t.Errorf("it is resumed: %v with %+v, want %v", got, list, tt.want)
			}
			if len(a.warnings) != 0 {
				t.Errorf("the warnings are %q", a.warnings)
			}
		})
	}
}
