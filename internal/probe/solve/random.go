package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// nearIn: 1/nearIn of the random replacements may resize a part of a buffer.
const nearIn = 8

// tagIn: if tags are known, 1/tagIn of the random replacements insert a record with one of them.
const tagIn = 4

// choice is one of the edits that yield was called with.
type choice struct {
	edit Edit
	text []byte // what it inserts
	n    int    // edits so far
}

// Random makes one of the replacements that a random pair of the log suggests, in one or two random encodings: each of
// them costs a search of the input. It reports false, and changes nothing, if there are none. It does not allocate as long
// as the buffers of a have room.
func (s *Solver) Random(log *Log, r *mutate.Rand, a input.Args, maxLen int) bool {
	if len(s.tags.list) > 0 && r.Chance(1, tagIn) && s.tags.random(r, a, maxLen) {
		return true
	}
	if len(log.pairs) == 0 {
		return false
	}
	s.choice.edit, s.choice.n = Edit{}, 0
	s.search.startRandom(s.Without, a)
	if s.search.near = r.Chance(1, nearIn); plain(s.Without) {
		s.search.tried = 1<<plainForms - 1
	} else {
		s.search.tried = 1 << r.Intn(commonForms)
		s.search.textForm = verbatimForm
		if r.Bool() {
			s.search.tried |= 1 << r.Intn(len(forms))
			s.search.textForm = r.Intn(len(textForms)+otherForms) - otherForms
		}
	}
	s.pairEdits(&log.pairs[r.Intn(len(log.pairs))], nil, a, func(e Edit) bool {
		// Each of n edits is kept with the probability 1/n.
		if s.choice.n++; r.Intn(s.choice.n) == 0 {
			s.choice.text = append(s.choice.text[:0], e.New...)
			s.choice.edit = e
		}
		return true
	})
	s.choice.edit.New = s.choice.text
	return s.choice.n > 0 && s.choice.edit.Apply(a, maxLen)
}
