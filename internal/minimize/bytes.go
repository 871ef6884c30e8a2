package minimize

import "bytes"

// levelBytes makes large parts of a buffer all '0'.
func levelBytes(s *search, arg int) {
	n := len(s.data(arg))
	s.level(arg, 0, n, n/coarseParts+1, plainest[0])
}

// levelEachByte makes all bytes '0' that may be.
func levelEachByte(s *search, arg int) {
	s.level(arg, 0, len(s.data(arg)), 1, plainest[0])
}

// plainBytes makes the others a letter, a blank or zero, capital letters small and digits one.
func plainBytes(s *search, arg int) {
	for _, c := range plainest[1:] {
		s.level(arg, 0, len(s.data(arg)), 1, c)
	}
	for i := 0; i < len(s.data(arg)) && !s.stats.Stopped; i++ {
		switch c := s.data(arg)[i]; {
		case c >= 'A' && c <= 'Z':
			s.tryCut(arg, i, i+1, []byte{c - 'A' + 'a'})
		case c > '1' && c <= '9':
			s.tryCut(arg, i, i+1, []byte{'1'})
		}
	}
}

// level sets those bytes from lo to hi to c that are less simple, all at once or else in halves of at least the given
// size.
func (s *search) level(arg, lo, hi, least int, c byte) {
	d := s.data(arg)
	levelled := bytes.Clone(d[lo:hi])
	changed := false
	for i, old := range levelled {
		if ranks[c] < ranks[old] {
			levelled[i], changed = c, true
		}
	}
	if !changed || s.stats.Stopped || s.tryCut(arg, lo, hi, levelled) || hi-lo <= least {
		return
	}
	mid := lo + (hi-lo)/2
	s.level(arg, lo, mid, least, c)
	s.level(arg, mid, hi, least, c)
}

// mergeBytes replaces two bytes by a plain one, where neither can go alone because the other one would have to change.
// If one of them is as plain already, that would be the same as dropping the other.
func mergeBytes(s *search, arg int) {
	for i := len(s.data(arg)) - 2; i >= 0 && !s.stats.Stopped; i-- {
		for _, c := range plainest[:2] {
			d := s.data(arg)
			if i+2 <= len(d) && ranks[d[i]] > ranks[c] && ranks[d[i+1]] > ranks[c] && s.tryCut(arg, i, i+2, []byte{c}) {
				break
			}
		}
	}
}
