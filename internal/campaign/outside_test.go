package campaign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// beOutside makes the target of a lab one of a dependency.
func (l *lab) beOutside(t *testing.T) {
	t.Helper()
	sources := filepath.Join(t.TempDir(), "dep")
	if err := os.MkdirAll(filepath.Join(sources, "p"), 0o777); err != nil {
		t.Fatal(err)
	}
	l.Copies = &deps.Copies{Dir: t.TempDir()}
	placed, err := l.Copies.Place(build.Target{
		Name: fuzz.Name{Package: "example.com/dep/p", Func: "FuzzX"}, Dir: filepath.Join(sources, "p"), Outside: &build.Outside{
			Module: "example.com/dep", Version: "v1.0.0", Line: 5, Root: sources, Keeper: l.Module.Root,
			Home: filepath.Join(l.Module.Root, ".gnaw", "deps", "example.com", "dep@v1.0.0", "p"),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	l.target.Target = placed
}

func TestAFindingOfADependencyIsKeptInTheMainModule(t *testing.T) {
	l := newLab(t)
	l.beOutside(t)
	l.report(l.failure("gone", "first"))
	found := eventsOf[event.Finding](l)
	if len(found) != 1 {
		t.Fatalf("%d findings are published, want 1", len(found))
	}
	r := found[0].Record
	if d := r.Dependency; d == nil || d.Module != "example.com/dep" || d.Version != "v1.0.0" || d.Line != 5 || d.Folder != "p" {
		t.Errorf("the dependency is %+v", d)
	}
	if !strings.HasPrefix(r.Path, ".gnaw/deps/example.com/dep@v1.0.0/p/testdata/fuzz/FuzzX/") || !strings.HasPrefix(found[0].Rerun, "gnaw repro ") {
		t.Errorf("the file is %s, and the command %s", r.Path, found[0].Rerun)
	}
	if text, err := os.ReadFile(l.Module.Abs(r.Path)); err != nil || string(text) != r.Input {
		t.Errorf("the file has %q (%v), want %q", text, err, r.Input)
	}
	if list, err := os.ReadDir(l.target.Dir); err != nil || len(list) > 0 {
		t.Errorf("%d files are in the module itself (%v)", len(list), err)
	}
}

func TestAFindingOfADependencyThatCannotBeKeptSaysWhy(t *testing.T) {
	l := newLab(t)
	l.beOutside(t)
	if err := os.WriteFile(filepath.Join(l.Module.Root, ".gnaw"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	l.report(l.failure("gone", "first"))
	found := eventsOf[event.Finding](l)
	if len(found) != 1 || found[0].Path != "" || found[0].Why == "" || !found[0].Counts() {
		t.Errorf("the findings are %+v", found)
	}
}

func TestWhetherADependencyCountsForTheExitCode(t *testing.T) {
	outside := build.Target{Outside: &build.Outside{}}
	for _, tt := range []struct {
		name   string
		result event.Result
		counts bool
		want   int
	}{
		{"a bug", event.Bug, false, 0},
		{"a bug with -deps=fail", event.Bug, true, 1},
		{"one that does not build", event.Unusable, true, 0},
		{"one that was not reached", event.Unreached, true, 0},
	} {
		s := Summary{Targets: []TargetSummary{{outside, tt.result}, {build.Target{}, event.Clean}}, Outside: tt.counts}
		if got := s.ExitCode(); got != tt.want {
			t.Errorf("%s: the exit code is %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestDependenciesAreNotBuiltForEver(t *testing.T) {
	l := newLab(t)
	l.beOutside(t)
	l.Limits.Time, l.outside.time = time.Minute, 0
	if err := l.prepareOutside(t.Context(), l.target); err != nil {
		t.Errorf("before the end of the first build: %v", err)
	}
	l.outside.begin()
	err := l.prepareOutside(t.Context(), l.target)
	if !errors.Is(err, errLate) {
		t.Fatalf("the error is %v, want errLate", err)
	}
	l.target.setAside(err)
	if l.target.result != event.Unreached {
		t.Errorf("the result is %v, want %v", l.target.result, event.Unreached)
	}
	l.Limits.Time = 0
	if err := l.prepareOutside(t.Context(), l.target); err != nil {
		t.Errorf("without a limit of time: %v", err)
	}
}
