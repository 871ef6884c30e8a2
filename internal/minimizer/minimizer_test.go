package minimizer

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// fakeProcess is a target that fails with each input that begins with "bad". The search finds the smallest one at once.
type fakeProcess struct {
	startErr, execErr, searchErr error
	smallest                     string // what the search finds; empty: nothing smaller
	ended                        bool   // End was called
	passesAgain                  bool   // after End the target passes with each input
	asked                        session.Search
}

func (p *fakeProcess) Start(context.Context) error { return p.startErr }
func (p *fakeProcess) Kinds() []input.Kind         { return []input.Kind{input.String} }
func (p *fakeProcess) End()                        { p.ended = true }

func (p *fakeProcess) Execute(_ context.Context, a input.Args) (*finding.Finding, error) {
	if p.execErr != nil || !bytes.HasPrefix(a[0].Data, []byte("bad")) || p.ended && p.passesAgain {
		return nil, p.execErr
	}
	return failure(a), nil
}

func (p *fakeProcess) ExecuteSeed(ctx context.Context, a input.Args) (f *finding.Finding, actions [][]byte, err error) {
	f, err = p.Execute(ctx, a)
	return f, nil, err
}

func (p *fakeProcess) Minimize(_ context.Context, first *finding.Finding, s session.Search) (*finding.Finding, minimize.Stats, error) {
	p.asked = s
	if p.smallest == "" {
		return first, minimize.Stats{Checks: 3}, p.searchErr
	}
	return failure(text(p.smallest)), minimize.Stats{Checks: 3}, p.searchErr
}

func (p *fakeProcess) Matter(_ context.Context, f *finding.Finding) []finding.Matter {
	return []finding.Matter{{Bytes: [][2]int{{0, f.Input.Size()}}}}
}

func failure(a input.Args) *finding.Finding {
	return &finding.Finding{Kind: finding.Failure, Message: "no", Output: "    x_test.go:3: no\n", Input: a}
}

func text(s string) input.Args { return input.Args{{Kind: input.String, Data: []byte(s)}} }

// replays returns a replay with this result.
func replays(got proof.Verdict, err error) func(context.Context, proof.Execution, *finding.Finding) (proof.Verdict, error) {
	return func(context.Context, proof.Execution, *finding.Finding) (proof.Verdict, error) { return got, err }
}

var (
	fails  = replays(proof.Fails, nil)
	passes = replays(proof.Passes, nil)
	notRun = replays(0, &proof.NotRunError{Why: "the target is skipped"})
)

// newSubject returns a target whose smallest failing input is "bad", and the file with an input of it.
func newSubject(t *testing.T, content string) (s *subject, p *fakeProcess, file string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "testdata", "fuzz", "FuzzX")
	h, _, err := corpus.Open(dir, corpus.GoTest([]input.Kind{input.String})).Take(text(content))
	if err = errors.Join(err, h.Keep()); err != nil {
		t.Fatal(err)
	}
	p = &fakeProcess{smallest: "bad"}
	o := Options{Spec: session.Spec{Target: "FuzzX"}, Time: time.Minute, Execs: 7}
	return &subject{Options: o, process: p, dir: dir, replay: fails}, p, h.Path()
}

