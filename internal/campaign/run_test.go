//go:build unix

package campaign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// The test binary is that of all targets too. What it does is in its input.
func TestMain(m *testing.M) {
	endEarly()
	testkit.BeTarget(testkit.FakeTarget{
		Protocol: overlay.Protocol(), Seeds: []string{"seed"},
		Call: func(t *testing.T, edges []byte, data string) {
			edges[min(len(data), 50)]++
			switch {
			case data == os.Getenv(failsEnv), data == "seed" && strings.HasSuffix(os.Args[0], raceSuffix):
				waitWhileHeld()
				t.Fail()
			case data == slowInput:
				time.Sleep(50 * time.Millisecond)
			}
		},
	})
	os.Exit(m.Run())
}

const (
	failsEnv   = "CAMPAIGN_TEST_FAILS" // the input with which the target fails
	endEnv     = "CAMPAIGN_TEST_END"   // how processes end before F.Fuzz: one of the values below; empty: they do not
	holdEnv    = "CAMPAIGN_TEST_HOLD"  // a file: while it exists, plain go test does not end with an input that fails; empty: it does
	slowInput  = "slow"                // what the target takes some time for
	raceSuffix = ".race"               // of the path of a binary in which the target fails with its seed
)

// How a process of the target ends before F.Fuzz.
const (
	endSkip   = "skip"   // with exit code 0, as after f.Skip
	endBroken = "broken" // with exit code 3; plain go test says why
	endPlain  = "plain"  // only plain go test fails
)

// endEarly ends a process of the target that is not to get to F.Fuzz.
func endEarly() {
	switch os.Getenv(endEnv) {
	case endSkip:
		os.Exit(0)
	case endPlain:
		if !slices.Contains(os.Args, "-test.fuzzworker") {
			fmt.Println("the teardown fails")
			os.Exit(1)
		}
	case endBroken:
		if !slices.Contains(os.Args, "-test.fuzzworker") {
			fmt.Println("the configuration is missing")
		}
		os.Exit(3)
	}
}

// waitWhileHeld holds a process of plain go test.
func waitWhileHeld() {
	file := os.Getenv(holdEnv)
	for file != "" && !slices.Contains(os.Args, "-test.fuzzworker") {
		if _, err := os.Stat(file); err != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// fakeBuilder has the test binary in the place of all that it builds.
type fakeBuilder struct {
	broken    string // a package that does not build
	race      string // the path of the binary with the race detector; empty: that of all others
	raceFails bool   // it does not build
	vet       string // a package with an error of vet
	coverErr  error  // of the build of a binary with counters
}

func (b fakeBuilder) Build(_ context.Context, t build.Target, v Variant, _ func(ready, needed int)) (string, error) {
	switch {
	case v == Plain:
		return os.Args[0], nil
	case v == Cover:
		return "x.test", b.coverErr
	case t.Package == b.broken || b.raceFails && v == Race:
		return "", errors.New("p.go:3:1: syntax error")
	case b.race != "" && v == Race:
		return b.race, nil
	}
	return os.Args[0], nil
}

func (b fakeBuilder) Vet(_ context.Context, pkg string) (string, error) {
	if pkg == b.vet {
		return "wrong verb", nil
	}
	return "", nil
}

// rig is what a whole campaign takes.
type rig struct {
	Options
	bus    *event.Bus
	open   OpenStore // opens the database of the history
	events []event.Event
}

func newRig(t *testing.T, fails string, packages ...string) *rig {
	t.Helper()
	root := t.TempDir()
	path := filepath.Join(t.TempDir(), store.FileName)
	r := &rig{bus: &event.Bus{}, open: func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, path) }}
	r.Options = Options{
		Dir: root, Module: project.Module{Root: root, Path: "example.com/m"}, Events: r.bus, Builder: fakeBuilder{broken: "broken"},
		Sources:   Folders{Environ: os.Environ()},
		Environ:   append(os.Environ(), testkit.TargetEnv+"=1", failsEnv+"="+fails),
		Toolchain: gocommand.Toolchain{Version: "go1.26", Cache: filepath.Join(root, "cache")},
		History:   NewHistory(r.open),
		Limits:    Limits{MaxExecs: 3000},
		Fuzzing:   Fuzzing{Parallel: 2, Timeout: time.Minute, Settings: engine.Settings{Minimize: engine.Budget{Execs: 100}}, Words: [][]byte{[]byte("bad")}},
	}
	for _, pkg := range packages {
		dir := filepath.Join(root, pkg)
		if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, "x_test.go"), []byte("package "+pkg+"\n"), 0o666)); err != nil {
			t.Fatal(err)
		}
		r.Targets = append(r.Targets, build.Target{Name: fuzz.Name{Package: pkg, Func: "FuzzX"}, Dir: dir})
	}
	r.bus.Subscribe(func(e event.Stamped) { r.events = append(r.events, e.Event) })
	return r
}

