//go:build linux

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
	"github.com/gnaw-fuzz/gnaw/internal/ui/jsonl"
)

// inProcess returns the options of a campaign in the process of the test, over the module of the scene.
func (s *scene) inProcess(t *testing.T) campaign.Options {
	t.Helper()
	for _, v := range s.world.vars() {
		t.Setenv(v[0], v[1])
	}
	ctx := t.Context()
	tc, err := gocommand.FindToolchain(ctx, s.dir, s.env)
	if err != nil {
		t.Fatal(err)
	}
	targets, broken, err := build.List(ctx, tc, s.dir, []string{"./..."}, nil)
	if err != nil || len(broken) > 0 {
		t.Fatalf("List: %v, %v", broken, err)
	}
	var packages []string
	for _, one := range targets {
		packages = append(packages, one.Package)
	}
	builder, err := build.NewBuilder(ctx, tc, s.dir, packages, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := builder.Close(); err != nil {
			t.Error(err)
		}
	})
	return campaign.Options{
		Dir: s.dir, Environ: s.env, Module: project.Find(s.dir), Toolchain: tc, Builder: campaign.Compiled{Compiler: builder}, Sources: campaign.Folders{Environ: s.env}, Targets: targets,
		Events:  &event.Bus{},
		History: campaign.NewHistory(func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, s.history()) }),
		Fuzzing: campaign.Fuzzing{
			Parallel: 1, Timeout: patience, Settings: engine.Settings{MemLimit: 1 << 30, Minimize: engine.Budget{Time: time.Second}},
		},
	}
}

// fullPipe returns a pipe into which nothing more can be written until it is read.
func fullPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	if err := w.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Repeat([]byte{'\n'}, 1<<22)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("the pipe is not full: %v", err)
	}
	if err := w.SetWriteDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	return r, w
}

// lock locks the history as another process does, and returns what unlocks it.
func (s *scene) lock(t *testing.T) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+s.history()+"?_txlock=immediate&_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(errors.Join(err, db.Close()))
	}
	return func() {
		if err := errors.Join(tx.Rollback(), db.Close()); err != nil {
			t.Error(err)
		}
	}
}

// seen is an event that a subscriber gets, with the executions of the campaign at that time.
type seen struct {
	event.Event
	execs uint64
}

// await returns the next event that is wanted.
func await(t *testing.T, events <-chan seen, what string, wanted func(event.Event) bool) seen {
	t.Helper()
	limit := time.After(2 * patience)
	for {
		select {
		case e := <-events:
			if wanted(e.Event) {
				return e
			}
		case <-limit:
			t.Fatalf("%s is not reported", what)
		}
	}
}

// named returns what is true for events of a name.
func named(name string) func(event.Event) bool {
	return func(e event.Event) bool { return e.Name() == name }
}

// manyExecutions is more than minimizing a failure takes, and less than what a worker does in a second although many inputs fail.
const manyExecutions = 2000

// awaitExecutions returns when a campaign has made many more executions.
func awaitExecutions(t *testing.T, c *campaign.Campaign, while string) {
	t.Helper()
	begin := c.Snapshot().Totals.Execs
	if !eventually(func() bool { return c.Snapshot().Totals.Execs > begin+manyExecutions }) {
		t.Fatalf("there are %d executions, and then %d, while %s", begin, c.Snapshot().Totals.Execs, while)
	}
}

// A subscriber that does not return, a full pipe, and a history that another process has locked stop no execution of the only worker.
// Afterwards all facts are there.
func TestExecutionsGoOnWhileAllOthersAreBlocked(t *testing.T) {
	leaveOut(t)
	s := newScene(t)
	o := s.inProcess(t)
	o.Targets = slices.DeleteFunc(o.Targets, func(one build.Target) bool { return one.Func != "FuzzWhen" })
	c := campaign.New(o)
	released := make(chan struct{})
	var slow []event.Event
	o.Events.Subscribe(func(e event.Stamped) { <-released; slow = append(slow, e.Event) })
	r, w := fullPipe(t)
	o.Events.Subscribe((&jsonl.Renderer{Out: w, Verbose: true}).Event)
	quick := make(chan seen, 1<<16)
	o.Events.Subscribe(func(e event.Stamped) { quick <- seen{e.Event, c.Snapshot().Totals.Execs} })

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	type result struct {
		summary campaign.Summary
		err     error
	}
	ended := make(chan result, 1)
	go func() {
		summary, err := c.Run(ctx)
		ended <- result{summary, err}
	}()
	await(t, quick, "the start", named("start"))
	awaitExecutions(t, c, "a subscriber and a pipe are blocked")
	s.fail(t)
	await(t, quick, "the failure", named("minimize"))
	unlock := s.lock(t)
	begin := c.Snapshot().Totals.Execs
	locked := await(t, quick, "the lock", func(e event.Event) bool {
		n, ok := e.(event.Notice)
		return ok && strings.Contains(n.Text, "another process has locked it")
	})
	if locked.execs < begin+manyExecutions {
		t.Errorf("while the history is locked there are %d executions, want %d", locked.execs-begin, manyExecutions)
	}
	await(t, quick, "the finding", named("finding"))
	awaitExecutions(t, c, "a finding is not in the history")
	unlock()
	cancel()
	got := <-ended
	if got.err != nil || got.summary.Findings != 1 || got.summary.ExitCode() != 1 {
		t.Errorf("the campaign ends with %+v, %v; want one finding", got.summary, got.err)
	}
	close(released)
	lines := make(chan []event.Event)
	go func() { lines <- decode(t, r) }()
	o.Events.Close()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	checkFacts(t, "the slow subscriber", slow)
	checkFacts(t, "the pipe", <-lines)
	s.checkHistory(t)
	s.wantNoProcess(t)
}

// checkHistory checks that the history has one finding.
func (s *scene) checkHistory(t *testing.T) {
	t.Helper()
	db, err := store.Open(t.Context(), s.history())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if all, err := db.Findings(t.Context(), project.Find(s.dir).Path); err != nil || len(all) != 1 {
		t.Errorf("the history has %+v, %v; want one finding", all, err)
	}
}

// decode returns the events in the lines of an output, after the empty lines with which the pipe was full.
func decode(t *testing.T, output *os.File) (list []event.Event) {
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		e, _, err := event.Decode(lines.Bytes())
		if err != nil {
			t.Error(err)
			continue
		}
		list = append(list, e)
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	return list
}

// checkFacts checks that a subscriber gets all events of a campaign with one target and one finding, apart from some of its status.
func checkFacts(t *testing.T, who string, list []event.Event) {
	t.Helper()
	n, entries := map[string]int{}, 0
	for _, e := range list {
		n[e.Name()]++
		if end, ok := e.(event.TargetEnd); ok {
			entries += end.New
		}
	}
	if n["entry"] != entries || entries == 0 {
		t.Errorf("%s gets %d entries, want %d", who, n["entry"], entries)
	}
	if n["start"] != 1 || n["finding"] != 1 || n["target"] != 1 || n["end"] != 1 || n["warning"] == 0 || n["status"] == 0 {
		t.Errorf("%s gets these numbers of events: %v", who, n)
	}
}
