// Package mutate derives new inputs from old ones.
//
// [Havoc] makes the next mutant of each of several chains: it edits the argument tuple in place, with an operator on one argument.
// One table contains the operators for buffers, with weights for binary data, text and JSON; numbers have their own tables. The
// last step usually, but not always, corrects lengths and checksums. The package does not know coverage, the corpus or processes:
// an operator reads the tuple and a [Material] only. The same chains, Material and generator state give the same result, so gnaw
// can make a mutant again from the state that the generator had before.
//
// The package runs inside the user's test binary, between two executions of the target. So it imports few packages (the standard
// library may be instrumented), does not allocate while the buffers have room, and never panics. It is not safe for concurrent
// use: each worker has its own Material.
package mutate

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// Material is all that a mutation uses besides the tuple itself. Havoc reads the exported fields and changes
// none of them but the state of Rand.
type Material struct {
	// Rand is the source of every decision. It must not be nil.
	Rand *Rand
	// MaxLen limits the length of one buffer in bytes. A buffer that is longer already is not cut, but does not grow.
	// Zero means that no buffer grows.
	MaxLen int
	// Tokens are words worth trying, such as a dictionary. It may be empty, and so may a token.
	Tokens [][]byte
	// Compared are words that the target compared something with. One token in four is one of them. It may be empty.
	Compared [][]byte
	// Pool holds tuples of the same kinds to take parts from. It may be empty.
	Pool []input.Args
	// Without holds the techniques that are off. Operators that belong to one of them are not picked.
	Without technique.Set
	// Sums are the checksums of the entry that mutants are made of, as Recognize finds them: most mutants get the same kinds
	// at the same places.
	Sums Sums
	// Scores counts for which tokens an input was kept. Reward changes it, a mutation does not.
	Scores Scores
	// Trace, if not nil, is called with the name of each operator that changed something, in order.
	Trace func(name string)

	tables   *tables          // what operators are picked from with the techniques that are on; nil at first
	without  technique.Set    // the set that tables was made for
	plan     plan             // for the chains at hand
	order    [MaxChains]uint8 // in which chains are changed
	chain    *Chain           // that is being changed
	chosen   bool             // part is chosen
	part     []byte           // the partner's buffer that goes with the argument
	at       int              // where the operator has inserted or deleted; -1: not known
	drawn    int              // index of the token that was drawn last; -1: none
	search   fieldSearch
	held     [heldLimit]byte // copy of a part that is to move within its buffer
	inflater *inflater       // for checksums of what is compressed; nil until it is needed
}

// room returns how many bytes b may grow by.
func (m *Material) room(b []byte) int { return max(m.MaxLen-len(b), 0) }

func (m *Material) trace(name string) {
	if m.Trace != nil {
		m.Trace(name)
	}
}

// tuple returns the partner of this chain; nil if there is none. Most mutations need none, and its memory is cold.
func (m *Material) tuple() input.Args {
	if m.chain.partner == nil && len(m.Pool) > 0 && !m.Without.Has(technique.Splice) {
		m.chain.partner = m.Pool[m.Rand.Intn(len(m.Pool))]
	}
	return m.chain.partner
}

// buffer returns the bytes to take parts from while an argument is edited. Mostly it is the same argument of the
// partner, which is most likely to have the same format.
func (m *Material) buffer() []byte {
	if m.chosen {
		return m.part
	}
	m.chosen, m.part = true, nil
	partner, i := m.tuple(), m.plan.arg
	if len(partner) == 0 {
		return nil
	}
	if i >= len(partner) || !partner[i].Kind.IsBuffer() || m.Rand.Chance(1, otherPartnerIn) {
		i = m.Rand.Intn(len(partner))
	}
	m.part = partner[i].Data
	return m.part
}

// otherPartnerIn: 1/otherPartnerIn of the partners are any argument of the other entry, and not the same one. Formats mix in real targets (a key that
// also occurs inside the document), but rarely. The value is chosen, not measured.
const otherPartnerIn = 8

// heldLimit is how long a part is that moves within its buffer by way of a copy. A longer one is cut.
const heldLimit = 256
