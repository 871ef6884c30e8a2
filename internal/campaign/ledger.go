package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// Ledger has the findings of a campaign, each once for all targets: it decides what a finding makes of a target, keeps findings and publishes
// them. Begin is called first and End last; the methods between them are called from any goroutine, and may take as long as a history.
type Ledger interface {
	// Begin starts what the ledger does beside the campaign, until ctx or End.
	Begin(ctx context.Context)
	// IsKnown reports whether a finding of a target does not count because the user has said so. It is called while the target is fuzzed.
	IsKnown(t build.Target, f *finding.Finding) bool
	// Report takes a finding of a target, with its replays, and returns its ID and the result that it makes for the target. It calls note
	// before it publishes the finding, so that a campaign that is killed behind that counts the finding when it is resumed.
	Report(t build.Target, f *finding.Finding, note Note) (id string, what event.Result)
	// Again takes the ID of a finding of the killed campaign, with the result that it had, and returns the result that it has.
	Again(t build.Target, id string, was event.Result) event.Result
	// Smaller takes a smaller input of a finding that was reported, which was replayed too.
	Smaller(t build.Target, f *finding.Finding)
	// Others takes other inputs of a finding that was reported.
	Others(t build.Target, f *finding.Finding, others []input.Args)
	// Restore writes missing files of findings of a target, which its processes may remove. found has the IDs of its findings, with their results.
	Restore(t build.Target, found map[string]event.Result)
	// Tests returns the names of the subtests of the inputs of findings in plain go test. found has the IDs.
	Tests(found map[string]event.Result) (names []string)
	// End returns when all findings are published.
	End()
}

// Note notes a finding with its result for a target, and reports whether the target did not have it.
type Note func(id string, what event.Result) (isNew bool)

// ledger writes findings to the history, and publishes them as events.
type ledger struct {
	Options
	upstream *upstream // from Begin to End

	mu       sync.Mutex
	reported map[string]finding.Record   // by ID
	own      map[string]bool             // by ID: gnaw has made the file
	waiting  map[string]bool             // by ID: published when its input has run with the newest version of its module
	ids      map[*finding.Finding]string // of all findings, also of those with the ID of another one
	tests    map[string][]string         // by ID: the names of the subtests of its inputs in plain go test
}

func newLedger(o Options) *ledger {
	return &ledger{
		Options: o, reported: map[string]finding.Record{}, own: map[string]bool{}, ids: map[*finding.Finding]string{},
		tests: map[string][]string{}, waiting: map[string]bool{},
	}
}

// Begin starts to run findings with the newest versions of their modules.
func (l *ledger) Begin(ctx context.Context) { l.upstream = newUpstream(ctx, l.Upstream) }

// End waits for these runs, which publish findings.
func (l *ledger) End() { l.upstream.close(l.warn) }

// Report records a finding, notes it for the target and publishes it, unless the campaign has reported it.
func (l *ledger) Report(t build.Target, f *finding.Finding, note Note) (id string, what event.Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := RecordOf(l.Module, t, f)
	l.ids[f] = r.ID
	l.noteTest(r)
	if first, ok := l.reported[r.ID]; ok && (first.Counts() || !r.Counts()) {
		what = l.repeat(first, r, f)
		if note(r.ID, what) {
			l.Events.Publish(event.Again{Subject: l.nameOf(t), ID: r.ID, Result: what})
		}
		return r.ID, what
	}
	r = l.keepOutside(t, l.rerun(r))
	r = l.History.Save(r)
	l.reported[r.ID], l.own[r.ID] = r, f.Own
	note(r.ID, l.resultOf(r))
	if what = l.announce(r); what == event.KnownOnly {
		l.discardFile(r, f)
	}
	return r.ID, what
}

// noteTest notes the name of the subtest of the input of a finding. The caller holds the mutex.
func (l *ledger) noteTest(r finding.Record) {
	if name := cmp.Or(r.Seed, path.Base(r.Path)); name != "." {
		l.tests[r.ID] = append(l.tests[r.ID], name)
	}
}

// Tests returns the names of the subtests of the inputs of findings.
func (l *ledger) Tests(found map[string]event.Result) (names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range found {
		names = append(names, l.tests[id]...)
	}
	return names
}

// keepOutside writes the input of a finding of a dependency to its home, because the copy of the dependency is removed at the end.
// A record whose input cannot be written says why.
func (l *ledger) keepOutside(t build.Target, r finding.Record) finding.Record {
	if t.Outside == nil || r.Path == "" {
		return r
	}
	err := errors.New("the input cannot be read")
	if r.Input != "" {
		err = deps.Keep(*t.Outside, l.Module.Abs(r.Path), []byte(r.Input))
	}
	if err != nil {
		r.Path, r.Why = "", report.Line(err.Error())
	}
	return r
}

// announce publishes a finding, at once or later, and returns the result that it makes for its target. The caller holds the mutex.
func (l *ledger) announce(r finding.Record) (what event.Result) {
	what = l.resultOf(r)
	if l.awaits(r, what) {
		l.awaitUpstream(r)
	} else {
		l.publish(r)
	}
	return what
}

// publish publishes a finding.
func (l *ledger) publish(r finding.Record) {
	o := report.Options{Root: l.Module.Root, Dir: l.Dir, ID: l.History.Short(r.ID)}
	l.Events.Publish(Describe(r, o.ID, o, l.Known))
}

// resultOf returns the result that a finding makes for its target.
func (l *ledger) resultOf(r finding.Record) event.Result {
	switch {
	case l.isKnown(r):
		return event.KnownOnly
	case r.Counts():
		return event.Bug
	}
	return event.Flaky
}

