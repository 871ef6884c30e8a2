package mutate

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// emptyIn: 1/emptyIn of the mutations of a buffer empty it, and 1/emptyAloneIn if it is the only argument. An empty buffer is a case
// of its own for most targets, and operators never make one. Beside other arguments it leads to many inputs. Alone it is one input,
// and the rest of its chain has lost what the entry has.
const (
	emptyIn      = 64
	emptyAloneIn = 1024
)

// binaryOnTextIn: 1/binaryOnTextIn of the mutations of a text treat it as binary data, which makes invalid text.
const binaryOnTextIn = 8

// strictIn: 1/strictIn of the chains of a JSON text keep its syntax, most of the time. Of the other chains 95 % break it, and
// then a target that parses the whole text first does not look at the values.
const strictIn = 3

// havocTries is how often Havoc starts again when nothing has changed, and operatorTries how many operators it tries
// instead of the planned one. An operator applies more often than not, except to inputs of a byte or two.
const (
	havocTries    = 4
	operatorTries = 7
)

// tolerance is the number of tuples of a group to which an operator does not apply before the rest of the group gets another
// one, since some operators take long to find out. With 1, operators that apply to some tuples only are drawn a third to a fifth
// as often as their weights say. The executions per second of encoding/json and image/png are the same with 1 to 4 (12
// interleaved runs of 3 s).
const tolerance = groupSize / 2

// Havoc makes the next step of chains whose tuples have the same kinds: it changes each tuple in place, by one operator. A buffer
// grows within its capacity if that is large enough; then nothing is allocated. No buffer grows beyond MaxLen. The
// result differs from the tuple before in all but cases such as an empty buffer that
// may not grow.
//
// The same operator changes several of the chains of one call, each at another place: an operator that has just run for another
// tuple takes a third to a half of the time (BenchmarkStep has the whole step). These chains are drawn anew for each step, so
// that chains differ in the operators that have changed them. The chains of one call should be made of the same entry, and have
// begun together.
func Havoc(m *Material, chains []Chain) {
	if len(chains) == 0 || len(chains[0].Args) == 0 {
		return
	}
	if m.tables == nil || m.without != m.Without {
		m.tables, m.without = makeTables(m.Without), m.Without
		m.plan.arg = -1
	}
	for ; len(chains) > MaxChains; chains = chains[MaxChains:] {
		m.step(chains[:MaxChains])
	}
	m.step(chains)
}

const (
	// MaxChains is how many chains Havoc mixes.
	MaxChains = 64
	// groupSize is how many chains are changed by the same operators. With more, few sequences of operators are tried: with
	// all 16 of a batch, never mixed, puzzles/targets/fold, where one rare operator has to be applied three times, took more
	// than 12 s with 3 of 8 seeds, and with none of them before.
	groupSize = 8
)

// step makes a step of at most MaxChains chains.
func (m *Material) step(chains []Chain) {
	order := m.order[:len(chains)]
	for i := range order {
		k := m.Rand.Intn(i + 1)
		order[i], order[k] = order[k], uint8(i)
	}
	for i, at := range order {
		m.chain, m.chosen = &chains[at], false
		if i%groupSize == 0 {
			m.draw(m.chain.Args)
			m.drawEmptied(len(m.chain.Args))
		}
		m.plan.left--
		change(m, m.chain.Args)
		if !m.Without.Has(technique.Checksums) {
			fixLast(m, m.chain.Args)
		}
	}
}

// plan is a mutation that is drawn but not made: which argument which operator changes, but not where.
type plan struct {
	arg    int        // argument; -1: none so far
	picks  []uint8    // table that its operator is drawn from; nil until it is needed
	fields fieldForms // how the argument may write the length of a part
	op     uint8      // of a buffer
	misses int        // tuples of the group that it did not apply to
	left   int        // tuples until the one whose buffer is emptied instead, which mostly lies behind the group
}

