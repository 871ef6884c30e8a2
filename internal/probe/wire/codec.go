package wire

import (
	"errors"
	"math"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// errShort says that a payload ended before its message did.
var errShort = errors.New("message ends too early")

// errLong says that a payload goes on behind its message.
var errLong = errors.New("message is longer than expected")

// errLarge says that a number is larger than what it counts can be.
var errLarge = errors.New("message has a number that is too large")

// encoder appends the parts of a payload: integers as base-128 varints, byte strings with their length before them.
type encoder struct{ b []byte }

func (e *encoder) uint(v uint64) {
	for v >= 0x80 {
		e.b = append(e.b, byte(v)|0x80)
		v >>= 7
	}
	e.b = append(e.b, byte(v))
}

func (e *encoder) bool(v bool) {
	if v {
		e.uint(1)
	} else {
		e.uint(0)
	}
}

func (e *encoder) bytes(v []byte) {
	e.uint(uint64(len(v)))
	e.b = append(e.b, v...)
}

func (e *encoder) string(v string) {
	e.uint(uint64(len(v)))
	e.b = append(e.b, v...)
}

// features writes an ascending list as differences.
func (e *encoder) features(fs []cover.Feature) {
	e.uint(uint64(len(fs)))
	var last cover.Feature
	for _, f := range fs {
		e.uint(uint64(f - last))
		last = f
	}
}

// decoder takes a payload apart. After the first error all methods return zero values.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) uint() uint64 {
	var v uint64
	for i, c := range d.b {
		if i == 10 {
			break
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			d.b = d.b[i+1:]
			return v
		}
	}
	d.fail()
	return 0
}

// int returns a number of things, which is not negative.
func (d *decoder) int() int {
	n := d.uint()
	if n > math.MaxInt32 {
		d.fail()
		d.err = errLarge
		return 0
	}
	return int(n)
}

func (d *decoder) fail() {
	d.b = nil
	if d.err == nil {
		d.err = errShort
	}
}

func (d *decoder) bool() bool { return d.uint() != 0 }

// bytes returns a part of the payload, without copying.
func (d *decoder) bytes() []byte {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail()
		return nil
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) string() string { return string(d.bytes()) }

func (d *decoder) features() []cover.Feature {
	n := d.uint()
	if n > uint64(len(d.b)) { // each takes a byte at least
		d.fail()
		return nil
	}
	fs := make([]cover.Feature, n)
	var last cover.Feature
	for i := range fs {
		last += cover.Feature(d.uint())
		fs[i] = last
	}
	return fs
}

// end returns the error of the decoding, or one if something is left.
func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		return errLong
	}
	return d.err
}
