package minimize

import "slices"

// part is what lies between a bracket and the one that closes it, with both.
type part struct{ lo, hi int }

// dropNesting removes levels of the deepest nest of brackets, half of them at once, a quarter, down to one: it puts an
// inner part in the place of an outer one.
func dropNesting(s *search, arg int) {
	nest := deepest(s.data(arg))
	for count := len(nest) / 2; count > 0 && !s.stats.Stopped; count /= 2 {
		for i := len(nest) - 1 - count; i >= 0; {
			outer, inner := nest[i], nest[i+count]
			if s.tryCut(arg, outer.lo, outer.hi, s.data(arg)[inner.lo:inner.hi]) {
				nest = deepest(s.data(arg))
				i = min(i, len(nest)-1) - count
			} else {
				i -= stride(count, len(nest))
			}
		}
	}
}

// deepest returns the bracketed parts that lead to the innermost one, the outermost first. Brackets without a partner
// are ignored.
func deepest(d []byte) (nest []part) {
	var open []int // where the parts begin that are not closed yet
	levels := 0
	for i, c := range d {
		if isOpening(c) {
			open = append(open, i)
			continue
		}
		k := len(open) - 1
		if k < 0 || c != closers[d[open[k]]] {
			continue
		}
		if k >= levels {
			levels, nest = k+1, nest[:0]
			for _, lo := range open {
				nest = append(nest, part{lo: lo})
			}
		}
		if k < len(nest) && nest[k].lo == open[k] {
			nest[k].hi = i + 1
		}
		open = open[:k]
	}
	return slices.DeleteFunc(nest, func(p part) bool { return p.hi == 0 })
}

// isOpening reports whether c is an opening bracket; quotes, which open and close, are none.
func isOpening(c byte) bool { return closers[c] != 0 && closers[c] != c }

// maxChildren is how many of the parts inside of a pair of brackets are tried in its place.
const maxChildren = 8

// dropBrackets removes pairs of brackets or quotes with their content and a separator next to them, or only the
// brackets, or all but a part inside that has brackets itself, as the value of a JSON member.
func dropBrackets(s *search, arg int) {
	for lo := 0; lo < len(s.data(arg)) && !s.stats.Stopped; {
		hi := closing(s.data(arg), lo)
		if hi == lo || !s.dropPair(arg, lo, hi) {
			lo++
		}
	}
}

// dropPair tries to simplify the bracketed part from lo to hi.
func (s *search) dropPair(arg, lo, hi int) bool {
	d := s.data(arg)
	if s.tryCut(arg, lo, hi, nil) ||
		hi < len(d) && s.tryCut(arg, lo, hi+1, nil) ||
		lo > 0 && s.tryCut(arg, lo-1, hi, nil) ||
		s.tryCut(arg, lo, hi, d[lo+1:hi-1]) {
		return true
	}
	children := 0
	for i := lo + 1; i < hi-1 && children < maxChildren; {
		end := closing(d[:hi-1], i)
		if end == i {
			i++
			continue
		}
		if s.tryCut(arg, lo, hi, d[i:end]) {
			return true
		}
		i = end
		children++
	}
	return false
}

// closers maps what opens a part to what closes it.
var closers = [256]byte{'(': ')', '[': ']', '{': '}', '<': '>', '"': '"', '\'': '\'', '`': '`'}

// closingReach limits the search for a closing bracket, so that a buffer full of brackets that nobody closes does not
// take quadratic time. What is longer has been made shorter by other passes in the next round, or stays as it is.
const closingReach = 4096

// closing returns the position behind the bracket or quote that closes the one at lo, and lo if there is none near or
// d[lo] is no bracket. Brackets of other kinds in between are not looked at.
func closing(d []byte, lo int) int {
	open, shut := d[lo], closers[d[lo]]
	if shut == 0 {
		return lo
	}
	depth := 1
	for i, c := range d[lo+1 : min(lo+closingReach, len(d))] {
		switch c {
		case shut:
			depth--
		case open:
			depth++
		}
		if depth == 0 {
			return lo + i + 2
		}
	}
	return lo
}

// dropItems removes the items of lists, each with the separator before or behind it.
func dropItems(s *search, arg int) {
	for i := len(s.data(arg)) - 1; i >= 0 && !s.stats.Stopped; i-- {
		d := s.data(arg)
		if i >= len(d) || !isSeparator(d[i]) {
			continue
		}
		if end := itemEnd(d, i+1); !s.tryCut(arg, i, end, nil) {
			s.tryCut(arg, itemStart(d, i), i+1, nil)
		}
	}
}

func isSeparator(c byte) bool { return c == ',' || c == ';' || c == '&' || c == '|' || c == '\n' }

// itemEnd returns the position of the separator or closing bracket at which the item that begins at i ends.
func itemEnd(d []byte, i int) int {
	depth := 0
	for end := min(i+closingReach, len(d)); i < end; i++ {
		switch c := d[i]; {
		case isOpening(c):
			depth++
		case isClosing(c):
			depth--
		}
		if depth < 0 || depth == 0 && isSeparator(d[i]) {
			break
		}
	}
	return i
}

// itemStart returns the position behind the separator or opening bracket at which the item that ends at i begins.
func itemStart(d []byte, i int) int {
	depth := 0
	for end := max(i-closingReach, 0); i > end; i-- {
		switch c := d[i-1]; {
		case isClosing(c):
			depth++
		case isOpening(c):
			depth--
		}
		if depth < 0 || depth == 0 && isSeparator(d[i-1]) {
			break
		}
	}
	return i
}

func isClosing(c byte) bool { return c == ')' || c == ']' || c == '}' || c == '>' }
