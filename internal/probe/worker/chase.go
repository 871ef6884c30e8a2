package worker

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

const (
	// maxChased is how many executions of one entry are logged to see where suggestions lead: those of words and wide
	// numbers. Suggestions that resize the input make it slow, and rarely lead to something new.
	maxChased = 256
	// maxDeep is how many suggestions are tried for an input that a suggestion has made, and maxBehind how many for all such
	// inputs behind one suggestion of the entry.
	maxDeep   = 64
	maxBehind = 160
	// maxDepth is how many suggestions in a row are chased, one behind the other.
	maxDepth = 6
	// chaseTime is how long all that is in this file may take for one entry: if an input takes a millisecond, mutation finds more
	// in the time.
	chaseTime = 20 * time.Millisecond
)

// chaser tries suggestions with the comparisons logged, and then the suggestions for the inputs that they make. It knows which
// comparisons were in a log before.
type chaser struct {
	study   *study
	seen    compare.Seen
	tags    int // of records, that were tried on all entries
	levels  [maxDepth]level
	descent solve.Descent
	share   share
	began   time.Time // with the entry at hand
	booked  mark      // what was spent up to then is in share
}

// level lists the suggestions for inputs that a number of suggestions in a row have made.
type level struct {
	log    solve.Log
	solver solve.Solver
}

// mark is a time, and the number of executions that the request had made then.
type mark struct {
	time  time.Time
	spent uint64
}

// book counts what was spent since it was called last.
func (c *chaser) book() {
	now := mark{time.Now(), c.study.run.spent}
	c.share.book(now.time.Sub(c.booked.time), now.spent-c.booked.spent)
	c.booked = now
}

// late reports whether the time for the entry is up.
func (c *chaser) late() bool {
	return !c.study.setup.NoClock && time.Since(c.began) > chaseTime
}

// explore is attempt with the comparisons logged, until the time for that is up.
func (c *chaser) explore(a input.Args) bool { return !c.late() && c.study.attempt(a, true) }

// chase tries the first suggestions with the comparisons logged. If one leads to a comparison that no entry has made, chase
// tries what that one suggests too, and so on. So the target passes two comparisons at once that show something new only
// together, and no trimming between them removes what the second one looks at. It does nothing if the entry has checksums,
// since suggestions are of use only with the checksums repaired.
func (s *study) chase() bool {
	c := &s.chaser
	c.began = time.Now()
	c.booked = mark{c.began, s.run.spent}
	defer c.book()
	if s.setup.Without.Has(technique.ValueProfile) || s.sums || s.run.left() < minVary {
		return true
	}
	left := maxChased - int(min(s.m.Skip, maxChased)) // the first ones may have ended the process
	for s.list.busy() && left > 0 && !c.late() && rank(&s.list.edits[s.list.tried]) < lastRank {
		a := s.mut.base.Clone()
		if !s.list.next().Apply(a, s.mut.growLimit()) {
			continue
		}
		mutate.FixContainers(&s.mut.havoc, a)
		left--
		s.list.current = true
		if !s.attempt(a, true) {
			break
		}
		s.list.current = false
		behind := maxBehind
		c.deeper(a, 0, &behind)
	}
	s.list.current = false
	return true
}

// deeper tries what those comparisons of a suggest that were not in a log before.
func (c *chaser) deeper(a input.Args, depth int, left *int) {
	s := c.study
	fresh := c.seen.New(&s.run.log)
	if len(fresh) == 0 || depth == maxDepth {
		return
	}
	l := &c.levels[depth]
	l.log.Fill(c.withKeys(fresh))
	var edits []solve.Edit
	l.solver.Edits(&l.log, a, func(e solve.Edit) bool {
		if rank(&e) < lastRank {
			e.New = append([]byte(nil), e.New...)
			edits = append(edits, e)
		}
		return len(edits) < maxDeep
	})
	for i := range edits {
		b := a.Clone()
		if !edits[i].Apply(b, s.mut.growLimit()) {
			continue
		}
		mutate.FixContainers(&s.mut.havoc, b)
		if *left--; *left < 0 || !c.explore(b) {
			return
		}
		c.deeper(b, depth+1, left)
	}
}

// withKeys adds to fresh records the keys of maps of the same log: the code that is reached now may need another member beside
// the one that led to it.
func (c *chaser) withKeys(fresh []compare.Record) []compare.Record {
	isKey := func(r compare.Record) bool { return r.Op == compare.Map }
	if !slices.ContainsFunc(fresh, func(r compare.Record) bool { return !isKey(r) }) {
		return fresh
	}
	all := slices.Clone(fresh)
	for _, r := range c.study.run.log.Records() {
		if isKey(r) {
			all = append(all, r)
		}
	}
	return all
}

// descend moves compared values closer to wanted ones, for comparisons of the entry that nothing else solves.
func (s *study) descend() bool {
	c := &s.chaser
	defer c.book()
	if s.m.Skip > 0 || s.sums || s.run.left() < minVary {
		return true
	}
	c.descent.Descend(&s.list.log, s.mut.base, func(a input.Args) ([]compare.Record, bool) {
		ok := c.explore(a)
		return s.run.log.Records(), ok
	})
	return true
}

// maxSpread is how many entries get records with a new tag.
const maxSpread = 8

// spread inserts records with tags that were learned from this entry into the oldest entries that have records: an entry that
// shows a tag is rarely a whole file.
func (s *study) spread() bool {
	c := &s.chaser
	defer c.book()
	first := c.tags
	if c.tags = s.list.solver.Tags(); first == c.tags || s.run.left() < minVary {
		return true
	}
	defer func() { s.feed.origin = s.mut.base }()
	left := maxSpread
	for _, a := range s.mut.havoc.Pool {
		s.feed.origin = a
		made := c.tagged(a, first)
		if len(made) > 0 {
			left--
		}
		for _, b := range made {
			if left < 0 || !c.explore(b) {
				return true
			}
			behind := maxBehind
			c.deeper(b, 0, &behind)
		}
	}
	return true
}

// tagged returns copies of an entry with other records, each with one of the tags from number first on.
func (c *chaser) tagged(a input.Args, first int) (made []input.Args) {
	s := c.study
	s.list.solver.TagEdits(a, first, func(e solve.Edit) bool {
		b := a.Clone()
		if e.Apply(b, s.mut.growLimit()) {
			mutate.FixContainers(&s.mut.havoc, b)
			made = append(made, b)
		}
		return len(made) < maxDeep
	})
	return made
}
