package engine

import (
	"slices"
	"sync"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// entries holds the corpus of a target with its schedule.
type entries struct {
	opts  *Options
	meter *meter

	mu           sync.Mutex
	kinds        []input.Kind // of the arguments of an input
	instrumented bool         // executions show features
	corpus       *schedule.Corpus
	failing      map[uint64]bool // entries that fail, which are mutated because nothing else is there
	names        map[string]bool // file names of all entries
	imports      map[string]bool // file names of inputs that are imported, whether they became entries or not
	nextID       uint64
	lastEntry    timestamp    // when the newest entry came
	lastEdge     timestamp    // when the newest edge came
	saved        int          // new entries that are saved
	rerun        int          // executions that countRerun has counted
	repeated     int          // those of them that showed the features for which the entry is kept
	imported     int          // entries of other processes that have files of their own
	passed       []input.Args // all entries, in the order in which they came, if Remember is set
}

func newEntries(opts *Options, m *meter) *entries {
	c := &entries{
		opts: opts, meter: m, kinds: opts.Kinds, corpus: schedule.New(opts.Seed), failing: map[uint64]bool{}, names: map[string]bool{},
		imports: map[string]bool{},
	}
	c.corpus.Aim(opts.Distance)
	return c
}

// setInstrumented says whether executions show features.
func (c *entries) setInstrumented(is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.instrumented = is
}

// isInstrumented reports whether executions show features.
func (c *entries) isInstrumented() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.instrumented
}

// setKinds sets the types of the arguments.
func (c *entries) setKinds(kinds []input.Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kinds = kinds
}

// argumentKinds returns the types of the arguments; nil: they are not known.
func (c *entries) argumentKinds() []input.Kind {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kinds
}

// decode reads an input that a worker has sent.
func (c *entries) decode(packed []byte) (input.Args, error) {
	a, _, err := input.Decode(packed, c.argumentKinds())
	return a, err
}

// claimName adds a file name to those of the entries. It reports false if one of them has the name already.
func (c *entries) claimName(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names[name] {
		return false
	}
	c.names[name] = true
	return true
}

// claimImport adds a file name to those of the inputs that are imported. It reports false if an entry or another one of these has it. A
// worker may find the same input meanwhile: what it has shown is not new when the import is executed, so the name is still free for an entry.
func (c *entries) claimImport(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.names[name] || c.imports[name] {
		return false
	}
	c.imports[name] = true
	return true
}

// hasName reports whether a file name is that of an entry.
func (c *entries) hasName(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.names[name]
}

// len returns the number of entries.
func (c *entries) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.corpus.Len()
}

// add gives an entry its number and adds it to the schedule.
func (c *entries) add(e *schedule.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addLocked(e)
}

func (c *entries) addLocked(e *schedule.Entry) {
	c.nextID++
	e.ID = c.nextID
	c.corpus.Add(e)
	if c.opts.Remember {
		c.passed = append(c.passed, e.Args)
	}
}

// addNew adds an entry with a file name that shows something new, which another process has found. One without a file is to be saved.
func (c *entries) addNew(name string, e *schedule.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names[name] = true
	c.lastEntry = c.meter.now()
	if e.Edges > 0 {
		c.lastEdge = c.lastEntry
	}
	if e.Path != "" {
		c.imported++
	}
	c.addLocked(e)
}

// isShown reports whether entries show all of these features.
func (c *entries) isShown(features []cover.Feature) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.corpus.Shows(features)
}

