package frontier

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
)

// Place is the part of an argument that contains a value.
type Place struct {
	Argument int    `json:"argument"` // from 1
	From     int    `json:"from"`     // its first byte, from 0
	To       int    `json:"to"`       // the byte after the last one; both 0: the value is the argument itself, an integer, or its length
	Form     string `json:"form"`     // "text", "decimal", "byte", "little endian", "big endian", "number", "length"
}

// Describe returns the place as text, such as "argument 1, bytes 0 to 3". Arguments are counted from 1, and bytes from 0.
func (p *Place) Describe() string {
	switch {
	case p.Form == "length":
		return fmt.Sprintf("the length of argument %d", p.Argument)
	case p.To == p.From:
		return fmt.Sprintf("argument %d", p.Argument)
	case p.To == p.From+1:
		return fmt.Sprintf("argument %d, byte %d", p.Argument, p.From)
	}
	return fmt.Sprintf("argument %d, bytes %d to %d", p.Argument, p.From, p.To-1)
}

// minMatches is the number of different small numbers that must be in their inputs. Fewer may be there by chance.
const minMatches = 3

// maxMatches is the largest number of small numbers that gnaw looks for.
const maxMatches = 12

// confirmed returns the comparison with the smallest distance whose value has a place in its input, and the place. The place is nil if the input of
// the comparison best does not contain the value, or only by chance. Many inputs contain a number of one byte by chance, or are equal to the number.
// So such a number has a place only if the comparisons have at least minMatches values, if each of their inputs contains its value in the same form
// and argument, and if an input contains its value once.
func confirmed(best pair, list []pair) (pair, *Place) {
	place := best.seen.find(best.input.entry)
	if place == nil || best.seen.text != nil || place.To-place.From > 1 {
		return best, place
	}
	values := map[uint64]bool{}
	for _, p := range list {
		if values[p.seen.number] || len(values) == maxMatches {
			continue
		}
		values[p.seen.number] = true
		if other := p.seen.find(p.input.entry); other == nil || other.Form != place.Form || other.Argument != place.Argument {
			return best, nil
		}
	}
	if len(values) < minMatches {
		return best, nil
	}
	found := best
	place = nil
	for _, p := range list {
		at := p.seen.find(p.input.entry)
		if at != nil && (place == nil || p.distance() < found.distance()) && p.seen.once(at, p.input.entry) {
			found, place = p, at
		}
	}
	if place == nil {
		return best, nil
	}
	return found, place
}

// once reports whether an argument contains the bytes of a place once. It is true for an argument that is an integer.
func (v value) once(at *Place, e *coverage.Entry) bool {
	data := e.Args[at.Argument-1].Data
	return at.To == at.From || bytes.Count(data, data[at.From:at.To]) == 1
}

// minText is the length of the shortest text that gnaw looks for in the input. A shorter text is often there by chance.
const minText = 2

// find returns the place of a value in an input; nil: the input does not contain it in a known form.
func (v value) find(e *coverage.Entry) *Place {
	var forms []form
	if v.text != nil {
		if len(v.text) < minText {
			return nil
		}
		forms = []form{{"text", v.text}}
	} else {
		forms = v.forms()
	}
	for _, f := range forms {
		for i, a := range e.Args {
			if !a.Kind.IsBuffer() {
				continue
			}
			if at := bytes.Index(a.Data, f.data); at >= 0 {
				return &Place{i + 1, at, at + len(f.data), f.name}
			}
		}
	}
	for i, a := range e.Args {
		if v.text == nil && !a.Kind.IsBuffer() && a.Kind != input.Bool && a.Kind.Width() > 0 && a.Bits == v.number {
			return &Place{Argument: i + 1, Form: "number"}
		}
	}
	return nil
}

// minLength is the smallest length of an argument that counts as a value. A smaller length is often equal to the value by chance.
const minLength = 3

// length returns the argument whose length a number is; nil: there is none.
func (v value) length(e *coverage.Entry) *Place {
	for i, a := range e.Args {
		if v.text == nil && a.Kind.IsBuffer() && uint64(len(a.Data)) == v.number && len(a.Data) >= minLength {
			return &Place{Argument: i + 1, Form: "length"}
		}
	}
	return nil
}

// form is an encoding of a value.
type form struct {
	name string
	data []byte
}

// forms returns the encodings of a number that gnaw looks for in an input, binary ones first. A single byte is one of them only if the comparison
// is one of bytes or the number is a printable character, because other small bytes are often in an input by chance.
func (v value) forms() (list []form) {
	add := func(name string, data []byte) { list = append(list, form{name, data}) }
	for _, w := range []uint8{8, 4, 2} {
		if w > v.width && v.width > 1 || v.number>>(8*w-1)>>1 != 0 || v.number>>(8*(w/2)) == 0 {
			continue
		}
		little := binary.LittleEndian.AppendUint64(nil, v.number)
		big := binary.BigEndian.AppendUint64(nil, v.number)
		add("big endian", big[8-w:])
		add("little endian", little[:w])
	}
	if v.number > 9 {
		add("decimal", fmt.Appendf(nil, "%d", v.number))
	}
	if v.width == 1 || v.number < 256 && v.number > ' ' {
		add("byte", []byte{byte(v.number)})
	}
	return list
}

// distance returns the difference between two integers, or the number of bytes in which two strings differ.
func (p pair) distance() uint64 {
	if p.seen.text == nil {
		a, b := p.seen.signedNumber(), p.wanted.signedNumber()
		return uint64(max(a, b)) - uint64(min(a, b))
	}
	n := uint64(max(len(p.seen.text), len(p.wanted.text)))
	if len(p.seen.text) == 0 { // an empty text is further away than any other
		n++
	}
	for i := range min(len(p.seen.text), len(p.wanted.text)) {
		if p.seen.text[i] == p.wanted.text[i] {
			n--
		}
	}
	return n
}

// signedNumber extends the sign of a number.
func (v value) signedNumber() int64 {
	shift := 64 - 8*uint(min(max(v.width, 1), 8))
	return int64(v.number<<shift) >> shift
}
