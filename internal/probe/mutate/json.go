package mutate

import "bytes"

// The functions of this file edit text that looks like JSON without parsing all of it: they start at a random separator and
// look at what is near. A separator inside of a string leads to a wrong result sometimes, which costs one mutant.

// looksJSON reports whether b starts like an object or an array, or is one string. If b is too short for isText, it must also end
// like an object or an array.
func looksJSON(b []byte) bool {
	at := skipBlanks(b, 0)
	if at == len(b) {
		return false
	}
	last := len(b) - 1
	for end := max(last-wordReach, at); last > end && classes[b[last]]&blank != 0; {
		last--
	}
	switch b[at] {
	case '{', '[':
		return (b[last] == b[at]+2 || isText(b)) && opensJSON(b, at)
	case '"':
		return quotedEnd(b, at) == last+1 && last > at
	}
	return false
}

// maxOpeners is how many brackets at the head of a text are looked at.
const maxOpeners = 8

// opensJSON reports whether the brackets from b[at] on may open JSON: in an object comes a key.
func opensJSON(b []byte, at int) bool {
	for range maxOpeners {
		open := b[at]
		if at = skipBlanks(b, at+1); at == len(b) {
			return true
		}
		switch c := b[at]; {
		case open == '{' && c != '"' && c != '}' || c == '(' || c == '<':
			return false
		case c != '{' && c != '[':
			return true
		}
	}
	return true
}

// skipBlanks returns the position of the first byte from at on that is not blank.
func skipBlanks(b []byte, at int) int {
	for at < len(b) && classes[b[at]]&blank != 0 {
		at++
	}
	return at
}

// valueEnd returns the position behind the value that starts at b[at], and at if there is none or it does not end. Of
// arrays and objects it counts the brackets only.
func valueEnd(b []byte, at int) int {
	if at >= len(b) {
		return at
	}
	limit := min(at+spanReach, len(b))
	switch c := b[at]; c {
	case '"':
		return quotedEnd(b, at)
	case '{', '[':
		return bracketsEnd(b[:limit], at)
	default:
		end := at
		for end < limit && classes[b[end]]&endOfScalar == 0 {
			end++
		}
		return end
	}
}

