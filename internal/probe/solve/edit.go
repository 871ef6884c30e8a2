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

// Edits calls yield for every replacement that the Table suggests for a, which yield must not change, until it returns
// false. What an Edit points to is valid during the call only.
func (t *Table) Edits(a input.Args, yield func(e Edit) bool) {
	t.tried = ^uint32(0)
	for i := range t.pairs {
		if !t.pairEdits(&t.pairs[i], a, yield) {
			return
		}
	}
}

// Random makes one of the replacements that a random pair suggests in two random encodings: each costs a search of the
// input. It reports false, and changes nothing, if there are none.
func (t *Table) Random(r *mutate.Rand, a input.Args, maxLen int) bool {
	if len(t.pairs) == 0 {
		return false
	}
	t.chosen, t.choices = Edit{}, 0
	t.tried = 1 << r.Intn(len(encodings))
	t.tried |= 1 << r.Intn(len(encodings))
	t.pairEdits(&t.pairs[r.Intn(len(t.pairs))], a, func(e Edit) bool {
		// Each of n edits is kept with the probability 1/n.
		if t.choices++; r.Intn(t.choices) == 0 {
			t.text = append(t.text[:0], e.New...)
			t.chosen = e
		}
		return true
	})
	t.chosen.New = t.text
	return t.choices > 0 && t.chosen.Apply(a, maxLen)
}

// pairEdits calls yield for the replacements that one pair suggests. It reports whether yield wants more.
func (t *Table) pairEdits(p *Pair, a input.Args, yield func(e Edit) bool) bool {
	for arg := range a {
		more := true
		switch v := &a[arg]; {
		case p.Width == 0 && v.Kind.IsBuffer():
			more = p.textEdits(v.Data, arg, yield)
		case p.Width == 0:
		case v.Kind.IsBuffer():
			more = p.lengthEdits(v.Data, arg, yield) && t.bufferEdits(p, v.Data, arg, yield)
		default:
			more = p.numberEdits(v, arg, yield)
		}
		if !more {
			return false
		}
	}
	return true
}

// wants are the values that take the other branch of ==, < and >.
func (p *Pair) wants() [3]uint64 {
	mask := widthMask(p.Width)
	return [3]uint64{p.Want & mask, (p.Want + 1) & mask, (p.Want - 1) & mask}
}

// numberEdits replaces a number that was compared, as it is or after a conversion to another width.
func (p *Pair) numberEdits(v *input.Value, arg int, yield func(e Edit) bool) bool {
	if v.Kind == input.Bool || v.Kind == input.Float32 || v.Kind == input.Float64 {
		return true
	}
	mask := widthMask(p.Width)
	if v.Bits&mask != p.Seen&mask {
		return true
	}
	for _, want := range p.wants() {
		// What the comparison did not see of a wider number stays.
		kept := mutate.Normalize(v.Kind, v.Bits&^mask|want)
		if kept != v.Bits && !yield(Edit{Arg: arg, Bits: kept, Resize: -1}) {
			return false
		}
		signed := mutate.Normalize(v.Kind, signExtend(want, p.Width))
		if signed != kept && signed != v.Bits && !yield(Edit{Arg: arg, Bits: signed, Resize: -1}) {
			return false
		}
	}
	return true
}

func widthMask(width uint8) uint64 {
	if width >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*width) - 1
}

func signExtend(v uint64, width uint8) uint64 {
	shift := 64 - 8*uint(width)
	return uint64(int64(v<<shift) >> shift)
}

// lengthEdits resizes a buffer whose length was compared.
func (p *Pair) lengthEdits(b []byte, arg int, yield func(e Edit) bool) bool {
	if p.Seen != uint64(len(b)) {
		return true
	}
	for _, want := range p.wants() {
		if want < 1<<24 && want != p.Seen && !yield(Edit{Arg: arg, Resize: int(want)}) {
			return false
		}
	}
	return true
}

// textEdits replaces a string where it stands, also with other case, or puts it in where an empty one was compared.
func (p *Pair) textEdits(b []byte, arg int, yield func(e Edit) bool) bool {
	if len(p.SeenText) == 0 {
		return yield(Edit{Arg: arg, New: p.WantText, Resize: -1}) &&
			(len(b) == 0 || yield(Edit{Arg: arg, At: len(b), New: p.WantText, Resize: -1}))
	}
	for at := 0; at+len(p.SeenText) <= len(b); at++ {
		if !p.matches(b[at:]) {
			continue
		}
		if !yield(Edit{Arg: arg, At: at, Len: len(p.SeenText), New: p.WantText, Resize: -1}) {
			return false
		}
	}
	return true
}

func (p *Pair) matches(b []byte) bool {
	for i, c := range p.SeenText {
		if b[i] != c && lower(b[i]) != lower(c) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
