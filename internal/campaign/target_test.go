//go:build unix

package campaign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// opened returns a campaign of the rig that does not run, with its first target opened.
func (r *rig) opened(t *testing.T) (*Campaign, *target) {
	t.Helper()
	c := New(r.Options)
	c.queue = newQueue()
	one := c.targets[0]
	_, _, err := c.binaries.build(t.Context(), one.Target, Instrumented)
	if _, openErr := one.open(); err != nil || openErr != nil {
		t.Fatal(err, openErr)
	}
	t.Cleanup(func() {
		c.queue.close()
		if err := one.close(); err != nil {
			t.Error(err)
		}
	})
	c.History.Start(t.Context(), c.Options)
	t.Cleanup(c.History.End)
	return c, one
}

func text(data string) input.Args { return input.Args{{Kind: input.String, Data: []byte(data)}} }

// unproven is a finding that the engine had no time to replay.
func unproven(t *testing.T, one *target, kind finding.Kind, data string) *finding.Finding {
	t.Helper()
	path, _, err := corpus.Open(one.seeds(), corpus.GoTest(nil)).Save(text(data))
	if err != nil {
		t.Fatal(err)
	}
	return &finding.Finding{Kind: kind, Message: "an execution took 2s", Input: text(data), Original: text(data), Path: path, Own: true}
}

func TestAFindingThatTheEngineHadNoTimeForIsReplayed(t *testing.T) {
	for _, tt := range []struct {
		name    string
		kind    finding.Kind
		input   string
		want    []event.Result // of the findings
		replays int
		files   int
		warning string
	}{
		{"one that fails again", finding.Failure, "bad", []event.Result{event.Bug}, 1, 1, ""},
		{"one that does not fail again", finding.Failure, "good", []event.Result{event.Flaky}, 1, 1, ""},
		{"a hang that ends in plain go test is none, and has no file", finding.Hang, slowInput, nil, 0, 0, "so gnaw does not report it"},
		{"an input that needs too much memory is not replayed", finding.Memory, "good", []event.Result{event.Flaky}, 0, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "bad", "p")
			r.Fuzzing.Timeout = 2 * time.Second // the slow input takes more than a 64th of it
			_, one := r.opened(t)
			one.found(t.Context(), unproven(t, one, tt.kind, tt.input))
			r.bus.Close()
			var got []event.Result
			for _, what := range one.findings {
				got = append(got, what)
			}
			found := r.findings()
			if len(got) != len(tt.want) || len(found) != len(tt.want) || len(got) == 1 && (got[0] != tt.want[0] || found[0].Replays != tt.replays) {
				t.Errorf("the findings are %v and %+v, want %v", got, found, tt.want)
			}
			if names, _ := filepath.Glob(filepath.Join(one.seeds(), "*")); len(names) != tt.files {
				t.Errorf("the files are %q, want %d", names, tt.files)
			}
			warnings := r.notices(event.Warning)
			if (len(warnings) == 1) != (tt.warning != "") || tt.warning != "" && !strings.Contains(warnings[0], tt.warning) {
				t.Errorf("the warnings are %q, want %q", warnings, tt.warning)
			}
		})
	}
}

func TestTheFirstBugEndsTheCampaignWithFailFast(t *testing.T) {
	for _, failFast := range []bool{false, true} {
		l := newLab(t)
		canceled := false
		l.cancel = func() { canceled = true }
		l.Limits.FailFast = failFast
		flaky := l.failure("sometimes", "a")
		flaky.Failures, flaky.Flaky = 1, true
		l.target.found(t.Context(), flaky)
		if canceled {
			t.Error("a flaky finding ends the campaign")
		}
		l.target.found(t.Context(), l.failure("always", "b"))
		if canceled != failFast {
			t.Errorf("a bug ends the campaign: %v, want %v", canceled, failFast)
		}
	}
}

