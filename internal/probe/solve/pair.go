package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// pair is a value that was compared, and what it was compared with.
type pair struct {
	Seen, Want uint64
	Width      uint8  // bytes of an integer; 0: a string
	SeenText   []byte // of a string
	WantText   []byte
	Site       uint // place in the program
	Const      bool // Want is a constant of the program
	Key        bool // Want is a key of a map: it may be in the input

	nth      int   // record of the site that it is from
	swapped  bool  // Seen is operand B
	exact    bool  // only Want is wanted, and not its neighbours
	unstable bool  // another execution of the same input compared something else
	twin     value // in the first variant
}

// value is what a variant of the input has in the place of a pair.
type value struct {
	seen, want         uint64
	seenText, wantText []byte
	ok                 bool // the variant has such a comparison
}

// wants are the values that take the other branch of ==, < and >.
func (p *pair) wants() [3]uint64 {
	mask := widthMask(p.Width)
	if p.exact {
		return [3]uint64{p.Want & mask, p.Want & mask, p.Want & mask}
	}
	return [3]uint64{p.Want & mask, (p.Want + 1) & mask, (p.Want - 1) & mask}
}

// valueOf returns what a record of another execution has in the place of a pair.
func (p *pair) valueOf(r *compare.Record) value {
	if r.Width != p.Width {
		return value{}
	}
	v := value{seen: r.A, want: r.B, ok: true}
	if p.Width == 0 {
		v.seenText, v.wantText = append([]byte(nil), r.SA...), append([]byte(nil), r.SB...)
	}
	if p.swapped {
		v.seen, v.want, v.seenText, v.wantText = v.want, v.seen, v.wantText, v.seenText
	}
	return v
}

// twinAt reports whether the first variant has at pos what it compares in the place of the pair.
func (p *pair) twinAt(at place, pos int) bool {
	return at.twin != nil && p.twin.ok && len(at.twin)-pos >= len(p.twin.seenText) && sameText(p.twin.seenText, at.twin[pos:])
}

const (
	// Strings of these lengths may be digests: from 32 bits in digits to 512 in bytes. Shorter ones without text in them are
	// compared as numbers, too, and a log has no longer ones.
	minDigest, maxDigest = 8, 64
	// digestPart is how many bytes a string must share with the input to be taken for a part of it.
	digestPart = 4
)

// digest reports whether the wanted side of a pair of strings may be computed from a as a whole. A name that is made of parts
// of a differs in each variant as well.
func (p *pair) digest(a input.Args) bool {
	n := len(p.WantText)
	if n != len(p.SeenText) || n < minDigest || n > maxDigest {
		return false
	}
	for at := 0; at+digestPart <= n; at++ {
		for arg := range a {
			if nextText(p.WantText[at:at+digestPart], a[arg].Data, 0) >= 0 {
				return false
			}
		}
	}
	return true
}

// fromNumber reports whether seen may come from a number argument: its low bits, or a floating-point number that was
// converted to an integer.
func (p *pair) fromNumber(v *input.Value, seen uint64) bool {
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

// floatBits reports whether the target may have compared the bits of v.
func (p *pair) floatBits(v *input.Value) bool { return p.Width == uint8(v.Kind.Width()/8) }

// floatFor returns the bits of the number that the target converts to want.
func (p *pair) floatFor(v *input.Value, want uint64) uint64 {
	if p.floatBits(v) && v.Bits == p.Seen && v.Bits != 0 {
		return mutate.Normalize(v.Kind, want)
	}
	return v.Kind.FloatBits(float64(int64(signExtend(want, p.Width))))
}
