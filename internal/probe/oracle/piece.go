package oracle

import (
	"bytes"

	"github.com/gnaw-fuzz/gnaw/input"
)

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

// scanned is how many bytes of an argument are looked at for pieces.
const scanned = 4 << 10

// Pieces lists what of an input may be worth repeating, at most limit pieces: whole arguments, pairs of brackets, lines,
// words, neighbours. Which ones, if there are more, depends on the content only. Pieces with the same text count once.
func Pieces(a input.Args, limit int) (pieces []Piece) {
	var first, more []Piece
	for i, v := range a {
		if !v.Kind.IsBuffer() || len(v.Data) == 0 {
			continue
		}
		first = append(first, Piece{Arg: i, From: 0, To: len(v.Data)})
		data := v.Data[:min(len(v.Data), scanned)]
		more = append(more, brackets(i, data)...)
		more = append(more, runs(i, data)...)
	}
	more = distinct(a, more)
	shuffle(more, hash(a))
	pieces = append(first, more...)
	return pieces[:min(limit, len(pieces))]
}

// closers maps what opens to what closes it.
var closers = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// brackets lists the pairs of brackets, to be nested, alone and with the word before them.
func brackets(arg int, data []byte) (pieces []Piece) {
	var open []int
	for i, c := range data {
		if closers[c] != 0 {
			open = append(open, i)
		}
		if len(open) == 0 || closers[data[open[len(open)-1]]] != c {
			continue
		}
		from := open[len(open)-1]
		open = open[:len(open)-1]
		pieces = append(pieces, Piece{arg, from, from + 1, i, i + 1})
		if word := wordBefore(data, from); word < from {
			pieces = append(pieces, Piece{arg, word, from + 1, i, i + 1})
		}
	}
	return pieces
}

// wordBefore returns where the word that ends before i begins; i if there is none.
func wordBefore(data []byte, i int) int {
	for i > 0 && (class(data[i-1]) == 'a' || data[i-1] == ':' || data[i-1] == '"') {
		i--
	}
	return i
}

// class returns a byte that is the same for bytes that belong together: letters and digits, and space. Any other byte stands for itself.
func class(c byte) byte {
	switch {
	case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= 0x80:
		return 'a'
	case c == ' ', c == '\t':
		return ' '
	}
	return 0
}

// maxNeighbours is how many lexemes in a row make a piece.
const maxNeighbours = 4

// runs lists lexemes, up to four of them in a row, lines, and single bytes of words.
func runs(arg int, data []byte) (pieces []Piece) {
	var starts []int
	for i, c := range data {
		if i == 0 || class(c) == 0 || class(c) != class(data[i-1]) {
			starts = append(starts, i)
		}
	}
	starts = append(starts, len(data))
	for i := range len(starts) - 1 {
		for n := 1; n <= maxNeighbours && i+n < len(starts); n++ {
			pieces = append(pieces, Piece{Arg: arg, From: starts[i], To: starts[i+n]})
		}
		if starts[i]+1 < starts[i+1] {
			pieces = append(pieces, Piece{Arg: arg, From: starts[i], To: starts[i] + 1})
		}
	}
	for from := 0; from < len(data); {
		n := bytes.IndexByte(data[from:], '\n') + 1
		if n == 0 {
			break
		}
		pieces = append(pieces, Piece{Arg: arg, From: from, To: from + n})
		from += n
	}
	return pieces
}

// distinct drops pieces whose text was there before.
func distinct(a input.Args, pieces []Piece) (kept []Piece) {
	seen := map[string]bool{}
	for _, p := range pieces {
		data := a[p.Arg].Data
		text := string(data[p.From:p.To]) + "\x00" + string(data[p.CloseFrom:p.CloseTo])
		if !seen[text] {
			seen[text] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// hash is FNV-1a of the buffers.
func hash(a input.Args) uint64 {
	h := uint64(14695981039346656037)
	for _, v := range a {
		for _, c := range v.Data {
			h = (h ^ uint64(c)) * 1099511628211
		}
	}
	return h
}

// shuffle puts the pieces into an order that depends on the seed.
func shuffle(pieces []Piece, seed uint64) {
	for i := len(pieces) - 1; i > 0; i-- {
		seed = seed*6364136223846793005 + 1442695040888963407
		j := int(seed>>33) % (i + 1)
		pieces[i], pieces[j] = pieces[j], pieces[i]
	}
}
