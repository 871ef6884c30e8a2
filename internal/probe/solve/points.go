package solve

// maxPoints is the largest number of executions on which a function is checked.
const maxPoints = 6

// points are the values of a field, or of an operand, in the entry and in its variants.
type points struct {
	n int
	v [maxPoints]uint64
}

func (s *points) add(v uint64) {
	if s.n < maxPoints {
		s.v[s.n] = v
		s.n++
	}
}

// distinct returns the number of different values.
func (s *points) distinct() (n int) {
	for i := range s.n {
		fresh := 1
		for j := range i {
			if s.v[i] == s.v[j] {
				fresh = 0
			}
		}
		n += fresh
	}
	return n
}

// minFit is how many different values a function must map correctly: two of them determine it, the others check it.
const minFit = 3

// minComputed is the smallest number that may be a checksum: smaller numbers are lengths, limits and positions.
const minComputed = 1 << 16

// computed reports whether the wanted side of a pair may be a checksum.
func (l *Log) computed(i int) bool {
	p := &l.pairs[i]
	var s, seen points
	s.add(p.Want ^ hash(p.WantText))
	seen.add(p.Seen ^ hash(p.SeenText))
	for j := range l.variants {
		v := &l.variants[j]
		if v.length >= 0 {
			continue
		}
		if !v.values[i].ok {
			return false
		}
		s.add(v.values[i].want ^ hash(v.values[i].wantText))
		seen.add(v.values[i].seen ^ hash(v.values[i].seenText))
	}
	return s.n >= minFit && seen.distinct() == s.n && (s.distinct() == s.n || p.Width >= 4 && p.Want >= minComputed)
}

// moves reports whether the seen side of pair i depends on what the variants have changed, and the wanted side does not.
func (l *Log) moves(i int) (moves bool) {
	p := &l.pairs[i]
	if p.unstable || p.Width < 2 || p.Width > 8 || p.nth >= maxPerSite {
		return false
	}
	for j := range l.variants {
		if v := &l.variants[j]; v.length < 0 && v.values[i].ok {
			if v.values[i].want != p.Want {
				return false
			}
			moves = moves || v.values[i].seen != p.Seen
		}
	}
	return moves
}
