package work

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

const (
	// maxFollowed is how many executions of one entry are recorded to see where suggestions lead: those of words and wide
	// numbers. What resizes the input makes it slow, and leads nowhere new most of the time.
	maxFollowed = 256
	// maxDeep: how many suggestions behind another one are tried, and maxBehind how many behind one of the entry.
	maxDeep   = 64
	maxBehind = 160
	// maxDepth: so many comparisons in a row are passed without a look at the schedule.
	maxDepth = 6
	// followTime is how long that, and all else in this file, may take for one entry: where an input takes a millisecond,
	// mutation finds more in the time.
	followTime = 20 * time.Millisecond
	// followShare: all of it may take one part in so many of the time of a worker, or of the executions where no clock
	// counts; and followCredit or followExecs in any case, for those who look for a few seconds only.
	followShare  = 8
	followCredit = 300 * time.Millisecond
	followExecs  = 1 << 15
)

// follower knows which comparisons were studied before.
type follower struct {
	met    compare.Met
	began  time.Time // the study of this entry
	tables [maxDepth]solve.Table

	all, took         time.Duration // of all requests, and what this has taken of it
	executions, spent uint64        // the same in executions
}

// due reports whether there is time to see where suggestions lead.
func (f *follower) due(noClock bool) bool {
	if noClock {
		return f.spent <= followExecs+f.executions/followShare
	}
	return f.took <= followCredit+f.all/followShare
}

// book counts what the study of an entry has taken.
func (f *follower) book(took time.Duration, executions uint64) {
	f.took += took
	f.spent += executions
}

// request counts a whole request.
func (f *follower) request(took time.Duration, executions uint64) {
	f.all += took
	f.executions += executions
}

// explore is attempt with the comparisons recorded, until the time for that is up.
func (w *worker) explore(a input.Args) bool { return !w.late() && w.attempt(a, true) }

func (w *worker) late() bool {
	return !w.setup.NoClock && time.Since(w.solver.follower.began) > followTime
}

// follow tries the first suggestions with the comparisons recorded. One that leads to a comparison which no entry has
// made is followed by what that one suggests, and so on: two that have to be passed before anything shows are passed
// together, and nothing that the next one looks at is trimmed away before. Where there are checksums, suggestions are of
// use only when repaired.
func (w *worker) follow(m wire.Fuzz) {
	s := &w.solver
	if w.setup.Without.Has(technique.ValueProfile) || s.sums || w.limit > 0 && w.limit-min(w.spent, w.limit) < minVary {
		return
	}
	left := maxFollowed - int(min(m.Skip, maxFollowed)) // the first ones may have ended the process
	for s.busy() && left > 0 && !w.late() && rank(&s.edits[s.tried]) < lastRank {
		a := w.base.Clone()
		if !w.suggestion().Apply(a, w.growLimit()) {
			continue
		}
		mutate.FixContainers(&w.havoc, a)
		left--
		s.suggested = true
		if !w.attempt(a, true) {
			break
		}
		s.suggested = false
		behind := maxBehind
		w.deeper(a, 0, &behind)
	}
	s.suggested = false
}

// deeper tries what the comparisons of a suggest that are met for the first time.
func (w *worker) deeper(a input.Args, depth int, left *int) {
	s := &w.solver
	fresh := s.follower.met.Unmet(&s.log)
	if len(fresh) == 0 || depth == maxDepth {
		return
	}
	table := &s.follower.tables[depth]
	table.Without = w.setup.Without
	table.Fill(w.withKeys(fresh))
	var edits []solve.Edit
	table.Edits(a, func(e solve.Edit) bool {
		if rank(&e) < lastRank {
			e.New = append([]byte(nil), e.New...)
			edits = append(edits, e)
		}
		return len(edits) < maxDeep
	})
	for i := range edits {
		b := a.Clone()
		if !edits[i].Apply(b, w.growLimit()) {
			continue
		}
		mutate.FixContainers(&w.havoc, b)
		if *left--; *left < 0 || !w.explore(b) {
			return
		}
		w.deeper(b, depth+1, left)
	}
}

// withKeys adds to records that are fresh the keys of maps of the same log: what is reached now may need another member
// beside the one that led there.
func (w *worker) withKeys(fresh []compare.Record) []compare.Record {
	isKey := func(r compare.Record) bool { return r.Op == compare.Map }
	if !slices.ContainsFunc(fresh, func(r compare.Record) bool { return !isKey(r) }) {
		return fresh
	}
	all := slices.Clone(fresh)
	for _, r := range w.solver.log.Records() {
		if isKey(r) {
			all = append(all, r)
		}
	}
	return all
}

// descend lets what is compared get closer to what is wanted, where the entry has comparisons that nothing else solves.
func (w *worker) descend(m wire.Fuzz) {
	s := &w.solver
	if m.Skip > 0 || s.sums || w.limit > 0 && w.limit-min(w.spent, w.limit) < minVary {
		return
	}
	s.table.Descend(w.base, func(a input.Args) ([]compare.Record, bool) {
		ok := w.explore(a)
		return s.log.Records(), ok
	})
}

// maxSpread is how many entries get records with a tag that was met for the first time.
const maxSpread = 8

// spread tries tags of records that were learned from this entry on the oldest entries that have records: what it takes to
// learn of a tag is rarely a file that is whole.
func (w *worker) spread() {
	s := &w.solver
	first := s.tags
	if s.tags = s.table.Tags(); first == s.tags || w.limit > 0 && w.limit-min(w.spent, w.limit) < minVary {
		return
	}
	defer func() { w.origin = w.base }()
	left := maxSpread
	for _, a := range w.havoc.Pool {
		w.origin = a
		var made []input.Args
		s.table.TagEdits(a, first, func(e solve.Edit) bool {
			b := a.Clone()
			if e.Apply(b, w.growLimit()) {
				mutate.FixContainers(&w.havoc, b)
				made = append(made, b)
			}
			return len(made) < maxDeep
		})
		if len(made) > 0 {
			left--
		}
		for _, b := range made {
			if left < 0 || !w.explore(b) {
				return
			}
			behind := maxBehind
			w.deeper(b, 0, &behind)
		}
	}
}