func TestWhatAReplayWithTheRaceDetectorFinds(t *testing.T) {
	for _, tt := range []struct {
		name    string
		prepare func(one *target, f *finding.Finding) error
		check   func(f event.Finding) bool
	}{
		{"in a file of testdata", func(*target, *finding.Finding) error { return nil }, func(f event.Finding) bool {
			return f.Path == "p/testdata/fuzz/FuzzX/"+filepath.Base(f.Path) && f.Kept == "" && f.NotRun == "" && f.Repeats == raceReplays
		}},
		{"in a file of the corpus cache if there can be none in testdata", func(one *target, _ *finding.Finding) error {
			return os.WriteFile(filepath.Join(one.Dir, "testdata"), nil, 0o666)
		}, func(f event.Finding) bool {
			return f.Path == "" && f.Kept != "" && f.Why != "" && f.Repeats == raceReplays
		}},
		{"in a process of its own if go test does not run the target", func(_ *target, f *finding.Finding) error {
			f.NotRun = "FuzzX calls Skip there"
			return nil
		}, func(f event.Finding) bool { return f.Path != "" && f.NotRun != "" && f.Repeats == raceReplays }},
		{"an input that does not fail again is flaky", func(_ *target, f *finding.Finding) error {
			f.Input = text("good")
			return nil
		}, func(f event.Finding) bool { return f.Repeats == 0 && f.Flaky }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "never", "p")
			r.Fuzzing.Race, r.Builder = true, fakeBuilder{race: raceBinary(t)}
			c, one := r.opened(t)
			c.racer.seen[one] = &replayed{failures: map[string]bool{}}
			config, err := c.racer.config(t.Context(), one)
			if err != nil {
				t.Fatal(err)
			}
			f := &finding.Finding{Kind: finding.Failure, Output: "    x_test.go:7: no\n", Input: text("seed"), Original: text("seed")}
			if err := tt.prepare(one, f); err != nil {
				t.Fatal(err)
			}
			again := *f
			c.racer.found(t.Context(), one, config, f)
			c.racer.found(t.Context(), one, config, &again)
			c.queue.flush()
			r.bus.Close()
			if found := r.findings(); len(found) != 1 || !tt.check(found[0]) || found[0].Replays != raceReplays {
				t.Errorf("the findings are %+v", found)
			}
		})
	}
}

func TestAFailureWithTheRaceDetectorThatCannotBeReplayedCostsAWarning(t *testing.T) {
	r := newRig(t, "never", "p")
	r.Fuzzing.Race, r.Builder = true, fakeBuilder{race: "/does/not/exist"}
	c, one := r.opened(t)
	c.racer.seen[one] = &replayed{failures: map[string]bool{}}
	config, err := c.racer.config(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	c.racer.found(t.Context(), one, config, &finding.Finding{Kind: finding.Failure, Input: text("seed"), Original: text("seed")})
	c.queue.flush()
	r.bus.Close()
	if got := r.notices(event.Warning); len(got) != 1 || !strings.Contains(got[0], "could not be run again") || len(r.findings()) != 0 {
		t.Errorf("the warnings are %q, and the findings %+v", got, r.findings())
	}
}

func TestWhatThePoolReportsIsPublished(t *testing.T) {
	l := newLab(t)
	l.queue = newQueue()
	defer l.queue.close()
	for _, e := range []bandit.Event{
		{What: bandit.Begun},
		{What: bandit.WentQuiet, Expect: 90 * time.Second},
		{What: bandit.SetAside, Err: errors.New("it does not build")},
		{What: bandit.SetAside, Err: errSkipped},
	} {
		l.onPoolEvent(e)
	}
	var got []string
	for _, n := range eventsOf[event.Notice](l) {
		got = append(got, string(n.What)+": "+n.Text)
	}
	want := []string{
		"quiet: the next new edge is expected in about 1m30s", "aside: it does not build", "skipped: " + errSkipped.Error(),
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the notices are %q, want %q", got, want)
	}
	if start := eventsOf[event.Start](l); len(start) != 1 || start[0].Execs != 100 || start[0].Workers != 2 || start[0].Module != "example.com/m" {
		t.Errorf("the start is %+v", start)
	}
}

func TestProgressOfATarget(t *testing.T) {
	r := newRig(t, "never", "p")
	_, one := r.opened(t)
	one.past.Execs = 7
	one.onEvent(event.WarmedUp{Subject: one.name(), Run: event.Run{Edges: 5}})
	if p := one.Progress(); p.Execs != 7 || p.Known != 5 || p.Done || p.Warming {
		t.Errorf("the progress is %+v, want the edges of the warm-up and the executions of before", p)
	}
	if one.Binary() != "p" || one.ran() != 0 {
		t.Errorf("the binary is %q, with %d executions", one.Binary(), one.ran())
	}
}