// run runs the campaign, and returns when each subscriber has all events.
func (r *rig) run(t *testing.T, ctx context.Context) Summary {
	t.Helper()
	s, err := Run(ctx, r.Options)
	if err != nil {
		t.Error(err)
	}
	r.bus.Close()
	return s
}

// notices returns the texts of the notices of a kind.
func (r *rig) notices(what event.NoticeKind) (texts []string) {
	for _, e := range r.events {
		if n, ok := e.(event.Notice); ok && n.What == what {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// ends returns what came of each target, in order.
func (r *rig) ends() (list []event.TargetEnd) {
	for _, e := range r.events {
		if e, ok := e.(event.TargetEnd); ok {
			list = append(list, e)
		}
	}
	return list
}

// findings returns the findings that are published.
func (r *rig) findings() (list []event.Finding) {
	for _, e := range r.events {
		if e, ok := e.(event.Finding); ok {
			list = append(list, e)
		}
	}
	return list
}

// names returns the names of the events, status events left out.
func (r *rig) names() (list []string) {
	for _, e := range r.events {
		if _, isStatus := e.(event.Status); !isStatus {
			list = append(list, e.Name())
		}
	}
	return list
}

func TestACampaignWithoutFindings(t *testing.T) {
	r := newRig(t, "never", "p", "q")
	s := r.run(t, t.Context())
	if s.ExitCode() != 0 || s.Count(event.Clean) != 2 || s.Findings != 0 {
		t.Errorf("the summary is %+v", s)
	}
	names := r.names()
	if names[len(names)-1] != "end" || slices.Index(names, "start") < 0 || slices.Contains(names, "finding") || !slices.Contains(names, "entry") {
		t.Errorf("the events are %q", names)
	}
	for _, e := range r.events {
		if e, ok := e.(event.TargetEnd); ok && (e.Execs < r.Limits.MaxExecs || e.Edges == 0 || e.Turns == 0 || e.Result != event.Clean) {
			t.Errorf("a target ends with %+v", e)
		}
	}
}

func TestACampaignContinuesAfterFindings(t *testing.T) {
	r := newRig(t, "bad", "p", "broken")
	r.Limits = Limits{MaxExecs: 100_000} // far more than it takes to get the words and to try them
	r.Fuzzing.Race = true
	r.Broken = []build.PackageError{{Package: "q", Reason: "no Go files"}}
	s := r.run(t, t.Context())
	if s.ExitCode() != 1 || s.Count(event.Bug) != 1 || s.Count(event.Unusable) != 1 || s.Findings != 1 || s.Broken != 1 {
		t.Errorf("the summary is %+v", s)
	}
	for _, e := range r.events {
		switch e := e.(type) {
		case event.Finding:
			if e.Target != "FuzzX" || e.Replays == 0 || e.Repeats != e.Replays || e.Path == "" {
				t.Errorf("the finding is %+v", e)
			}
			if _, err := os.Stat(r.Module.Abs(e.Path)); err != nil {
				t.Error(err)
			}
		case event.TargetEnd:
			if e.Package == "p" && e.Execs < r.Limits.MaxExecs {
				t.Errorf("the target ends after %d executions", e.Execs)
			}
		case event.End:
			if e.Exit != 1 || e.Targets != 2 {
				t.Errorf("the end is %+v", e)
			}
		}
	}
	if n := len(slices.DeleteFunc(r.names(), func(name string) bool { return name != "aside" })); n != 2 {
		t.Errorf("%d targets or packages are set aside, want one each", n)
	}
	db, err := r.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if all, err := db.Findings(t.Context(), "example.com/m"); err != nil || len(all) != 1 || all[0].Go != "go1.26" {
		t.Errorf("the history has %+v, %v", all, err)
	}
}

func TestTheFirstBugEndsACampaignWithFailFast(t *testing.T) {
	r := newRig(t, "bad", "p")
	r.Limits = Limits{FailFast: true} // else without an end
	if s := r.run(t, t.Context()); s.ExitCode() != 1 || s.Findings != 1 {
		t.Errorf("the summary is %+v", s)
	}
}

func TestACampaignThatIsInterruptedEndsInOrder(t *testing.T) {
	for _, tt := range []struct {
		name  string
		cause error
		fails string // the input with which the target fails
		want  int
	}{
		{"by a person", interruption(0), "never", 0},
		{"by a signal that a process of the target may have sent", interruption(143), "never", 143},
		{"by such a signal, with a bug", interruption(143), "seed", 1},
		{"by the program", nil, "never", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, tt.fails, "p")
			r.Limits = Limits{}
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			r.bus.Subscribe(func(e event.Stamped) {
				_, isFinding := e.Event.(event.Finding)
				if _, isEntry := e.Event.(event.Entry); isFinding || isEntry && tt.fails == "never" {
					cancel(tt.cause)
				}
			})
			if s := r.run(t, ctx); s.ExitCode() != tt.want {
				t.Errorf("the summary is %+v, want exit code %d", s, tt.want)
			}
			if end, ok := r.events[len(r.events)-1].(event.End); !ok || end.Exit != tt.want {
				t.Errorf("the events are %q, want the end with exit code %d last", r.names(), tt.want)
			}
		})
	}
}

// interruption is an Interruption with an exit code.
type interruption int

func (interruption) Error() string { return "interrupted" }

func (i interruption) ExitCode() int { return int(i) }

func TestACampaignWorksWithoutHistory(t *testing.T) {
	r := newRig(t, "bad", "p")
	r.Limits = Limits{FailFast: true} // else without an end
	r.History = NewHistory(func(context.Context) (*store.Store, error) { return nil, errors.New("another process has locked it") })
	s := r.run(t, t.Context())
	if s.ExitCode() != 1 || s.Findings != 1 {
		t.Errorf("the summary is %+v", s)
	}
	warnings := 0
	for _, e := range r.events {
		if e, ok := e.(event.Notice); ok && e.What == event.Warning {
			warnings++
		}
	}
	if names := r.names(); names[len(names)-1] != "end" {
		t.Errorf("the events are %q, want the end last", names)
	}
	if warnings == 0 || !slices.Contains(r.names(), "finding") {
		t.Errorf("the events are %q, want a warning and a finding", r.names())
	}
}

func TestATargetThatDoesNotGetToFuzzing(t *testing.T) {
	for _, tt := range []struct {
		name, end string
		what      event.NoticeKind
		text      string // in the notice
		result    event.Result
		exit      int
	}{
		{"it skips", endSkip, event.Skipped, "for example because it calls f.Skip", event.Skip, 0},
		{"its process ends, and plain go test says why", endBroken, event.Aside, "the configuration is missing", event.Unusable, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "never", "p")
			r.Environ = append(r.Environ, endEnv+"="+tt.end)
			s := r.run(t, t.Context())
			if s.ExitCode() != tt.exit || s.Count(tt.result) != 1 {
				t.Errorf("the summary is %+v, want a target that is %v", s, tt.result)
			}
			if got := r.notices(tt.what); len(got) != 1 || !strings.Contains(got[0], tt.text) {
				t.Errorf("the notices are %q, want one with %q", got, tt.text)
			}
			ends := r.ends()
			if len(ends) != 1 || ends[0].Reason == "" {
				t.Fatalf("the targets end with %+v, want a reason", ends)
			}
			points, results := r.recorded(t)
			want := store.Result{Target: fuzz.Name{Package: "p", Func: "FuzzX"}, Result: string(tt.result), Reason: ends[0].Reason}
			if len(points) != 0 || !slices.Equal(results, []store.Result{want}) {
				t.Errorf("the history has the points %+v and the results %+v, want no point and %+v", points, results, want)
			}
		})
	}
}

