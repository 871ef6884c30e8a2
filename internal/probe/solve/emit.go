package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// emitter hands out edits of one input: each of them once, and those that a variant confirms first.
type emitter struct {
	without technique.Set // techniques that are off
	random  bool          // one random edit is made; otherwise edits are listed
	pass    pass
	args    input.Args    // that the edits are for
	emitted map[edit]bool // what was handed out for args, and whether a variant confirms it
	later   []laterEdit   // to be listed behind the others
	budget  budget        // of the list
	frame   []byte        // that an edit of a part inserts
}

// pass says which edits are listed.
type pass uint8

const (
	passAll   pass = iota
	passTight      // those that no variant contradicts
	passLater      // these, and the others behind them
)

// maxLater is how many edits that no variant confirms are kept for later.
const maxLater = 2048

// edit identifies an Edit of one tuple.
type edit struct {
	arg, at, n, resize int
	hash               uint64
}

// laterEdit is an Edit that no variant has confirmed so far.
type laterEdit struct {
	Edit
	id edit
}

// start prepares a list of edits.
func (m *emitter) start(without technique.Set) {
	m.without, m.pass, m.random = without, passAll, false
}

// startRandom prepares a random edit of a.
func (m *emitter) startRandom(without technique.Set, a input.Args) {
	m.without, m.pass, m.random, m.args = without, passAll, true, a
}

// begin begins a list of edits of a: emit forgets what was handed out.
func (m *emitter) begin(a input.Args) {
	if m.emitted == nil {
		m.emitted = map[edit]bool{}
	}
	clear(m.emitted)
	m.args = a
}

// postpone makes emit keep the edits that no variant confirms, for emitLater.
func (m *emitter) postpone() { m.pass, m.later = passLater, m.later[:0] }

// emitLater hands out the edits that were kept. It reports whether yield wants more.
func (m *emitter) emitLater(yield func(e Edit) bool) bool {
	m.pass = passAll
	for i := range m.later {
		if l := &m.later[i]; !m.emitted[l.id] && !yield(l.Edit) { // another pair may have confirmed it since
			return false
		}
	}
	return true
}

// wanted reports whether the pass lists edits that are tight, or that are not.
func (m *emitter) wanted(tight bool) bool { return tight || m.pass != passTight }

// emit hands an edit to yield, and the same edit with the lengths around it adjusted.
func (m *emitter) emit(e Edit, yield func(e Edit) bool) bool {
	if !m.emitOne(e, yield) {
		return false
	}
	f, ok := m.framed(e)
	return !ok || m.emitOne(f, yield)
}

// emitOne hands an edit to yield unless it did so before, or the edit would change nothing: many encodings of small numbers
// are the same.
func (m *emitter) emitOne(e Edit, yield func(e Edit) bool) bool {
	if !m.wanted(e.Tight) {
		return true
	}
	if !m.random {
		id := edit{e.Arg, e.At, e.Len, e.Resize, e.Bits}
		if b := m.args[e.Arg].Data; e.Resize < 0 && m.args[e.Arg].Kind.IsBuffer() {
			text := e.New
			for id.n > 0 && len(text) > 0 && text[0] == b[id.at] {
				id.at, id.n, text = id.at+1, id.n-1, text[1:]
			}
			for id.n > 0 && len(text) > 0 && text[len(text)-1] == b[id.at+id.n-1] {
				id.n, text = id.n-1, text[:len(text)-1]
			}
			if id.n == 0 && len(text) == 0 {
				return true
			}
			id.hash = hash(text)
		}
		if tight, known := m.emitted[id]; known && (tight || !e.Tight) {
			return true
		}
		m.emitted[id] = e.Tight
		if m.pass == passLater && !e.Tight {
			e.New = append([]byte(nil), e.New...)
			if m.later = append(m.later, laterEdit{e, id}); len(m.later) == maxLater {
				m.pass = passTight // more of them would cost time and memory, and are never listed
			}
			return true
		}
	}
	return yield(e)
}

// spend takes n bytes out of the budget. It reports false, and what needs them is left out, once the share is used up. A
// random edit has no budget.
func (m *emitter) spend(n int) bool { return m.random || m.budget.spend(n) }
