package minimize

import (
	"math"
	"strconv"
	"strings"
)

// shrinkInt brings an integer closer to zero: to one, to a positive number, by halving the distance, then bit by bit
// and in small steps for checks that do not care about size alone.
func shrinkInt(s *search, arg int) {
	s.tryBits(arg, 1)
	v := &s.best[arg]
	if m := magnitude(v); negative(v) && m>>(v.Kind.Width()-1) == 0 {
		s.tryBits(arg, m)
	}
	try := func(m uint64) bool {
		if negative(&s.best[arg]) {
			m = -m
		}
		return s.tryBits(arg, m)
	}
	descend(magnitude(&s.best[arg]), try)
	for bit := 63; bit >= 0; bit-- {
		if m := magnitude(&s.best[arg]); m>>bit&1 != 0 {
			try(m &^ (1 << bit))
		}
	}
	for d := uint64(1); d <= smallSteps; d++ {
		for step := d; magnitude(&s.best[arg]) > step && try(magnitude(&s.best[arg])-step); {
			step *= 2
		}
	}
}

// smallSteps is how many of the numbers below the best one are tried, going on in the direction of those that pass:
// enough for conditions such as "odd" or "divisible by ten" on top of a limit.
const smallSteps = 10

// descend looks for the least number that passes, by halving, where zero has failed and from has passed.
func descend(from uint64, try func(uint64) bool) {
	lo, hi := uint64(0), from
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; try(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
}

// shrinkFloat makes a float a small whole number, or at least one with few digits and a small exponent.
func shrinkFloat(s *search, arg int) {
	k := s.best[arg].Kind
	try := func(f float64) bool { return s.tryBits(arg, k.FloatBits(f)) }
	f := s.best[arg].Float()
	for _, simple := range []float64{1, -1, -f, math.Trunc(f), math.Inf(1), math.NaN()} {
		try(simple)
	}
	if f = s.best[arg].Float(); f != f || math.IsInf(f, 0) {
		return
	}
	if floatClass(&s.best[arg], f) == wholeClass {
		shrinkWhole(f, try)
		return
	}
	s.roundFloat(arg, try)
	s.shrinkExponent(arg, try)
}

// shrinkWhole brings a whole number closer to zero.
func shrinkWhole(f float64, try func(float64) bool) {
	sign := math.Copysign(1, f)
	descend(uint64(math.Abs(f)), func(m uint64) bool { return try(sign * float64(m)) })
}

// roundFloat drops as many digits as possible.
func (s *search) roundFloat(arg int, try func(float64) bool) {
	v := &s.best[arg]
	f := v.Float()
	for n := range digits(v, f) {
		text := strconv.FormatFloat(f, 'e', n, v.Kind.Width())
		if rounded, err := strconv.ParseFloat(text, v.Kind.Width()); err == nil && try(rounded) {
			return
		}
	}
}

// shrinkExponent brings the decimal exponent closer to zero while the digits stay.
func (s *search) shrinkExponent(arg int, try func(float64) bool) {
	v := &s.best[arg]
	mantissa, exponent := splitExponent(strconv.FormatFloat(v.Float(), 'e', -1, v.Kind.Width()))
	sign := 1
	if exponent < 0 {
		sign = -1
	}
	scaled := func(e uint64) bool {
		f, err := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(sign*int(e)), 64)
		return err == nil && try(f)
	}
	if !scaled(0) {
		descend(uint64(sign*exponent), scaled)
	}
}

// splitExponent splits a number that strconv has printed with an exponent.
func splitExponent(text string) (mantissa string, exponent int) {
	mantissa, digits, _ := strings.Cut(text, "e")
	exponent, _ = strconv.Atoi(digits) // an exponent that strconv has printed is a number
	return mantissa, exponent
}

// shrinkDecimals makes decimal numbers in a text smaller, each by halving, in its shortest form.
func shrinkDecimals(s *search, arg int) {
	for lo := 0; lo < len(s.data(arg)); lo++ {
		hi := digitsEnd(s.data(arg), lo)
		if hi == lo {
			continue
		}
		if value, err := strconv.ParseUint(string(s.data(arg)[lo:hi]), 10, 64); err == nil {
			s.shrinkDecimal(arg, lo, hi, value)
		}
		lo = digitsEnd(s.data(arg), lo)
	}
}

func (s *search) shrinkDecimal(arg, lo, hi int, value uint64) {
	try := func(v uint64) bool {
		text := strconv.AppendUint(nil, v, 10)
		if !s.tryCut(arg, lo, hi, text) {
			return false
		}
		hi = lo + len(text)
		return true
	}
	if !try(0) {
		descend(value, try)
	}
}

// digitsEnd returns the end of the digits that begin at lo.
func digitsEnd(d []byte, lo int) int {
	for lo < len(d) && d[lo] >= '0' && d[lo] <= '9' {
		lo++
	}
	return lo
}
