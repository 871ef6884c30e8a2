package mutate

import "github.com/gnaw-fuzz/gnaw/input"

// MaxUsed is the largest number of tokens that a chain remembers.
const MaxUsed = 8

// Chain is a tuple that Havoc changes step by step. It belongs to the caller, who sets Args and may read or replace them between
// two steps.
type Chain struct {
	Args input.Args

	partner input.Args // tuple of the Pool that this chain takes parts from; nil until it is needed
	used    [MaxUsed]int
	n       int // how many are used
}

// Used returns the indexes of the first MaxUsed tokens that were inserted into the tuple since Begin. It is valid until the next
// step.
func (c *Chain) Used() []int { return c.used[:c.n] }

// Spliced reports whether the chain has looked for parts of another entry since Begin.
func (c *Chain) Spliced() bool { return c.partner != nil }

// use notes that a token was inserted into the tuple.
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