// discover adds an input of a worker that shows something new; nil: it is known. isNew is false if it is the smaller form of an entry.
func (c *entries) discover(a input.Args, n wire.New) (e *schedule.Entry, isNew bool) {
	name := nameOf(a)
	e = &schedule.Entry{Args: a, Duration: c.meter.duration(n.Nanos, a.Size()), Features: n.Features, Edges: n.Edges}
	if e.Duration == 0 { // there was no execution left to time it with
		e.Duration = c.meter.meanTime()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n.Edges > 0 {
		c.lastEdge = c.meter.now()
	}
	if c.names[name] {
		return nil, false
	}
	c.names[name] = true
	if n.Replaces != 0 {
		c.nextID++
		e.ID = c.nextID
		c.corpus.Replace(n.Replaces, e)
		return e, false
	}
	c.lastEntry = c.meter.now()
	c.addLocked(e)
	return e, true
}

// pick picks an entry to mutate, and up to that many others to splice it with.
func (c *entries) pick(others int) (e *schedule.Entry, partners []*schedule.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e = c.corpus.Pick()
	for range min(others, c.corpus.Len()-1) {
		partners = append(partners, c.corpus.Random())
	}
	return e, partners
}

// random returns up to n different entries that can show whether a process has drifted, out of twice as many draws.
func (c *entries) random(n int) (sample []*schedule.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	drawn := map[uint64]bool{}
	for range 2 * n {
		e := c.corpus.Random()
		if e == nil || drawn[e.ID] || e.Duration > driftSlow || c.failing[e.ID] || len(c.corpus.Held(e.ID)) == 0 {
			continue
		}
		drawn[e.ID] = true
		if sample = append(sample, e); len(sample) == n {
			break
		}
	}
	return sample
}

// held returns the features of which an entry is the cheapest entry.
func (c *entries) held(id uint64) []cover.Feature {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.corpus.Held(id)
}

// unsolved returns how many suggestions of an entry were tried, and whether there are more.
func (c *entries) unsolved(id uint64) (tried uint64, unsolved bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.corpus.Unsolved(id)
}

// solved notes that suggestions of an entry were tried.
func (c *entries) solved(id, tried uint64, all bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.corpus.Solved(id, tried, all)
}

// mutantFailed notes that a mutant of an entry failed. The entry is picked less often: in a run that keeps going, its mutants could
// fail for ever.
func (c *entries) mutantFailed(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.corpus.Failed(id)
}

// markFailing notes that an entry fails.
func (c *entries) markFailing(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failing[id] = true
}

// isFailing reports whether an entry fails.
func (c *entries) isFailing(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failing[id]
}

// onlyFailing reports whether all entries fail.
func (c *entries) onlyFailing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.corpus.Len() == len(c.failing)
}

// news returns when the newest entry and the newest edge came.
func (c *entries) news() (entry, edge timestamp) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lastEntry, c.lastEdge
}

// countSaved counts a new entry that is saved.
func (c *entries) countSaved() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saved++
}

// countRerun counts executions of the drift check: the first one of each entry in a process.
func (c *entries) countRerun(shown, missed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rerun += shown + missed
	c.repeated += shown
}

// reruns returns the number of executions that countRerun has counted, and the number of those that showed the features of their entry.
func (c *entries) reruns() (all, repeated int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rerun, c.repeated
}

// newSaved returns the number of new entries that are saved.
func (c *entries) newSaved() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved
}

// fromOthers returns the number of entries that other processes have saved.
func (c *entries) fromOthers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.imported
}

// passedFrom returns the inputs of the entries without the first ones.
func (c *entries) passedFrom(from int) []input.Args {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clip(c.passed[min(from, len(c.passed)):])
}

// storeIn returns the corpus files in a directory, of a target with arguments of these kinds; nil: they are only written.
func storeIn(dir string, kinds []input.Kind) corpus.Store {
	return corpus.Open(dir, corpus.GoTest(kinds))
}

// cache returns the corpus files in the cache directory, of a target with arguments of these kinds. Others may have put anything there. The
// limits are far above what a campaign leaves in the cache: an entry has at most hardLen bytes, or a quarter more than the longest seed, of
// which a file has up to four characters for each.
func (o *Options) cache(kinds []input.Kind) corpus.Store {
	codec := corpus.GoTest
	if o.Codec != nil {
		codec = o.Codec
	}
	return corpus.Open(o.CacheDir, codec(kinds)).Limited(corpus.SourceLimits)
}

// nameOf returns the name of the corpus file of a.
func nameOf(a input.Args) string { return corpus.Name(input.Marshal(a)) }
