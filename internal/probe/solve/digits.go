package solve

import "math"

// numeral is a number as people write it: a maximal run of digits, with what belongs to it.
type numeral struct {
	at, n  int    // the digits, with the "_" between them
	value  uint64 // of the digits
	sign   byte   // '-' or '+' before the number, or 0
	prefix []byte // between that and the digits, such as "0x"; empty: there is none
	padded bool   // there are zeros at its head
	upper  bool   // there are upper-case digits
}

// nextNumeral returns the first numeral of a base from position from on, which is where the one before has ended; n is 0
// if there are no more. A letter that is a digit of a higher base may follow a numeral: "v123b" contains 123. A decimal
// digit may not: 102 contains no binary number. Numbers that do not fit into 64 bits are left out.
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

// is reports whether a program that reads the numeral gets v, and whether the sign is a part of the number.
func (d *numeral) is(v uint64, width uint8) (signed, ok bool) {
	if d.sign == '-' && -d.value&widthMask(width) == v && (v != 0 || d.value == 0) {
		return true, true
	}
	return d.sign == '+', d.value == v
}

// likely reports whether the digits may be of the base: a few digits without a prefix are decimal.
func (d *numeral) likely(base uint64) bool {
	return base >= 10 || len(d.prefix) > 0 || d.n >= 2 && base == 8 || d.n >= 4
}

// prefixes are the letters behind the zero at the head of a number that is not decimal, by the base.
var prefixes = [...]byte{2: 'b', 8: 'o', 16: 'x'}

// numeralAt reports whether a numeral with the value v begins at a position.
func numeralAt(b []byte, base uint64, at int, v uint64, width uint8) bool {
	if at >= len(b) {
		return false
	}
	d := nextNumeral(b, base, at)
	_, ok := d.is(v, width)
	return ok && d.at == at && d.n > 0
}

// appendNumeral writes v in the form of d: with as many digits if d has zeros at its head. An octal number keeps a zero at
// its head in any case.
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
