package solve

import (
	"math"
	"strconv"
)

// floatEdits replaces the text of a floating-point number if the target compared its bits, or compared it after a conversion
// to an integer.
func (s *search) floatEdits(p *pair, at place, yield func(e Edit) bool) bool {
	if s.random || p.Width < 2 { // package strconv may be instrumented, and it allocates
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
			e := Edit{Arg: at.arg, At: i, Len: end - i, New: read(s.wantBuf[0][:0], want), Resize: -1, Site: p.Site, Tight: tight}
			if s.wanted(tight) && len(e.New) > 0 && !s.emit(e, yield) {
				return false
			}
		}
		i = end - 1
	}
	return true
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

// readFloat returns a function that writes a number for which the comparison sees want, if the comparison saw seen for the
// number in text; otherwise nil.
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

// appendFloat writes f so that a parser reads the same number. It writes nothing for infinities and what is not a number.
func appendFloat(dst []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst
	}
	return strconv.AppendFloat(dst, f, 'g', -1, bits)
}
