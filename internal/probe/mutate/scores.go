package mutate

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

// rememberedWins is how many successes of tokens count at most. Older ones do not count: a token that passed the outer layers of
// a format rarely passes the next one.
const rememberedWins = 1024

// winsPerToken limits the weight of successes: at most winsPerToken times the number of tokens count, so that one draw in five is
// made from all tokens with the same weight, even if only one of them had any success.
const winsPerToken = 4

// comparedIn: 1/comparedIn of the tokens are words that the target has compared with a value, if there are such words.
const comparedIn = 4

// Scores counts the successes of tokens. The zero value has none.
type Scores struct {
	wins [rememberedWins]uint16 // indexes of tokens, newest overwrite oldest
	n    int                    // successes so far
}

// Reward counts a success for token i: an input with it was kept. A token is drawn with a weight of one plus its successes.
func (m *Material) Reward(i int) {
	s := &m.Scores
	if i < 0 || i >= len(m.Tokens) || i > 1<<16-1 {
		return
	}
	s.wins[s.n%rememberedWins] = uint16(i)
	s.n++
	if s.n == 2*rememberedWins { // only the remainder and whether it is full matter
		s.n = rememberedWins
	}
}

// token returns a random token; nil if there is none. Drawing from the list of all tokens with that of the successes
// behind it gives each one its weight at the cost of one random number.
func (m *Material) token() []byte {
	n := len(m.Tokens)
	m.drawn = -1
	if m.Without.Has(anyToken) {
		return nil
	}
	if len(m.Compared) > 0 && !m.Without.Has(technique.Tokens) && (n == 0 || m.Rand.Chance(1, comparedIn)) {
		return m.Compared[m.Rand.Intn(len(m.Compared))]
	}
	if n == 0 || m.Without.Has(technique.Dictionary) {
		return nil
	}
	won := min(m.Scores.n, rememberedWins, winsPerToken*n)
	i := m.Rand.Intn(n + won)
	if i < n { // the better of two: tokens come in order, the best first
		i = min(i, m.Rand.Intn(n))
	} else {
		back := m.Scores.n - 1 - (i - n) // counted from the newest
		i = int(m.Scores.wins[(back+rememberedWins)%rememberedWins])
		if i >= n { // there are fewer tokens than there were
			i = m.Rand.Intn(n)
		}
	}
	m.drawn = i
	return m.Tokens[i]
}
