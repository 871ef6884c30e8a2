//go:build unix

package campaign

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// The test binary is that of all targets too. What it does is in its input.
func TestMain(m *testing.M) {
	testkit.BeTarget(testkit.Target{
		Protocol: build.Protocol(), Seeds: []string{"seed"},
		Call: func(t *testing.T, edges []byte, data string) {
			edges[min(len(data), 50)]++
			if data == os.Getenv(failsEnv) {
				t.Fail()
			}
		},
	})
	os.Exit(m.Run())
}

// failsEnv is the input with which the target fails.
const failsEnv = "CAMPAIGN_TEST_FAILS"

// fakeBuilder has the test binary in the place of all that it builds.
type fakeBuilder struct{ broken string } // a package that does not build

func (fakeBuilder) Path(string, []string) string { return os.Args[0] }

func (b fakeBuilder) Binary(_ context.Context, pkg string, _ []string) error {
	if pkg == b.broken {
		return errors.New("p.go:3:1: syntax error")
	}
	return nil
}

func (fakeBuilder) Plain(context.Context, string, []string) (string, error) { return os.Args[0], nil }

// rig is what a whole campaign takes.
type rig struct {
	Options
	bus    *event.Bus
	events []event.Event
}

func newRig(t *testing.T, fails string, packages ...string) *rig {
	t.Helper()
	root := t.TempDir()
	path := filepath.Join(t.TempDir(), store.FileName)
	r := &rig{bus: &event.Bus{}}
	r.Options = Options{
		Dir: root, Module: project.Module{Root: root, Path: "example.com/m"}, Events: r.bus, Builder: fakeBuilder{broken: "broken"},
		Environ:   append(os.Environ(), testkit.TargetEnv+"=1", failsEnv+"="+fails),
		Toolchain: build.Toolchain{Version: "go1.26", Cache: filepath.Join(root, "cache")},
		Store:     func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, path) },
		Limits:    Limits{Execs: 3000},
		Fuzzing:   Fuzzing{Parallel: 2, Timeout: time.Minute, MinimizeExecs: 100, Words: [][]byte{[]byte("bad")}},
	}
	for _, pkg := range packages {
		dir := filepath.Join(root, pkg)
		if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, "x_test.go"), []byte("package "+pkg+"\n"), 0o666)); err != nil {
			t.Fatal(err)
		}
		r.Targets = append(r.Targets, build.Target{Package: pkg, Name: "FuzzX", Dir: dir})
	}
	r.bus.Subscribe(func(e event.Stamped) { r.events = append(r.events, e.Event) })
	return r
}

// run runs the campaign until all who listen have heard of all.
func (r *rig) run(t *testing.T, ctx context.Context) Summary {
	t.Helper()
	s, err := Run(ctx, r.Options)
	if err != nil {
		t.Error(err)
	}
	r.bus.Close()
	return s
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
		if e, ok := e.(event.TargetEnd); ok && (e.Execs < 3000 || e.Edges == 0 || e.Turns == 0 || e.Result != event.Clean) {
			t.Errorf("a target ends with %+v", e)
		}
	}
}

func TestACampaignGoesOnAfterFindings(t *testing.T) {
	r := newRig(t, "bad", "p", "broken")
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
			if e.Package == "p" && e.Execs < 3000 {
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
	db, err := r.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if all, err := db.Findings(t.Context(), "example.com/m"); err != nil || len(all) != 1 || all[0].Go != "go1.26" {
		t.Errorf("the history has %+v, %v", all, err)
	}
}

func TestTheFirstBugEndsACampaignIfItIsAskedFor(t *testing.T) {
	r := newRig(t, "bad", "p")
	r.Limits = Limits{FailFast: true} // else without an end
	if s := r.run(t, t.Context()); s.ExitCode() != 1 || s.Findings != 1 {
		t.Errorf("the summary is %+v", s)
	}
}

func TestACampaignThatIsStoppedEndsInGoodOrder(t *testing.T) {
	r := newRig(t, "never", "p")
	r.Limits = Limits{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.bus.Subscribe(func(e event.Stamped) {
		if _, ok := e.Event.(event.Entry); ok {
			cancel()
		}
	})
	if s := r.run(t, ctx); s.ExitCode() != 0 {
		t.Errorf("the summary is %+v", s)
	}
	if names := r.names(); names[len(names)-1] != "end" {
		t.Errorf("the events are %q", names)
	}
}

func TestACampaignWorksWithoutHistory(t *testing.T) {
	r := newRig(t, "bad", "p")
	r.Store = func(context.Context) (*store.Store, error) { return nil, errors.New("another process has locked it") }
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