// draw draws a mutation of a tuple like a. It changes one argument; the next steps of the chain change others. Changes of
// several arguments in one step, and operators that copy and swap whole arguments, undo what the chain has reached: with them
// puzzles/targets/pairs, where two arguments of four must be right at once, takes four times as many executions (214,000 and
// 48,000, medians of 10 seeds), and no target is known that needs them.
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

// drawEmptied draws which tuple of the group is emptied. One number for the group costs less than one for each of its tuples.
func (m *Material) drawEmptied(args int) {
	in := emptyIn
	if args == 1 {
		in = emptyAloneIn
	}
	m.plan.left = 1 + m.Rand.Intn(in)
}

// choosePicks chooses the table for the content.
func (m *Material) choosePicks(v *input.Value) {
	p := &m.plan
	p.picks, p.fields = m.tables.binary, binaryFields
	asBinary := m.Rand.Chance(1, binaryOnTextIn)
	switch {
	case looksJSON(v.Data): // it has no lengths of parts
		p.fields = noFields
		switch {
		case m.Rand.Chance(1, strictIn) && len(m.tables.strict) > 0:
			p.picks = m.tables.strict
		case !asBinary:
			p.picks = m.tables.json
		}
	case !asBinary && (isText(v.Data) || v.Kind == input.String && validUTF8(v.Data)):
		p.picks, p.fields = m.tables.text, textFields
	}
	if m.Without.Has(technique.LengthFields) {
		p.fields = noFields
	}
}

// change makes mutations until one has changed something: the planned one first, then others.
func change(m *Material, a input.Args) {
	if mutate(m, a) {
		return
	}
	planned := m.plan // for the other chains
	defer func() { m.plan = planned }()
	for range havocTries - 1 {
		m.chosen = false
		m.draw(a)
		if mutate(m, a) {
			return
		}
	}
	force(m, a)
}

// mutate makes the planned mutation. It reports whether that has changed something.
func mutate(m *Material, a input.Args) (changed bool) {
	i := m.plan.arg
	v := &a[i]
	if !v.Kind.IsBuffer() {
		return mutateNumber(m, a, i)
	}
	if m.plan.left == 0 && len(v.Data) > 0 {
		v.Data = v.Data[:0]
		m.trace(emptyName)
		return true
	}
	return applyOne(m, v)
}

// emptyName is the name in a trace of the mutation that empties a buffer.
const emptyName = "empty-arg"

// applyOne applies the operator of the plan, or another one if that does not apply. If the operator of the plan has not applied to
// tolerance tuples, the rest of the group gets the other one too.
func applyOne(m *Material, v *input.Value) (changed bool) {
	p := &m.plan
	picks := p.picks
	if len(v.Data) == 0 {
		picks = m.tables.empty
	} else {
		if apply(m, v, &operators[p.op]) {
			return true
		}
		p.misses++
	}
	for range operatorTries {
		op := picks[m.Rand.Intn(len(picks))]
		if !apply(m, v, &operators[op]) {
			continue
		}
		if p.misses >= tolerance {
			p.op, p.misses = op, 0
		}
		return true
	}
	return false
}

func apply(m *Material, v *input.Value, op *operator) bool {
	before := len(v.Data)
	m.at, m.drawn = -1, -1
	out, ok := op.apply(m, v.Data)
	if !ok {
		return false
	}
	v.Data = out
	m.trace(op.name)
	if m.drawn >= 0 {
		m.chain.use(m.drawn)
	}
	if len(out) != before && m.plan.fields != noFields && m.at >= 0 {
		v.Data = fixLengths(m, out, before)
	}
	return true
}

// force makes the smallest change that always differs. It tries the arguments in order, from a random one on.
func force(m *Material, a input.Args) {
	start := m.Rand.Intn(len(a))
	for k := range a {
		v := &a[(start+k)%len(a)]
		ok := true
		switch {
		case !v.Kind.IsBuffer():
			v.Bits = Normalize(v.Kind, v.Bits^1)
		case len(v.Data) > 0:
			v.Data, ok = xorByte(m, v.Data)
		default:
			v.Data, ok = insertChar(m, v.Data)
		}
		if ok {
			m.trace("force")
			return
		}
	}
}
