package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// ledger has the findings that a campaign has reported, each once for all targets. It writes them to the history and publishes them.
type ledger struct {
	campaign *Campaign
	ctx      context.Context // of the campaign; set before the first finding

	mu       sync.Mutex
	reported map[string]finding.Record   // by ID
	own      map[string]bool             // by ID: gnaw has made the file
	waiting  map[string]bool             // by ID: published when its input has run with the newest version of its module
	ids      map[*finding.Finding]string // of all findings, also of those with the ID of another one
	tests    map[string][]string         // by ID: the names of the subtests of its inputs in plain go test
}

func newLedger(c *Campaign) *ledger {
	return &ledger{
		campaign: c, ctx: context.Background(), reported: map[string]finding.Record{}, own: map[string]bool{}, ids: map[*finding.Finding]string{},
		tests: map[string][]string{}, waiting: map[string]bool{},
	}
}

// report records a finding, notes it for the target and publishes it, unless the campaign has reported it. It returns its ID and the
// result that it makes for the target.
func (l *ledger) report(t *target, f *finding.Finding) (id string, what event.Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := RecordOf(l.campaign.Module, t.Target, f)
	l.ids[f] = r.ID
	l.noteTest(r)
	if first, ok := l.reported[r.ID]; ok && (first.Counts() || !r.Counts()) {
		what = l.repeat(first, r, f)
		if note(t, r.ID, what) {
			l.campaign.Events.Publish(event.Again{Target: t.name(), ID: r.ID, Result: what})
		}
		return r.ID, what
	}
	r = l.keepOutside(t.Target, l.rerun(r))
	r = l.campaign.history.save(l.ctx, r)
	l.reported[r.ID], l.own[r.ID] = r, f.Own
	note(t, r.ID, l.resultOf(r)) // a campaign that is killed behind the announcement counts the finding when it is resumed
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

// testsOf returns the names of the subtests of the inputs of the findings of a target.
func (l *ledger) testsOf(t *target) (names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.findings {
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
		err = deps.Keep(*t.Outside, l.campaign.Module.Abs(r.Path), []byte(r.Input))
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
	c := l.campaign
	o := report.Options{Root: c.Module.Root, Dir: c.Dir, ID: c.history.short(l.ctx, r.ID)}
	c.Events.Publish(Describe(r, o.ID, o, c.Known))
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

// bugs returns the number of published findings that count.
func (l *ledger) bugs() (n int) {
	l.campaign.board.Read(time.Now(), func(s *board.State) { n = s.Totals().Bugs })
	return n
}

// isKnown reports whether a finding is in the list of known findings, and its entry has not expired.
func (l *ledger) isKnown(r finding.Record) bool {
	e, ok := KnownAs(l.campaign.Known, r)
	return ok && !e.Expired(time.Now())
}

// repeat handles a finding with the ID of one that the campaign has reported: another target shows it, or minimizing made the two the
// same. Its input becomes another input of the finding.
func (l *ledger) repeat(first, r finding.Record, f *finding.Finding) event.Result {
	l.campaign.history.add(r.ID, sampleOf(r))
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

// keep adds inputs to a finding.
func (l *ledger) keep(t build.Target, f *finding.Finding, others []input.Args) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id, ok := l.ids[f]
	if !ok {
		return
	}
	var samples []finding.Sample
	for _, a := range others {
		samples = append(samples, finding.Sample{
			Package: t.Package, Folder: l.campaign.Module.Source(t.Package, t.Dir).Relative(t.Home()), Target: t.Name,
			Input: string(input.Marshal(a)), Size: a.Size(), Dependency: dependencyOf(l.campaign.Module, t),
		})
	}
	l.campaign.history.add(id, samples...)
}

// discardFile removes the file of a known finding if gnaw has made it and the history has the input. With the file go test would fail, and
// so would the next run of gnaw test.
func (l *ledger) discardFile(r finding.Record, f *finding.Finding) {
	file := f.Kept
	if r.Path != "" {
		file = l.campaign.Module.Abs(r.Path)
	}
	if !f.Own || file == "" || !l.campaign.history.records() {
		return
	}
	if err := corpus.Discard(file); err != nil {
		l.campaign.warn(fmt.Sprintf("gnaw cannot remove the input of a known finding: %v", err))
	}
}

// replaceInput gives a finding that was reported a smaller input, which was replayed too. If its ID is that of another finding, or the
// first input is a seed, the input is only added.
func (l *ledger) replaceInput(t *target, f *finding.Finding) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.campaign
	r := RecordOf(c.Module, t.Target, f)
	first, ok := l.reported[r.ID]
	if !ok || first.Seed != "" || !first.Counts() || !r.Counts() || r.Size >= first.Size || r.Package != first.Package || r.Target != first.Target {
		c.history.add(r.ID, sampleOf(r))
		l.discardFile(r, f)
		return
	}
	r = l.keepOutside(t.Target, l.rerun(r))
	r.Upstream = first.Upstream
	c.history.renew(r)
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
	t.notice(event.Smaller, l.smaller(first, r, removed))
}

// smaller says what takes the place of the input, of the file unless that stays, and of the command that gnaw has printed for a finding.
func (l *ledger) smaller(first, r finding.Record, removed bool) string {
	c := l.campaign
	o := report.Options{Root: c.Module.Root, Dir: c.Dir, ID: c.history.short(l.ctx, r.ID)}
	text := fmt.Sprintf("gnaw found a smaller input of %s: %d bytes instead of %d", o.ID, r.Size, first.Size)
	if r.Path != "" {
		text += ": " + project.Relative(c.Dir, c.Module.Abs(r.Path))
	}
	if r.Path != "" && removed {
		text += ", in place of " + filepath.Base(filepath.FromSlash(first.Path))
	}
	return text + "; re-run: " + o.Rerun(r)
}

// restoreFiles writes missing files of bugs again if go test does not run the target, which may remove its corpus each time it starts.
func (l *ledger) restoreFiles(t *target) {
	t.mu.Lock()
	findings := maps.Clone(t.findings)
	t.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, what := range findings {
		r := l.reported[id]
		if what != event.Bug || r.NotRun == "" || r.Path == "" || r.Seed != "" || r.Package != t.Package || r.Target != t.Name {
			continue
		}
		path := l.campaign.Module.Abs(r.Path)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := disk.Write(path, []byte(r.Input)); err != nil {
			t.notice(event.Warning, fmt.Sprintf("the file of a failing input was deleted, and gnaw cannot write it again: %v", err))
		}
	}
}

// rerun adds the flags, arguments and variables to a record with which go test shows the finding in any folder.
func (l *ledger) rerun(r finding.Record) finding.Record {
	for _, flag := range l.campaign.Fuzzing.PlainFlags {
		r.Flags = append(r.Flags, l.absolute(flag))
	}
	r.Args = l.campaign.Fuzzing.Args
	r.Environ = session.RerunEnviron(l.campaign.Environ)
	return r
}

// absolute returns a flag of the go command for use in another working directory.
func (l *ledger) absolute(flag string) string {
	name, file, _ := strings.Cut(flag, "=")
	if (name == "-overlay" || name == "-modfile") && file != "" && !filepath.IsAbs(file) {
		return name + "=" + filepath.Join(l.campaign.Dir, file)
	}
	return flag
}
