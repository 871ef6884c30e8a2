// Package oracle judges executions that did not fail: whether they allocate out of proportion, leave goroutines behind,
// touch memory that is not theirs, or take time that grows faster than the input.
//
// It has what measuring takes and what a measurement means; package worker executes the target between two measurements,
// outside of the loop that fuzzes. Nothing here knows targets, the corpus or coverage.
package oracle

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Set is a set of oracles.
type Set uint64

// The oracles.
const (
	Alloc  Set = 1 << iota // allocation out of proportion to the input
	Growth                 // time that grows faster than the input
	Leak                   // goroutines that stay when the target has returned
	Modify                 // writes into the memory of an argument
	Keep                   // keeps the memory of an argument
	Flaky                  // another result for the same input
	end
)

// All has every oracle.
const All = end - 1

var names = [...]string{"alloc", "growth", "leak", "modify", "keep", "flaky"}

// Names lists the names of the oracles, in the order of their bits.
func Names() []string { return names[:] }

// Has reports whether all of t are in s.
func (s Set) Has(t Set) bool { return s&t == t }

// String names the oracles of the set.
func (s Set) String() (text string) {
	for i, name := range names {
		if s&(1<<i) != 0 {
			if text != "" {
				text += ","
			}
			text += name
		}
	}
	return text
}

// Limits says which oracles are asked, and where what they look for begins.
type Limits struct {
	On       Set
	Alloc    uint64        // bytes that one execution may allocate, however small its input is
	Slow     time.Duration // an execution is fast enough below, however its time grows
	Patience time.Duration // how long a goroutine may outlive the execution that started it
}

// Defaults are the limits for real: on the fuzz targets of the standard library none of them is reached, and what
// reaches them can stop a service.
//
//   - 128 MiB: a thousand requests of one connection fill the memory of a large machine, and no parser of a small input
//     needs it. A length of three bytes that is believed is found if elements have eight.
//   - 50 ms for at most 64 KiB: 800 ns per byte, which is ten to a hundred times what parsers take.
//   - A second: goroutines that wait for a timer to give up are seen as such only when they do.
func Defaults() Limits {
	return Limits{On: All, Alloc: 128 << 20, Slow: 50 * time.Millisecond, Patience: time.Second}
}

// perByte is how many bytes an execution may allocate per byte of its input. Compressed data grows by about as much.
const perByte = 1024

// Excessive reports whether an execution allocated out of proportion to the size in bytes of its input.
func (l Limits) Excessive(allocated uint64, size int) bool {
	return allocated > l.Alloc && allocated > perByte*uint64(size)
}

// Report is what one oracle has to say.
type Report struct {
	Oracle  Set    // one of them
	Message string // one line
	Detail  string // lines: a stack as the runtime prints it, a curve
	Piece   Piece  // for Growth: what of the input was repeated
	Copies  int    // and how often in the largest input
}

// MaxGrown is the size in bytes of the largest input that is made of another one by repeating a piece: that of the
// largest mutant.
const MaxGrown = 64 << 10

// Piece is a part of an input to repeat: bytes From to To of argument Arg, and as many times CloseFrom to CloseTo, which
// are behind it, if that is not empty: what opens must be closed.
type Piece struct {
	Arg                int
	From, To           int
	CloseFrom, CloseTo int
}

// Len returns the number of bytes that one repetition adds.
func (p Piece) Len() int { return p.To - p.From + p.CloseTo - p.CloseFrom }

// Fits reports whether the piece is part of a.
func (p Piece) Fits(a input.Args) bool {
	if p.Arg < 0 || p.Arg >= len(a) || !a[p.Arg].Kind.IsBuffer() || p.From < 0 || p.From >= p.To {
		return false
	}
	n := len(a[p.Arg].Data)
	closed := p.CloseFrom == p.CloseTo || p.To <= p.CloseFrom && p.CloseFrom < p.CloseTo && p.CloseTo <= n
	return closed && p.To <= n
}

// Grow returns a with the piece there as often as copies says. It shares what does not change with a.
func (p Piece) Grow(a input.Args, copies int) input.Args {
	grown := append(input.Args(nil), a...)
	data := a[p.Arg].Data
	rest := data[p.To:]
	out := make([]byte, 0, len(data)+(copies-1)*p.Len())
	out = append(out, data[:p.From]...)
	for range copies {
		out = append(out, data[p.From:p.To]...)
	}
	if p.CloseFrom < p.CloseTo {
		rest = data[p.CloseTo:]
		out = append(out, data[p.To:p.CloseFrom]...)
		for range copies {
			out = append(out, data[p.CloseFrom:p.CloseTo]...)
		}
	}
	grown[p.Arg].Data = append(out, rest...)
	return grown
}