func TestATargetThatCannotBeOpenedIsSetAside(t *testing.T) {
	for _, tt := range []struct {
		name    string
		prepare func(r *rig) error
		text    string
	}{
		{"the folder of its package is gone", func(r *rig) error { return os.RemoveAll(r.Targets[0].Dir) }, "the folder of the package was deleted"},
		{"its package has no Go file any more", func(r *rig) error { return os.Remove(filepath.Join(r.Targets[0].Dir, "x_test.go")) }, "has no Go files"},
		{"its dictionary cannot be read", func(r *rig) error {
			dir := filepath.Join(r.Targets[0].Dir, "testdata", "fuzz")
			return errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, "FuzzX.dict"), []byte("\"no end\n"), 0o666))
		}, "FuzzX.dict"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "never", "p", "q")
			if err := tt.prepare(r); err != nil {
				t.Fatal(err)
			}
			s := r.run(t, t.Context())
			if s.ExitCode() != 3 || s.Targets[0].Result != event.Unusable || s.Targets[1].Result != event.Clean {
				t.Errorf("the summary is %+v, want that the second target is fuzzed", s)
			}
			if got := r.notices(event.Aside); len(got) != 1 || !strings.Contains(got[0], tt.text) {
				t.Errorf("the notices are %q, want one with %q", got, tt.text)
			}
		})
	}
}

