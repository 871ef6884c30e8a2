package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// progressInterval is the time between two records of the progress, which is what a kill may lose. Entries and failing inputs are on disk
// at once.
const progressInterval = 2 * time.Second

// state is the progress of a target, from which a killed campaign is resumed.
type state struct {
	bandit.Past
	Findings map[string]event.Result `json:"findings"` // by ID, with its result for the target
	Seeded   bool                    `json:"seeded"`   // all its seeds were executed
	Seeds    string                  `json:"seeds"`    // digest of those of them that are files
}

// resume resumes the campaign k that was killed, if there is one. list has the progress of its targets.
func (c *Campaign) resume(k store.Killed, list []store.Progress) {
	if k.ID == 0 {
		return
	}
	c.spent = k.Spent
	var execs uint64 // in the turns that ended
	for _, p := range list {
		var s state
		if err := json.Unmarshal([]byte(p.State), &s); err != nil {
			continue // the target starts over
		}
		for _, t := range c.targets {
			if t.Package == p.Target.Package && t.Func == p.Target.Func {
				t.mu.Lock()
				t.code, t.past = p.Code, s
				t.mu.Unlock()
				execs += s.Execs
			}
		}
	}
	text := fmt.Sprintf("resumes the campaign of %s, which was killed after %v and %s execs",
		k.Start.Local().Format(time.DateTime), k.Spent.Round(time.Second), report.Amount(float64(max(execs, k.Execs))))
	if c.Limits.Time > 0 {
		text += fmt.Sprintf(", for the %v that are left", (c.Limits.Time - k.Spent).Round(time.Second))
	}
	c.Events.Publish(event.Notice{What: event.Resume, Text: text})
}

// Past returns the progress of the target before a kill, if its code is still the same.
func (t *target) Past() bandit.Past {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.past.Past
}

// compareCode compares the code of the target with that of the killed campaign. If it is the same, the findings before the kill count.
// Otherwise the target starts over.
func (t *target) compareCode(code string) {
	t.mu.Lock()
	before := t.code
	t.code, t.compared = code, true
	if before != "" && before != code {
		t.past = state{}
		t.mu.Unlock()
		t.notice(event.Resume, "its code has changed since the campaign was killed, so the target starts over")
		return
	}
	t.latest = t.past
	past := t.past.Past
	t.mu.Unlock()
	if past.Turns > 0 {
		t.campaign.Events.Publish(t.turnEnd(past, nil)) // the turns before the kill
	}
	recall(t)
}

// recall counts and publishes the findings of the killed campaign.
func recall(t *target) {
	t.mu.Lock()
	findings := t.past.Findings
	maps.Copy(t.findings, findings) // all at once: the history must not get a part of them
	t.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(findings)) {
		what := t.campaign.Ledger.Again(t.Target, id, findings[id])
		t.mu.Lock()
		t.findings[id] = what
		t.mu.Unlock()
	}
}

// noteOf returns a function that notes a finding with its result for a target, and records it.
func noteOf(t *target) Note {
	return func(id string, what event.Result) (isNew bool) {
		t.mu.Lock()
		_, had := t.findings[id]
		t.findings[id], t.changed = what, true
		if what == event.Bug && t.onBug != nil {
			t.onBug()
		}
		t.mu.Unlock()
		if spent := t.campaign.elapsed(); spent > 0 {
			t.campaign.History.SaveProgress(spent, progressOf(t))
		}
		return !had
	}
}

// seededBefore reports whether the killed campaign has executed all seeds that the target has now, and in all binaries that the campaign
// executes them in. The caller holds the mutex.
func seededBefore(t *target) bool {
	return t.past.Seeded && t.campaign.racer == nil && t.past.Seeds == digestOfSeeds(t.seeds())
}

// digestOfSeeds returns a digest of the names and contents of the files in a folder of seeds. What cannot be read is no seed.
func digestOfSeeds(dir string) string {
	sum := sha256.New()
	list, _ := os.ReadDir(dir) // sorted by name
	for _, e := range list {
		if data, err := disk.Read(filepath.Join(dir, e.Name()), disk.MaxInput); err == nil {
			fmt.Fprintf(sum, "%q %d\n", e.Name(), len(data))
			sum.Write(data)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Again publishes a finding that the campaign had reported before it was killed, and returns its result for the target, which may
// differ: the list of known findings may have changed.
func (l *ledger) Again(t build.Target, id string, was event.Result) event.Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := l.nameOf(t)
	if r, ok := l.History.Find(id); ok {
		l.noteTest(r)
		what := l.announce(r)
		if r.Package != t.Package || r.Target != t.Func {
			l.Events.Publish(event.Again{Subject: name, ID: id, Result: what})
		}
		return what
	}
	if l.isKnown(finding.Record{ID: id}) {
		return event.KnownOnly
	}
	l.Events.Publish(event.Notice{
		What: event.Resume, Subject: name,
		Text: fmt.Sprintf("the finding %s, which was reported before the campaign was killed, still counts; it is no longer in the history", finding.Short(id, nil)),
	})
	l.Events.Publish(event.Again{Subject: name, ID: id, Result: was, Lost: true})
	return was
}

// endTurn notes the progress of the target after a turn.
func (t *target) endTurn(p bandit.Past) {
	s := t.snapshot()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.latest, t.changed = state{Past: p, Seeded: t.past.Seeded, Seeds: t.past.Seeds}, true
	if seeded(s) {
		t.latest.Seeded, t.latest.Seeds = true, t.given
	}
}

// saveProgress records the time of fuzzing until now, the totals, and the progress of the targets that have changed. Before fuzzing begins,
// there is nothing to record.
func (c *Campaign) saveProgress() {
	if spent := c.elapsed(); spent > 0 {
		saveProgressAt(c, spent)
	}
}

// progressOf returns the progress of a target if the history does not have it yet.
func progressOf(t *target) []store.Progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.changed {
		return nil
	}
	t.changed = false
	t.latest.Findings = maps.Clone(t.findings)
	text, err := json.Marshal(t.latest)
	if err != nil { // these types can always be encoded
		return nil
	}
	return []store.Progress{{Target: t.Name, Code: t.code, State: string(text)}}
}

// saveProgressAt is saveProgress for a campaign with some time of fuzzing. At the end that is the time in the summary: the clock also has
// the replays after it.
func saveProgressAt(c *Campaign, spent time.Duration) {
	var list []store.Progress
	for _, t := range c.targets {
		list = append(list, progressOf(t)...)
	}
	c.History.SaveProgress(spent, list)
	saveTotals(c)
}