func files(t *testing.T, dir string) int {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func TestASmallerInputGetsAFile(t *testing.T) {
	s, p, file := newSubject(t, "bad and long")
	got, err := s.minimize(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Smaller() || got.Target != "FuzzX" || !got.Original.Equal(text("bad and long")) || got.Stats.Checks != 3 || got.Replaced != "" {
		t.Errorf("the result is %+v", got)
	}
	if a, err := corpus.Read(got.Path, corpus.GoTest(p.Kinds())); err != nil || !a.Equal(text("bad")) {
		t.Errorf("the new file has %v (%v)", a, err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the old file: %v", err)
	}
	if p.asked.Time != time.Minute || p.asked.Execs != 7 {
		t.Errorf("the limits of the search are %+v", p.asked)
	}
}

func TestWhatCannotBeMinimizedIsAnError(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name, content, want string
		change              func(s *subject, p *fakeProcess)
		usage               bool
	}{
		{"no process", "bad", "broken", func(_ *subject, p *fakeProcess) { p.startErr = broken }, false},
		{"an execution that proves nothing", "bad", "broken", func(_ *subject, p *fakeProcess) { p.execErr = broken }, false},
		{"an input that passes", "good", "FuzzX does not fail with ", func(*subject, *fakeProcess) {}, true},
		{"a result that does not fail again", "bad!", "the smaller input does not fail in a fresh process, so ", func(s *subject, _ *fakeProcess) { s.replay = passes }, false},
		{
			"a result that go test does not run and that does not fail again", "bad!", "the smaller input does not fail in a fresh process, so ",
			func(s *subject, p *fakeProcess) { s.replay, p.passesAgain = notRun, true }, false,
		},
	} {
		s, p, file := newSubject(t, tt.content)
		tt.change(s, p)
		got, err := s.minimize(t.Context(), file)
		var request *usage.Error
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || errors.As(err, &request) != tt.usage || got.Failure != nil {
			t.Errorf("%s: %+v, %v; want %q", tt.name, got, err, tt.want)
		}
		if n := files(t, s.dir); n != 1 {
			t.Errorf("%s: there are %d files, want the old one", tt.name, n)
		}
	}
	s, _, file := newSubject(t, "bad")
	if _, err := s.minimize(t.Context(), file+"x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestAResultThatCannotBeReplayedStays(t *testing.T) {
	for _, tt := range []struct {
		name   string
		replay func(context.Context, proof.Execution, *finding.Finding) (proof.Verdict, error)
		ended  bool
	}{
		{"because of an error", replays(0, errors.New("no more memory")), false},
		{"in plain go test, but in a fresh process", notRun, true},
	} {
		s, p, file := newSubject(t, "bad!")
		s.replay = tt.replay
		got, err := s.minimize(t.Context(), file)
		if err != nil || files(t, s.dir) != 2 || !got.Smaller() || p.ended != tt.ended {
			t.Errorf("%s: %+v, %v, with %d files, and the process has ended: %v", tt.name, got, err, files(t, s.dir), p.ended)
		}
	}
}

func TestNothingSmallerIsNoError(t *testing.T) {
	s, p, file := newSubject(t, "bad!")
	p.smallest = ""
	if got, err := s.minimize(t.Context(), file); err != nil || got.Smaller() || got.Path != file {
		t.Errorf("the result is %+v, %v", got, err)
	}
}

func TestWhatWasFoundBeforeAnErrorCounts(t *testing.T) {
	s, p, file := newSubject(t, "bad!")
	p.searchErr = errors.New("the process cannot be started again")
	if got, err := s.minimize(t.Context(), file); !errors.Is(err, p.searchErr) || got.Failure == nil || !got.Smaller() {
		t.Errorf("the result is %+v, %v", got, err)
	}
}

func TestAFileElsewhereNeedsATarget(t *testing.T) {
	got, err := File(t.Context(), Options{}, filepath.Join(t.TempDir(), "input.txt"))
	var request *usage.Error
	if !errors.As(err, &request) || !strings.Contains(err.Error(), "name its target with -target") {
		t.Errorf("File = %+v, %v", got, err)
	}
}

// store keeps what is written to it.
type store struct {
	records []finding.Record
	err     error
	ctx     context.Context
}

func (s *store) update(ctx context.Context, r finding.Record) error {
	s.records, s.ctx = append(s.records, r), ctx
	return s.err
}

// newStored returns a finding whose input is in a file of the subject.
func newStored(s *subject, file, content string, db *store) Stored {
	root := filepath.Dir(filepath.Dir(filepath.Dir(s.dir)))
	s.Spec.Package = root
	return Stored{
		Module: project.Module{Root: root, Path: "example.com/m"}, ID: "5870", Update: db.update,
		Record: finding.Record{
			Kind: finding.Failure, Package: "example.com/m", Target: "FuzzX", Path: "testdata/fuzz/FuzzX/" + filepath.Base(file),
			Input: string(input.Marshal(text(content))), Size: len(content), Minimize: 1, Matter: []finding.Matter{{Bytes: [][2]int{{0, len(content)}}}},
		},
	}
}

func TestTheSmallerInputReplacesThatOfTheFinding(t *testing.T) {
	var db store
	s, _, file := newSubject(t, "bad and long")
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // what the search has found until then counts
	got, err := s.finding(ctx, newStored(s, file, "bad and long", &db))
	if err != nil || got.Replaced != file || files(t, s.dir) != 1 {
		t.Errorf("the result is %+v (%v), with %d files", got, err, files(t, s.dir))
	}
	if len(db.records) != 1 || db.ctx.Err() != nil {
		t.Fatalf("the history gets %+v", db.records)
	}
	r := db.records[0]
	if r.Size != 3 || r.Input != string(input.Marshal(text("bad"))) || r.Minimize < 1 || len(r.Matter) != 1 || r.Matter[0].Bytes[0][1] != 3 || r.Path != "testdata/fuzz/FuzzX/"+filepath.Base(got.Path) {
		t.Errorf("the history gets %+v", r)
	}
}

func TestAFindingWithoutAFileGetsNone(t *testing.T) {
	var db store
	s, _, file := newSubject(t, "bad and long")
	s.fileless = true
	got, err := s.finding(t.Context(), newStored(s, file, "bad and long", &db))
	if err != nil || got.Path != "" || got.Replaced != "" || len(db.records) != 1 || files(t, s.dir) != 1 {
		t.Errorf("the result is %+v (%v), with %d files", got, err, files(t, s.dir))
	}
	s.replay = passes
	if got, err := s.finding(t.Context(), newStored(s, file, "bad and long", &db)); err == nil || files(t, s.dir) != 1 {
		t.Errorf("a result that does not fail again: %+v, with %d files", got, files(t, s.dir))
	}
}

func TestAFindingStaysIfTheHistoryCannotBeWritten(t *testing.T) {
	db := store{err: errors.New("the history is locked")}
	s, _, file := newSubject(t, "bad and long")
	got, err := s.finding(t.Context(), newStored(s, file, "bad and long", &db))
	if !errors.Is(err, db.err) || got.Failure == nil || got.Replaced != "" || files(t, s.dir) != 2 {
		t.Errorf("the result is %+v (%v), with %d files", got, err, files(t, s.dir))
	}
}

func TestTheHistoryIsNotWrittenForNothing(t *testing.T) {
	var db store
	s, p, file := newSubject(t, "bad")
	p.smallest = ""
	if got, err := s.finding(t.Context(), newStored(s, file, "bad", &db)); err != nil || got.Smaller() || len(db.records) != 0 {
		t.Errorf("the result is %+v (%v), and the history gets %+v", got, err, db.records)
	}
}

func TestASeedIsNotMinimized(t *testing.T) {
	r := finding.Record{Target: "FuzzX", Path: "testdata/fuzz/FuzzX/mine", Seed: "mine", Input: "x"}
	var request *usage.Error
	if got, err := Finding(t.Context(), Options{}, Stored{Record: r, ID: "5870"}); !errors.As(err, &request) || !strings.Contains(err.Error(), "5870 is a seed of yours") {
		t.Errorf("Finding = %+v, %v", got, err)
	}
}

func TestTheSearchBeginsWithOtherInputsOfTheTarget(t *testing.T) {
	in := string(input.Marshal(text("bad")))
	f := Stored{Record: finding.Record{Package: "m", Target: "FuzzX", More: []finding.Sample{
		{Package: "m", Target: "FuzzX", Input: in},
		{Package: "m", Target: "FuzzY", Input: in},
		{Package: "n", Target: "FuzzX", Input: in},
		{Package: "m", Target: "FuzzX", Input: "no corpus file"},
	}}}
	if got := f.others(); len(got) != 1 || !got[0].Equal(text("bad")) {
		t.Errorf("the others are %v", got)
	}
}