func TestAFolderThatCannotBeReadWasNotDeleted(t *testing.T) {
	for _, tt := range []struct {
		name    string
		err     error
		forever bool
		what    event.NoticeKind
		text    string
		result  event.Result
	}{
		{"without a free descriptor the target waits", syscall.EMFILE, false, event.Warning, "ulimit -n", event.Clean},
		{"gnaw reports another error as it is", fs.ErrPermission, true, event.Aside, "read the folder of the package: open ", event.Unusable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "never", "p")
			var calls atomic.Int32
			r.Sources = Folders{readDir: func(dir string) ([]os.DirEntry, error) {
				if calls.Add(1) == 1 || tt.forever {
					return nil, &fs.PathError{Op: "open", Path: dir, Err: tt.err}
				}
				return os.ReadDir(dir)
			}}
			s, err := New(r.Options).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			r.bus.Close()
			if s.Targets[0].Result != tt.result {
				t.Errorf("the summary is %+v, want %v", s, tt.result)
			}
			if got := r.notices(tt.what); len(got) != 1 || !strings.Contains(got[0], tt.text) {
				t.Errorf("the notices are %q, want one with %q", got, tt.text)
			}
			for _, what := range event.NoticeKinds() {
				if got := r.notices(what); strings.Contains(strings.Join(got, "\n"), "deleted") {
					t.Errorf("gnaw says that the folder was deleted: %q", got)
				}
			}
		})
	}
}

// raceBinary returns the path of a binary in which the target fails with its seed.
func raceBinary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x"+raceSuffix)
	if err := os.Symlink(os.Args[0], path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheCorpusIsReplayedWithTheRaceDetector(t *testing.T) {
	r := newRig(t, "never", "p", "q")
	r.Fuzzing.Race, r.Builder = true, fakeBuilder{race: raceBinary(t)}
	s := r.run(t, t.Context())
	found := r.findings()
	if s.ExitCode() != 1 || s.Count(event.Bug) != 2 || len(found) != 1 {
		t.Fatalf("the summary is %+v with the findings %+v, want two targets with the same one", s, found)
	}
	for _, f := range found {
		if !slices.Contains(f.Flags, raceFlag) || f.Replays != raceReplays || f.Repeats != raceReplays || !strings.Contains(f.Rerun, raceFlag) {
			t.Errorf("the finding is %+v, want one that go test shows with %s", f, raceFlag)
		}
		if _, err := os.Stat(r.Module.Abs(f.Path)); err != nil {
			t.Error(err)
		}
	}
	built := 0
	for _, e := range r.events {
		if e, ok := e.(event.Build); ok && e.Race {
			built++
		}
	}
	if built != 2 {
		t.Errorf("%d binaries with the race detector are built, want one for each package", built)
	}
}

func TestWhatTheRaceDetectorCannotReplay(t *testing.T) {
	for _, tt := range []struct {
		name    string
		builder fakeBuilder
		what    event.NoticeKind
		text    string
		exit    int
	}{
		{"a binary that does not build sets its target aside", fakeBuilder{raceFails: true}, event.Aside, "syntax error", 3},
		{"a target whose binary does not start is not green", fakeBuilder{race: "/does/not/exist"}, event.Warning, "cannot be replayed with -race", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "never", "p")
			r.Fuzzing.Race, r.Builder = true, tt.builder
			if s := r.run(t, t.Context()); s.ExitCode() != tt.exit {
				t.Errorf("the summary is %+v, want the exit code %d", s, tt.exit)
			}
			if got := r.notices(tt.what); len(got) != 1 || !strings.Contains(got[0], tt.text) {
				t.Errorf("the notices are %q, want one with %q", got, tt.text)
			}
		})
	}
}

