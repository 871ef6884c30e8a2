package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// Colors is an input in which as much as possible is replaced by something of the same type, without another path
// through the target.
type Colors struct {
	Args input.Args
	Cold [][]bool // bytes of each argument that were replaced; of a number, one
}

// span is a part of an argument; a number is one byte long.
type span struct{ arg, from, to int }

// Colorize replaces as much of a as possible. It passes each candidate to same, which reports whether the candidate takes the
// same path, and calls it at most budget times. It tries halves of what could not be replaced, the longest first.
func Colorize(a input.Args, r *mutate.Rand, budget int, same func(a input.Args) bool) Colors {
	c := Colors{Args: a.Clone(), Cold: make([][]bool, len(a))}
	var todo []span
	for i := range a {
		n := 1
		if a[i].Kind.IsBuffer() {
			n = len(a[i].Data)
		}
		c.Cold[i] = make([]bool, n)
		if n > 0 && a[i].Kind != input.Bool {
			todo = append(todo, span{i, 0, n})
		}
	}
	other := Recolor(a, nil, r)
	candidate := a.Clone()
	for ; len(todo) > 0 && budget > 0; todo = todo[1:] {
		s := todo[0]
		if !c.put(candidate, other, s) {
			continue
		}
		budget--
		if same(candidate) {
			c.take(candidate, a, s)
			continue
		}
		c.restore(candidate, s)
		if n := s.to - s.from; n > 1 {
			todo = append(todo, span{s.arg, s.from, s.from + n/2}, span{s.arg, s.from + n/2, s.to})
		}
	}
	return c
}

// put makes the candidate with one more span replaced. It reports whether that changes anything.
func (c *Colors) put(candidate, other input.Args, s span) bool {
	v, o := &candidate[s.arg], &other[s.arg]
	if !v.Kind.IsBuffer() {
		v.Bits = o.Bits
		return v.Bits != c.Args[s.arg].Bits
	}
	copy(v.Data[s.from:s.to], o.Data[s.from:s.to])
	return string(v.Data[s.from:s.to]) != string(c.Args[s.arg].Data[s.from:s.to])
}

// take keeps the candidate.
func (c *Colors) take(candidate, a input.Args, s span) {
	v := &c.Args[s.arg]
	if !v.Kind.IsBuffer() {
		v.Bits = candidate[s.arg].Bits
		c.Cold[s.arg][0] = true
		return
	}
	copy(v.Data[s.from:s.to], candidate[s.arg].Data[s.from:s.to])
	for i := s.from; i < s.to; i++ {
		c.Cold[s.arg][i] = v.Data[i] != a[s.arg].Data[i]
	}
}

// restore undoes the replacement of the span in the candidate.
func (c *Colors) restore(candidate input.Args, s span) {
	v := &candidate[s.arg]
	if !v.Kind.IsBuffer() {
		v.Bits = c.Args[s.arg].Bits
		return
	}
	copy(v.Data[s.from:s.to], c.Args[s.arg].Data[s.from:s.to])
}

// Any reports whether anything was replaced.
func (c *Colors) Any() bool {
	for _, cold := range c.Cold {
		for _, is := range cold {
			if is {
				return true
			}
		}
	}
	return false
}

// Digits returns which bytes of a are decimal digits, and which arguments are numbers: what can be replaced without an
// execution that shows that the path stays the same.
func Digits(a input.Args) [][]bool {
	cold := make([][]bool, len(a))
	for i := range a {
		if !a[i].Kind.IsBuffer() {
			cold[i] = []bool{true}
			continue
		}
		cold[i] = make([]bool, len(a[i].Data))
		for j, c := range a[i].Data {
			cold[i][j] = digit(c)
		}
	}
	return cold
}

// Recolor returns a with each cold byte replaced by another one of its type; nil means that all are.
func Recolor(a input.Args, cold [][]bool, r *mutate.Rand) input.Args {
	b := a.Clone()
	for i := range b {
		v := &b[i]
		if !v.Kind.IsBuffer() {
			if cold == nil || cold[i][0] {
				v.Bits = recolorNumber(v, r)
			}
			continue
		}
		for j, c := range v.Data {
			if cold == nil || cold[i][j] {
				v.Data[j] = recolorByte(c, r)
			}
		}
	}
	return b
}

// Classes of bytes that replace each other. Hexadecimal digits stay such, and numbers get no zero at their head.
var classes = [...]struct{ from, to byte }{
	{'1', '9'},
	{'a', 'f'},
	{'g', 'z'},
	{'A', 'F'},
	{'G', 'Z'},
	{0x80, 0xff},
}

// recolorByte returns another byte of the type of c. Separators stay.
func recolorByte(c byte, r *mutate.Rand) byte {
	for _, k := range classes {
		if c >= k.from && c <= k.to {
			n := k.to - k.from
			if other := k.from + byte(r.Intn(int(n))); other < c {
				return other
			} else {
				return other + 1
			}
		}
	}
	switch {
	case c == '0': // most zeros are numbers by themselves; at the head of other digits they are rare
		return '1' + byte(r.Intn(9))
	case c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f:
		if other := byte(r.Intn(255)); other < c {
			return other
		} else {
			return other + 1
		}
	}
	return c
}

// recolorNumber returns another number of about the same size, and of the same sign.
func recolorNumber(v *input.Value, r *mutate.Rand) uint64 {
	switch v.Kind {
	case input.Bool:
		return v.Bits
	case input.Float32:
		return mutate.Normalize(v.Kind, v.Bits^r.Uint64()&(1<<23-1))
	case input.Float64:
		return v.Bits ^ r.Uint64()&(1<<52-1)
	}
	bits, negative := v.Bits, v.Kind <= input.Int64 && int64(v.Bits) < 0
	if negative {
		bits = -bits
	}
	size := 3 // small numbers are most often counts
	for size < 63 && bits>>size != 0 {
		size++
	}
	other := r.Uint64() & (1<<min(size, v.Kind.Width()-1) - 1)
	if negative {
		other = -other
	}
	return mutate.Normalize(v.Kind, other)
}