// bracketsEnd returns the position behind the bracket that closes the one at b[at], and at if there is none.
func bracketsEnd(b []byte, at int) int {
	depth := 1
	for i := at + 1; i < len(b); i++ {
		if classes[b[i]]&jsonMark == 0 {
			continue
		}
		switch b[i] {
		case '"':
			end := quotedEnd(b, i)
			if end == i {
				return at
			}
			i = end - 1
		case '{', '[':
			depth++
		default:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return at
}

// jsonElement is an element of an array or a member of an object.
type jsonElement struct {
	sep   int // position of the separator before it, -1 for the outermost value
	lo    int // where the element begins
	key   int // end of the key with its quotes; lo if there is none
	value int // where the value begins
	hi    int // where the value and the element end
}

// elementAt returns the element behind the separator at b[sep]. ok is false if there is none.
func elementAt(b []byte, sep int) (e jsonElement, ok bool) {
	lo := skipBlanks(b, sep+1)
	if lo == len(b) {
		return e, false
	}
	e = jsonElement{sep: sep, lo: lo, key: lo, value: lo, hi: valueEnd(b, lo)}
	if b[lo] == '"' && e.hi > lo {
		if colon := skipBlanks(b, e.hi); colon < len(b) && b[colon] == ':' {
			e.key = e.hi
			e.value = skipBlanks(b, colon+1)
			e.hi = valueEnd(b, e.value)
		}
	}
	return e, e.hi > e.value
}

// maxElements is how many elements are looked at for the end of a list.
const maxElements = 64

// elementsEnd returns the position behind the last of the elements that follow the one which ends at b[hi].
func elementsEnd(b []byte, hi int) int {
	for range maxElements {
		next := skipBlanks(b, hi)
		if next == len(b) || b[next] != ',' {
			break
		}
		e, ok := elementAt(b, next)
		if !ok {
			break
		}
		hi = e.hi
	}
	return hi
}

// aroundIn: in 1/aroundIn of the cases findElement returns the element around the one that it has found. Most of the
// separators of a long element are inside of it.
const aroundIn = 4

// findElement returns a random element or member.
func findElement(r *Rand, b []byte) (e jsonElement, ok bool) {
	if len(b) == 0 {
		return e, false
	}
	sep := seek(r, b, element)
	if sep < 0 {
		return e, false
	}
	if r.Chance(1, aroundIn) {
		sep = separatorAround(b, sep)
	}
	return elementAt(b, sep)
}

// separatorAround returns the position of the separator before the array or object that b[sep] is in; sep if there is none.
func separatorAround(b []byte, sep int) int {
	at := openerBefore(b, sep)
	if at < 0 {
		return sep
	}
	if at = skipBlanksBack(b, at-1); at >= 0 && b[at] == ':' {
		lo, hi := keyBefore(b, at)
		if lo == hi {
			return sep
		}
		at = skipBlanksBack(b, lo-1)
	}
	if at >= 0 && (b[at] == ',' || b[at] == '[' || b[at] == '{') {
		return at
	}
	return sep
}

// openerBefore returns the position of the bracket that opens what b[at] is in, at itself if that is one; -1 if there is none
// near.
func openerBefore(b []byte, at int) int {
	depth := 0
	for end := max(at-spanReach, 0); at >= end; at-- {
		switch b[at] {
		case ']', '}':
			depth++
		case '[', '{':
			if depth == 0 {
				return at
			}
			depth--
		}
	}
	return -1
}

// skipBlanksBack returns the position of the last byte up to at that is not blank, -1 if there is none.
func skipBlanksBack(b []byte, at int) int {
	for at >= 0 && classes[b[at]]&blank != 0 {
		at--
	}
	return at
}

// keyBefore returns the key, with its quotes, before the colon at b[colon]: lo == hi if there is none.
func keyBefore(b []byte, colon int) (lo, hi int) {
	hi = colon
	for end := max(hi-maxGap, 0); hi > end && classes[b[hi-1]]&blank != 0; {
		hi--
	}
	if hi < 2 || b[hi-1] != '"' {
		return 0, 0
	}
	lo = hi - 2
	for end := max(lo-lineReach, 0); lo > end && b[lo] != '"'; {
		lo--
	}
	if b[lo] != '"' {
		return 0, 0
	}
	return lo, hi
}

// findKey returns the key of a random member, and where its value begins: lo == hi if there is none.
func findKey(r *Rand, b []byte) (lo, hi, value int) {
	if len(b) == 0 {
		return 0, 0, 0
	}
	colon := seek(r, b, colon)
	if colon < 0 {
		return 0, 0, 0
	}
	lo, hi = keyBefore(b, colon)
	return lo, hi, skipBlanks(b, colon+1)
}

// outermostIn: in 1/outermostIn of the cases findValue returns the outermost value.
const outermostIn = 16

// firstIn: in 1/firstIn of the cases findValue returns the first element of an array in place of the array.
const firstIn = 3

// findValue returns a random value: lo == hi if there is none.
func findValue(r *Rand, b []byte) (lo, hi int) {
	if len(b) == 0 {
		return 0, 0
	}
	sep := -1
	if !r.Chance(1, outermostIn) {
		sep = seek(r, b, jsonSep)
	}
	if sep >= 0 && b[sep] == ',' {
		if e, ok := elementAt(b, sep); ok {
			return e.value, e.hi
		}
		return 0, 0
	}
	lo = skipBlanks(b, sep+1)
	// The first element is next to its bracket, so that a random position is rarely before it.
	if lo < len(b) && b[lo] == '[' && r.Chance(1, firstIn) {
		lo = skipBlanks(b, lo+1)
	}
	return lo, valueEnd(b, lo)
}

// jsonDelete deletes an element or a member. Sometimes it deletes only its value or its key, the elements behind it as well, or
// only these: in lists that grow, wrong elements collect at the end.
func jsonDelete(m *Material, b []byte) ([]byte, bool) {
	e, ok := findElement(m.Rand, b)
	if !ok {
		return b, false
	}
	switch m.Rand.Intn(8) {
	case 0:
		return replace(m, b, e.value, e.hi, nil)
	case 1:
		return replace(m, b, e.lo, e.value, nil)
	case 2, 3:
		e.hi = elementsEnd(b, e.hi)
	case 4:
		if end := elementsEnd(b, e.hi); end > e.hi {
			return replace(m, b, e.hi, end, nil)
		}
	}
	if next := skipBlanks(b, e.hi); next < len(b) && b[next] == ',' {
		return replace(m, b, e.lo, skipBlanks(b, next+1), nil)
	}
	if b[e.sep] == ',' {
		return replace(m, b, e.sep, e.hi, nil)
	}
	return replace(m, b, e.lo, e.hi, nil)
}

// aloneIn: 1/aloneIn of the elements that are repeated replace the elements behind them, up to where elementsEnd looks.
const aloneIn = 3

// jsonDuplicate repeats an element or a member, half of the time more than once, beside those behind it. Two members with one
// key are a case of their own for most targets. The copies may replace the elements behind them: a target that reads a list of
// records often rejects all of it if one record is wrong.
func jsonDuplicate(m *Material, b []byte) ([]byte, bool) {
	e, ok := findElement(m.Rand, b)
	n := e.hi - e.lo + 1
	if !ok || n > m.room(b) {
		return b, false
	}
	count := 1
	if m.Rand.Bool() {
		count = pickLevels(m.Rand, m.room(b)/n)
	}
	if e.key == e.lo && m.Rand.Chance(1, aloneIn) {
		end := elementsEnd(b, e.hi)
		if end-e.hi == count*n && repeats(b[e.hi:end], b[e.lo:e.hi]) {
			return b, false
		}
		b = cut(b, e.hi, end)
	}
	b, m.at = openGap(b, e.hi, n), e.hi
	b[e.hi] = ','
	copy(b[e.hi+1:e.hi+n], b[e.lo:e.hi])
	if count > 1 {
		b = multiply(b, e.hi, e.hi+n, count-1)
	}
	return b, true
}

// repeats reports whether list is element again and again, each behind a comma.
func repeats(list, element []byte) bool {
	for len(list) > 0 {
		if list[0] != ',' || !bytes.HasPrefix(list[1:], element) {
			return false
		}
		list = list[1+len(element):]
	}
	return true
}

// jsonSwap exchanges two elements, their values, or their keys.
func jsonSwap(m *Material, b []byte) ([]byte, bool) {
	x, ok := findElement(m.Rand, b)
	if !ok {
		return b, false
	}
	y, ok := findElement(m.Rand, b)
	if !ok {
		return b, false
	}
	if x.lo > y.lo {
		x, y = y, x
	}
	lo1, hi1, lo2, hi2 := x.lo, x.hi, y.lo, y.hi
	switch m.Rand.Intn(4) {
	case 0:
		lo1, lo2 = x.value, y.value
	case 1:
		hi1, hi2 = x.key, y.key
	}
	if hi1 > lo2 || lo1 == hi1 || lo2 == hi2 {
		return b, false
	}
	return swap(b, lo1, hi1, lo2, hi2)
}