func TestEntriesThatTheRaceDetectorDoesNotExecuteAreNotGreen(t *testing.T) {
	r := newRig(t, "never", "p")
	r.Fuzzing.Race = true
	c := New(r.Options)
	target := c.targets[0]
	c.History.Start(t.Context(), r.Options)
	c.queue = newQueue()
	defer c.queue.close()
	if err := errors.Join(target.Prepare(t.Context()), target.Fuzz(t.Context(), time.Minute, 0, 1)); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = target.close() }()
	c.racer.seen[target] = &replayed{} // the time was over
	if target.conclude(t.Context()); target.result != event.Unreached || !strings.Contains(target.err.Error(), "not executed with the race detector") {
		t.Errorf("the result is %v (%v), want one that is not green", target.result, target.err)
	}
	r.bus.Close()
}

// recorded returns the last points and the results of the targets of the campaign in the history.
func (r *rig) recorded(t *testing.T) ([]store.Point, []store.Result) {
	t.Helper()
	db, err := r.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	points, err := db.Reader().Latest(t.Context(), 1)
	results, err2 := db.Reader().Results(t.Context(), 1)
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return points, results
}

// killedBefore gives the history a campaign that was killed when the targets of the rig had made some executions.
func (r *rig) killedBefore(t *testing.T, spent time.Duration, execs uint64) {
	t.Helper()
	db, err := r.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.Identity = Identity{Packages: "./...", Args: "-x", Process: "now"}
	id, err := db.Begin(t.Context(), store.Campaign{
		Module: r.Module.Path, Packages: "./...", Start: time.Now(), Go: r.Toolchain.Version, Args: "-x", Dir: r.Dir, Run: "a process that is gone",
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []store.Progress
	for _, target := range r.Targets {
		list = append(list, store.Progress{
			Target: target.Name, Code: digestOf(os.Args[0]), State: fmt.Sprintf(`{"turns":1,"execs":%d,"seeded":true}`, execs),
		})
	}
	if err := errors.Join(db.Book(t.Context(), id, r.Module.Path, spent, time.Now(), list), db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestAKilledCampaignIsResumed(t *testing.T) {
	r := newRig(t, "never", "p", "q")
	r.killedBefore(t, time.Minute, 2900)
	s := r.run(t, t.Context())
	if got := r.notices(event.Resume); len(got) != 1 || !strings.Contains(got[0], "killed after 1m0s and 5800 execs") {
		t.Errorf("the notices are %q, want one about the campaign", got)
	}
	if s.ExitCode() != 0 || s.Elapsed < time.Minute {
		t.Errorf("the summary is %+v, want more than a minute", s)
	}
	for _, e := range r.ends() {
		if e.Execs < r.Limits.MaxExecs || e.Execs > 3500 || e.Turns < 2 {
			t.Errorf("a target ends with %+v, want the executions that were left", e)
		}
	}
}

func TestTheHistoryHasTheTimeOfTheSummary(t *testing.T) {
	r := newRig(t, "never", "p", "q")
	s := r.run(t, t.Context())
	db, err := r.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	list, err := db.Progress(t.Context(), 1)
	if err != nil || len(list) != 2 || !strings.Contains(list[0].State, `"turns":`) {
		t.Errorf("the progress is %+v, %v; want that of both targets", list, err)
	}
	one, ok, err := db.Reader().Summary(t.Context(), 1)
	if err != nil || !ok || one.Spent != s.Elapsed.Truncate(time.Millisecond) {
		t.Errorf("the history has %v of fuzzing, %v; want %v", one.Spent, err, s.Elapsed)
	}
}

func TestACampaignThatIsNotResumed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(r *rig)
	}{
		{"because the user wants a new one", func(r *rig) { r.Identity.Fresh = true }},
		{"because it is repeatable", func(r *rig) { r.Fuzzing.Repeatable = true }},
		{"because its arguments are others", func(r *rig) { r.Identity.Args = "-y" }},
		{"because its time is used up", func(r *rig) { r.Limits.Time = time.Minute }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "never", "p")
			r.killedBefore(t, time.Minute, 2900)
			tt.change(r)
			r.run(t, t.Context())
			if got := r.notices(event.Resume); len(got) != 0 {
				t.Errorf("the notices are %q, want none", got)
			}
			if ends := r.ends(); len(ends) != 1 || ends[0].Execs < 3000 {
				t.Errorf("the targets end with %+v, want all executions", ends)
			}
		})
	}
}

