package worker

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
)

const (
	// maxAligned is how many bytes at once are looked through for what is the same. That takes the product of both lengths, a third
	// of a millisecond at most.
	maxAligned = 512
	// minCommon is the shortest part in the midst of two different ones that counts as the same: shorter ones are chance.
	minCommon = 3
	// maxAlignments is how often that is done for one buffer.
	maxAlignments = 8
)

// span is a part of a buffer: the bytes from lo on, below hi, of an argument.
type span struct{ arg, lo, hi int }

// grown returns the parts of buffers of a that the input which it was made of does not have: they are longer than what they
// replace there. The parts of an argument are in ascending order, with something between them.
func grown(from, a input.Args) (parts []span) {
	for i := range a {
		if a[i].Kind.IsBuffer() {
			var before []byte
			if i < len(from) {
				before = from[i].Data
			}
			left := maxAlignments
			parts = appendGrown(parts, before, a[i].Data, span{i, 0, len(a[i].Data)}, &left)
		}
	}
	return parts
}

// appendGrown appends the parts of data within s that from does not have. left is how many alignments may be made.
func appendGrown(parts []span, from, data []byte, s span, left *int) []span {
	head := commonPrefix(from, data[s.lo:s.hi])
	from, s.lo = from[head:], s.lo+head
	tail := commonSuffix(from, data[s.lo:s.hi])
	from, s.hi = from[:len(from)-tail], s.hi-tail
	if s.hi-s.lo <= len(from) {
		return parts
	}
	if *left > 0 && len(from) >= minCommon {
		*left--
		// Of long parts the beginnings are aligned: changes are of a few bytes each, and behind the first one comes the same again.
		n, x, y := longestCommon(from[:min(len(from), maxAligned)], data[s.lo:min(s.hi, s.lo+maxAligned)])
		if n >= minCommon {
			parts = appendGrown(parts, from[:x], data, span{s.arg, s.lo, s.lo + y}, left)
			return appendGrown(parts, from[x+n:], data, span{s.arg, s.lo + y + n, s.hi}, left)
		}
	}
	return append(parts, s)
}

func commonPrefix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// longestCommon returns the first of the longest parts that a and b have in common: n bytes, at x in a and at y in b.
func longestCommon(a, b []byte) (n, x, y int) {
	var row [maxAligned + 1]int // of what ends at the byte of a at hand, and before each byte of b
	for i := range a {
		before := 0
		for j := range b {
			length := 0
			if a[i] == b[j] {
				length = before + 1
			}
			before, row[j+1] = row[j+1], length
			if length > n {
				n, x, y = length, i+1-length, j+1-length
			}
		}
	}
	return n, x, y
}

// shrinkGrown returns a function that minimizes the parts of a and keeps everything else. If it is called again, it continues with
// what is left of them.
func shrinkGrown(a input.Args, parts []span, o minimize.Options) func() {
	left := pieces(a, parts)
	check := o.Check
	o.Check = func(candidate input.Args) bool {
		if !check(weave(a, parts, candidate)) {
			return false
		}
		left = candidate.Clone()
		return true
	}
	return func() {
		if len(parts) == 0 || o.Deadline() {
			return
		}
		// Minimize would leave a byte of one that is alone, and needs a few candidates for many.
		none := left.Clone()
		for i := range none {
			none[i].Data = nil
		}
		if bare := weave(a, parts, none); len(a) == 1 && bare.Size() == 0 || !o.Check(none) {
			minimize.Minimize(left, o)
		}
	}
}

// pieces returns the parts as buffers of a tuple, each as an argument of its own.
func pieces(a input.Args, parts []span) input.Args {
	p := make(input.Args, len(parts))
	for i, s := range parts {
		p[i] = input.Value{Kind: a[s.arg].Kind, Data: a[s.arg].Data[s.lo:s.hi]}
	}
	return p
}

// weave returns a with other buffers in the place of its parts.
func weave(a input.Args, parts []span, others input.Args) input.Args {
	made := make(input.Args, len(a))
	copy(made, a)
	for arg := range made {
		var data []byte
		at, changed := 0, false
		for i, s := range parts {
			if s.arg == arg {
				data = append(append(data, a[arg].Data[at:s.lo]...), others[i].Data...)
				at, changed = s.hi, true
			}
		}
		if changed {
			made[arg].Data = append(data, a[arg].Data[at:]...)
		}
	}
	return made
}
