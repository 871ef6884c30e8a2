package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// Edit is one replacement in an argument tuple.
type Edit struct {
	Arg     int    // argument
	At, Len int    // bytes of a buffer that are replaced
	New     []byte // what takes their place
	Bits    uint64 // new value of a number
	Resize  int    // new length of a buffer; -1: the length is not what is edited
	Site    uint   // place in the program that suggests it
	Near    bool   // it resizes a part of which only the length was compared: such coincidences are frequent
	Tight   bool   // what it replaces is what the target compared in a variant of the input too
}

// edit identifies an Edit of one tuple.
type edit struct {
	arg, at, n, resize int
	hash               uint64
}

// Apply makes the edit. It reports false, and changes nothing, if a buffer would become longer than both maxLen and what
// it was, or if the only argument would become empty.
func (e *Edit) Apply(a input.Args, maxLen int) bool {
	v := &a[e.Arg]
	if !v.Kind.IsBuffer() {
		v.Bits = mutate.Normalize(v.Kind, e.Bits)
		return true
	}
	if e.Resize >= 0 {
		return resize(v, e.Resize, maxLen, len(a) == 1)
	}
	n := len(v.Data) - e.Len + len(e.New)
	if n > max(maxLen, len(v.Data)) || n == 0 && len(a) == 1 || e.At+e.Len > len(v.Data) {
		return false
	}
	v.Data = replace(v.Data, e.At, e.Len, e.New)
	return true
}

// replace puts text in the place of n bytes at position at. It uses the capacity of b.
func replace(b []byte, at, n int, text []byte) []byte {
	old := len(b)
	grow := len(text) - n
	for range max(grow, 0) {
		b = append(b, 0)
	}
	copy(b[at+len(text):], b[at+n:old])
	copy(b[at:], text)
	return b[:old+grow]
}

// resize cuts a buffer, or fills it up with copies of itself.
func resize(v *input.Value, n, maxLen int, alone bool) bool {
	if n > max(maxLen, len(v.Data)) || n == 0 && alone {
		return false
	}
	if n <= len(v.Data) {
		v.Data = v.Data[:n]
		return true
	}
	have := len(v.Data)
	for i := have; i < n; i++ {
		c := byte('0')
		if have > 0 {
			c = v.Data[i-have]
		}
		v.Data = append(v.Data, c)
	}
	return true
}

// laterEdit is an Edit that no variant has confirmed so far.
type laterEdit struct {
	Edit
	id edit
}

// pass tells which edits are listed.
type pass uint8

const (
	passAll   pass = iota
	passTight      // those that no variant contradicts
	passLater      // these, and the others behind them
)

// maxLater is how many edits that no variant confirms are kept for later.
const maxLater = 2048

// place is a buffer, and what stands there in the first variant; nil if there is none.
type place struct {
	arg        int
	data, twin []byte
}

// Edits calls yield for every replacement that the Table suggests for a, which yield must not change, until it returns
// false. With variants, what they confirm comes first. What an Edit points to is valid during the call only.
func (t *Table) Edits(a input.Args, yield func(e Edit) bool) {
	t.tried, t.random = allForms, false
	if t.plain() {
		t.tried = 1<<plainForms - 1
	}
	if !t.packedEdits(a, yield) {
		return
	}
	t.begin(a)
	if len(t.variants) == 0 {
		t.pass = passAll
		_ = t.recordEdits(a, 0, yield) && t.allEdits(a, yield) && t.nearEdits(a, yield)
		return
	}
	t.pass, t.later = passLater, t.later[:0]
	more := t.recordEdits(a, 0, yield) && t.allEdits(a, yield) && t.fitEdits(a, yield)
	t.pass = passAll
	for i := 0; i < len(t.later) && more; i++ {
		if l := &t.later[i]; !t.emitted[l.id] { // another place may have confirmed it since
			more = yield(l.Edit)
		}
	}
	_ = more && t.nearEdits(a, yield)
}

