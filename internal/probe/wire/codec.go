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

// codec visits the fields of a message in their order, in one of two directions: it appends them to a payload, which leaves them as
// they are, or sets them from one. Integers are base-128 varints, byte strings have their length before them. After the first error
// of decoding all fields that are visited become zero.
type codec struct {
	b        []byte // encoding: the payload so far; decoding: what is left of it
	decoding bool
	err      error
}

// decode sets the fields of a message from a payload, of which its byte slices become parts.
func decode[M any](payload []byte, walk func(*M, *codec)) (m M, err error) {
	c := codec{b: payload, decoding: true}
	walk(&m, &c)
	return m, c.end()
}

// end returns the error of the decoding, or one if something is left.
func (c *codec) end() error {
	if c.err == nil && len(c.b) > 0 {
		return errLong
	}
	return c.err
}

func (c *codec) put(v uint64) {
	for v >= 0x80 {
		c.b = append(c.b, byte(v)|0x80)
		v >>= 7
	}
	c.b = append(c.b, byte(v))
}

func (c *codec) take() uint64 {
	var v uint64
	for i, b := range c.b {
		if i == 10 {
			break
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			c.b = c.b[i+1:]
			return v
		}
	}
	c.fail(errShort)
	return 0
}

// takeBytes takes a byte string, without copying.
func (c *codec) takeBytes() []byte {
	n := c.take()
	if n > uint64(len(c.b)) {
		c.fail(errShort)
		return nil
	}
	v := c.b[:n:n]
	c.b = c.b[n:]
	return v
}

func (c *codec) fail(err error) {
	c.b = nil
	if c.err == nil {
		c.err = err
	}
}

// number visits an integer.
func number[T ~uint8 | ~uint32 | ~uint64 | ~int64](c *codec, v *T) {
	if c.decoding {
		*v = T(c.take())
	} else {
		c.put(uint64(*v))
	}
}

// count visits a number of things, which is not negative.
func (c *codec) count(v *int) {
	if !c.decoding {
		c.put(uint64(*v))
		return
	}
	n := c.take()
	if n > math.MaxInt32 {
		c.fail(errLarge)
		n = 0
	}
	*v = int(n)
}

func (c *codec) bool(v *bool) {
	switch {
	case c.decoding:
		*v = c.take() != 0
	case *v:
		c.put(1)
	default:
		c.put(0)
	}
}

// digest visits a digest, which has a fixed size.
func (c *codec) digest(v *cover.Digest) {
	switch {
	case !c.decoding:
		c.b = append(c.b, v[:]...)
	case len(c.b) < len(v):
		c.fail(errShort)
		*v = cover.Digest{}
	default:
		c.b = c.b[copy(v[:], c.b):]
	}
}

func (c *codec) bytes(v *[]byte) {
	if c.decoding {
		*v = c.takeBytes()
		return
	}
	c.put(uint64(len(*v)))
	c.b = append(c.b, *v...)
}

func (c *codec) string(v *string) {
	if c.decoding {
		*v = string(c.takeBytes())
		return
	}
	c.put(uint64(len(*v)))
	c.b = append(c.b, *v...)
}

// list visits the elements of a list. An empty one is decoded as nil.
func list[T any](c *codec, v *[]T, visit func(*codec, *T)) {
	if !c.decoding {
		c.put(uint64(len(*v)))
		for i := range *v {
			visit(c, &(*v)[i])
		}
		return
	}
	for n := c.take(); n > 0 && c.err == nil; n-- {
		var element T
		*v = append(*v, element)
		visit(c, &(*v)[len(*v)-1])
	}
}

// features visits an ascending list, as differences.
func (c *codec) features(v *[]cover.Feature) {
	var last cover.Feature
	if !c.decoding {
		c.put(uint64(len(*v)))
		for _, f := range *v {
			c.put(uint64(f - last))
			last = f
		}
		return
	}
	n := c.take()
	if n > uint64(len(c.b)) { // each takes a byte at least
		c.fail(errShort)
		n = 0
	}
	*v = make([]cover.Feature, n)
	for i := range *v {
		last += cover.Feature(c.take())
		(*v)[i] = last
	}
}
