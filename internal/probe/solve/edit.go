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
	Near    bool   // it resizes a part of which only the length was compared, which is often a coincidence
	Tight   bool   // a variant confirms it: the target compared what the variant has at this place
}

// Apply makes the edit. It reports false, and changes nothing, if a buffer would become longer than maxLen and longer than it
// was.
func (e *Edit) Apply(a input.Args, maxLen int) bool {
	v := &a[e.Arg]
	if !v.Kind.IsBuffer() {
		v.Bits = mutate.Normalize(v.Kind, e.Bits)
		return true
	}
	if e.Resize >= 0 {
		return resize(v, e.Resize, maxLen)
	}
	n := len(v.Data) - e.Len + len(e.New)
	if n > max(maxLen, len(v.Data)) || e.At+e.Len > len(v.Data) {
		return false
	}
	v.Data = replace(v.Data, e.At, e.Len, e.New)
	return true
}

// replace replaces n bytes at position at by text. It uses the capacity of b.
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
func resize(v *input.Value, n, maxLen int) bool {
	if n > max(maxLen, len(v.Data)) {
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