func TestACampaignEndsWhenItsTimeIsOver(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits Limits
	}{
		{"for all targets together", Limits{Time: 500 * time.Millisecond}},
		{"for each target", Limits{Each: 250 * time.Millisecond}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "never", "p", "q")
			r.Limits = tt.limits
			s := r.run(t, t.Context())
			if s.Elapsed < tt.limits.Time+tt.limits.Each || len(s.Targets) != 2 || s.Findings != 0 {
				t.Errorf("the summary is %+v", s)
			}
			if names := r.names(); names[len(names)-1] != "end" {
				t.Errorf("the events are %q, want the end last", names)
			}
		})
	}
}

func TestTheTotalsCountTheWorkersThatReplay(t *testing.T) {
	r := newRig(t, "seed", "p")
	r.Limits = Limits{}
	hold := filepath.Join(t.TempDir(), "hold")
	if err := os.WriteFile(hold, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	r.Environ = append(r.Environ, holdEnv+"="+hold)
	c := New(r.Options)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := c.Run(ctx)
		ended <- err
	}()
	checking := make(chan int, 1000)
	r.bus.Subscribe(func(e event.Stamped) {
		if s, ok := e.Event.(event.Status); ok && !s.Last {
			checking <- s.Checking
		}
	})
	waitFor := func(want int) {
		tick, limit := time.NewTicker(5*time.Millisecond), time.After(time.Minute)
		defer tick.Stop()
		for got := -1; got != want; {
			c.publishStatus(time.Second, false)
			got = <-checking
			select {
			case <-tick.C:
			case <-limit:
				t.Fatalf("%d workers check what was found, want %d", got, want)
			}
		}
	}
	waitFor(1)
	if err := os.Remove(hold); err != nil {
		t.Fatal(err)
	}
	waitFor(0)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	r.bus.Close()
}

// With more workers than targets, several workers fuzz one target at the same time, and a snapshot shows that.
func TestASnapshotOfACampaignThatRuns(t *testing.T) {
	r := newRig(t, "never", "p")
	r.Limits = Limits{}
	c := New(r.Options)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan Summary, 1)
	go func() {
		s, err := c.Run(ctx)
		if err != nil {
			t.Error(err)
		}
		ended <- s
	}()
	tick, limit := time.NewTicker(5*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for done := false; !done; {
		select {
		case <-tick.C:
			s := c.Snapshot()
			done = len(s.Builds) == 1 && s.Builds[0].Done && s.Targets[0].Begun && s.Targets[0].Execs > 1000 && s.Totals.Begun == 1 && s.Totals.Seconds > 0
			for _, w := range s.Workers {
				done = done && w.Doing == event.Fuzzing && w.Target.Package == "p" && w.Since > 0
			}
			done = done && len(s.Workers) == 2
		case <-limit:
			cancel()
			t.Fatalf("no snapshot shows two workers that fuzz one target: %+v", c.Snapshot())
		}
	}
	cancel()
	if s := <-ended; s.ExitCode() != 0 {
		t.Errorf("the summary is %+v", s)
	}
	r.bus.Close()
	if s := c.Snapshot(); len(s.Targets) != 1 || s.Targets[0].Execs <= 1000 || s.Totals.Execs <= 1000 || s.Targets[0].State != "ended" {
		t.Errorf("at the end the snapshot is %+v", s)
	}
}
