package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
)

func TestAFindingIsReplayedThreeTimes(t *testing.T) {
	broken := errors.New("no process")
	tests := []struct {
		name             string
		answers          []any // true: it failed; false: it passed; an error
		failed           bool
		replays, repeats int
		err              error
	}{
		{"it fails each time", []any{true, true, true}, true, 3, 3, nil},
		{"it fails once", []any{false, true, false}, false, 3, 1, nil},
		{"it never fails", []any{false, false, false}, false, 3, 0, nil},
		{"the first cannot be run", []any{broken}, false, 0, 0, broken},
		{"the second cannot be run", []any{true, broken}, true, 1, 1, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var w witness
			failed, err := w.replay(t.Context(), func(context.Context) (bool, error) {
				a := tt.answers[0]
				tt.answers = tt.answers[1:]
				if err, ok := a.(error); ok {
					return false, err
				}
				return a.(bool), nil
			})
			if failed != tt.failed || w.replays != tt.replays || w.repeats != tt.repeats || !errors.Is(err, tt.err) {
				t.Errorf("replay = %v, %v with %d of %d, want %v, %v with %d of %d",
					failed, err, w.repeats, w.replays, tt.failed, tt.err, tt.repeats, tt.replays)
			}
		})
	}
}

func TestOnlyWhatTheEngineDidNotReplayIsReplayed(t *testing.T) {
	names := []string{}
	once := func(_ context.Context, name string) (bool, error) { names = append(names, name); return false, nil }
	done, seed, lost := &witness{replays: 3}, &witness{}, &witness{}
	f := &finding.Finding{Seed: filepath.Join("testdata", "mine")}
	done.prove(t.Context(), &finding.Finding{Path: "x"}, once)
	lost.prove(t.Context(), &finding.Finding{}, once)
	lost.prove(t.Context(), &finding.Finding{Kind: finding.Memory, Path: "x"}, once)
	seed.prove(t.Context(), f, once)
	if len(names) != proofs || names[0] != "mine" || !f.Flaky {
		t.Errorf("replayed %q, flaky %v, want the seed three times", names, f.Flaky)
	}
}

func TestAProcessThatEndsWithoutAWordHasAMessage(t *testing.T) {
	p := project{t.TempDir(), "example.com/m"}
	r := recordOf(p, build.Target{Package: "example.com/m", Dir: p.root, Name: "FuzzX"}, &finding.Finding{
		Kind: finding.Exit, Output: "fuzzing process hung or terminated unexpectedly: exit status 3\n", Path: "testdata/fuzz/FuzzX/1",
	}, &witness{replays: 3, repeats: 3})
	if r.Message != "exit status 3" || r.Path != "testdata/fuzz/FuzzX/1" || r.Folder != "." {
		t.Errorf("the record is %+v", r)
	}
}

func TestTheModuleIsLookedForUpwards(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	if p := findProject(deep); p.root != deep || p.module != deep {
		t.Errorf("without a module it is %+v", p)
	}
	for _, f := range []struct {
		name, text string
		want       project
	}{
		{"go.work", "go 1.24\n", project{root, root}},
		{"go.mod", "// the module x\n\nmodule \"example.com/m\" // ours\n", project{root, "example.com/m"}},
	} {
		if err := os.WriteFile(filepath.Join(root, f.name), []byte(f.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if p := findProject(deep); p != f.want {
			t.Errorf("with %s it is %+v, want %+v", f.name, p, f.want)
		}
	}
}

func TestEveryCommandHasAPage(t *testing.T) {
	for _, c := range commands() {
		if !strings.HasPrefix(c.long, "usage: gnaw "+c.name) || c.short == "" {
			t.Errorf("the page of %s is %q, its line %q", c.name, c.long, c.short)
		}
	}
}
