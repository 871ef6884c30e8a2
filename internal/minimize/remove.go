package minimize

import "bytes"

// cutTail looks for the shortest prefix, by halving.
func cutTail(s *search, arg int) {
	s.shortest(len(s.data(arg)), func(keep int) bool { return s.tryCut(arg, keep, len(s.data(arg)), nil) })
}

// cutHead looks for the shortest suffix, by halving.
func cutHead(s *search, arg int) {
	s.shortest(len(s.data(arg)), func(keep int) bool { return s.tryCut(arg, 0, len(s.data(arg))-keep, nil) })
}

// shortest looks for the least length that passes where n does. If passing depends on the length alone it finds it; in
// other cases it may miss one, which later passes make up for.
func (s *search) shortest(n int, try func(keep int) bool) {
	lo, hi := -1, n // lo does not pass
	for hi-lo > 1 && !s.stats.Stopped {
		if mid := lo + (hi-lo)/2; try(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
}

// coarseParts is how many parts the cheap passes over chunks go down to: they must cost no more than a few hundred
// checks however long a buffer is.
const coarseParts = 64

// dropChunks removes parts of half of the buffer, a quarter, and so on down to a 64th.
func dropChunks(s *search, arg int) {
	n := len(s.data(arg))
	s.drop(arg, n/2, n/coarseParts+1)
}

// dropBytes removes the smaller parts down to single bytes.
func dropBytes(s *search, arg int) {
	s.drop(arg, len(s.data(arg))/coarseParts+1, 1)
}

// overlapLimit is the length up to which neighbouring parts overlap. That also finds what lies across the borders of
// equal parts, but costs four times as much.
const overlapLimit = 256

// stride returns the distance between parts of a size in a buffer of n units.
func stride(size, n int) int {
	if n > overlapLimit {
		return size
	}
	return max(size/4, 1)
}

// drop removes parts whose size is halved from one value down to another one. It goes backwards, so that the positions
// of the parts ahead stay what they are.
func (s *search) drop(arg, from, to int) {
	for size := from; size >= to && !s.stats.Stopped; size /= 2 {
		s.dropParts(arg, size)
	}
}

// dropParts removes parts of one size. Where the buffer repeats itself it moves on without building a candidate: if
// what it steps over is the same at both ends of the part, removing either part leaves the same.
func (s *search) dropParts(arg, size int) {
	step := 0 // since the last part that could not be removed
	for hi := len(s.data(arg)); hi > 0; {
		d, lo := s.data(arg), max(hi-size, 0)
		known := step > 0 && hi-lo == size && bytes.Equal(d[lo:lo+step], d[hi:hi+step])
		if !known && s.tryCut(arg, lo, hi, nil) {
			hi, step = min(lo, len(s.data(arg))), 0
			continue
		}
		step = stride(size, len(d))
		hi -= step
	}
}

// dropLines removes lines, first many at once.
func dropLines(s *search, arg int) { s.dropUnits(arg, lines) }

// dropWords removes words and punctuation, first many at once.
func dropWords(s *search, arg int) { s.dropUnits(arg, words) }

// dropUnits removes runs of what the split function cuts the buffer into: half of all units, a quarter, down to one.
func (s *search) dropUnits(arg int, split func([]byte) []int) {
	ends := split(s.data(arg))
	for count := len(ends) / 2; count > 0 && !s.stats.Stopped; count /= 2 {
		ends = split(s.data(arg))
		for hi := len(ends); hi > 0; {
			lo := max(hi-count, 0)
			if s.tryCut(arg, start(ends, lo), ends[hi-1], nil) {
				hi = lo
			} else {
				hi -= stride(count, len(ends))
			}
		}
	}
}

// start returns where unit i begins.
func start(ends []int, i int) int {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}
