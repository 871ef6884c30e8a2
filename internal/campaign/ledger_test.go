package campaign

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/known"
)

func TestOnlyFilesOfThisRunAreForgotten(t *testing.T) {
	for _, tt := range []struct {
		name    string
		own     bool
		history bool
		age     time.Duration // of the file, by a clock that may have been set since
		stays   bool
	}{
		{"one that this run has made", true, true, 0, false},
		{"one that this run has made before the clock was set forward", true, true, 1000 * time.Hour, false},
		{"not one of the user's, although the clock was set back", false, true, -1000 * time.Hour, true},
		{"not one that the history does not have", true, false, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			if !tt.history {
				l.history.store = nil
			}
			path := filepath.Join(l.Module.Root, "file")
			at := time.Now().Add(-tt.age)
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
			l.ledger.discardFile(finding.Record{Path: "file"}, &finding.Finding{Own: tt.own})
			if _, err := os.Stat(path); (err == nil) != tt.stays {
				t.Errorf("the file is there: %v, want %v", err == nil, tt.stays)
			}
		})
	}
}

// texts returns the inputs of the files in a folder, in order.
func texts(t *testing.T, dir string) (list []string) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range names {
		a, err := corpus.Read(name, corpus.GoTest([]input.Kind{input.String}))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(a[0].Data))
	}
	slices.Sort(list)
	return list
}

func TestAFindingIsReportedOnce(t *testing.T) {
	l := newLab(t)
	id, what := l.report(l.failure("gone", "first"))
	if what != event.Bug || l.bugs() != 1 {
		t.Errorf("it makes %v of the target, and %d count", what, l.bugs())
	}
	again, what := l.report(l.failure("gone", "second"))
	if again != id || what != event.Bug || l.bugs() != 1 || len(eventsOf[event.Finding](l)) != 1 {
		t.Errorf("the second input of it makes %v of the target, and %d count", what, l.bugs())
	}
	if got := texts(t, l.target.seeds()); !slices.Equal(got, []string{"first"}) {
		t.Errorf("there are files with %q, want one", got)
	}
}

func TestWhatAFindingMakesOfItsTarget(t *testing.T) {
	for _, tt := range []struct {
		name     string
		failures int // of three replays
		known    []known.Entry
		want     event.Result
		files    int
	}{
		{"it repeats", 3, nil, event.Bug, 1},
		{"it does not repeat each time", 2, nil, event.Flaky, 1},
		{"it is in the list", 3, []known.Entry{{Reason: "old"}}, event.KnownOnly, 0},
		{"it is in the list, whose day is over", 3, []known.Entry{{Reason: "old", Until: time.Now().AddDate(0, 0, -2)}}, event.Bug, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			f := l.failure("gone", "x")
			f.Failures, f.Flaky = tt.failures, tt.failures < f.Replays
			id := RecordOf(l.Module, l.target.Target, f).ID
			for _, e := range tt.known {
				e.ID = id
				l.ledger.Known.Entries = append(l.ledger.Known.Entries, e)
			}
			if _, what := l.report(f); what != tt.want {
				t.Errorf("it makes %v of the target, want %v", what, tt.want)
			}
			found := eventsOf[event.Finding](l)
			if len(found) != 1 || found[0].ID != id || (found[0].Known != nil) != (len(tt.known) > 0) {
				t.Errorf("it is published as %+v", found)
			}
			if got := texts(t, l.target.seeds()); len(got) != tt.files {
				t.Errorf("there are files with %q, want %d", got, tt.files)
			}
		})
	}
}