// IsKnown reports whether a finding of a target is in the list of known findings, and its entry has not expired.
func (l *ledger) IsKnown(t build.Target, f *finding.Finding) bool {
	return l.isKnown(RecordOf(l.Module, t, f))
}

// isKnown reports whether a finding is in the list of known findings, and its entry has not expired.
func (l *ledger) isKnown(r finding.Record) bool {
	e, ok := KnownAs(l.Known, r)
	return ok && !e.Expired(time.Now())
}

// repeat handles a finding with the ID of one that the campaign has reported: another target shows it, or minimizing made the two the
// same. Its input becomes another input of the finding.
func (l *ledger) repeat(first, r finding.Record, f *finding.Finding) event.Result {
	l.History.Add(r.ID, sampleOf(r))
	if r.Path != first.Path {
		l.discardFile(r, f)
	}
	switch {
	case l.isKnown(r):
		return event.KnownOnly
	case !first.Counts():
		return event.Flaky
	}
	return event.Bug
}

func sampleOf(r finding.Record) finding.Sample {
	return finding.Sample{Package: r.Package, Folder: r.Folder, Target: r.Target, Input: r.Input, Size: r.Size, Dependency: r.Dependency}
}

// Others adds inputs to a finding.
func (l *ledger) Others(t build.Target, f *finding.Finding, others []input.Args) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id, ok := l.ids[f]
	if !ok {
		return
	}
	var samples []finding.Sample
	for _, a := range others {
		samples = append(samples, finding.Sample{
			Package: t.Package, Folder: l.nameOf(t).Folder, Target: t.Func,
			Input: string(input.Marshal(a)), Size: a.Size(), Dependency: dependencyOf(l.Module, t),
		})
	}
	l.History.Add(id, samples...)
}

// discardFile removes the file of a known finding if gnaw has made it and the history has the input. With the file go test would fail, and
// so would the next run of gnaw test.
func (l *ledger) discardFile(r finding.Record, f *finding.Finding) {
	file := f.Kept
	if r.Path != "" {
		file = l.Module.Abs(r.Path)
	}
	if !f.Own || file == "" || !l.History.Keeps() {
		return
	}
	if err := corpus.Discard(file); err != nil {
		l.warn(fmt.Sprintf("gnaw cannot remove the input of a known finding: %v", err))
	}
}

// Smaller gives a finding that was reported a smaller input, which was replayed too. If its ID is that of another finding, or the
// first input is a seed, the input is only added.
func (l *ledger) Smaller(t build.Target, f *finding.Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := RecordOf(l.Module, t, f)
	first, ok := l.reported[r.ID]
	if !ok || first.Seed != "" || !first.Counts() || !r.Counts() || r.Size >= first.Size || r.Package != first.Package || r.Target != first.Target {
		l.History.Add(r.ID, sampleOf(r))
		l.discardFile(r, f)
		return
	}
	r = l.keepOutside(t, l.rerun(r))
	r.Upstream = first.Upstream
	l.History.Renew(r)
	removed := l.own[r.ID]
	if removed {
		l.discardFile(first, &finding.Finding{Own: true})
	}
	l.reported[r.ID], l.own[r.ID] = r, f.Own
	if l.isKnown(r) {
		l.discardFile(r, f)
		return
	}
	if l.waiting[r.ID] {
		return
	}
	l.Events.Publish(event.Notice{What: event.Smaller, Subject: l.nameOf(t), Text: l.smaller(first, r, removed)})
}

// smaller says what takes the place of the input, of the file unless that stays, and of the command that gnaw has printed for a finding.
func (l *ledger) smaller(first, r finding.Record, removed bool) string {
	o := report.Options{Root: l.Module.Root, Dir: l.Dir, ID: l.History.Short(r.ID)}
	text := fmt.Sprintf("gnaw found a smaller input of %s: %d bytes instead of %d", o.ID, r.Size, first.Size)
	if r.Path != "" {
		text += ": " + project.Relative(l.Dir, l.Module.Abs(r.Path))
	}
	if r.Path != "" && removed {
		text += ", in place of " + filepath.Base(filepath.FromSlash(first.Path))
	}
	return text + "; re-run: " + o.Rerun(r)
}

// Restore writes missing files of bugs again if go test does not run the target, which may remove its corpus each time it starts.
func (l *ledger) Restore(t build.Target, found map[string]event.Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, what := range found {
		r := l.reported[id]
		if what != event.Bug || r.NotRun == "" || r.Path == "" || r.Seed != "" || r.Package != t.Package || r.Target != t.Func {
			continue
		}
		path := l.Module.Abs(r.Path)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := disk.Write(path, []byte(r.Input)); err != nil {
			l.Events.Publish(event.Notice{What: event.Warning, Subject: l.nameOf(t), Text: fmt.Sprintf("the file of a failing input was deleted, and gnaw cannot write it again: %v", err)})
		}
	}
}

// rerun adds the flags, arguments and variables to a record with which go test shows the finding in any folder.
func (l *ledger) rerun(r finding.Record) finding.Record {
	for _, flag := range l.Fuzzing.PlainFlags {
		r.Flags = append(r.Flags, l.absolute(flag))
	}
	r.Args = l.Fuzzing.Args
	r.Environ = session.RerunEnviron(l.Environ)
	return r
}

// absolute returns a flag of the go command for use in another working directory.
func (l *ledger) absolute(flag string) string {
	name, file, _ := strings.Cut(flag, "=")
	if (name == "-overlay" || name == "-modfile") && file != "" && !filepath.IsAbs(file) {
		return name + "=" + filepath.Join(l.Dir, file)
	}
	return flag
}
