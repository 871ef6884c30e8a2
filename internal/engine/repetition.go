package engine

import (
	"bytes"
	"strconv"

	"github.com/gnaw-fuzz/gnaw/input"
)

// deeper returns inputs like a that nest what it nests more deeply, if a has something in it that is repeated many times:
// with what closes it repeated as often, and without, for each factor.
func deeper(a input.Args, factors ...int) (all []input.Args) {
	arg, run := repeated(a)
	if arg < 0 {
		return nil
	}
	data := a[arg].Data
	closing := longest(data[run.to:])
	for _, factor := range factors {
		if len(data)*factor > maxDeep {
			break
		}
		open := run.repeated(data, factor)
		if closing.size() > 0 {
			closed := append(open[:len(open):len(open)], closing.repeated(data[run.to:], factor)...)
			all = append(all, with(a, arg, closed))
		}
		all = append(all, with(a, arg, append(open, data[run.to:]...)))
	}
	return all
}

// repeated returns the argument with the longest repetition, and that; -1 if there is none.
func repeated(a input.Args) (arg int, run repetition) {
	arg = -1
	for i, v := range a {
		if !v.Kind.IsBuffer() {
			continue
		}
		if found := longest(v.Data); found.size() > run.size() {
			arg, run = i, found
		}
	}
	return arg, run
}

// unitOf returns what is repeated most in an input, by the number of the argument and the rotation of its bytes that sorts
// first; empty if nothing is.
func unitOf(a input.Args) (unit string) {
	arg, run := repeated(a)
	if arg < 0 {
		return ""
	}
	twice := string(a[arg].Data[run.from : run.from+run.unit])
	twice += twice
	for i := range run.unit {
		if turned := twice[i : i+run.unit]; unit == "" || turned < unit {
			unit = turned
		}
	}
	return strconv.Itoa(arg) + unit
}

// with returns a with another content of one argument.
func with(a input.Args, arg int, data []byte) input.Args {
	a = append(input.Args(nil), a...)
	a[arg].Data = data
	return a
}

// repetition is a part of a text in which one unit follows itself.
type repetition struct{ from, to, unit int }

// Bounds of what counts as repeated. The units of nested text are short; a stack of 16 MB is not full after some calls.
const (
	maxUnit    = 64
	minRepeats = 32
)

func (r repetition) size() int { return r.to - r.from }

// longest returns the longest repetition in b, of the shortest unit; nothing if no unit is there often enough.
func longest(b []byte) (best repetition) {
	for unit := 1; unit <= maxUnit && unit < len(b); unit++ {
		for i := 0; i+unit < len(b); {
			n := bytesInCommon(b[i:], b[i+unit:])
			if size := n + unit; size >= minRepeats*unit && size > best.size()+unit {
				best = repetition{i, i + size, unit}
			}
			i += n + 1
		}
	}
	return best
}

// bytesInCommon returns how many bytes a and b begin with that are the same.
func bytesInCommon(a, b []byte) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// repeated returns b up to the end of the repetition, which is factor times as long.
func (r repetition) repeated(b []byte, factor int) []byte {
	more := bytes.Repeat(b[r.from:r.from+r.unit], r.size()/r.unit*(factor-1))
	out := make([]byte, 0, r.to+len(more))
	out = append(append(out, b[:r.from]...), more...)
	return append(out, b[r.from:r.to]...)
}