// begin makes emit forget what was handed out.
func (t *Table) begin(a input.Args) {
	if t.emitted == nil {
		t.emitted = map[edit]bool{}
	}
	clear(t.emitted)
	t.args = a
}

func (t *Table) allEdits(a input.Args, yield func(e Edit) bool) bool {
	t.grant()
	for i := range t.pairs {
		t.share(len(t.pairs) - i)
		if !t.pairEdits(&t.pairs[i], a, yield) {
			return false
		}
	}
	return true
}

// wanted reports whether this pass lists what was confirmed or not.
func (t *Table) wanted(tight bool) bool { return tight || t.pass != passTight }

// emit hands an edit to yield, and the same edit with the lengths around it put right.
func (t *Table) emit(e Edit, yield func(e Edit) bool) bool {
	if !t.emitOne(e, yield) {
		return false
	}
	f, ok := t.framed(e)
	return !ok || t.emitOne(f, yield)
}

// emitOne hands an edit to yield unless that was done before, or nothing would change: many encodings write small numbers
// alike.
func (t *Table) emitOne(e Edit, yield func(e Edit) bool) bool {
	if !t.wanted(e.Tight) {
		return true
	}
	if !t.random {
		id := edit{e.Arg, e.At, e.Len, e.Resize, e.Bits}
		if b := t.args[e.Arg].Data; e.Resize < 0 && t.args[e.Arg].Kind.IsBuffer() {
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
		if tight, known := t.emitted[id]; known && (tight || !e.Tight) {
			return true
		}
		t.emitted[id] = e.Tight
		if t.pass == passLater && !e.Tight {
			e.New = append([]byte(nil), e.New...)
			if t.later = append(t.later, laterEdit{e, id}); len(t.later) == maxLater {
				t.pass = passTight // more of them would cost time and memory, and never be listed
			}
			return true
		}
	}
	return yield(e)
}

// nearIn: 1/nearIn of the random replacements may replace the length of a part of a buffer.
const nearIn = 8

// recordIn: if there are records, 1/recordIn of the random replacements replace the tag of one.
const recordIn = 4

// Random makes one of the replacements that a random pair suggests in one or two random encodings: each costs a search of the
// input. It reports false, and changes nothing, if there are none.
func (t *Table) Random(r *mutate.Rand, a input.Args, maxLen int) bool {
	if len(t.tags) > 0 && r.Chance(1, recordIn) && t.randomRecord(r, a, maxLen) {
		return true
	}
	if len(t.pairs) == 0 {
		return false
	}
	t.chosen, t.choices = Edit{}, 0
	t.random, t.pass, t.args = true, passAll, a
	if t.near = r.Chance(1, nearIn); t.plain() {
		t.tried = 1<<plainForms - 1
	} else {
		t.tried = 1 << r.Intn(commonForms)
		t.textForm = verbatimForm
		if r.Bool() {
			t.tried |= 1 << r.Intn(len(forms))
			t.textForm = r.Intn(len(textForms)+otherForms) - otherForms
		}
	}
	t.pairEdits(&t.pairs[r.Intn(len(t.pairs))], a, func(e Edit) bool {
		// Each of n edits is kept with the probability 1/n.
		if t.choices++; r.Intn(t.choices) == 0 {
			t.text = append(t.text[:0], e.New...)
			t.chosen = e
		}
		return true
	})
	t.chosen.New = t.text
	t.random = false
	return t.choices > 0 && t.chosen.Apply(a, maxLen)
}

// pairEdits calls yield for the replacements that one pair suggests. It reports whether yield wants more.
func (t *Table) pairEdits(p *Pair, a input.Args, yield func(e Edit) bool) bool {
	for arg := range a {
		more := true
		at := place{arg: arg, data: a[arg].Data}
		var twin *input.Value
		if len(t.variants) > 0 && !t.random && arg < len(t.variants[0].args) {
			twin = &t.variants[0].args[arg]
			at.twin = twin.Data
		}
		switch v := &a[arg]; {
		case p.Width == 0 && v.Kind.IsBuffer():
			if !t.random {
				t.noteTag(p, at)
			}
			more = t.textEdits(p, at, yield) && (!p.Key || t.keyEdits(p, at, yield))
		case p.Width == 0:
		case v.Kind.IsBuffer():
			more = t.lengthEdits(p, at, yield) && t.bufferEdits(p, at, yield)
			if t.random && t.near {
				t.onePairNear(p, at.data, arg, yield)
			}
		default:
			more = t.numberEdits(p, v, twin, arg, yield)
		}
		if !more {
			return false
		}
	}
	return true
}

// bufferEdits replaces an integer in all forms that are to be tried.
func (t *Table) bufferEdits(p *Pair, at place, yield func(e Edit) bool) bool {
	for i := range forms {
		if t.tried>>i&1 != 0 && t.search(len(at.data)) && !t.formEdits(p, i, at, yield) {
			return false
		}
	}
	return true
}

// wants are the values that take the other branch of ==, < and >.
func (p *Pair) wants() [3]uint64 {
	mask := widthMask(p.Width)
	if p.exact {
		return [3]uint64{p.Want & mask, p.Want & mask, p.Want & mask}
	}
	return [3]uint64{p.Want & mask, (p.Want + 1) & mask, (p.Want - 1) & mask}
}

// numberEdits replaces a number that was compared, as it is or after a conversion to another width.
func (t *Table) numberEdits(p *Pair, v, twin *input.Value, arg int, yield func(e Edit) bool) bool {
	if !p.fromNumber(v, p.Seen) {
		return true
	}
	tight := twin != nil && p.twin.ok && p.fromNumber(twin, p.twin.seen)
	if !t.wanted(tight) {
		return true
	}
	mask := widthMask(p.Width)
	for _, want := range p.wants() {
		e := Edit{Arg: arg, Resize: -1, Site: p.Site, Tight: tight}
		if v.Kind == input.Float32 || v.Kind == input.Float64 {
			if e.Bits = p.floatFor(v, want); e.Bits != v.Bits && !t.emit(e, yield) {
				return false
			}
			continue
		}
		// What the comparison did not see of a wider number stays.
		e.Bits = mutate.Normalize(v.Kind, v.Bits&^mask|want)
		if e.Bits != v.Bits && !t.emit(e, yield) {
			return false
		}
		e.Bits = mutate.Normalize(v.Kind, signExtend(want, p.Width))
		if e.Bits != v.Bits && !t.emit(e, yield) {
			return false
		}
	}
	return true
}

// fromNumber reports whether the target may have got seen from a number argument: its low bits, or what is left of a
// floating-point number as an integer.
func (p *Pair) fromNumber(v *input.Value, seen uint64) bool {
	mask := widthMask(p.Width)
	switch v.Kind {
	case input.Bool:
		return false
	case input.Float32, input.Float64:
		if p.Width < 4 {
			return false
		}
		f := v.Float()
		return p.floatBits(v) && v.Bits == seen || f < 1<<62 && f > -1<<62 && uint64(int64(f))&mask == seen
	}
	return v.Bits&mask == seen&mask
}

// floatBits reports whether the comparison may have been one of the bits of v.
func (p *Pair) floatBits(v *input.Value) bool { return p.Width == uint8(v.Kind.Width()/8) }

// floatFor returns the bits of the number of which the target makes want.
func (p *Pair) floatFor(v *input.Value, want uint64) uint64 {
	if p.floatBits(v) && v.Bits == p.Seen && v.Bits != 0 {
		return mutate.Normalize(v.Kind, want)
	}
	return v.Kind.FloatBits(float64(int64(signExtend(want, p.Width))))
}

func widthMask(width uint8) uint64 {
	if width >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*width) - 1
}

func signExtend(v uint64, width uint8) uint64 {
	shift := 64 - 8*uint(min(width, 8))
	return uint64(int64(v<<shift) >> shift)
}
