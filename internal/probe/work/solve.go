package work

import (
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

const (
	// maxEdits: what comparisons suggest for one entry at most. A log with thousands of matches is one of single bytes
	// that stand everywhere in the input, where random mutation does as well.
	maxEdits = 4096
	// maxSolved is the length in bytes up to which a buffer may grow because a comparison of its length suggests it,
	// whatever the limit of random mutants is.
	maxSolved = 64 << 10
	// solveIn: one in so many chains of random mutants starts with a replacement that comparisons suggest.
	solveIn = 3
)

// solver holds what the comparisons of the current entry suggest.
type solver struct {
	log       compare.Log
	recording bool
	table     solve.Table
	edits     []solve.Edit
	text      []byte // what the edits insert
	tried     uint64
	studied   bool // the entry was executed with its comparisons recorded
	found     bool // one of the suggestions showed a new edge
}

// forget drops what is known about the entry of the request before.
func (s *solver) forget() {
	s.edits, s.text, s.tried = s.edits[:0], s.text[:0], 0
	s.studied, s.found = false, false
	s.table.Fill(nil)
}

// busy reports whether there are suggestions that were not tried.
func (s *solver) busy() bool { return s.tried < uint64(len(s.edits)) }

// next returns a suggestion that was not tried.
func (s *solver) next() *solve.Edit {
	s.tried++
	return &s.edits[s.tried-1]
}

// study executes the entry once with the comparisons recorded, and lists what they suggest if the request says so.
func (w *worker) study(m wire.Fuzz) outcome {
	s := &w.solver
	s.studied, s.recording = true, true
	out := w.once(w.base)
	s.recording = false
	s.table.Fill(s.log.Records())
	if m.Solve && !out.failed {
		s.table.Edits(w.base, func(e solve.Edit) bool {
			s.text = append(s.text, e.New...)
			e.New = s.text[len(s.text)-len(e.New) : len(s.text) : len(s.text)]
			s.edits = append(s.edits, e)
			return len(s.edits) < maxEdits
		})
		s.tried = min(m.Skip, uint64(len(s.edits)))
	}
	return out
}