// A smaller input takes the place of the one that a finding was reported with, whose file is no longer needed.
func TestAFindingGetsASmallerInput(t *testing.T) {
	for _, tt := range []struct {
		name string
		own  bool // the first file is gnaw's
		size int  // of the later input
		want int  // of the input that the finding has then
		left int  // files
	}{
		{"that is smaller", true, 2, 2, 1},
		{"that is smaller than one of the user's", false, 2, 2, 2},
		{"unless it is larger", true, 9, 5, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			first := l.failure("gone", "xxxxx")
			first.Own = tt.own
			id, _ := l.report(first)
			l.ledger.Smaller(l.target.Target, l.failure("gone", strings.Repeat("x", tt.size)))
			all, err := l.db.Findings(t.Context(), l.Module.Path)
			if err != nil || len(all) != 1 {
				t.Fatalf("Findings = %+v, %v, want one", all, err)
			}
			if r := all[0]; r.ID != id || r.Size != tt.want || r.Times != 1 || len(r.More) != 1 {
				t.Errorf("the finding is %+v, want it with %d bytes and another input", r, tt.want)
			}
			if got := texts(t, l.target.seeds()); len(got) != tt.left {
				t.Errorf("there are files with %q, want %d", got, tt.left)
			}
			if tt.size > tt.want {
				return
			}
			text := l.ledger.smaller(finding.Record{ID: id, Path: "testdata/fuzz/FuzzX/first", Size: 5}, all[0], tt.own)
			if !strings.Contains(text, filepath.FromSlash(all[0].Path)) || !strings.Contains(text, "; re-run: go test -run=FuzzX/"+path.Base(all[0].Path)) {
				t.Errorf("the message is %q, want one with the new file and the new command", text)
			}
			if strings.Contains(text, "in place of first") != tt.own {
				t.Errorf("that the message %q says that the first file is gone is %v", text, !tt.own)
			}
		})
	}
}

// A target that go test does not run may remove its corpus. The files that its findings have in the end are there then, and no others.
func TestTheFilesThatFindingsHaveAreWrittenAgain(t *testing.T) {
	l := newLab(t)
	found := func(message, text string) *finding.Finding {
		f := l.failure(message, text)
		f.NotRun = "FuzzX calls Skip there"
		return f
	}
	l.target.found(t.Context(), found("gone", "the first"))
	l.target.found(t.Context(), found("gone", "another one of it"))
	l.target.found(t.Context(), found("lost", "the second"))
	l.ledger.Smaller(l.target.Target, found("gone", "first"))
	if err := os.RemoveAll(filepath.Join(l.Module.Root, "testdata")); err != nil {
		t.Fatal(err)
	}
	l.ledger.Restore(l.target.Target, l.target.ownFindings())
	if got, want := texts(t, l.target.seeds()), []string{"first", "the second"}; !slices.Equal(got, want) {
		t.Errorf("there are files with %q, want %q", got, want)
	}
}

func TestFlagsAreTheSameInAnotherFolder(t *testing.T) {
	l := newLab(t)
	dir := l.Dir
	for _, tt := range []struct{ flag, want string }{
		{"-tags=a", "-tags=a"},
		{"-overlay=o.json", "-overlay=" + filepath.Join(dir, "o.json")},
		{"-modfile=x/go.mod", "-modfile=" + filepath.Join(dir, "x", "go.mod")},
		{"-overlay=" + filepath.Join(dir, "o.json"), "-overlay=" + filepath.Join(dir, "o.json")},
		{"-overlay=", "-overlay="},
	} {
		if got := l.ledger.absolute(tt.flag); got != tt.want {
			t.Errorf("%s becomes %s, want %s", tt.flag, got, tt.want)
		}
	}
	l.ledger.Fuzzing.PlainFlags, l.ledger.Fuzzing.Args, l.ledger.Environ = []string{"-overlay=o.json"}, []string{"-x"}, []string{"GOTRACEBACK=none"}
	r := l.ledger.rerun(finding.Record{Flags: []string{raceFlag}})
	if !slices.Equal(r.Flags, []string{raceFlag, "-overlay=" + filepath.Join(dir, "o.json")}) || !slices.Equal(r.Args, []string{"-x"}) ||
		!slices.Equal(r.Environ, []string{"GOTRACEBACK=single"}) {
		t.Errorf("the record is %+v", r)
	}
}

