// Package migrate makes inputs for a target whose arguments have changed of the inputs that it had before: arguments came, went, moved or have
// another type.
package migrate

import (
	"fmt"
	"math"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/regress"
)

// Mapping says of which old argument each new one is made.
type Mapping struct {
	From, To []regress.Parameter
	Of       []int // for each new argument the index of an old one; -1: it is new, and gets the zero value
}

// Map maps arguments: those of the same name first, then those of the same type in the same order, then those of the same type that have
// moved, then those whose type has changed to one that can have the same values.
func Map(from, to []regress.Parameter) Mapping {
	m := Mapping{From: from, To: to, Of: make([]int, len(to))}
	for i := range m.Of {
		m.Of[i] = -1
	}
	m.pair(func(a, b regress.Parameter) bool {
		return hasName(a) && a.Name == b.Name && isConvertible(a.Kind, b.Kind)
	})
	same := func(a, b regress.Parameter) bool { return a.Kind == b.Kind }
	m.inOrder(same)
	m.pair(same)
	m.pair(func(a, b regress.Parameter) bool { return isConvertible(a.Kind, b.Kind) })
	return m
}

func hasName(p regress.Parameter) bool { return p.Name != "" && p.Name != "_" }

// isConvertible reports whether values of one kind can be values of another one.
func isConvertible(from, to input.Kind) bool { return from.IsBuffer() == to.IsBuffer() }

// free returns the indexes of the old and of the new arguments that are not mapped.
func (m *Mapping) free() (from, to []int) {
	used := make([]bool, len(m.From))
	for i, of := range m.Of {
		if of >= 0 {
			used[of] = true
		} else {
			to = append(to, i)
		}
	}
	for i, isUsed := range used {
		if !isUsed {
			from = append(from, i)
		}
	}
	return from, to
}

// pair maps each new argument to the first old one that fits.
func (m *Mapping) pair(fits func(a, b regress.Parameter) bool) {
	_, to := m.free()
	for _, i := range to {
		from, _ := m.free()
		for _, j := range from {
			if fits(m.From[j], m.To[i]) {
				m.Of[i] = j
				break
			}
		}
	}
}

// inOrder maps as many arguments as possible without changing their order. Of several ways it takes the first arguments.
func (m *Mapping) inOrder(fits func(a, b regress.Parameter) bool) {
	from, to := m.free()
	best := make([][]int, len(from)+1) // length of the longest common sequence from these indexes on
	for i := range best {
		best[i] = make([]int, len(to)+1)
	}
	for i := len(from) - 1; i >= 0; i-- {
		for j := len(to) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if fits(m.From[from[i]], m.To[to[j]]) {
				best[i][j] = max(best[i][j], 1+best[i+1][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(from) && j < len(to); {
		switch {
		case fits(m.From[from[i]], m.To[to[j]]) && best[i][j] == 1+best[i+1][j+1]:
			m.Of[to[j]] = from[i]
			i, j = i+1, j+1
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
}

// Dropped returns the indexes of the old arguments that no new one is made of.
func (m Mapping) Dropped() []int {
	from, _ := m.free()
	return from
}

// Args makes new arguments of old ones. The error says which value does not fit the new type.
func (m Mapping) Args(old input.Args) (input.Args, error) {
	a := make(input.Args, len(m.To))
	for i, p := range m.To {
		a[i].Kind = p.Kind
		if m.Of[i] < 0 {
			continue
		}
		v, ok := convert(old[m.Of[i]], p.Kind)
		if !ok {
			return nil, fmt.Errorf("argument %d: %v is no value of %v", m.Of[i]+1, old[m.Of[i]].Go(), p.Kind)
		}
		a[i] = v
	}
	return a, nil
}

// convert returns a value of the kind that equals v. A float64 becomes the nearest float32.
func convert(v input.Value, to input.Kind) (w input.Value, ok bool) {
	w.Kind = to
	switch {
	case v.Kind == to || v.Kind.IsBuffer():
		w.Bits, w.Data = v.Bits, v.Data
		return w, true
	case isFloat(v.Kind) && isFloat(to):
		w.Bits = to.FloatBits(v.Float())
		return w, true
	case isFloat(v.Kind):
		return whole(v.Float(), to)
	case isFloat(to):
		f := float64(v.Bits)
		if isSigned(v.Kind) {
			f = float64(int64(v.Bits))
		}
		w.Bits = to.FloatBits(f)
		back, ok := whole(w.Float(), v.Kind)
		return w, ok && back.Bits == v.Bits
	}
	negative := isSigned(v.Kind) && int64(v.Bits) < 0
	w.Bits = v.Bits
	return w, isSigned(to) && (negative || int64(v.Bits) >= 0) && inRange(int64(v.Bits), to) || !isSigned(to) && !negative && v.Bits <= largest(to)
}

// whole returns a float that is a whole number as a value of a kind of integer.
func whole(f float64, to input.Kind) (w input.Value, ok bool) {
	w.Kind = to
	if f != math.Trunc(f) {
		return w, false
	}
	if isSigned(to) {
		if f < -(1<<63) || f >= 1<<63 {
			return w, false
		}
		w.Bits = uint64(int64(f))
		return w, inRange(int64(f), to)
	}
	if f < 0 || f >= 1<<64 {
		return w, false
	}
	w.Bits = uint64(f)
	return w, w.Bits <= largest(to)
}

func isFloat(k input.Kind) bool { return k == input.Float32 || k == input.Float64 }

func isSigned(k input.Kind) bool { return k >= input.Int && k <= input.Int64 }

// largest returns the largest value of a kind of unsigned integer or of bool.
func largest(k input.Kind) uint64 { return math.MaxUint64 >> (64 - k.Width()) }

// inRange reports whether a kind of signed integer has the value.
func inRange(n int64, k input.Kind) bool {
	limit := int64(math.MaxInt64 >> (64 - k.Width()))
	return n >= -limit-1 && n <= limit
}
