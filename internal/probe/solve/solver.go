// Package solve derives inputs from the comparisons of an execution: input-to-state replacement.
//
// If the target compares a value of the input with another value, the package replaces the first by the second. A [Log] holds the
// comparisons of the execution of an entry, except those of loops. [Solver.Edits] lists all replacements for the entry, and
// [Solver.Random] makes one. Variants of the entry that take the same path (see [Colorize]) show which matches are coincidences,
// and how the target computes a value from a field. [Checksums] finds and corrects checksum fields, and a [Descent] changes fields
// until a comparison has another result.
//
// The package does not know processes or coverage. Random does not allocate. The package is linked into test binaries. Its types
// have zero values that are ready for use, and are not safe for concurrent use.
package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// Solver lists what the comparisons of an entry suggest.
type Solver struct {
	// Without are the techniques that are off.
	Without technique.Set

	search search
	tags   tags            // from all entries
	packer mutate.Material // decompresses
	choice choice          // of Random
}

// Edits calls yield for every replacement that the log suggests for a, which is the entry of the log, until yield returns
// false. yield must not change a. If the log has variants, what they confirm comes first. What an Edit points to is valid
// during the call only. The same log and the same entry give the same replacements in the same order.
func (s *Solver) Edits(log *Log, a input.Args, yield func(e Edit) bool) {
	s.search.start(s.Without)
	s.search.tried = allForms
	if plain(s.Without) {
		s.search.tried = 1<<plainForms - 1
	}
	if !s.packedEdits(log, a, yield) {
		return
	}
	s.search.begin(a)
	if !log.Varied() {
		_ = s.tags.edits(&s.search, a, 0, yield) && s.allEdits(log, nil, a, yield) && s.nearEdits(log, a, yield)
		return
	}
	s.search.postpone()
	fit := fitter{search: &s.search, log: log}
	_ = s.tags.edits(&s.search, a, 0, yield) && s.allEdits(log, log.variants[0].args, a, yield) && fit.edits(a, yield) &&
		s.search.emitLater(yield) && s.nearEdits(log, a, yield)
}

// Tags returns how many tags of records are known.
func (s *Solver) Tags() int { return len(s.tags.list) }

// TagEdits lists for any input what Edits lists for records with other tags, without the first tags that are known.
func (s *Solver) TagEdits(a input.Args, first int, yield func(e Edit) bool) {
	s.search.start(s.Without)
	s.search.begin(a)
	s.tags.edits(&s.search, a, first, yield)
}
