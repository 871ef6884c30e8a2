package mutate

import "github.com/gnaw-fuzz/gnaw/input"

// MaxUsed is how many tokens of a mutant are known at most.
const MaxUsed = 8

// Chain is a tuple that is changed step by step, each step after the one before was executed or not. It belongs to the
// caller, who sets Args and may read or replace them between two steps.
type Chain struct {
	Args input.Args

	partner input.Args // tuple of the Pool that this chain takes parts from; nil until it is needed
	used    [MaxUsed]int
	n       int // how many are used
}

// Used returns the indexes of the tokens that have gone into the tuple since Begin, the first few of them. It is valid until
// the next step.
func (c *Chain) Used() []int { return c.used[:c.n] }

// use notes that a token has gone into the tuple.
func (c *Chain) use(token int) {
	if c.n < len(c.used) {
		c.used[c.n] = token
		c.n++
	}
}

// Begin starts chains: the next Havoc of them is their first step.
func Begin(m *Material, chains []Chain) {
	m.plan.arg = -1
	for i := range chains {
		chains[i].partner, chains[i].n = nil, 0
	}
}

// plan is a mutation as it is drawn, before it is made: what is to be changed by which operator, but not where.
type plan struct {
	arg    int        // argument; -1: none so far
	picks  []uint8    // table that its operator is drawn from; nil until it is needed
	fields fieldForms // how the argument may write the length of a part
	op     uint8      // of a buffer
	misses int        // tuples of the group that it did not apply to
}

// draw draws a mutation of a tuple like a. It is of one argument: the others keep what they have reached, and the next steps
// of the chain change some of them.
//
// There were changes of several arguments in one step, and operators that copy and swap whole arguments. No target was found
// that needed them; with them puzzles/targets/pairs, where two arguments of four have to be right at once, took four times
// as many executions (214,000 and 48,000, medians of 10 seeds): they undo what the chain has reached.
func (m *Material) draw(a input.Args) {
	p := &m.plan
	if i := m.Rand.Intn(len(a)); p.arg != i {
		p.arg, p.picks = i, nil
	}
	v := &a[p.arg]
	if !v.Kind.IsBuffer() {
		return
	}
	if p.picks == nil {
		m.choosePicks(v)
	}
	p.op, p.misses = p.picks[m.Rand.Intn(len(p.picks))], 0
}
