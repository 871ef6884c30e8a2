package solve

import (
	"math"
	"strconv"
)

// numeral is a number as people write it: a maximal run of digits, with what belongs to it.
type numeral struct {
	at, n  int    // the digits, with the "_" between them
	value  uint64 // of the digits
	sign   byte   // '-' or '+' before the number, or 0
	prefix []byte // between that and the digits, such as "0x"; empty: there is none
	padded bool   // there are zeros at its head
	upper  bool   // there are upper-case digits
}

func digitValue(c byte) uint64 {
	switch {
	case c >= '0' && c <= '9':
		return uint64(c - '0')
	case c >= 'a' && c <= 'f':
		return uint64(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return uint64(c-'A') + 10
	}
	return 99
}

// nextNumeral returns the first numeral of a base from position from on, which is where the one before has ended; n is 0
// if there are no more. Digits of a higher base end no numeral of a lower one: "v123b" has 123 in it. Decimal digits do:
// 102 is no binary number. Numbers that do not fit into 64 bits are left out.
func nextNumeral(b []byte, base uint64, from int) numeral {
	for i := from; i < len(b); i++ {
		if !runDigit(b[i], base) {
			continue
		}
		d := numeral{at: i, padded: b[i] == '0'}
		ok := true
		for ; i < len(b) && (runDigit(b[i], base) || b[i] == '_' && i+1 < len(b) && runDigit(b[i+1], base)); i++ {
			if b[i] == '_' {
				continue
			}
			v := digitValue(b[i])
			d.upper = d.upper || v > 9 && b[i] < 'a'
			ok = ok && v < base && d.value <= (math.MaxUint64-v)/base
			d.value = d.value*base + v
		}
		d.n = i - d.at
		d.padded = d.padded && d.n > 1
		head := d.at
		if letter := prefixes[base]; letter != 0 && head >= 2 && b[head-2] == '0' && lower(b[head-1]) == letter {
			head -= 2
			d.prefix = b[head:d.at]
		}
		if head > 0 && (b[head-1] == '-' || b[head-1] == '+') {
			d.sign = b[head-1]
		}
		if ok {
			return d
		}
	}
	return numeral{}
}

// runDigit reports whether c is a part of a run of digits that is read in the base.
func runDigit(c byte, base uint64) bool { return digit(c) || base == 16 && digitValue(c) < 16 }

// is reports whether a program that reads the numeral gets v; signed says that the sign is a part of it.
func (d *numeral) is(v uint64, width uint8) (signed, ok bool) {
	if d.sign == '-' && -d.value&widthMask(width) == v && (v != 0 || d.value == 0) {
		return true, true
	}
	return d.sign == '+', d.value == v
}

// likely reports whether the digits may be of the base: a few of them are decimal unless a prefix says something else.
func (d *numeral) likely(base uint64) bool {
	return base >= 10 || len(d.prefix) > 0 || d.n >= 2 && base == 8 || d.n >= 4
}

// prefixes are the letters behind the zero of a number that is not decimal.
var prefixes = [...]byte{2: 'b', 8: 'o', 16: 'x'}

// numeralEdits replaces a number where it is written with the digits of a base.
func (t *Table) numeralEdits(p *Pair, base uint64, at place, yield func(e Edit) bool) bool {
	for d := nextNumeral(at.data, base, 0); d.n > 0; d = nextNumeral(at.data, base, d.at+d.n) {
		signed, ok := d.is(p.Seen, p.Width)
		if !ok || !d.likely(base) {
			continue
		}
		tight := at.twin != nil && p.twin.ok && numeralAt(at.twin, base, d.at, p.twin.seen, p.Width)
		if t.wanted(tight) && !t.numeralTexts(p, base, &d, signed, Edit{Arg: at.arg, Resize: -1, Site: p.Site, Tight: tight}, yield) {
			return false
		}
	}
	return true
}

// numeralAt reports whether a numeral with the value v begins at a position.
func numeralAt(b []byte, base uint64, at int, v uint64, width uint8) bool {
	if at >= len(b) {
		return false
	}
	d := nextNumeral(b, base, at)
	_, ok := d.is(v, width)
	return ok && d.at == at && d.n > 0
}

// numeralTexts yields the wants in the place of a numeral: those with the top bit set as negative numbers unless what was
// read is too large for a signed one, and as unsigned ones unless it is negative.
func (t *Table) numeralTexts(p *Pair, base uint64, d *numeral, signed bool, e Edit, yield func(e Edit) bool) bool {
	top := uint64(1) << (8*min(p.Width, 8) - 1)
	for _, unsigned := range [2]bool{false, true} {
		for _, want := range p.wants() {
			negative := want&top != 0
			switch {
			case !negative && unsigned: // it is the same
				continue
			case negative && !unsigned && !signed && (p.Width == 1 || p.Seen&top != 0):
				continue
			case negative && unsigned && signed && d.sign == '-':
				continue
			}
			text, minus := t.wantBuf[0][:0], negative && !unsigned
			if minus {
				text, want = append(text, '-'), -signExtend(want, p.Width)
			} else if signed && d.sign == '+' {
				text = append(text, '+')
			}
			head := 0 // bytes before the digits that are written anew
			if minus || signed {
				text, head = append(text, d.prefix...), len(d.prefix)
			}
			if signed {
				head++
			}
			e.At, e.Len = d.at-head, d.n+head
			if e.New = appendNumeral(text, want, base, d); !t.emit(e, yield) {
				return false
			}
		}
	}
	return true
}

// appendNumeral writes v as d is written: as many digits if there are zeros at its head, which stay a prefix of octal
// numbers in any case.
func appendNumeral(dst []byte, v, base uint64, d *numeral) []byte {
	var buf [64]byte
	digits := lowerDigits
	if d.upper {
		digits = upperDigits
	}
	i := len(buf)
	for first := true; first || v > 0; first = false {
		i--
		buf[i] = digits[v%base]
		v /= base
	}
	if d.padded {
		for ; i > 0 && len(buf)-i < d.n; i-- {
			buf[i-1] = '0'
		}
		if base == 8 && i > 0 && buf[i] != '0' {
			i--
			buf[i] = '0'
		}
	}
	return append(dst, buf[i:]...)
}

// floatText returns the end of the number with a decimal point or an exponent that begins at position at; ok is false if
// none does.
func floatText(b []byte, at int) (end int, ok bool) {
	if at > 0 && (digit(b[at-1]) || b[at-1] == '.') {
		return 0, false
	}
	if b[at] == '-' || b[at] == '+' {
		at++
	}
	i := skipDigits(b, at)
	n := i - at
	point := i < len(b) && b[i] == '.'
	if point {
		j := skipDigits(b, i+1)
		n, i = n+j-i-1, j
	}
	if n == 0 {
		return 0, false
	}
	exponent := false
	if i < len(b) && b[i]|0x20 == 'e' {
		j := i + 1
		if j < len(b) && (b[j] == '-' || b[j] == '+') {
			j++
		}
		if k := skipDigits(b, j); k > j {
			i, exponent = k, true
		}
	}
	return i, n < maxFloat && (point || exponent || n > 0)
}

// maxFloat is the number of digits of the longest number that is read as a float.
const maxFloat = 40

func skipDigits(b []byte, i int) int {
	for i < len(b) && digit(b[i]) {
		i++
	}
	return i
}

// floatEdits replaces the text of a floating-point number of which the target compared the bits, or what is left of it as
// an integer.
func (t *Table) floatEdits(p *Pair, at place, yield func(e Edit) bool) bool {
	if t.random || p.Width < 2 { // package strconv may be instrumented, and it allocates
		return true
	}
	b := at.data
	for i := 0; i < len(b); i++ {
		if !digit(b[i]) && b[i] != '-' && b[i] != '+' && b[i] != '.' {
			continue
		}
		end, ok := floatText(b, i)
		if !ok {
			continue
		}
		read := readFloat(b[i:end], p.Seen, p.Width)
		if read == nil {
			continue
		}
		twinEnd := 0
		tight := at.twin != nil && p.twin.ok
		if tight && i < len(at.twin) {
			twinEnd, tight = floatText(at.twin, i)
			tight = tight && readFloat(at.twin[i:twinEnd], p.twin.seen, p.Width) != nil
		}
		for _, want := range p.wants() {
			e := Edit{Arg: at.arg, At: i, Len: end - i, New: read(t.wantBuf[0][:0], want), Resize: -1, Site: p.Site, Tight: tight}
			if t.wanted(tight) && len(e.New) > 0 && !t.emit(e, yield) {
				return false
			}
		}
		i = end - 1
	}
	return true
}

// readFloat returns how a number is written of which the comparison has seen the given value, if the text is one of those;
// otherwise nil.
func readFloat(text []byte, seen uint64, width uint8) func(dst []byte, want uint64) []byte {
	f, err := strconv.ParseFloat(string(text), 64)
	switch {
	case err != nil:
		return nil
	case seen == 0:
		return nil
	case width == 8 && math.Float64bits(f) == seen:
		return func(dst []byte, want uint64) []byte { return appendFloat(dst, math.Float64frombits(want), 64) }
	case width == 4 && uint64(math.Float32bits(float32(f))) == seen:
		return func(dst []byte, want uint64) []byte {
			return appendFloat(dst, float64(math.Float32frombits(uint32(want))), 32)
		}
	case f < 1<<62 && f > -1<<62 && uint64(int64(f))&widthMask(width) == seen && skipDigits(text, 0) < len(text):
		return func(dst []byte, want uint64) []byte {
			return appendFloat(dst, float64(int64(signExtend(want, width))), 64)
		}
	}
	return nil
}

// appendFloat writes f so that it is read as the same number. What no parser reads as a number is left out.
func appendFloat(dst []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst
	}
	return strconv.AppendFloat(dst, f, 'g', -1, bits)
}