// The history has up to three inputs of a finding, of each way in which they come.
func TestOtherInputsOfAFindingAreKept(t *testing.T) {
	l := newLab(t)
	f := l.failure("gone", "the first")
	l.report(f)
	l.report(l.failure("gone", "again"))
	l.ledger.Others(l.target.Target, f, []input.Args{{{Kind: input.String, Data: []byte("other")}}})
	l.ledger.Others(l.target.Target, &finding.Finding{}, []input.Args{{{Kind: input.String, Data: []byte("of a finding that nobody has reported")}}})
	all, err := l.db.Findings(t.Context(), l.Module.Path)
	if err != nil || len(all) != 1 || len(all[0].More) != 2 {
		t.Errorf("the history has %+v, %v; want one finding with two other inputs", all, err)
	}
}

func TestWhatAFailureThatIsReportedMakesOfAnotherTarget(t *testing.T) {
	for _, tt := range []struct {
		name     string
		failures int // of three replays
		isKnown  bool
		want     event.Result
	}{
		{"a bug", 3, false, event.Bug},
		{"a flaky one", 1, false, event.Flaky},
		{"a known one", 3, true, event.KnownOnly},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			failure := func(text string) *finding.Finding {
				f := l.failure("gone", text)
				f.Failures, f.Flaky = tt.failures, tt.failures < f.Replays
				return f
			}
			if tt.isKnown {
				l.ledger.Known.Entries = []known.Entry{{ID: RecordOf(l.Module, l.target.Target, failure("x")).ID, Reason: "old"}}
			}
			id, first := l.report(failure("x"))
			again, second := l.report(failure("y"))
			if again != id || first != tt.want || second != tt.want || len(eventsOf[event.Finding](l)) != 1 {
				t.Errorf("it makes %v of the first target and %v of the second, want %v", first, second, tt.want)
			}
		})
	}
}

// A bug is reported although a flaky finding with its ID was before.
func TestABugIsReportedAfterAFlakyFinding(t *testing.T) {
	l := newLab(t)
	flaky := l.failure("gone", "x")
	flaky.Failures, flaky.Flaky = 1, true
	_, first := l.report(flaky)
	_, second := l.report(l.failure("gone", "y"))
	if first != event.Flaky || second != event.Bug || len(eventsOf[event.Finding](l)) != 2 || l.bugs() != 1 {
		t.Errorf("they make %v and %v of the target, and %d count", first, second, l.bugs())
	}
}

// The file of a smaller input of a known finding is not left in testdata either.
func TestASmallerInputOfAKnownFindingHasNoFile(t *testing.T) {
	l := newLab(t)
	first := l.failure("gone", "xxxxx")
	l.ledger.Known.Entries = []known.Entry{{ID: RecordOf(l.Module, l.target.Target, first).ID, Reason: "old"}}
	l.report(first)
	l.ledger.Smaller(l.target.Target, l.failure("gone", "x"))
	if got := texts(t, l.target.seeds()); len(got) != 0 {
		t.Errorf("there are files with %q, want none", got)
	}
	if n := eventsOf[event.Notice](l); len(n) != 0 {
		t.Errorf("the notices are %+v", n)
	}
}

func TestAFileThatCannotBeRemovedCostsAWarning(t *testing.T) {
	l := newLab(t)
	if err := os.MkdirAll(filepath.Join(l.Module.Root, "file", "in the way"), 0o777); err != nil {
		t.Fatal(err)
	}
	l.ledger.discardFile(finding.Record{Path: "file"}, &finding.Finding{Own: true})
	if n := eventsOf[event.Notice](l); len(n) != 1 || n[0].What != event.Warning || !strings.Contains(n[0].Text, "cannot remove the input of a known finding") {
		t.Errorf("the notices are %+v, want a warning", n)
	}
}
