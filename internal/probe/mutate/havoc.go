package mutate

import (
	"math/bits"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// stackLimit is how many operators one step applies at most. Three steps in four apply one: deep mutants come from the
// chain.
const stackLimit = 16

// emptyIn: one in so many mutations of a buffer that is not the only argument empties it. That is a case of its own for most
// targets, and operators leave something to go on from.
const emptyIn = 64

// binaryOnTextIn: one in so many mutations of a text treats it as binary data, which finds invalid text.
const binaryOnTextIn = 8

// strictIn: one chain in so many of a JSON text keeps its syntax, most of the time. Nineteen in twenty others break it,
// and what reads all of a text before it looks at the values sees those that do not.
const strictIn = 3

// havocTries is how often Havoc starts again when nothing has changed, and operatorTries how many operators it tries
// for one place in the stack. An operator applies more often than not, except to inputs of a byte or two.
const (
	havocTries    = 4
	operatorTries = 8
)

// Havoc changes the tuple in place, by one or a few operators. A buffer grows within its capacity if that is large
// enough; then nothing is allocated. No buffer outgrows MaxLen. A buffer that is the only argument never becomes empty.
// The result differs from a except in cases such as an empty buffer that may not grow, or a rare stack that cancels
// itself out.
func Havoc(m *Material, a input.Args) {
	m.start()
	More(m, a)
}

// More changes what Havoc has made of a tuple once more, with the same partner, and otherwise as Havoc does. A chain of
// mutants, each executed before the next change, costs less than as many mutants of the same depth made from the start.
func More(m *Material, a input.Args) {
	if len(a) == 0 {
		return
	}
	if m.tables == nil || m.without != m.Without || m.profile != m.Profile {
		m.tables, m.without, m.profile = makeTables(m.Without, m.Profile), m.Without, m.Profile
		m.arg = -1
	}
	change(m, a)
	if !m.Without.Has(technique.Checksums) {
		fixLast(m, a)
	}
}

// change makes mutations until one has changed something.
func change(m *Material, a input.Args) {
	before, exact := fingerprintArgs(a)
	for range havocTries {
		if mutate(m, a) {
			if !exact {
				return
			}
			if after, _ := fingerprintArgs(a); after != before {
				return
			}
		}
	}
	force(m, a)
}

// mutate makes one mutation, of one argument: the others keep what they have reached, and the next steps of the chain change
// some of them. It reports whether some operator has changed something.
//
// There were changes of several arguments in one step, and operators that copy and swap whole arguments. No target was found
// that needed them; with them puzzles/targets/pairs, where two arguments of four have to be right at once, took four times
// as many executions (214,000 and 48,000, medians of 10 seeds): they undo what the chain has reached.
func mutate(m *Material, a input.Args) bool { return mutateArg(m, a, m.Rand.Intn(len(a))) }

// mutateArg changes argument i.
func mutateArg(m *Material, a input.Args, i int) bool {
	if !a[i].Kind.IsBuffer() {
		return mutateNumber(m, a, i)
	}
	m.edit(i)
	if v := &a[i]; len(a) > 1 && len(v.Data) > 0 && m.Rand.Chance(1, emptyIn) {
		v.Data = v.Data[:0]
		m.trace(emptyName)
		return true
	}
	return mutateBuffer(m, &a[i])
}

// emptyName is what a trace calls it when a buffer is emptied.
const emptyName = "empty-arg"

// mutateBuffer applies a stack of operators.
func mutateBuffer(m *Material, v *input.Value) (changed bool) {
	if m.picks == nil {
		m.choosePicks(v)
	}
	picks := m.picks
	for range m.stack() {
		if len(v.Data) == 0 {
			picks = m.tables.empty
		}
		for range operatorTries {
			op := &operators[picks[m.Rand.Intn(len(picks))]]
			before := len(v.Data)
			m.at, m.drawn = -1, -1
			out, ok := op.apply(m, v.Data)
			if ok {
				v.Data, changed = out, true
				m.trace(op.name)
				m.use()
				if len(out) != before && m.fields != noFields && m.at >= 0 {
					v.Data = fixLengths(m, out, before)
				}
				break
			}
		}
	}
	return changed
}

// stack returns how many operators to apply. For deep mutants it is a power of two, as AFL has it.
func (m *Material) stack() int {
	if m.Profile == technique.Deep {
		return 1 << m.Rand.Intn(bits.Len(stackLimit))
	}
	return m.Rand.Few(stackLimit)
}

// choosePicks chooses the table for the content.
func (m *Material) choosePicks(v *input.Value) {
	m.picks, m.fields = m.tables.binary, binaryFields
	asBinary := m.Rand.Chance(1, binaryOnTextIn)
	switch {
	case looksJSON(v.Data): // which counts nothing
		m.fields = noFields
		switch {
		case m.Rand.Chance(1, strictIn) && len(m.tables.strict) > 0:
			m.picks = m.tables.strict
		case !asBinary:
			m.picks = m.tables.json
		}
	case !asBinary && (isText(v.Data) || v.Kind == input.String && validUTF8(v.Data)):
		m.picks, m.fields = m.tables.text, textFields
	}
	if m.Without.Has(technique.LengthFields) {
		m.fields = noFields
	}
}

// force makes the smallest change that is sure to be one, in the first argument that allows any from a random one on.
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

// fingerprintLimit is the size up to which Havoc makes sure that its result differs. In larger tuples a stack that
// cancels itself out is too rare (less than one in a thousand at this size) to pay for reading everything twice.
const fingerprintLimit = 16

// fingerprintArgs returns a hash of a small tuple; exact is false if it is not small.
func fingerprintArgs(a input.Args) (h uint64, exact bool) {
	size := 0
	for i := range a {
		if size += len(a[i].Data); size > fingerprintLimit {
			return 0, false
		}
		h = fingerprint(mixWord(h, a[i].Bits), a[i].Data)
	}
	return h, true
}

// fingerprint hashes b, eight bytes at a time.
func fingerprint(h uint64, b []byte) uint64 {
	h = mixWord(h, uint64(len(b)))
	for ; len(b) >= 8; b = b[8:] {
		h = mixWord(h, load8(b))
	}
	return mixWord(h, load(b, false))
}

// mixWord folds one word into a hash by the full product with an odd constant.
func mixWord(h, w uint64) uint64 {
	hi, lo := bits.Mul64((h+goldenGamma)^w, mixSecond)
	return hi ^ lo ^ w<<1
}
