package work

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

const (
	// maxFollowed is how many executions of one entry are recorded to see where suggestions lead. The first ones of a
	// list are those that are no coincidence.
	maxFollowed = 256
	// maxDeep: how many suggestions behind another one are tried, and maxBehind how many behind one of the entry.
	maxDeep   = 64
	maxBehind = 48
	// maxDepth: so many comparisons in a row are passed without a look at the schedule.
	maxDepth = 6
	// maxMetSites bounds the memory of a long run.
	maxMetSites = 1 << 16
)

// follower knows which comparisons were studied before.
type follower struct {
	met    map[uint]struct{} // places in the program, by what was nothing there
	fresh  []compare.Record
	tables [maxDepth]solve.Table
}

// unmet returns the records of a log from places that are in none before. What is read as a number is a place of its
// own for each number, so it does not count.
func (f *follower) unmet(records []compare.Record) []compare.Record {
	f.fresh = f.fresh[:0]
	if f.met == nil {
		f.met = map[uint]struct{}{}
	}
	for i := range records {
		if _, met := f.met[sight(&records[i])]; !met && records[i].Op != compare.Number {
			f.fresh = append(f.fresh, records[i])
		}
	}
	for i := range f.fresh {
		if len(f.met) < maxMetSites {
			f.met[sight(&f.fresh[i])] = struct{}{}
		}
	}
	if len(f.met) >= maxMetSites {
		return nil
	}
	return f.fresh
}

// sight identifies the place of a comparison, and which of its sides are empty or zero: a value that was missing is
// progress too.
func sight(r *compare.Record) uint {
	h := r.Site * 4
	if r.A != 0 || len(r.SA) > 0 {
		h++
	}
	if r.B != 0 || len(r.SB) > 0 {
		h += 2
	}
	return h
}

// follow tries the first suggestions with the comparisons recorded. One that leads to a comparison which no entry has
// made is followed by what that one suggests, and so on: two that have to be passed before anything shows are passed
// together, and nothing that the next one looks at is trimmed away before. Where there are checksums, suggestions are of use only when
// repaired.
func (w *worker) follow(m wire.Fuzz) {
	s := &w.solver
	if w.setup.Without.Has(technique.ValueProfile) || m.Skip > 0 || s.table.Sums() || w.limit > 0 && w.limit-min(w.spent, w.limit) < minVary {
		return
	}
	left := maxFollowed
	for s.busy() && left > 0 {
		a := w.base.Clone()
		if !w.suggestion().Apply(a, max(w.havoc.MaxLen, maxSolved)) {
			continue
		}
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
	fresh := s.follower.unmet(s.log.Records())
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
		if !edits[i].Apply(b, max(w.havoc.MaxLen, maxSolved)) {
			continue
		}
		if *left--; *left < 0 || !w.attempt(b, true) {
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
	if m.Skip > 0 || s.table.Sums() || w.limit > 0 && w.limit-min(w.spent, w.limit) < minVary {
		return
	}
	s.table.Descend(w.base, func(a input.Args) ([]compare.Record, bool) {
		ok := w.attempt(a, true)
		return s.log.Records(), ok
	})
}
